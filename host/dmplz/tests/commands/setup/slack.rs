//! The same wizard on Slack: two tokens, a code as a direct message, and a test card with buttons.

use dmplz_fakes::slack::{FakeSlack, Message, User};

use super::{SOON, allow, report, starts};
use crate::command::Home;
use crate::terminal::Terminal;

/// An app in a workspace, and its person.
struct Play {
    fake: FakeSlack,
    jin: User,
    home: Home,
}

impl Play {
    fn new(lang: &str) -> Self {
        let fake = FakeSlack::spawn_thread();
        let home = Home::new().with("DMPLZ_LANG", lang).with("DMPLZ_SLACK_API_BASE", &fake.base_url());
        let jin = User::person("U700000007", "Jin");
        fake.meet(&jin);
        Self { fake, jin, home }
    }

    fn starts(&self) -> Terminal {
        starts("slack", self.fake.token(), &self.home, &["--json"])
    }

    fn presses(&self, channel: &str, label: &str) {
        let has_it = |message: &&Message| message.now().buttons().iter().any(|button| button.label == label);
        let found = self.fake.watch_blocking(channel, SOON, |messages| messages.iter().rfind(has_it).cloned());
        let message = found.unwrap_or_else(|| panic!("no {label}: {:#?}", self.fake.messages(channel)));
        assert!(self.fake.await_ready_blocking(SOON), "it listens");
        self.fake.press((channel, &message.ts), label, &self.jin).unwrap();
    }
}

#[test]
fn two_tokens_and_a_code_end_in_a_pressed_test_card() {
    for (lang, paste, question, approve, ready) in [
        ("en", "Paste it and press Enter", "Was that you: ", "✅ Approve", "Ready after "),
        ("ko", "붙여 넣고 Enter를", "님이 본인이신가요?", "✅ 승인", "준비되었습니다."),
    ] {
        let play = Play::new(lang);
        let mut terminal = play.starts();
        terminal.shows("xapp-");
        terminal.shows(paste);
        terminal.types(&format!("{}\n", play.fake.app_token()));
        terminal.shows("dmplz (U0DMPLZBOT)");
        terminal.shows(":\r\n  ");
        let code = terminal.shows("\n").trim().to_owned();
        assert_eq!(code.len(), 32, "{code:?}");
        let dm = play.fake.dm(&play.jin);
        assert!(play.fake.await_ready_blocking(SOON), "it listens");
        play.fake.say(&dm, &play.jin, &code, None);
        terminal.shows(question);
        terminal.types("y\n");
        play.presses(&dm, approve);
        terminal.shows(ready);
        let (code, rest) = terminal.ended();
        assert_eq!(code, Some(0), "{rest}");
        let report = report(&rest);
        assert_eq!(report["test"]["claude_code_gets"], allow(), "{report}");
        let config = std::fs::read_to_string(play.home.state().join("config.toml")).unwrap();
        assert!(config.contains("slack_dm_user_id = \"U700000007\"") && config.contains("slack_app_token"), "{config}");
        assert!(!config.contains("allowed_users"), "{config}");
        play.fake.wire().assert_clean();
    }
}

#[test]
fn an_app_token_that_slack_refuses_is_told() {
    let play = Play::new("en");
    let mut terminal = play.starts();
    terminal.shows("Paste it and press Enter");
    terminal.types("xapp-1-wrong-0123456789\n");
    terminal.shows("connections:write");
    assert_eq!(terminal.ended().0, Some(1));
}
