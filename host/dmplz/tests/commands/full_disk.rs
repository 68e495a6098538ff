//! Tests on a disk that is full: a small file system in a mount namespace of the command's own. Where the system lets nobody
//! make one, they say so and pass.

use std::fs::File;
use std::process::{Child, Command, Stdio};

use dmplz_e2e::{SOON, stdin};
use dmplz_fakes::telegram::{FakeTelegram, User};
use serde_json::{Value, json};

use crate::command::{Home, Left};

const NAMESPACE: [&str; 4] = ["unshare", "--user", "--map-root-user", "--mount"];
/// Mounts the file system over `~/.claude`, fills it, and becomes the command.
const FULL: &str = "mount -t tmpfs -o size=64k tmpfs \"$HOME/.claude\" && mkdir -m 700 \"$HOME/.claude/dm-plz\" || exit
head -c 1m /dev/zero > \"$HOME/.claude/rest\" 2> /dev/null
exec \"$@\"";
const NO_ROOM: &str = "No space left on device";

/// Telegram's fake, and a home that is set up for Jin's chat there by its environment.
struct Desk {
    fake: FakeTelegram,
    jin: User,
    home: Home,
}

impl Desk {
    /// Returns none where there can be no full disk.
    #[allow(clippy::print_stderr, reason = "a test that could not run says so")]
    fn new() -> Option<Self> {
        let [program, options @ ..] = NAMESPACE;
        let made = Command::new(program).args(options).args(["mount", "-t", "tmpfs", "tmpfs", "/mnt"]).output();
        if !made.is_ok_and(|made| made.status.success()) {
            eprintln!("no full disk can be made here");
            return None;
        }
        let (fake, jin) = (FakeTelegram::spawn_thread(), User::person(7, "Jin"));
        let chat = fake.private_chat(&jin);
        let home = empty(&fake)
            .with("DMPLZ_TELEGRAM_BOT_TOKEN", fake.token())
            .with("DMPLZ_TELEGRAM_CHAT_ID", &chat.to_string());
        Some(Self { fake, jin, home })
    }

    fn start(&self, arguments: &[&str], stdin: Stdio) -> Child {
        let plain = self.home.command(arguments);
        let [program, options @ ..] = NAMESPACE;
        let mut command = Command::new(program);
        command.args(options).args(["sh", "-c", FULL, "sh"]).arg(plain.get_program()).args(plain.get_args());
        command.env_clear().env("HOME", self.home.path()).envs(self.home.environment());
        command.current_dir(self.home.path().join("work"));
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Left {
        ended(self.start(arguments, Stdio::null()))
    }

    /// Asks by a hook, and presses this button.
    fn asks(&self, button: &str) -> Left {
        let event = self.home.put("event.json", &stdin::push().to_string());
        let hook = self.start(&["hook"], File::open(event).unwrap().into());
        let card = self.fake.await_message_blocking(SOON, |message| message.button(button).is_some()).expect("a card");
        self.fake.press(&card, button, &self.jin).unwrap();
        ended(hook)
    }
}

/// A home where nothing is set up.
fn empty(fake: &FakeTelegram) -> Home {
    let home =
        Home::new().with("DMPLZ_TELEGRAM_API_BASE", &fake.base_url()).with("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
    std::fs::create_dir_all(home.path().join(".claude")).unwrap();
    home
}

fn ended(child: Child) -> Left {
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    Left { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

#[test]
fn a_hook_asks_and_answers_and_says_what_it_could_not_keep() {
    let Some(desk) = Desk::new() else { return };
    let allowed = desk.asks("✅ Approve");
    assert_eq!(allowed.json()["hookSpecificOutput"]["decision"], json!({ "behavior": "allow" }), "{allowed:?}");
    let Some(desk) = Desk::new() else { return };
    let desk = Desk { home: desk.home.with("DMPLZ_REJECT_REASON_TIMEOUT_MS", "1000"), ..desk };
    let denied = desk.asks("❌ Deny");
    assert_eq!(denied.json()["hookSpecificOutput"]["decision"]["behavior"], "deny", "{denied:?}");
    for left in [allowed, denied] {
        assert_eq!(left.code, Some(0), "{left:?}");
        let lines: Vec<&str> = left.stderr.lines().collect();
        assert!(!lines.is_empty() && lines.iter().all(|line| line.contains(NO_ROOM)), "{left:?}");
    }
}

#[test]
fn doctor_says_that_nothing_can_be_written() {
    let Some(desk) = Desk::new() else { return };
    let left = desk.run(&["doctor", "--json"]);
    let checks = left.json()["checks"].as_array().unwrap().clone();
    let is_it = |check: &&Value| check["about"] == "state" && check["level"] == "bad";
    let found = checks.iter().find(is_it).unwrap_or_else(|| panic!("{left:?}"));
    assert!(found["what"].as_str().unwrap().contains(NO_ROOM), "{found}");
}

#[test]
fn what_cannot_begin_says_why_and_what_to_do() {
    let Some(desk) = Desk::new() else { return };
    let served = desk.run(&["serve"]);
    assert_eq!(served.code, Some(1), "{served:?}");
    assert!(served.stderr.contains(NO_ROOM) && served.stderr.contains("that the disk is not full"), "{served:?}");
    let desk = Desk { home: empty(&desk.fake), ..desk };
    let token = format!("echo {}", desk.fake.token());
    let set_up = desk.run(&["setup", "--messenger", "telegram", "--token-command", &token]);
    assert!(set_up.stderr.contains("cannot be written: ") && set_up.stderr.contains(NO_ROOM), "{set_up:?}");
    let installed = desk.run(&["install", "--user"]);
    assert_eq!(installed.code, Some(1), "{installed:?}");
    assert!(installed.stderr.contains(NO_ROOM), "{installed:?}");
}
