//! Broken beginnings: each ends in the sentence that says what is wrong, and the one thing to do. Those of the wizard are in
//! `setup/broken`.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::process::Stdio;

use dmplz_fakes::discord::FakeDiscord;
use dmplz_fakes::telegram::{FakeTelegram, User};
use dmplz_fakes::{Fault, On};
use serde_json::{Value, json};

use crate::command::Home;

const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0";

/// What is run, its exit code, the sentence, and what to do.
struct Beginning<'a> {
    name: &'a str,
    home: Home,
    run: &'a [&'a str],
    code: i32,
    says: &'a str,
    next: &'a str,
}

impl Beginning<'_> {
    /// Runs it. All that it says names no secret.
    fn ends(&self) {
        let left = match self.run {
            ["hook"] => {
                let request = self.home.put("request.json", include_str!("../../src/setup/request.json"));
                self.home.run_with(self.run, Stdio::from(std::fs::File::open(request).unwrap()))
            }
            run => self.home.run(run),
        };
        let said = format!("{}{}", left.stdout, left.stderr);
        assert_eq!(left.code, Some(self.code), "{}: {said}", self.name);
        assert!(said.contains(self.says), "{}: {:?} is not in: {said}", self.name, self.says);
        assert!(said.contains(self.next), "{}: {:?} is not in: {said}", self.name, self.next);
        assert!(!said.contains("AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0"), "{}: the token is told: {said}", self.name);
    }
}

fn with_file(text: &str) -> Home {
    let home = Home::new();
    let file = home.keep("config.toml", text);
    std::fs::set_permissions(file, PermissionsExt::from_mode(0o600)).unwrap();
    home
}

/// A bot and a chat, on a server that is not there unless one is named.
fn set_up(base: &str) -> Home {
    let settings = format!("telegram_bot_token = \"{TOKEN}\"\ntelegram_chat_id = 7\n");
    with_file(&settings).with("DMPLZ_TELEGRAM_API_BASE", base)
}

/// A home with a bot that answers, and the chat of its person.
fn on_telegram(fake: &FakeTelegram) -> Home {
    Home::on_telegram(fake, fake.private_chat(&User::person(7, "Jin")))
}

#[test]
fn what_is_written_wrong_is_told_with_what_is_meant() {
    let correct = "correct it; `dmplz config` shows every setting";
    let policy = |text: &str| {
        let home = Home::new();
        home.keep("policy.toml", text);
        home
    };
    let rows = [
        Beginning {
            name: "no configuration at all",
            home: Home::new(),
            run: &["hook"],
            code: 0,
            says: "no messenger is set up: run `dmplz setup`",
            next: "Please answer here.",
        },
        Beginning {
            name: "a key that is nearly one",
            home: with_file("telegram_token = \"x\"\n"),
            run: &["doctor"],
            code: 4,
            says: "there is no setting \"telegram_token\"; did you mean \"telegram_bot_token\"?",
            next: correct,
        },
        Beginning {
            name: "a variable in the file",
            home: with_file("DMPLZ_LANG = \"en\"\n"),
            run: &["doctor"],
            code: 4,
            says: "there is no setting \"DMPLZ_LANG\"; did you mean \"lang\"?",
            next: correct,
        },
        Beginning {
            name: "a line of a shell in the file",
            home: with_file("lang = \"en\"\nexport DMPLZ_ON_EXPIRED=deny\n"),
            run: &["doctor"],
            code: 4,
            says: "line 2: this is a line for a shell; here it is written on_expired = \"...\"",
            next: correct,
        },
        Beginning {
            name: "a variable without quotes in the file",
            home: with_file("DMPLZ_LANG=en\n"),
            run: &["doctor"],
            code: 4,
            says: "line 1: this is a line for a shell; here it is written lang = \"...\"",
            next: correct,
        },
        Beginning {
            name: "ids as numbers",
            home: with_file("allowed_users = [7, 42]\n"),
            run: &["config"],
            code: 0,
            says: "DMPLZ_ALLOWED_USERS = 7,42  [file]",
            next: "ids of those who may answer",
        },
        Beginning {
            name: "a duration that is none",
            home: Home::new().with("DMPLZ_HOOK_TIMEOUT_MS", "5 parsecs"),
            run: &["status"],
            code: 3,
            says: "takes a duration from 5s to 24h, such as 90s, 5m or 1h30m",
            next: "hint: correct it in the environment or in config.toml",
        },
        Beginning {
            name: "two limits of which one is wrong",
            home: Home::new().with("DMPLZ_REJECT_REASON_TIMEOUT_MS", "10m"),
            run: &["status"],
            code: 3,
            says: "DMPLZ_REJECT_REASON_TIMEOUT_MS (10m, in the environment) has to be less than DMPLZ_HOOK_TIMEOUT_MS (300000, the default)",
            next: "lower the first, or raise the second",
        },
        Beginning {
            name: "a tool in small letters",
            home: policy("[[rule]]\ntoolName = \"bash\"\ncommandPrefix = \"ls\"\ndecision = \"allow\"\npriority = 1\n"),
            run: &["policy", "lint"],
            code: 4,
            says: "no tool is called `bash`: did you mean `toolName = \"Bash\"`?",
            next: "policy.toml:3",
        },
        Beginning {
            name: "a command that is nearly one",
            home: Home::new(),
            run: &["setpu"],
            code: 2,
            says: "a similar subcommand exists: 'setup'",
            next: "For more information, try '--help'.",
        },
        Beginning {
            name: "a command of a command",
            home: Home::new(),
            run: &["watch"],
            code: 2,
            says: "a similar subcommand exists: 'approvals watch'",
            next: "Usage: dmplz",
        },
    ];
    rows.iter().for_each(Beginning::ends);
}

