//! A component that misbehaves as its settings request. `at` names the export in which it misbehaves, `mode` how:
//!
//! | mode | what it does |
//! |---|---|
//! | (none) | behaves |
//! | `trap`, `spin`, `grow`, `recurse` | panics; loops, allocates or recurses without end |
//! | `log`, `giant-log` | writes log lines without end; writes one line of 20 MiB |
//! | `giant-text`, `giant-list`, `long-list` | returns 33 MiB of text, 200,000 events, 1,001 events |
//! | `mutter` | writes `text` to its standard error |
//! | `nap`, `doze`, `poll` | sleeps with the contract's clock or with WASI's, or reads the time, without end |
//! | `probe` | returns what it finds of files, sockets, environment and so on |
//! | `fetch` | sends one request as `method`, `url`, `headers`, `body` and `patience` say, and returns the result as text |
//! | `socket` | opens, uses and abuses WebSockets as the lines of `script` say, or in `receive` as the lines of its cursor say: see `sockets` |
//! | `many-files` | reports a message with 11 files |
//! | `press` | reports that a user chose `text` on every watched card |
//! | `fail` | returns the error `other` with `text` |
//!
//! `describe` has no settings yet, so the time selects how it misbehaves: see `describe_as_the_time_says`.

#![allow(unsafe_code, reason = "generated code passes lists over the component boundary")]
#![allow(clippy::panic, missing_docs, reason = "a component that is meant to break")]

mod deeds;
mod keeping;
mod probes;
mod sockets;

mod bindings {
    wit_bindgen::generate!({ path: "../../../wit", world: "messenger", generate_all });
}

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hint::black_box;

use bindings::dmplz::messenger::clock;
use bindings::dmplz::messenger::types::{
    Batch, Card, Chat, Chosen, Command, Error, MessageRef, OpenChat, SentFile, Setting, User, Watch,
};
use bindings::exports::dmplz::messenger::provider::{
    Answering, ChatKind, ChatSpec, Check, Diagnosis, Download, FrameKind, Greeting, Guest, Identity, Introduction,
    Lifetime, Limits, Manifest, Meeting, Renewal, SecretFrame, SecretHeader, SecretPlace, SecretSpec, SettingKind,
    SettingSpec, Subject, Transport, Users, Words,
};

thread_local! {
    static SETTINGS: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
}

fn setting(name: &str) -> String {
    SETTINGS.with_borrow(|settings| settings.get(name).cloned().unwrap_or_default())
}

/// Loops until the host stops the component.
fn spin() -> ! {
    let mut turns = 0_u64;
    loop {
        turns = black_box(turns.wrapping_add(1));
    }
}

struct Hostile;

impl Guest for Hostile {
    fn describe() -> Manifest {
        describe_as_the_time_says()
    }

    fn connect(settings: Vec<Setting>, _: String) -> Result<(), Error> {
        SETTINGS.set(settings.into_iter().map(|setting| (setting.name, setting.value)).collect());
        deeds::at("connect").map(drop)
    }

    fn open(chat: Chat) -> Result<OpenChat, Error> {
        let seen = deeds::at("open")?;
        let (Chat::Room(id) | Chat::Person(id)) = chat;
        Ok(OpenChat { id, owner: seen })
    }

    fn diagnose(_: Chat) -> Result<Diagnosis, Error> {
        let seen = deeds::at("diagnose")?.unwrap_or_default();
        let check = Check { subject: Subject::Post, ok: true, detail: seen };
        Ok(Diagnosis { bot: Identity { id: "7".into(), name: "hostile".into() }, checks: vec![check] })
    }

    fn introduce(code: String) -> Result<Option<Introduction>, Error> {
        let seen = deeds::at("introduce")?;
        let bot = Identity { id: "7".into(), name: "hostile".into() };
        Ok(seen.map(|link| Introduction { bot, checks: Vec::new(), invite: None, link: Some(link), message: code }))
    }

    fn meet(cursor: String, _: u32) -> Result<Meeting, Error> {
        let seen = deeds::at("meet")?;
        let user = User { id: "7".into(), name: "somebody".into(), is_bot: false };
        let greeting = |code: String| Greeting { chat: Chat::Room("1".into()), user: user.clone(), code };
        let greetings = match setting("mode").as_str() {
            "long-list" => (0..1_001).map(|_| greeting(String::new())).collect(),
            _ => seen.into_iter().map(greeting).collect(),
        };
        Ok(Meeting { greetings, cursor })
    }

    fn post(chat: OpenChat, _: Card) -> Result<MessageRef, Error> {
        let seen = deeds::at("post")?;
        Ok(MessageRef { chat: chat.id, id: seen.unwrap_or_else(|| "1".into()), sequence: 1 })
    }

