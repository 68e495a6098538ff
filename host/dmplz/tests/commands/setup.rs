//! `dmplz setup`: the real binary in a real terminal, from an empty home, against a server that speaks Telegram.

mod broken;
mod company;
mod discord;
mod matrix;
mod mattermost;
mod slack;

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use dmplz_fakes::telegram::{FakeTelegram, Message, User};
use serde_json::Value;

use crate::command::{Home, Left};
use crate::terminal::Terminal;

/// The time limit for everything that must happen.
const SOON: Duration = Duration::from_secs(40);

/// A home where nothing is set up, a bot that nobody wrote to, and its person.
pub(crate) struct Play {
    pub(crate) fake: FakeTelegram,
    pub(crate) jin: User,
    pub(crate) home: Home,
}

impl Play {
    /// Creates a play in this language.
    pub(crate) fn new(lang: &str) -> Self {
        let fake = FakeTelegram::spawn_thread();
        let home = Home::new().with("DMPLZ_LANG", lang).with("DMPLZ_TELEGRAM_API_BASE", &fake.base_url());
        Self { fake, jin: User::person(7, "Jin"), home }
    }

    /// Starts a run with these options, and returns its terminal. The token comes from a command.
    pub(crate) fn starts(&self, options: &[&str]) -> Terminal {
        starts("telegram", self.fake.token(), &self.home, options)
    }

    /// Opens the link that the terminal shows, and presses Start.
    pub(crate) fn presses_start(&self, terminal: &mut Terminal) {
        terminal.shows("?start=");
        let code = terminal.shows("\n").trim().to_owned();
        assert_eq!(code.len(), 32, "{code:?}");
        self.writes(&format!("/start {code}"));
    }

    /// Writes to the bot.
    pub(crate) fn writes(&self, text: &str) {
        let chat = self.fake.private_chat(&self.jin);
        self.fake.say(chat, &self.jin, text);
    }

    /// Waits for a button of the bot, and presses it.
    #[track_caller]
    pub(crate) fn presses(&self, button: &str) -> Message {
        let shows_it = |message: &Message| message.button(button).is_some();
        let message = self.fake.await_message_blocking(SOON, shows_it);
        let message = message.unwrap_or_else(|| panic!("no button {button:?}: {:?}", self.fake.messages(7)));
        self.fake.press(&message, button, &self.jin).unwrap();
        message
    }

    /// Plays the pairing, from the link to the person's yes in the terminal, in English.
    pub(crate) fn pairs(&self, terminal: &mut Terminal) {
        self.presses_start(terminal);
        terminal.shows("Was that you: Jin (7)? [y/n]");
        terminal.types("y\n");
    }

    /// Returns a home that was set up before, without the hooks.
    pub(crate) fn set_up(lang: &str) -> Self {
        let play = Self::new(lang);
        play.fake.private_chat(&play.jin);
        let settings = format!("telegram_bot_token = \"{}\"\ntelegram_chat_id = \"7\"\n", play.fake.token());
        let file = play.home.keep("config.toml", &settings);
        std::fs::set_permissions(file, PermissionsExt::from_mode(0o600)).unwrap();
        play
    }

    /// Runs the setup without a terminal.
    pub(crate) fn runs(&self, options: &[&str]) -> Left {
        self.home.run(&[&["setup"], options].concat())
    }

    fn config(&self) -> String {
        std::fs::read_to_string(self.home.state().join("config.toml")).unwrap()
    }

    fn hooks(&self) -> Value {
        let text = std::fs::read_to_string(self.home.path().join(".claude/settings.json")).unwrap_or_default();
        serde_json::from_str::<Value>(&text).unwrap_or_default()["hooks"].clone()
    }
}