#[test]
fn a_token_with_something_around_it_is_taken_or_explained() {
    let fake = FakeTelegram::spawn_thread();
    for around in [format!("{}\r\n", fake.token()), format!("  {} ", fake.token())] {
        let home = on_telegram(&fake).with("DMPLZ_TELEGRAM_BOT_TOKEN", &around);
        Beginning {
            name: "line ends of Windows, or blanks",
            home,
            run: &["doctor"],
            code: 4,
            says: "the messenger lets dmplz in",
            next: "dmplz install --user",
        }
        .ends();
    }
    let sentence = format!("Use this token to access the HTTP API: {TOKEN}");
    for run in [&["doctor"][..], &["hook"]] {
        Beginning {
            name: "the sentence of BotFather",
            home: on_telegram(&fake).with("DMPLZ_TELEGRAM_BOT_TOKEN", &sentence),
            run,
            code: if run == ["hook"] { 0 } else { 4 },
            says: "DMPLZ_TELEGRAM_BOT_TOKEN cannot be used: it holds more than a token",
            next: "put the token alone there",
        }
        .ends();
    }
}

#[test]
fn a_network_that_does_not_work_is_told_by_its_reason() {
    let gone = FakeTelegram::spawn_thread().base_url();
    let rows = [
        Beginning {
            name: "a refused connection",
            home: set_up(&gone),
            run: &["doctor"],
            code: 4,
            says: "the messenger cannot be reached: ",
            next: "check the network, the proxy (DMPLZ_HTTPS_PROXY) and certificates (DMPLZ_CA_FILE)",
        },
        Beginning {
            name: "a name that cannot be found",
            home: set_up("https://telegram.invalid"),
            run: &["doctor"],
            code: 4,
            says: "its name cannot be resolved",
            next: "its name cannot be found: check the network and DNS",
        },
        Beginning {
            name: "a proxy that does not run",
            home: set_up("https://api.telegram.org").with("DMPLZ_HTTPS_PROXY", "http://127.0.0.1:9"),
            run: &["doctor"],
            code: 4,
            says: "the messenger cannot be reached: ",
            next: "it went through the proxy of DMPLZ_HTTPS_PROXY: check that this is right and that it runs",
        },
    ];
    rows.iter().for_each(Beginning::ends);
}