    fn revise(_: MessageRef, _: Card) -> Result<(), Error> {
        deeds::at("revise").map(drop)
    }

    fn receive(cursor: String, watching: Vec<Watch>, _: u32) -> Result<Batch, Error> {
        let seen = if setting("mode") == "socket" { Some(sockets::follow(&cursor)) } else { deeds::at("receive")? };
        let events = match setting("mode").as_str() {
            "giant-list" => deeds::events(200_000),
            "long-list" => deeds::events(1_001),
            "press" => deeds::presses(&watching),
            "many-files" => deeds::message_with_files(11),
            _ => Vec::new(),
        };
        Ok(Batch { events, cursor: seen.unwrap_or(cursor) })
    }

    fn open_thread(_: OpenChat, name: String) -> Result<Option<OpenChat>, Error> {
        let seen = deeds::at("open-thread")?;
        Ok(Some(OpenChat { id: seen.unwrap_or(name), owner: Some("mallory".into()) }))
    }

    fn set_thread(_: OpenChat, _: String, _: bool) -> Result<(), Error> {
        deeds::at("set-thread").map(drop)
    }

    fn set_commands(_: OpenChat, _: Vec<Command>) -> Result<(), Error> {
        deeds::at("set-commands").map(drop)
    }

    fn locate(file: SentFile) -> Result<Download, Error> {
        deeds::at("locate")?;
        Ok(Download { url: file.id, headers: deeds::headers() })
    }

    fn draft(_: OpenChat, _: u32, _: String) -> Result<(), Error> {
        deeds::at("draft").map(drop)
    }

    fn acknowledge(_: Chosen, _: Option<String>) -> Result<(), Error> {
        deeds::at("acknowledge").map(drop)
    }
}

/// Returns a manifest that depends on the clock:
///
/// | time in ms | the manifest |
/// |---|---|
/// | 101, 102 | none: traps, loops |
/// | 104 | has an invalid name |
/// | 105 | has a secret without origins |
/// | 106 | has the result of a request, which `describe` may not send, as its version |
/// | 107 | has an invalid origin |
/// | 108 | has a transport without any way to write a reason |
/// | 109 | has a secret without a place |
/// | 110 | has a secret in a header that servers show to others |
/// | 111 | has a secret at a malformed JSON pointer |
/// | 112 | has more places for a secret than allowed |
/// | 113 | has no chat |
/// | 114 | has a chat with the name of a setting |
/// | 115, 117 | has a chat with a name that the host reserves |
/// | 116 | has transports with two choices a card |
/// | 1,001 | has another version |
/// | other | is valid |
fn describe_as_the_time_says() -> Manifest {
    let now = clock::now();
    let named = |name: &str, required| SettingSpec {
        name: name.into(),
        help: for_tests(),
        kind: if ["base", "elsewhere", "fallback"].contains(&name) { SettingKind::Url } else { SettingKind::Text },
        required,
        default: (name == "fallback").then(|| "https://fallback.example/api".into()),
    };
    let names = [
        "mode", "at", "method", "url", "headers", "body", "patience", "text", "script", "base", "elsewhere", "fallback",
    ];
    let secret = |name: &str, origins: &[&str], places: Vec<SecretPlace>| SecretSpec {
        name: name.into(),
        help: for_tests(),
        required: true,
        instead_of: None,
        origins: strings(origins),
        places,
        renewal: None,
    };
    let token = |places| secret("token", &["{setting:base}"], places);
    let mut manifest = Manifest {
        name: "hostile".into(),
        version: "1.0.0".into(),
        settings: names.into_iter().map(|name| named(name, false)).collect(),
        secrets: vec![
            token(vec![
                SecretPlace::Path("/bot{secret:token}/".into()),
                SecretPlace::Path("/{secret:token}".into()),
                in_header("authorization"),
                in_header("X-Auth-Token"),
                in_header("x-api-key"),
                in_frame("/d/token", Some(("/op", "2"))),
                in_frame("/token", Some(("/type", "\"auth\""))),
                in_frame("", None),
            ]),
            SecretSpec {
                required: false,
                ..secret(
                    "form-key",
                    &["{setting:base}"],
                    vec![SecretPlace::Json("/auth/key".into()), SecretPlace::Form("key".into())],
                )
            },
            SecretSpec {
                required: false,
                renewal: Some(Renewal {
                    url: "{setting:base}/login".into(),
                    form: false,
                    fields: fields(&[
                        ("grant", "{secret:login}"),
                        ("client", "{setting:text}"),
                        ("key", "{secret:token}"),
                    ]),
                    token: "/token".into(),
                    successor: Some("/next".into()),
                    lifetime: Some(Lifetime::Seconds("/seconds".into())),
                }),
                instead_of: Some("spare".into()),
                ..secret("login", &["{setting:base}"], vec![login_header()])
            },
            secret("spare", &["{setting:elsewhere}"], vec![SecretPlace::Path("/{secret:spare}".into())]),
        ],
        chats: vec![chat("chat-id")],
        users: Users::Identified,
        origins: strings(&[
            "{setting:base}", "{setting:elsewhere}", "{setting:fallback}", "https://granted.example",
            "wss://granted.example", "wss://*.granted.example",
        ]),
        transports: vec![transport("hostile", false), transport("persistent", true)],
    };
    match now {
        101 => panic!("trapped in describe"),
        102 => spin(),
        1_001 => manifest.version = "1.0.1".into(),
        104 => manifest.name = "Not A Name".into(),
        105 => manifest.secrets = vec![secret("token", &[], vec![in_header("authorization")])],
        106 => manifest.version = deeds::fetch_from("https://granted.example/"),
        116 => manifest.transports.iter_mut().for_each(|transport| transport.limits.choices = 2),
        108 => {
            manifest.transports.push(Transport {
                answering: Answering::Reactions,
                reads_chat: false,
                ..transport("mute", false)
            });
        }
        107 => manifest.origins = strings(&["https://*.example"]),
        109 => manifest.secrets = vec![token(vec![])],
        110 => manifest.secrets = vec![token(vec![in_header("x-audit-log-reason")])],
        111 => manifest.secrets = vec![token(vec![in_frame("d/token", None)])],
        113 => manifest.chats = vec![],
        114 => manifest.chats = vec![chat("url")],
        115 => manifest.chats = vec![chat("transport")],
        117 => manifest.chats = vec![chat("allowed-users")],
        125 => manifest.secrets.iter_mut().for_each(|secret| secret.instead_of = Some("form-key".into())),
        118..=124 => manifest.secrets = vec![unusable_renewal(now)],
        112 => manifest.secrets = vec![token(vec![in_header("authorization"); 9])],
        _ => {}
    }
    manifest
}