/// Starts a run for this messenger with these options. The token comes from a command.
fn starts(messenger: &str, token: &str, home: &Home, options: &[&str]) -> Terminal {
    let file = home.path().join("token");
    std::fs::write(&file, token).unwrap();
    let command = format!("'cat {}'", file.display());
    let given = ["setup", "--messenger", messenger, "--token-command", &command];
    Terminal::start(home, &[&given, options].concat(), 100)
}

/// Returns the report at the end of a terminal's output.
fn report(shown: &str) -> Value {
    let at = shown.find("{\n").unwrap_or_else(|| panic!("no report: {shown}"));
    serde_json::from_str(&shown[at..]).unwrap_or_else(|error| panic!("{error}: {shown}"))
}

/// Returns what Claude Code gets for an allow.
fn allow() -> Value {
    serde_json::json!({
        "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": { "behavior": "allow" } }
    })
}

#[test]
fn from_an_empty_home_to_a_pressed_test_card() {
    let play = Play::new("en");
    let began = Instant::now();
    let mut terminal = Terminal::start(&play.home, &["setup", "--json"], 100);
    let mut shown =
        terminal.shows("Number (Enter: 1), or paste the token of your Telegram bot at once (it stays hidden): ");
    terminal.types("\n");
    shown += &terminal.shows("it stays hidden): ");
    let token = play.fake.token();
    let of_botfather = "Done! Congratulations on your new bot. You will find it at t.me/my_2024_approvals_bot.\n\n\
                        Use this token to access the HTTP API:\n";
    terminal.types(&format!("{of_botfather}  {token}\r\nKeep your token secure and store it safely.\n"));
    shown += &terminal.shows("✓ Telegram: @");
    play.presses_start(&mut terminal);
    shown += &terminal.shows("Was that you: Jin (7)? [y/n] ");
    assert_eq!(
        play.fake.messages(7).len(),
        1,
        "nothing is said in the chat before the person at the terminal said yes"
    );
    terminal.types("y\n");
    shown += &terminal.shows("A test card is on its way to Telegram");
    let kept = play.config();
    assert!(!kept.contains("chat_id"), "nobody is kept before the chat said yes: {kept}");
    let card = play.presses("✅ Approve");
    assert!(card.text().contains("Is this you, setting up dmplz on "), "{}", card.text());
    shown += &terminal.shows("Ready after ");
    let (code, rest) = terminal.ended();
    assert_eq!(code, Some(0), "{rest}");
    shown += &rest;
    let token = token.split(':').nth(1).unwrap();
    assert!(!shown.contains(token), "the token is on the screen:\n{shown}");

    let report = report(&rest);
    assert_eq!(report["test"]["claude_code_gets"], allow(), "{report}");
    assert_eq!((&report["ok"], &report["hooks"]), (&true.into(), &"installed".into()), "{report}");
    assert_eq!((&report["person"]["id"], &report["chat"]), (&"7".into(), &"7".into()), "{report}");
    // Enter, the token, Start, yes in the terminal, the test card.
    assert_eq!(report["actions"], 5, "{report}");
    assert!(report["seconds"].as_f64().unwrap() <= began.elapsed().as_secs_f64() && began.elapsed() < SOON, "{report}");

    let file = play.home.state().join("config.toml");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let expected =
        format!("provider = \"telegram\"\ntelegram_bot_token = \"{}\"\ntelegram_chat_id = \"7\"\n", play.fake.token());
    assert_eq!(play.config(), expected);
    assert!(play.hooks()["PermissionRequest"].is_array());
    play.fake.assert_clean();
    let doctor = play.home.run(&["doctor"]);
    assert_eq!(doctor.code, Some(0), "{doctor:?}");
}

