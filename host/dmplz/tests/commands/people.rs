//! `dmplz people`: the real binary in a real terminal, against a server that speaks Telegram.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use dmplz_fakes::telegram::{FakeTelegram, User};
use serde_json::json;

use crate::command::Home;
use crate::terminal::Terminal;

/// The time limit for everything that must happen.
const SOON: Duration = Duration::from_secs(40);

/// A bot in a group, whose list of approvers holds Jin.
struct Group {
    fake: FakeTelegram,
    bob: User,
    home: Home,
}

impl Group {
    fn new() -> Self {
        let fake = FakeTelegram::spawn_thread();
        let (jin, bob) = (User::person(7, "Jin"), User::person(42, "Bob"));
        let chat = fake.group_chat("builds", &[jin, bob.clone()]);
        let home = Home::new().with("DMPLZ_LANG", "en").with("DMPLZ_TELEGRAM_API_BASE", &fake.base_url());
        let settings = format!(
            "# ours\ntelegram_bot_token = \"{}\"\ntelegram_chat_id = \"{chat}\"\ntelegram_allowed_users = [\n    # Jin\n    7,\n]\n",
            fake.token()
        );
        let file = home.keep("config.toml", &settings);
        std::fs::set_permissions(file, PermissionsExt::from_mode(0o644)).unwrap();
        Self { fake, bob, home }
    }

    fn invites(&self) -> Terminal {
        Terminal::start(&self.home, &["people", "invite"], 100)
    }

    /// Bob opens the link that the terminal shows, and presses Start.
    fn bob_starts(&self, terminal: &mut Terminal) {
        terminal.shows("?start=");
        let code = terminal.shows("\n").trim().to_owned();
        let chat = self.fake.private_chat(&self.bob);
        self.fake.say(chat, &self.bob, &format!("/start {code}"));
        terminal.shows("Is this the person you invited: Bob (42)? [y/n]");
    }

    #[track_caller]
    fn bob_presses(&self, button: &str) {
        let asked = self.fake.await_message_blocking(SOON, |message| message.button(button).is_some());
        self.fake.press(&asked.expect("a question"), button, &self.bob).unwrap();
    }

    fn config(&self) -> String {
        std::fs::read_to_string(self.home.state().join("config.toml")).unwrap()
    }

    fn people(&self) -> serde_json::Value {
        self.home.run(&["people", "list", "--json"]).json()["people"].clone()
    }
}

#[test]
fn somebody_who_was_invited_may_answer_until_they_are_removed() {
    let group = Group::new();
    let jin = json!({ "id": "7", "name": "Jin", "owner": false });
    assert_eq!(group.people(), json!([jin]));
    let mut terminal = group.invites();
    group.bob_starts(&mut terminal);
    terminal.types("y\n");
    group.bob_presses("✅ Yes, I do");
    terminal.shows("Bob (42) may answer now");
    assert_eq!(group.people(), json!([jin, { "id": "42", "name": "Bob", "owner": false }]));
    let config = group.config();
    assert!(config.starts_with("# ours\n") && config.contains("    # Jin\n    7"), "{config}");
    let file = group.home.state().join("config.toml");
    assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    let removed = group.home.run(&["people", "remove", "42"]);
    assert_eq!((removed.code, removed.stdout.as_str()), (Some(0), "✓ 42 may not answer any more\n"), "{removed:?}");
    assert_eq!(group.people(), json!([jin]));
    assert!(!group.config().contains("Bob"), "{}", group.config());
}

#[test]
fn nobody_is_let_in_where_either_side_says_no() {
    let group = Group::new();
    let before = group.config();
    let mut terminal = group.invites();
    group.bob_starts(&mut terminal);
    terminal.types("n\n");
    terminal.shows("you said that Bob (42) is not; that code is void");
    let mut terminal = group.invites();
    group.bob_starts(&mut terminal);
    terminal.types("y\n");
    group.bob_presses("❌ No");
    terminal.shows("run `dmplz people invite` again");
    assert_eq!(group.config(), before);
}

#[test]
fn an_agent_cannot_invite_and_the_last_person_is_removed_only_on_demand() {
    let group = Group::new();
    let before = group.config();
    let invited = group.home.run(&["people", "invite"]);
    assert_eq!(invited.code, Some(7), "{invited:?}");
    let absent = group.home.run(&["people", "remove", "42"]);
    assert!(absent.code == Some(1) && absent.stderr.contains("42 is not in the list"), "{absent:?}");
    let refused = group.home.run(&["people", "remove", "7"]);
    assert!(refused.code == Some(1) && refused.stderr.contains("without 7 nobody could answer"), "{refused:?}");
    assert!(refused.stderr.contains("dmplz people remove 7 --yes"), "{refused:?}");
    assert_eq!(group.config(), before);
    assert_eq!(group.home.run(&["people", "remove", "7", "--yes"]).code, Some(0));
    assert_eq!(group.people(), json!([]));
}

#[test]
fn a_private_chat_lists_its_owner_and_takes_nobody_else() {
    let group = Group::new();
    let settings = format!("telegram_bot_token = \"{}\"\ntelegram_chat_id = \"7\"\n", group.fake.token());
    group.home.keep("config.toml", &settings);
    assert_eq!(group.people(), json!([{ "id": "7", "name": null, "owner": true }]));
    let mut terminal = group.invites();
    terminal.shows("cards go to a private chat, which nobody else can see");
}

#[test]
fn nobody_is_said_to_be_removed_who_could_answer_all_the_same() {
    let group = Group::new();
    let token = group.fake.token();
    for (settings, id, says) in [
        ("telegram_chat_id = \"7\"\n", "7", "7 owns the private chat"),
        ("telegram_chat_id = \"7\"\ntelegram_allowed_users = [7, 42]\n", "7", "7 owns the private chat"),
        ("telegram_chat_id = \"7\"\ntelegram_allowed_users = [\"*\", 42]\n", "42", "everybody in the chat may answer"),
    ] {
        group.home.keep("config.toml", &format!("telegram_bot_token = \"{token}\"\n{settings}"));
        let before = group.config();
        for arguments in [&["people", "remove", id][..], &["people", "remove", id, "--yes"]] {
            let refused = group.home.run(arguments);
            assert!(refused.code == Some(1) && refused.stderr.contains(says), "{settings}: {refused:?}");
            assert!(refused.stderr.contains("next: "), "{refused:?}");
        }
        assert_eq!(group.config(), before, "{settings}");
    }
}