/// A secret whose renewal no host takes.
fn unusable_renewal(now: u64) -> SecretSpec {
    let mut renewal = Renewal {
        url: "{setting:base}/login".into(),
        form: true,
        fields: fields(&[("grant", "{secret:login}")]),
        token: "/token".into(),
        successor: None,
        lifetime: None,
    };
    match now {
        118 => renewal.url = "https://granted.example/login".into(),
        119 => renewal.fields = vec![],
        120 => renewal.fields = fields(&[("grant", "x{secret:login}")]),
        121 => renewal.fields = fields(&[("grant", "{secret:login}"), ("again", "{secret:login}")]),
        122 => renewal.fields = fields(&[("grant", "{secret:login}"), ("key", "{secret:other}")]),
        123 => renewal.fields = fields(&[("grant", "{secret:login}"), ("key", "{setting:other}")]),
        _ => renewal.token = "token".into(),
    }
    SecretSpec {
        name: "login".into(),
        help: for_tests(),
        required: true,
        instead_of: None,
        origins: strings(&["{setting:base}"]),
        places: vec![login_header()],
        renewal: Some(renewal),
    }
}

fn chat(name: &str) -> ChatSpec {
    ChatSpec { name: name.into(), help: for_tests(), kind: ChatKind::Room }
}

fn for_tests() -> Words {
    Words { en: "For tests.".into(), ko: String::new() }
}

fn in_header(name: &str) -> SecretPlace {
    SecretPlace::Header(SecretHeader { name: name.into(), value: "Bot {secret:token}".into() })
}

fn in_frame(pointer: &str, kind: Option<(&str, &str)>) -> SecretPlace {
    let kind = kind.map(|(pointer, value)| FrameKind { pointer: pointer.into(), value: value.into() });
    SecretPlace::Frame(SecretFrame { pointer: pointer.into(), kind })
}

fn transport(name: &str, persistent: bool) -> Transport {
    let limits = Limits { text: 4096, choices: 8, attachment: 1 << 20, notice: 200 };
    let (name, help) = (name.into(), "For tests.".into());
    Transport {
        name,
        help,
        limits,
        answering: Answering::Buttons,
        poll_interval: 0,
        presses_kept: None,
        persistent,
        reads_chat: true,
        threads: true,
        commands: true,
        files: true,
        drafts: true,
    }
}

fn login_header() -> SecretPlace {
    SecretPlace::Header(SecretHeader { name: "authorization".into(), value: "Login {secret:login}".into() })
}

fn fields(fields: &[(&str, &str)]) -> Vec<(String, String)> {
    fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[cfg(target_family = "wasm")]
bindings::export!(Hostile with_types_in bindings);