#[test]
fn a_token_that_is_pasted_in_place_of_a_number_saves_an_action() {
    let play = Play::new("en");
    let mut terminal = Terminal::start(&play.home, &["setup", "--json"], 100);
    let mut shown = terminal.shows("at once (it stays hidden): ");
    terminal.types("Good evening, what is this about?\n");
    shown += &terminal.shows("There is no token in that.");
    shown += &terminal.shows("at once (it stays hidden): ");
    terminal.types(&format!("Use this token to access the HTTP API:\r\n{}\r\n", play.fake.token()));
    play.pairs(&mut terminal);
    play.presses("✅ Approve");
    shown += &terminal.shows("Ready after ");
    let (code, rest) = terminal.ended();
    assert_eq!(code, Some(0), "{rest}");
    // The token, Start, yes in the terminal, the test card; and the line that was no token.
    assert_eq!(report(&rest)["actions"], 5, "{rest}");
    assert!(!shown.contains(play.fake.token().split(':').nth(1).unwrap()), "the token is on the screen:\n{shown}");
}

#[test]
fn a_file_answers_all_but_who_may_answer() {
    let play = Play::new("en");
    let file = play.home.put("answers.toml", &format!("messenger = \"telegram\"\ntoken = \"{}\"\n", play.fake.token()));
    let file = file.to_str().unwrap();
    let open = play.runs(&["--from-file", file, "--json"]);
    assert_eq!((open.code, &open.json()["error"]["code"]), (Some(2), &"answers_file".into()), "{open:?}");
    assert!(open.stderr.contains("others may read it (644), and a token is in it: chmod 600"), "{open:?}");
    std::fs::set_permissions(file, PermissionsExt::from_mode(0o600)).unwrap();
    let alone = play.runs(&["--from-file", file, "--json"]);
    assert_eq!((alone.code, &alone.json()["error"]["code"]), (Some(7), &"needs_pairing".into()), "{alone:?}");
    let mut terminal = Terminal::start(&play.home, &["setup", "--json", "--from-file", file], 100);
    play.pairs(&mut terminal);
    play.presses("✅ Approve");
    terminal.shows("Ready after ");
    let (code, rest) = terminal.ended();
    assert_eq!(code, Some(0), "{rest}");
    // Start, yes in the terminal, the test card: what only the person can do.
    assert_eq!((&report(&rest)["actions"], &report(&rest)["test"]["pressed"]), (&3.into(), &"allow".into()), "{rest}");
}

#[test]
fn in_korean_with_a_token_of_a_command_it_asks_for_no_more_than_the_person() {
    let play = Play::new("ko");
    let mut terminal = play.starts(&["--json"]);
    play.presses_start(&mut terminal);
    terminal.shows("Jin (7) 님이 본인이신가요? [y/n] ");
    terminal.types("네\n");
    terminal.shows("Telegram에 테스트 카드를 보냅니다");
    play.presses("✅ 승인");
    terminal.shows("준비되었습니다.");
    let (code, rest) = terminal.ended();
    assert_eq!(code, Some(0), "{rest}");
    let report = report(&rest);
    assert_eq!((&report["actions"], &report["test"]["pressed"]), (&3.into(), &"allow".into()), "{report}");
}

