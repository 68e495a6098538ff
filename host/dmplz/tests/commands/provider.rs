//! `dmplz provider`, with the hostile component of `tests/guests`, which behaves as long as nobody sets its mode.

use std::fs;
use std::path::{Path, PathBuf};

use dmplz_guests::HOSTILE;
use serde_json::{Value, json};

use crate::command::{Home, Left};
use crate::terminal::Terminal;

const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";

/// Writes the component to a file in the working folder.
pub(crate) fn component(home: &Home, name: &str, wasm: &[u8]) -> PathBuf {
    let path = home.path().join("work").join(name);
    fs::write(&path, wasm).unwrap();
    path
}

/// Returns the component with one text replaced by another of the same length.
fn with(old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut wasm = HOSTILE.to_vec();
    let places: Vec<usize> = (0..wasm.len() - old.len()).filter(|at| wasm[*at..].starts_with(old.as_bytes())).collect();
    assert!(!places.is_empty(), "{old}");
    for at in places {
        wasm[at..at + new.len()].copy_from_slice(new.as_bytes());
    }
    wasm
}

/// Returns the component with other bytes and the same behaviour. It has an additional custom section of three bytes,
/// with an empty name.
pub(crate) fn rebuilt() -> Vec<u8> {
    [HOSTILE, &[0, 3, 0, 1, 2]].concat()
}

/// Returns the output without the parts that differ between machines.
fn shown(home: &Home, left: &Left) -> String {
    let sha256 = digest(HOSTILE);
    let text = format!("{}{}", left.stdout, left.stderr).replace(&home.path().display().to_string(), "~");
    text.replace(&sha256, "SHA256").replace(&sha256[..12], "SHA").replace(&HOSTILE.len().to_string(), "SIZE")
}

fn digest(wasm: &[u8]) -> String {
    dmplz_plugin::Digest::of(wasm).to_string()
}

pub(crate) fn installed(home: &Home) -> Vec<Value> {
    home.run(&["provider", "list", "--json"]).json()["installed"].as_array().unwrap().clone()
}

fn cached(home: &Home) -> Vec<PathBuf> {
    let entries = fs::read_dir(home.state().join("cache")).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some()).collect()
}