#[test]
fn a_bot_that_cannot_be_used_is_told_by_its_reason() {
    let fake = FakeTelegram::spawn_thread();
    let blocked = FakeTelegram::spawn_thread();
    let chat = blocked.private_chat(&User::person(7, "Jin"));
    let polled = FakeTelegram::spawn_thread();
    polled.wire().fail(On::call("getUpdates").always(), Fault::Status(409));
    let hooked = FakeTelegram::spawn_thread();
    hooked.set_webhook(Some("https://example.org/secret-path"));
    let discord = FakeDiscord::spawn_thread();
    let channel = discord.channel(discord.guild("Shop"), "approvals").to_string();
    discord.set_message_content(false);
    let group = FakeTelegram::spawn_thread();
    let shop = group.group_chat("Shop", &[User::person(7, "Jin")]).to_string();
    blocked.wire().fail(On::call("sendMessage").always(), Fault::Status(403));
    assert_eq!(chat, 7);
    let rows = [
        Beginning {
            name: "a wrong token",
            home: on_telegram(&fake).with("DMPLZ_TELEGRAM_BOT_TOKEN", TOKEN_OF_ANOTHER),
            run: &["doctor"],
            code: 4,
            says: "✗ token ",
            next: "copy the token again, or have a new one made where it came from",
        },
        Beginning {
            name: "a wrong chat",
            home: on_telegram(&fake).with("DMPLZ_TELEGRAM_CHAT_ID", "8"),
            run: &["doctor"],
            code: 4,
            says: "the chat cannot be used",
            next: "check the chat's id",
        },
        Beginning {
            name: "a bot that the person blocked",
            home: on_telegram(&blocked),
            run: &["hook"],
            code: 0,
            says: "nobody could be asked",
            next: "give the bot the right in that chat; dmplz doctor",
        },
        Beginning {
            name: "another program that polls the bot",
            home: on_telegram(&polled),
            run: &["doctor"],
            code: 4,
            says: "✗ ",
            next: "bot",
        },
        Beginning {
            name: "a webhook",
            home: on_telegram(&hooked),
            run: &["doctor"],
            code: 4,
            says: "somebody else takes the bot's events",
            next: "remove the webhook, or use a bot of its own",
        },
        Beginning {
            name: "privacy mode in a group",
            home: on_telegram(&group).with("DMPLZ_TELEGRAM_CHAT_ID", &shop).with("DMPLZ_ALLOWED_USERS", "7"),
            run: &["doctor"],
            code: 4,
            says: "it cannot read every reason",
            next: "write the reason as a reply to the bot's message",
        },
        Beginning {
            name: "an intent that is off",
            home: Home::new()
                .with("DMPLZ_DISCORD_API_BASE", &discord.base_url())
                .with("DMPLZ_DISCORD_BOT_TOKEN", discord.token())
                .with("DMPLZ_DISCORD_CHANNEL_ID", &channel)
                .with("DMPLZ_ALLOWED_USERS", "7"),
            run: &["doctor"],
            code: 4,
            says: "it cannot read every reason",
            next: "turn on what is named here",
        },
    ];
    rows.iter().for_each(Beginning::ends);
}

const TOKEN_OF_ANOTHER: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1";

#[test]
fn files_that_cannot_be_used_are_told_with_their_names() {
    let open = with_file(&format!("telegram_bot_token = \"{TOKEN}\"\n"));
    std::fs::set_permissions(open.state().join("config.toml"), PermissionsExt::from_mode(0o644)).unwrap();
    let shared = with_file("lang = \"en\"\n");
    std::fs::set_permissions(shared.state(), PermissionsExt::from_mode(0o777)).unwrap();
    let off = Home::new();
    std::fs::create_dir_all(off.path().join(".claude")).unwrap();
    std::fs::write(off.path().join(".claude/settings.json"), r#"{"disableAllHooks":true}"#).unwrap();
    let rows = [
        Beginning {
            name: "a settings file that others may read",
            home: open,
            run: &["doctor"],
            code: 4,
            says: "others may read this file, which holds a token",
            next: "chmod 600",
        },
        Beginning {
            name: "a state directory that others may write to",
            home: shared,
            run: &["serve", "--port", "0"],
            code: 1,
            says: "others may write to it (mode 777)",
            next: "run `chmod 700` on it",
        },
        Beginning {
            name: "a home that cannot be written to",
            home: Home::new().with("DMPLZ_STATE_DIR", "/proc/dmplz"),
            run: &["doctor"],
            code: 4,
            says: "the state directory /proc/dmplz cannot be used",
            next: "correct its owner and mode, or name another directory in DMPLZ_STATE_DIR",
        },
        Beginning {
            name: "hooks that are turned off",
            home: off,
            run: &["doctor"],
            code: 4,
            says: "every hook is turned off",
            next: "take disableAllHooks out",
        },
    ];
    rows.iter().for_each(Beginning::ends);
}

#[test]
fn an_older_gateway_is_told_and_what_to_do_about_it() {
    let home = Home::new();
    std::fs::create_dir_all(home.state()).unwrap();
    std::fs::set_permissions(home.state(), PermissionsExt::from_mode(0o700)).unwrap();
    let socket = UnixListener::bind(home.state().join("gateway.sock")).unwrap();
    std::thread::spawn(move || {
        for line in socket.incoming() {
            let mut line = line.unwrap();
            let mut asked = String::new();
            while BufReader::new(&mut line).read_line(&mut asked).is_ok_and(|count| count > 0) {
                let id = serde_json::from_str::<Value>(&asked).unwrap()["id"].clone();
                let error = json!({ "code": -32601, "message": "there is no such method" });
                let answer = json!({ "jsonrpc": "2.0", "id": id, "error": error });
                writeln!(line, "{answer}").unwrap();
                asked.clear();
            }
        }
    });
    Beginning {
        name: "an older gateway",
        home,
        run: &["approvals", "list"],
        code: 1,
        says: "the gateway is older than this program and does not know",
        next: "start `dmplz serve` again: it runs an older program",
    }
    .ends();
}