/// Returns the lines of a run in a document, without what differs from run to run, and without the chat beside them.
fn documented(text: &str) -> Vec<String> {
    let block = text.split("```text\n").find(|block| block.contains("?start=")).expect("a run is shown");
    let lines = block.split("```").next().unwrap_or_default().lines();
    let lines = lines.filter(|line| {
        !["?start=", "✓ Telegram: ", ".claude/", "74", "hookSpecificOutput"].iter().any(|word| line.contains(word))
    });
    let own = lines.map(|line| line.split("      ").next().unwrap_or_default().trim().replace("Ann", "Jin"));
    own.filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_readmes_show_a_run_as_it_is() {
    for (lang, document) in [("en", "README.md"), ("ko", "README.ko.md")] {
        let play = Play::new(lang);
        let mut terminal = Terminal::start(&play.home, &["setup", "--messenger", "telegram"], 100);
        let mut shown = terminal.shows("): ");
        terminal.types(&format!("{}\n", play.fake.token()));
        shown += &terminal.shows(if lang == "en" { "press Start:" } else { "시작을 눌러 주세요:" });
        play.presses_start(&mut terminal);
        shown += &terminal.shows("[y/n] ");
        terminal.types("y\n");
        play.presses(if lang == "en" { "✅ Approve" } else { "✅ 승인" });
        shown += &terminal.ended().1;
        let text = std::fs::read_to_string(format!("{}/../../{document}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let documented = documented(&text);
        assert!(documented.len() > 6, "{documented:?}");
        for line in documented {
            assert!(shown.contains(&line), "{document} shows {line:?}, and the run does not:\n{shown}");
        }
    }
}

#[test]
fn a_deny_on_the_test_card_proves_the_way_as_well() {
    let play = Play::set_up("en");
    std::thread::scope(|scope| {
        let run = scope.spawn(|| play.runs(&["--json", "--no-install"]));
        play.presses("❌ Deny");
        play.presses("Deny without a reason");
        let left = run.join().unwrap();
        let report = left.json();
        assert_eq!((left.code, &report["test"]["pressed"]), (Some(0), &"deny".into()), "{left:?}");
        assert_eq!(report["hooks"], "skipped");
        let denied = &report["test"]["claude_code_gets"]["hookSpecificOutput"]["decision"]["message"];
        assert_eq!(denied, "User rejected the request. (No reason provided)");
    });
    assert!(play.hooks().is_null(), "nothing was installed");
}

#[test]
fn what_is_set_up_is_kept_and_an_agent_can_finish_the_rest() {
    let play = Play::set_up("en");
    let before = play.config();
    for hooks in ["installed", "kept"] {
        std::thread::scope(|scope| {
            let run = scope.spawn(|| play.runs(&["--json", "--yes"]));
            play.presses("✅ Approve");
            let left = run.join().unwrap();
            assert_eq!((left.code, &left.json()["hooks"]), (Some(0), &hooks.into()), "{left:?}");
            assert!(left.stderr.contains("✓ DMPLZ_TELEGRAM_BOT_TOKEN: set up already"), "{left:?}");
            assert!(left.stderr.contains("✓ chat 7: set up already"), "{left:?}");
        });
    }
    assert!(play.config().starts_with(&before), "{}", play.config());
}

#[test]
fn a_run_that_was_interrupted_goes_on_where_it_stopped() {
    let play = Play::new("en");
    let mut terminal = play.starts(&[]);
    terminal.shows("?start=");
    terminal.types("\u{3}");
    let (code, shown) = terminal.ended();
    assert!(code == Some(1) && shown.contains("next: `dmplz setup` goes on where it stopped"), "{code:?} {shown}");
    let mut terminal = Terminal::start(&play.home, &["setup"], 100);
    terminal.shows("✓ DMPLZ_TELEGRAM_BOT_TOKEN: set up already");
    play.pairs(&mut terminal);
    play.presses("✅ Approve");
    terminal.shows("Ready after ");
    assert_eq!(terminal.ended().0, Some(0));
}

#[test]
fn what_stood_in_the_settings_file_stays() {
    let play = Play::new("en");
    play.home.keep("config.toml", "# mine\non_expired = \"deny\" # always\nallowed_users = [\"42\"]\n");
    let mut terminal = play.starts(&["--no-install"]);
    play.pairs(&mut terminal);
    play.presses("✅ Approve");
    terminal.shows("Ready after ");
    assert_eq!(terminal.ended().0, Some(0));
    let config = play.config();
    assert!(config.starts_with("# mine\non_expired = \"deny\" # always\nallowed_users = [\"42\"]\n"), "{config}");
}

#[test]
fn in_a_group_the_person_who_was_met_is_listed_and_nobody_else() {
    let play = Play::new("en");
    let group = play.fake.group_chat("Shop", std::slice::from_ref(&play.jin));
    let mut terminal = play.starts(&["--no-install"]);
    terminal.shows("?start=");
    let code = terminal.shows("\n").trim().to_owned();
    play.fake.say(group, &play.jin, &format!("/start@approvals_bot {code}"));
    terminal.shows("Was that you: Jin (7)? [y/n]");
    terminal.types("y\n");
    play.presses("✅ Approve");
    terminal.shows("Ready after ");
    assert_eq!(terminal.ended().0, Some(0));
    let config = play.config();
    assert!(config.contains(&format!("telegram_chat_id = \"{group}\"")), "{config}");
    assert!(config.contains("allowed_users = [\"7\"]"), "{config}");
}

#[test]
fn without_a_messenger_the_hooks_are_registered_and_the_next_command_is_told() {
    for (place, next) in [("page", "`dmplz pair`"), ("terminal", "`dmplz approvals watch`")] {
        let play = Play::new("en");
        let left = play.runs(&["--messenger", place]);
        assert!(left.code == Some(0) && left.stdout.contains(next), "{left:?}");
        assert!(play.hooks()["PermissionRequest"].is_array());
    }
}

#[test]
fn hooks_that_the_plugin_registers_are_left_alone() {
    let play = Play::set_up("en");
    let settings = r#"{"enabledPlugins":{"dmplz@dmplz":true}}"#;
    std::fs::write(play.home.path().join(".claude/settings.json"), settings).unwrap();
    std::thread::scope(|scope| {
        let run = scope.spawn(|| play.runs(&["--json"]));
        play.presses("✅ Approve");
        let left = run.join().unwrap();
        assert_eq!((left.code, &left.json()["hooks"]), (Some(0), &"plugin".into()), "{left:?}");
    });
    assert_eq!(std::fs::read_to_string(play.home.path().join(".claude/settings.json")).unwrap(), settings);
}

#[test]
fn nothing_is_said_to_be_registered_before_it_is() {
    for (arguments, code) in
        [(&["setup", "--messenger", "foo"][..], 2), (&["setup", "--messenger", "page", "--no-install"], 0)]
    {
        let home = Home::new();
        let left = home.run(arguments);
        assert_eq!(left.code, Some(code), "{left:?}");
        let said = format!("{}{}", left.stdout, left.stderr);
        assert!(said.contains("Claude Code is not here yet") && !said.contains("registered"), "{left:?}");
        assert!(!home.path().join(".claude/settings.json").exists());
    }
}

#[test]
fn an_answer_that_names_no_place_is_told_what_is_taken() {
    for (lang, prompt, takes) in [
        ("en", "(it stays hidden): ", "Type a number from 1 to 8, or paste the token of your Telegram bot."),
        ("ko", "(화면에 보이지 않습니다): ", "1부터 8까지의 번호를 입력하거나 Telegram 봇의 토큰을 붙여 넣어 주세요."),
    ] {
        let play = Play::new(lang);
        let mut terminal = Terminal::start(&play.home, &["setup"], 100);
        for wrong in ["99", "0", "foo", "123456:short"] {
            terminal.shows(prompt);
            terminal.types(&format!("{wrong}\n"));
            terminal.shows(takes);
        }
    }
}

#[test]
fn the_documents_show_the_places_as_they_are() {
    for (lang, document) in [("en", "docs/SETUP.md"), ("ko", "docs/SETUP.ko.md")] {
        let play = Play::new(lang);
        let shown = Terminal::start(&play.home, &["setup"], 100).shows("): ");
        let text = std::fs::read_to_string(format!("{}/../../{document}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let block = text.split("```text\n").find(|block| block.contains("1) Telegram")).expect("the places are shown");
        let documented = block.split("```").next().unwrap_or_default().lines().map(str::trim);
        let places = shown.lines().map(str::trim).skip_while(|line| !line.ends_with('?'));
        assert_eq!(documented.collect::<Vec<_>>(), places.collect::<Vec<_>>(), "{document}");
    }
}