#[test]
fn inspecting_shows_what_a_component_is_and_keeps_nothing() {
    let home = Home::new().with("DMPLZ_HOSTILE_TOKEN", TOKEN);
    component(&home, "x-1.0.wasm", HOSTILE);
    let left = home.run(&["provider", "inspect", "./x-1.0.wasm"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert!(!left.stdout.contains(TOKEN));
    let text: String =
        shown(&home, &left).lines().filter(|line| !line.contains("  size  ")).map(|line| format!("{line}\n")).collect();
    insta::assert_snapshot!(text, @r#"
    hostile 1.0.0
      comes      from a file; it is not installed
      sha256     SHA256
      signature  none
      contract   dmplz:messenger@0.10.0, world messenger
      imports    dmplz:messenger/http@0.10.0
                 dmplz:messenger/clock@0.10.0
                 dmplz:messenger/log@0.10.0
                 dmplz:messenger/socket@0.10.0
                 dmplz:messenger/store@0.10.0
                 dmplz:messenger/types@0.10.0
                 wasi:cli, wasi:clocks, wasi:filesystem, wasi:io, wasi:random, wasi:sockets (without files, sockets or environment)
      reaches    https://fallback.example
                 https://granted.example
                 wss://granted.example
                 wss://*.granted.example
                 the server in DMPLZ_HOSTILE_BASE, where you set it
                 the server in DMPLZ_HOSTILE_ELSEWHERE, where you set it
                 the server in DMPLZ_HOSTILE_FALLBACK, where you set it
      people     the messenger tells who answers
      secrets    DMPLZ_HOSTILE_TOKEN (required): For tests.
                   only to the server in DMPLZ_HOSTILE_BASE, and only in
                     the path /bot{secret:token}/
                     the path /{secret:token}
                     the header authorization: Bot {secret:token}
                     the header X-Auth-Token: Bot {secret:token}
                     the header x-api-key: Bot {secret:token}
                     a WebSocket frame, /d/token (/op = 2)
                     a WebSocket frame, /token (/type = "auth")
                     a WebSocket frame, all of it
                 DMPLZ_HOSTILE_FORM_KEY: For tests.
                   only to the server in DMPLZ_HOSTILE_BASE, and only in
                     /auth/key of a JSON body
                     the field key of a form
                 DMPLZ_HOSTILE_LOGIN (instead of DMPLZ_HOSTILE_SPARE): For tests.
                   only to the server in DMPLZ_HOSTILE_BASE, and only in
                     the header authorization: Login {secret:login}
                   the host first exchanges DMPLZ_HOSTILE_LOGIN for a token, at the server in DMPLZ_HOSTILE_BASE, path /login
                 DMPLZ_HOSTILE_SPARE (required): For tests.
                   only to the server in DMPLZ_HOSTILE_ELSEWHERE, and only in
                     the path /{secret:spare}
      chats      DMPLZ_HOSTILE_CHAT_ID (a room): For tests.
      settings   DMPLZ_HOSTILE_MODE: For tests.
                 DMPLZ_HOSTILE_AT: For tests.
                 DMPLZ_HOSTILE_METHOD: For tests.
                 DMPLZ_HOSTILE_URL: For tests.
                 DMPLZ_HOSTILE_HEADERS: For tests.
                 DMPLZ_HOSTILE_BODY: For tests.
                 DMPLZ_HOSTILE_PATIENCE: For tests.
                 DMPLZ_HOSTILE_TEXT: For tests.
                 DMPLZ_HOSTILE_SCRIPT: For tests.
                 DMPLZ_HOSTILE_BASE: For tests.
                 DMPLZ_HOSTILE_ELSEWHERE: For tests.
                 DMPLZ_HOSTILE_FALLBACK = https://fallback.example/api: For tests.
                 DMPLZ_HOSTILE_TRANSPORT = auto
                 DMPLZ_HOSTILE_ALLOWED_USERS
      transports hostile: buttons, texts of 4096, 8 choices, files up to 1.0 MiB, threads, commands, files that people send, drafts; For tests.
                 persistent: buttons, texts of 4096, 8 choices, files up to 1.0 MiB, threads, commands, files that people send, drafts, under dmplz serve; For tests.
      missing    DMPLZ_HOSTILE_SPARE is not set
                 no chat to ask in is set: DMPLZ_HOSTILE_CHAT_ID
    "#);
    assert!(!home.state().exists(), "nothing is kept");
    let json = home.run(&["provider", "inspect", "./x-1.0.wasm", "--json"]).json();
    assert_eq!(json["sha256"], digest(HOSTILE));
    assert_eq!(
        (&json["name"], &json["source"], &json["contract"]),
        (&json!("hostile"), &json!("file"), &json!("dmplz:messenger@0.10.0"))
    );
    assert_eq!(json["variables"][0], json!({ "setting": "token", "variable": "DMPLZ_HOSTILE_TOKEN", "is_set": true }));
    let missing = json["missing"].as_array().unwrap();
    assert_eq!(
        missing,
        &[json!("DMPLZ_HOSTILE_SPARE is not set"), json!("no chat to ask in is set: DMPLZ_HOSTILE_CHAT_ID")]
    );
}

#[test]
fn what_is_no_provider_ends_in_one_sentence_that_says_why() {
    let home = Home::new();
    let half = &HOSTILE[..HOSTILE.len() / 2];
    let other = with("dmplz:messenger/provider@0.10.0", "dmplz:messenger/provider@0.11.0");
    for (wasm, why) in [
        (&b"#!/bin/sh"[..], "it is no WebAssembly component"),
        (
            b"\0asm\x01\0\0\0",
            "it is a WebAssembly module and no component (`wasm-tools component new` makes one of it)",
        ),
        (b"\0asm\x0d\0\x01\0", "it is no messenger provider: it does not export dmplz:messenger/provider"),
        (half, "it is a spoilt WebAssembly component: unexpected end-of-file"),
        (&other, "it was built for dmplz:messenger@0.11.0, and this program runs providers of dmplz:messenger@0.10"),
    ] {
        component(&home, "x.wasm", wasm);
        for arguments in [&["provider", "inspect", "./x.wasm"][..], &["provider", "add", "./x.wasm", "--yes"]] {
            let left = home.run(arguments);
            assert_eq!((left.code, left.stdout.as_str()), (Some(1), ""), "{left:?}");
            assert!(left.stderr.contains(why) && left.stderr.lines().count() == 1, "{why}: {left:?}");
        }
    }
    let left = home.run(&["provider", "inspect", "carrier-pigeon"]);
    insta::assert_snapshot!(left.stderr, @"dmplz: carrier-pigeon is neither a bundled messenger, nor an installed provider (dmplz provider list), nor a .wasm file");
}

#[test]
fn bundled_messengers_can_be_inspected_too() {
    let home = Home::new();
    for messenger in dmplz_bundled::MESSENGERS {
        let json = home.run(&["provider", "inspect", messenger.name, "--json"]).json();
        assert_eq!((&json["name"], &json["source"]), (&json!(messenger.name), &json!("bundled")));
        assert_eq!(json["sha256"].as_str().unwrap().len(), 64);
        assert_eq!(json["contract"], "dmplz:messenger@0.10.0");
    }
}

#[test]
fn a_component_is_installed_by_name_checked_and_removed() {
    let home = Home::new();
    component(&home, "x.wasm", HOSTILE);
    let refused = home.run(&["provider", "add", "./x.wasm"]);
    assert_eq!(refused.code, Some(1));
    insta::assert_snapshot!(refused.stderr, @"dmplz: ./x.wasm cannot be installed without --yes: you cannot be asked for your consent: this is no terminal");
    assert!(installed(&home).is_empty());

    let foreign = home.run(&["provider", "add", "./x.wasm", "--yes", "--origin", "https://evil.example"]);
    assert_eq!(foreign.code, Some(1));
    insta::assert_snapshot!(foreign.stderr, @"dmplz: ./x.wasm cannot be installed: it does not want to reach https://evil.example; it wants https://fallback.example, https://granted.example, wss://granted.example, wss://*.granted.example");

    let narrowed = ["--origin", "https://granted.example", "--origin", "wss://a.granted.example"];
    let added = home.run(&[&["provider", "add", "./x.wasm", "--yes"][..], &narrowed].concat());
    assert_eq!(added.code, Some(0), "{added:?}");
    assert!(added.stdout.ends_with(
        "\nGranted: https://granted.example, wss://a.granted.example\nhostile 1.0.0 is installed: DMPLZ_PROVIDER=hostile\n"
    ), "{added:?}");
    let list = home.run(&["provider", "list"]);
    assert!(
        shown(&home, &list).contains("hostile          1.0.0 SHA https://granted.example wss://a.granted.example\n"),
        "{list:?}"
    );
    assert_eq!(installed(&home)[0]["granted"], json!(["https://granted.example", "wss://a.granted.example"]));
    assert_eq!(home.run(&["provider", "add", "./x.wasm", "--yes"]).code, Some(1), "it is there already");
    assert_eq!(cached(&home).len(), 1, "no hook has to compile it");
    let entry = fs::metadata(&cached(&home)[0]).unwrap().modified().unwrap();
    assert_eq!(home.run(&["provider", "verify"]).code, Some(0));
    let doctor = home.run(&["doctor"]);
    assert!(doctor.stdout.contains("✓ providers installed, and as they were installed: 1\n"), "{doctor:?}");
    assert_eq!(home.run(&["provider", "inspect", "hostile", "--json"]).json()["source"], "installed");
    assert_eq!(fs::metadata(&cached(&home)[0]).unwrap().modified().unwrap(), entry);

    fs::remove_file(&cached(&home)[0]).unwrap();
    let left = home.run(&["provider", "verify"]);
    assert_eq!(left.code, Some(4));
    insta::assert_snapshot!(left.stdout, @"! hostile          is what was installed, but is not compiled for this version of dmplz (dmplz provider verify --compile)");
    assert_eq!(home.run(&["provider", "verify", "--compile"]).code, Some(0));
    let file = fs::read_dir(home.state().join("providers")).unwrap().next().unwrap().unwrap().path();
    fs::write(&file, rebuilt()).unwrap();
    let left = home.run(&["provider", "verify", "--json"]);
    assert_eq!((left.code, &left.json()["providers"][0]["state"]), (Some(4), &json!("changed")));
    let doctor = home.run(&["doctor"]);
    assert!(doctor.stdout.contains("✗ providers hostile: its file is another one\n"), "{doctor:?}");
    fs::remove_file(&cached(&home)[0]).unwrap();
    let left = home.run(&["provider", "inspect", "hostile"]);
    assert!(left.code == Some(1) && left.stderr.contains("it is not the component that was installed"), "{left:?}");

    let left = home.run(&["provider", "remove", "hostile", "--json"]);
    assert_eq!((left.code, &left.json()["removed"]), (Some(0), &json!("hostile")));
    assert!(installed(&home).is_empty() && !file.exists());
    assert_eq!(home.run(&["provider", "remove", "hostile"]).code, Some(1));
}

#[test]
fn a_component_is_compiled_by_a_process_of_its_own() {
    let home = Home::new();
    let file = component(&home, "x.wasm", HOSTILE);
    let compile = |file: &Path| home.run_with(&["provider", "compile"], fs::File::open(file).unwrap().into());
    assert_eq!((compile(&file).code, cached(&home).len()), (Some(0), 1));
    let modified = || fs::metadata(&cached(&home)[0]).unwrap().modified().unwrap();
    let before = modified();
    assert_eq!(home.run(&["provider", "add", "./x.wasm", "--yes"]).code, Some(0));
    assert_eq!(modified(), before, "only loaded");
    let mut broken = HOSTILE.to_vec();
    let middle = broken.len() / 3;
    broken[middle..middle + 64].fill(0xff);
    let broken = component(&home, "broken.wasm", &broken);
    for left in [compile(&broken), home.run(&["provider", "update", "./broken.wasm", "--yes"])] {
        assert!(left.code == Some(1) && left.stderr.lines().count() == 1, "{left:?}");
        assert!(left.stderr.contains("the component cannot be compiled: "), "{left:?}");
    }
    assert_eq!(cached(&home).len(), 1);
}

#[test]
fn a_person_at_a_terminal_is_shown_what_it_is_and_asked() {
    let home = Home::new();
    component(&home, "x.wasm", HOSTILE);
    for (answer, code, count) in [("\n", 1, 0), ("yes\n", 0, 1)] {
        let mut terminal = Terminal::start(&home, &["provider", "add", "./x.wasm"], 120);
        let page = terminal.shows("Install it? [y/N]");
        assert!(
            page.contains("reaches    https://fallback.example")
                && page.contains("secrets    DMPLZ_HOSTILE_TOKEN (required)"),
            "{page}"
        );
        terminal.types(answer);
        let (ended, rest) = terminal.ended();
        assert_eq!(ended, Some(code), "{rest}");
        assert_eq!(installed(&home).len(), count);
    }
}

#[test]
fn an_update_shows_what_is_new_and_wanting_more_needs_a_yes_of_its_own() {
    let home = Home::new();
    component(&home, "x.wasm", HOSTILE);
    let narrowed = ["provider", "add", "./x.wasm", "--yes", "--origin", "https://granted.example"];
    assert_eq!(home.run(&narrowed).code, Some(0));
    component(&home, "rebuilt.wasm", &rebuilt());
    let left = home.run(&["provider", "update", "./rebuilt.wasm", "--yes"]);
    assert!(left.code == Some(0) && left.stdout.contains("\nIt wants nothing more than before.\n"), "{left:?}");
    assert_eq!(installed(&home)[0]["sha256"], digest(&rebuilt()));
    assert_eq!(fs::read_dir(home.state().join("providers")).unwrap().count(), 1, "the old one is gone");

    component(&home, "more.wasm", &with("https://granted.example", "https://grasped.example"));
    let left = home.run(&["provider", "update", "./more.wasm", "--yes"]);
    assert_eq!(left.code, Some(1), "{left:?}");
    insta::assert_snapshot!(left.stderr, @"dmplz: hostile wants more than before (it reaches https://grasped.example): --more agrees to that");
    assert_eq!(installed(&home)[0]["sha256"], digest(&rebuilt()), "nothing changed");
    let left = home.run(&["provider", "update", "./more.wasm", "--yes", "--more", "--json"]);
    assert_eq!(left.json()["more"], json!(["it reaches https://grasped.example"]));
    assert_eq!(left.json()["less"], json!(["it reaches https://granted.example"]));
    assert_eq!(installed(&home)[0]["granted"], json!(["https://grasped.example"]), "what was held back stays so");
    assert_eq!(home.run(&["provider", "verify"]).code, Some(0));
    assert_eq!(home.run(&["provider", "remove", "hostile"]).code, Some(0));
    let left = home.run(&["provider", "update", "./more.wasm", "--yes"]);
    assert!(left.code == Some(1) && left.stderr.contains("hostile is not installed"), "{left:?}");
}

#[test]
fn a_messenger_that_comes_with_dmplz_is_neither_installed_nor_updated_nor_removed() {
    let home = Home::new();
    for command in [&["add", "telegram", "--yes"][..], &["update", "telegram", "--yes"], &["remove", "telegram"]] {
        let left = home.run(&[&["provider"], command].concat());
        assert_eq!((left.code, left.stdout.as_str()), (Some(1), ""), "{left:?}");
        assert!(left.stderr.starts_with("dmplz: telegram comes with dmplz, "), "{left:?}");
    }
}

/// A new place of a secret is an addition too, so neither a new digest nor `--yes` is enough for it.
#[test]
fn a_manifest_that_grew_in_the_places_of_a_secret_is_told_and_needs_a_yes() {
    let home = Home::new();
    component(&home, "x.wasm", HOSTILE);
    assert_eq!(home.run(&["provider", "add", "./x.wasm", "--yes"]).code, Some(0));
    component(&home, "grown.wasm", &with("/bot{secret:token}/", "/tap{secret:token}/"));
    let left = home.run(&["provider", "update", "./grown.wasm", "--yes"]);
    assert_eq!(left.code, Some(1), "{left:?}");
    assert!(
        left.stderr.contains("hostile wants more than before (") && left.stderr.contains("/tap{secret:token}/"),
        "{left:?}"
    );
    assert_eq!(installed(&home)[0]["sha256"], digest(HOSTILE), "nothing changed");
}

#[test]
fn a_person_at_a_terminal_agrees_to_what_is_new_by_itself() {
    let home = Home::new();
    component(&home, "x.wasm", HOSTILE);
    component(&home, "more.wasm", &with("https://granted.example", "https://grasped.example"));
    assert_eq!(home.run(&["provider", "add", "./x.wasm", "--yes"]).code, Some(0));
    for (more, update, code, sha256) in [("n\n", None, 1, digest(HOSTILE)), ("y\n", Some("y\n"), 0, String::new())] {
        let mut terminal = Terminal::start(&home, &["provider", "update", "./more.wasm"], 120);
        let page = terminal.shows("Let it have what it newly wants (+)? [y/N]");
        assert!(
            page.contains("+ it reaches https://grasped.example\n- it reaches https://granted.example\n"),
            "{page}"
        );
        terminal.types(more);
        if let Some(update) = update {
            terminal.shows("Update it? [y/N]");
            terminal.types(update);
        }
        let (ended, rest) = terminal.ended();
        assert_eq!(ended, Some(code), "{rest}");
        assert_eq!(installed(&home)[0]["sha256"] == sha256, code == 1);
    }
}

#[test]
fn a_component_that_calls_itself_as_a_bundled_messenger_is_refused_however_it_comes() {
    let home = Home::new();
    make_private(home.path());
    make_private(&home.path().join("work"));
    let file = component(&home, "x.wasm", &with("hostile", "discord"));
    let why = "it calls itself discord, as a messenger does that comes with dmplz";
    let inspected = home.run(&["provider", "inspect", "./x.wasm"]);
    assert!(inspected.code == Some(0) && inspected.stdout.contains(&format!("missing    {why}")), "{inspected:?}");
    let added = home.run(&["provider", "add", "./x.wasm", "--yes"]);
    assert!(added.code == Some(1) && added.stderr.contains(why), "{added:?}");
    let chosen = home.command(&["doctor"]).env("DMPLZ_PROVIDER", file).output().unwrap();
    assert!(String::from_utf8(chosen.stdout).unwrap().contains(why));
}

#[test]
fn the_settings_of_an_installed_provider_are_known() {
    let home = Home::new().with("DMPLZ_HOSTILE_SPARE", "xoxb-5512345678-abcdefghijklmnop");
    home.keep("config.toml", &format!("hostile_token = \"{TOKEN}\"\nprovider = \"hostile\"\n"));
    make_private(&home.state());
    let left = home.run(&["config"]);
    assert!(left.code == Some(3) && left.stderr.contains("there is no setting \"hostile_token\""), "{left:?}");
    fs::remove_file(home.state().join("config.toml")).unwrap();
    component(&home, "x.wasm", HOSTILE);
    assert_eq!(home.run(&["provider", "add", "./x.wasm", "--yes"]).code, Some(0));
    home.keep("config.toml", &format!("hostile_token = \"{TOKEN}\"\nprovider = \"hostile\"\n"));
    let settings = home.run(&["config", "--json"]).json()["settings"].clone();
    let row = |name: &str| settings.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap().clone();
    assert_eq!(
        (&row("DMPLZ_HOSTILE_TOKEN")["value"], &row("DMPLZ_HOSTILE_TOKEN")["secret"]),
        (&json!("****saw"), &json!(true))
    );
    assert_eq!(row("DMPLZ_HOSTILE_FALLBACK")["value"], "https://fallback.example/api");
    assert_eq!(row("DMPLZ_HOSTILE_SPARE")["source"], "environment");
    let told = |home: &Home| {
        let checks = home.run(&["doctor", "--json"]).json()["checks"].clone();
        checks.as_array().unwrap().iter().find(|check| check["about"] == "account").unwrap()["what"].clone()
    };
    assert_eq!(told(&home), "the chat to ask in is not known: set DMPLZ_HOSTILE_CHAT_ID");
    home.keep("config.toml", "hostile_tokn = \"x\"\nprovider = \"hostile\"\n");
    let left = home.run(&["config"]);
    assert!(left.code == Some(3) && left.stderr.contains("did you mean \"hostile_token\"?"), "{left:?}");
}

/// The settings of a provider have the name in its manifest, whatever its file is called.
#[test]
fn a_provider_by_path_has_the_settings_of_its_manifest_and_of_nobody_else() {
    let home = Home::new().with("DMPLZ_HOSTILE_CHAT_ID", "room");
    let file = component(&home, "dmplz_x-1.2.3.wasm", HOSTILE);
    let told = |home: &Home, file: &Path| {
        let mut command = home.command(&["doctor", "--json"]);
        let output = command.env("DMPLZ_PROVIDER", file).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let checks = report["checks"].as_array().unwrap().clone();
        let of = |about: &str| checks.iter().find(|check| check["about"] == about).map(|check| check["what"].clone());
        (of("account").unwrap(), of("provider"))
    };
    make_private(home.path());
    make_private(&home.path().join("work"));
    let (account, provider) = told(&home, &file);
    assert_eq!(account, "hostile, chat room; without a token");
    assert!(provider.unwrap().as_str().unwrap().contains("DMPLZ_HOSTILE_TOKEN is not set"));
    assert_eq!(home.run(&["provider", "add", "./dmplz_x-1.2.3.wasm", "--yes"]).code, Some(0));
    let (account, _) = told(&home, &file);
    assert!(account.as_str().unwrap().contains("it calls itself hostile, as an installed provider does"), "{account}");
}

fn make_private(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
}
