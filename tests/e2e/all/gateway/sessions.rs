//! Sessions that the gateway runs, answered on messengers. The client is the script of the session tests.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use dmplz_e2e::{Chat, Choice, Gateway, Home, JIN, MIN, until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::home;

tests! {
    on_each:
        what_a_session_asks_is_answered_by_a_press_and_by_no_words,
        a_denial_reaches_the_session_with_its_reason,
        a_killed_gateway_comes_back_to_the_card_of_a_session;
}

/// A home whose `claude` is the script.
pub(crate) struct Desk {
    pub(crate) home: Home,
}

impl Desk {
    pub(crate) fn new(chat: &Chat) -> Self {
        let mut home = home(chat);
        let (bin, work) = (home.path().join("bin"), home.path().join("work"));
        fs::create_dir_all(&bin).unwrap();
        fs::create_dir_all(&work).unwrap();
        fs::write(bin.join("claude"), include_str!("../../../../host/dmplz/tests/commands/sessions/claude.sh"))
            .unwrap();
        fs::set_permissions(bin.join("claude"), fs::Permissions::from_mode(0o755)).unwrap();
        home.set("PATH", format!("{}:/usr/bin:/bin", bin.display()));
        Self { home }
    }

    pub(crate) fn work(&self, name: &str) -> PathBuf {
        self.home.path().join("work").join(name)
    }

    /// Starts a session that asks.
    fn asks(&self, gateway: &Gateway) {
        let wanted = json!({ "cwd": self.home.path().join("work"), "prompt": "ask" });
        gateway.connect().call("session.start", wanted).unwrap();
    }

    /// What the gateway keeps of the chat in which sessions are led.
    pub(crate) fn led(&self) -> String {
        self.led_files().iter().filter_map(|file| fs::read_to_string(file).ok()).collect()
    }

    /// As if the gateway had died before it noted that it handled a text.
    pub(crate) fn forget_what_was_handled(&self) {
        for file in self.led_files() {
            let mut led: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
            assert!(led["handled"].as_u64().unwrap() > 0, "{led}");
            led["handled"] = json!(0);
            led["recent"] = json!([]);
            fs::write(file, led.to_string()).unwrap();
        }
    }

    fn led_files(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(self.home.state().join("led")).unwrap();
        files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_none()).collect()
    }

    /// Returns the id of the session that the client started last.
    pub(crate) fn session(&self) -> String {
        let started = fs::read_to_string(self.work("started")).unwrap();
        let (_, id) = started.split_once("--session-id=").expect("a new session");
        id.chars().take(36).collect()
    }

    /// Returns everything that the client read.
    pub(crate) fn heard(&self) -> String {
        fs::read_to_string(self.work("heard")).unwrap_or_default()
    }
}

/// A session outlives the gateway, so a test that is over ends its client.
impl Drop for Desk {
    fn drop(&mut self) {
        let pid = fs::read_to_string(self.work("pid")).unwrap_or_default();
        if let Some(pid) = pid.trim().parse().ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

fn what_a_session_asks_is_answered_by_a_press_and_by_no_words(chat: Chat) {
    let desk = Desk::new(&chat);
    let gateway = desk.home.serve();
    desk.asks(&gateway);
    let card = chat.await_card();
    assert!(card.text.contains("touch ran-1"), "{card:?}");
    chat.say(JIN, "yes, approve");
    chat.say(MIN, "approve, and run rm -rf / as well");
    chat.press(&card, Choice::Approve, JIN);
    until("what was allowed", || desk.work("ran-1").exists());
    chat.await_retired(&card, &format!("✅ 승인됨: Bash\n{}", chat.signed(JIN)));
    assert_eq!(desk.heard().matches("\"behavior\"").count(), 1, "{}", desk.heard());
    assert!(!desk.heard().contains("rm -rf") && !desk.heard().contains("yes, approve"), "{}", desk.heard());
}

fn a_denial_reaches_the_session_with_its_reason(chat: Chat) {
    let desk = Desk::new(&chat);
    let gateway = desk.home.serve();
    desk.asks(&gateway);
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    chat.await_prompt();
    chat.say(JIN, "not here");
    until("the denial", || desk.heard().contains("User rejected the request. Reason: not here"));
    chat.await_retired(&card, "❌ 거부됨: Bash\n사유: not here");
    assert!(!desk.work("ran-1").exists());
    chat.assert_clean();
}

fn a_killed_gateway_comes_back_to_the_card_of_a_session(chat: Chat) {
    let desk = Desk::new(&chat);
    let gateway = desk.home.serve();
    desk.asks(&gateway);
    let card = chat.await_card();
    desk.home.await_kept(r#""stage":"waiting""#);
    gateway.kill();
    let _gateway = desk.home.serve();
    chat.press(&card, Choice::Approve, JIN);
    until("what was allowed", || desk.work("ran-1").exists());
    chat.await_retired(&card, &format!("✅ 승인됨: Bash\n{}", chat.signed(JIN)));
    assert_eq!(chat.cards().len(), 1, "{:#?}", chat.cards());
    assert_eq!(desk.heard().matches("\"behavior\"").count(), 1, "{}", desk.heard());
    chat.assert_clean();
}
