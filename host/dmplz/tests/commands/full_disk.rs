//! Tests on a disk that is full: a small file system in a mount namespace of the command's own. Where the system lets nobody
//! make one, they say so and pass.

use std::fs::File;
use std::process::{Child, Command, Stdio};

use dmplz_e2e::{SOON, stdin};
use dmplz_fakes::telegram::{FakeTelegram, User};
use serde_json::json;

use crate::command::{Home, Left};
use crate::doctor::about;

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
        let home = ready(Home::on_telegram(&fake, chat));
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
        Left::of(self.start(arguments, Stdio::null()).wait_with_output().unwrap())
    }

    /// Asks by a hook, and presses this button.
    fn asks(&self, button: &str) -> Left {
        let event = self.home.put("event.json", &stdin::push().to_string());
        let hook = self.start(&["hook"], File::open(event).unwrap().into());
        let card = self.fake.await_message_blocking(SOON, |message| message.button(button).is_some()).expect("a card");
        self.fake.press(&card, button, &self.jin).unwrap();
        Left::of(hook.wait_with_output().unwrap())
    }
}

/// Prepares a home for a file system over its `.claude`.
fn ready(home: Home) -> Home {
    std::fs::create_dir_all(home.path().join(".claude")).unwrap();
    home.with("PATH", "/usr/bin:/bin:/usr/sbin:/sbin")
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
    let found = about(&desk.run(&["doctor", "--json"]), "state");
    assert!(found.iter().any(|(level, what)| level == "bad" && what.contains(NO_ROOM)), "{found:?}");
}

#[test]
fn a_stdout_that_takes_nothing_is_named() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let home = Home::new();
    let left = Left::of(home.command(&["config"]).stdin(Stdio::null()).stdout(full).output().unwrap());
    assert_eq!(left.code, Some(1), "{left:?}");
    assert!(left.stderr.starts_with("dmplz: stdout cannot be written: ") && left.stderr.contains(NO_ROOM), "{left:?}");
}

#[test]
fn what_cannot_begin_says_why_and_what_to_do() {
    let Some(desk) = Desk::new() else { return };
    let served = desk.run(&["serve"]);
    assert_eq!(served.code, Some(1), "{served:?}");
    assert!(served.stderr.contains(NO_ROOM) && served.stderr.contains("that the disk is not full"), "{served:?}");
    let nothing_set_up = Home::new().with("DMPLZ_TELEGRAM_API_BASE", &desk.fake.base_url());
    let desk = Desk { home: ready(nothing_set_up), ..desk };
    let token = format!("echo {}", desk.fake.token());
    let set_up = desk.run(&["setup", "--messenger", "telegram", "--token-command", &token]);
    assert!(set_up.stderr.contains("cannot be written: ") && set_up.stderr.contains(NO_ROOM), "{set_up:?}");
    let installed = desk.run(&["install", "--user"]);
    assert_eq!(installed.code, Some(1), "{installed:?}");
    assert!(installed.stderr.contains(NO_ROOM), "{installed:?}");
}
