//! The same wizard on Discord: an invitation, a code as a direct message or in a channel, and a test card.

use dmplz_fakes::discord::{FakeDiscord, Message, User};

use super::{SOON, allow, report, starts};
use crate::command::Home;
use crate::terminal::Terminal;

/// A bot on a server, and its person.
struct Play {
    fake: FakeDiscord,
    jin: User,
    home: Home,
}

impl Play {
    fn new(lang: &str) -> Self {
        let fake = FakeDiscord::spawn_thread();
        let home = Home::new()
            .with("DMPLZ_LANG", lang)
            .with("DMPLZ_DISCORD_API_BASE", &fake.base_url())
            .with("DMPLZ_DISCORD_GATEWAY_URL", fake.gateway().url());
        let jin = User::person(700_000_000_000_000_007, "jin");
        fake.meet(&jin);
        Self { fake, jin, home }
    }

    fn starts(&self) -> Terminal {
        starts("discord", self.fake.token(), &self.home, &["--json"])
    }

    fn found(&self, wanted: impl FnMut(&Message) -> bool) -> Message {
        self.fake.await_message_blocking(SOON, wanted).expect("the message comes")
    }
}

#[test]
fn a_code_by_direct_message_ends_in_a_pressed_test_card() {
    for (lang, question, asks, ready) in [
        ("en", "Was that you: ", "Is this you, setting up dmplz on ", "Ready after "),
        ("ko", "님이 본인이신가요?", "에서 dmplz를 설정하고 계신 분이 맞나요?", "준비되었습니다."),
    ] {
        let play = Play::new(lang);
        let mut terminal = play.starts();
        terminal.shows("https://discord.com/oauth2/authorize?client_id=");
        let code = code(&mut terminal);
        let dm = play.fake.dm(&play.jin);
        assert!(play.fake.gateway().await_ready_blocking(SOON), "it listens");
        play.fake.say(dm, &play.jin, &code);
        terminal.shows(question);
        terminal.types("y\n");
        let card = play.found(|message| message.content().contains(asks));
        play.found(|message| message.id == card.id && message.emoji().contains(&"✅"));
        play.fake.react(&card, "✅", &play.jin);
        terminal.shows(ready);
        let (code, rest) = terminal.ended();
        assert_eq!(code, Some(0), "{rest}");
        let report = report(&rest);
        assert_eq!(report["test"]["claude_code_gets"], allow(), "{report}");
        let config = std::fs::read_to_string(play.home.state().join("config.toml")).unwrap();
        assert!(config.contains("discord_dm_user_id = \"700000000000000007\""), "{config}");
        assert!(!config.contains("allowed_users"), "{config}");
        play.fake.assert_clean();
    }
}

#[test]
fn a_mention_in_a_channel_lists_the_person_who_wrote_it() {
    let play = Play::new("en");
    let channel = play.fake.channel(play.fake.guild("Shop"), "approvals");
    let mut terminal = play.starts();
    let code = code(&mut terminal);
    let bot = play.fake.bot().id;
    assert!(play.fake.gateway().await_ready_blocking(SOON), "it listens");
    play.fake.say(channel, &play.jin, "what is for lunch?");
    play.fake.say(channel, &play.jin, &format!("<@{bot}> {code}"));
    terminal.shows("Was that you: ");
    terminal.types("y\n");
    let card = play.found(|message| message.content().contains("Is this you, setting up dmplz on "));
    assert_eq!(card.channel, channel);
    play.found(|message| message.id == card.id && message.emoji().contains(&"✅"));
    play.fake.react(&card, "✅", &play.jin);
    terminal.shows("Ready after ");
    let config = std::fs::read_to_string(play.home.state().join("config.toml")).unwrap();
    assert!(config.contains(&format!("discord_channel_id = \"{channel}\"")), "{config}");
    assert!(config.contains("allowed_users = [\"700000000000000007\"]"), "{config}");
}

/// With the REST API alone the bot cannot meet anybody, so the person names the channel and who may answer there.
#[test]
fn where_nobody_can_be_met_the_person_names_the_channel_and_who_may_answer() {
    let play = Play::new("en");
    let channel = play.fake.channel(play.fake.guild("Shop"), "approvals");
    let play = Play { home: play.home.with("DMPLZ_DISCORD_TRANSPORT", "reactions"), ..play };
    let mut terminal = play.starts();
    terminal.shows("Id of the channel to ask in: ");
    terminal.types(&format!("{channel}\n"));
    terminal.shows("Ids of those who may answer, between commas: ");
    terminal.types("\n");
    terminal.shows("Ids of those who may answer, between commas: ");
    terminal.types("700000000000000007, 42\n");
    let card = play.found(|message| message.content().contains("a test card of dmplz setup"));
    play.found(|message| message.id == card.id && message.emoji().contains(&"✅"));
    play.fake.react(&card, "✅", &play.jin);
    terminal.shows("Ready after ");
    assert_eq!(terminal.ended().0, Some(0));
    let config = std::fs::read_to_string(play.home.state().join("config.toml")).unwrap();
    assert!(config.contains("allowed_users = [\"700000000000000007\", \"42\"]"), "{config}");
}

#[test]
fn a_channel_that_is_not_there_is_told() {
    let play = Play::new("en");
    let play = Play { home: play.home.with("DMPLZ_DISCORD_TRANSPORT", "reactions"), ..play };
    let mut terminal = play.starts();
    terminal.shows("Id of the channel to ask in: ");
    terminal.types("700000000000000009\n");
    terminal.shows("no such channel or person");
    assert_eq!(terminal.ended().0, Some(1));
}

/// Returns the code, which the terminal shows on a separate line.
fn code(terminal: &mut Terminal) -> String {
    terminal.shows("permissions=");
    terminal.shows(":\r\n  ");
    let code = terminal.shows("\n").trim().to_owned();
    assert_eq!(code.len(), 32, "{code:?}");
    code
}
