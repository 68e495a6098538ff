//! Tests of setups that fail. To the person the causes all look the same, so each has its own message and next step.

use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};

use dmplz_fakes::telegram::FakeTelegram;
use dmplz_fakes::{Fault, On};

use super::Play;
use crate::command::{Home, Left};
use crate::terminal::Terminal;

const LANGS: [&str; 2] = ["en", "ko"];

/// Returns whether a run without a terminal ended with this code and these words, in English and in Korean. `--json`
/// names it.
#[track_caller]
pub(super) fn ends(play: impl Fn(&str) -> Play, options: &[&str], code: u8, name: &str, says: [&str; 2]) {
    for (lang, says) in LANGS.into_iter().zip(says) {
        let play = play(lang);
        let left = play.runs(options);
        assert_eq!(left.code, Some(code.into()), "{left:?}");
        assert!(left.stderr.contains(says), "{says:?} is not in: {left:?}");
        let next = if lang == "en" { "\nnext: " } else { "\n다음: " };
        assert_eq!(left.stderr.matches(next).count(), 1, "{left:?}");
        let report = play.runs(&[options, &["--json"]].concat()).json();
        assert_eq!((&report["error"]["code"], &report["ok"]), (&name.into(), &false.into()), "{report}");
        assert!(!format!("{left:?}{report}").contains(play.fake.token()), "the token is told: {left:?}");
    }
}

/// Does the same in a terminal, up to the link, and for what happens then.
#[track_caller]
fn ends_in_terminal(wait: &str, then: impl Fn(&Play, &mut Terminal), name: &str, says: [&str; 2]) {
    for (lang, says) in LANGS.into_iter().zip(says) {
        let play = Play::new(lang);
        let mut terminal = play.starts(&["--json", "--wait", wait]);
        then(&play, &mut terminal);
        let (code, shown) = terminal.ended();
        assert_eq!(code, Some(1), "{shown}");
        assert!(shown.contains(says), "{says:?} is not in: {shown}");
        assert!(shown.contains(&format!("\"code\": \"{name}\"")), "{shown}");
        let config = std::fs::read_to_string(play.home.state().join("config.toml")).unwrap();
        assert!(!config.contains("chat_id"), "nobody was connected: {config}");
    }
}

fn with(play: Play, name: &str, value: &str) -> Play {
    Play { home: play.home.with(name, value), ..play }
}

#[test]
fn a_wrong_token() {
    let says = ["the messenger did not accept it", "메신저가 받아들이지 않았습니다"];
    let command = "echo 110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1";
    let options = ["--messenger", "telegram", "--token-command", command];
    ends(Play::new, &options, 1, "token_refused", says);
}

#[test]
fn a_wrong_token_that_is_pasted_can_be_pasted_again() {
    let play = Play::new("en");
    let mut terminal = Terminal::start(&play.home, &["setup", "--messenger", "telegram"], 100);
    terminal.shows("it stays hidden): ");
    terminal.types("not a token at all, sorry\n");
    terminal.shows("There is no token in that.");
    terminal.types("110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1\n");
    terminal.shows("✗ the bot logged in with that token: the messenger did not accept it");
    terminal.shows("it stays hidden): ");
    terminal.types(&format!("{}\n", play.fake.token()));
    terminal.shows("?start=");
}

#[test]
fn a_token_that_was_revoked() {
    let revoked = |lang: &str| {
        let play = Play::set_up(lang);
        play.home.keep(
            "config.toml",
            "telegram_bot_token = \"110201543:the-token-of-yesterday\"\ntelegram_chat_id = \"7\"\n",
        );
        play
    };
    ends(revoked, &[], 1, "token_revoked", ["any more: it was revoked", "폐기된 토큰입니다"]);
}

#[test]
fn a_token_in_the_environment_comes_before_any_that_is_entered() {
    let old = |lang: &str| with(Play::new(lang), "DMPLZ_TELEGRAM_BOT_TOKEN", "110201543:the-token-of-yesterday");
    ends(
        old,
        &["--messenger", "telegram"],
        1,
        "token_revoked",
        ["put it into DMPLZ_TELEGRAM_BOT_TOKEN", "DMPLZ_TELEGRAM_BOT_TOKEN에 넣고"],
    );
    let options = ["--messenger", "telegram", "--token-command", "echo 110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0"];
    let says =
        ["DMPLZ_TELEGRAM_BOT_TOKEN in the environment hides", "환경 변수가 그것을 가립니다: DMPLZ_TELEGRAM_BOT_TOKEN"];
    ends(old, &options, 3, "overridden", says);
}

#[test]
fn a_command_that_prints_no_token() {
    let says = ["it gave no token: no token in what it printed", "토큰을 얻지 못했습니다"];
    let options = |command| ["--messenger", "telegram", "--token-command", command];
    ends(Play::new, &options("echo"), 1, "token_command", says);
    ends(Play::new, &options("exit 3"), 1, "token_command", ["it gave no token: exit status: 3", "exit status: 3"]);
}

#[test]
fn a_webhook_on_the_bot() {
    let hooked = |lang: &str| {
        let play = Play::set_up(lang);
        play.fake.set_webhook(Some("https://example.org/secret-path"));
        play
    };
    ends(
        hooked,
        &[],
        1,
        "webhook",
        ["they go somewhere else: a webhook at example.org", "다른 곳이 가져갑니다: a webhook"],
    );
}

#[test]
fn no_network() {
    let gone = |lang: &str| {
        let play = Play::set_up(lang);
        let base = FakeTelegram::spawn_thread().base_url();
        with(play, "DMPLZ_TELEGRAM_API_BASE", &base)
    };
    ends(gone, &[], 1, "unreachable", ["it cannot be reached: ", "연결할 수 없습니다: "]);
    let behind_a_proxy = |lang: &str| with(gone(lang), "HTTPS_PROXY", "http://127.0.0.1:9");
    let says = ["DMPLZ_HTTPS_PROXY=\"$HTTPS_PROXY\" dmplz setup", "DMPLZ_HTTPS_PROXY=\"$HTTPS_PROXY\" dmplz setup"];
    ends(behind_a_proxy, &[], 1, "unreachable", says);
}

#[test]
fn settings_that_cannot_be_kept() {
    let open_to_others = |lang: &str| {
        let play = Play::set_up(lang);
        std::fs::set_permissions(play.home.state(), PermissionsExt::from_mode(0o777)).unwrap();
        play
    };
    let says = ["cannot be written: the state directory", "에 쓸 수 없습니다: 상태 디렉터리를 믿을 수 없습니다"];
    ends(open_to_others, &[], 3, "not_writable", says);
    let blocked = |lang: &str| with(Play::new(lang), "DMPLZ_STATE_DIR", "/proc/dmplz");
    ends(blocked, &[], 3, "not_writable", ["/proc/dmplz cannot be written", "/proc/dmplz에 쓸 수 없습니다"]);
}

#[test]
fn hooks_that_are_turned_off() {
    let off = |lang: &str| {
        let play = Play::set_up(lang);
        std::fs::write(play.home.path().join(".claude/settings.json"), r#"{"disableAllHooks":true}"#).unwrap();
        play
    };
    ends(
        off,
        &[],
        1,
        "hooks_off",
        ["every hook is turned off (disableAllHooks)", "모든 훅이 꺼져 있습니다(disableAllHooks)"],
    );
}

#[test]
fn an_environment_that_names_another_messenger() {
    let other = |lang: &str| with(Play::set_up(lang), "DMPLZ_PROVIDER", "discord");
    let options = ["--messenger", "telegram"];
    ends(
        other,
        &options,
        3,
        "overridden",
        ["DMPLZ_PROVIDER in the environment hides them", "환경 변수가 그것을 가립니다: DMPLZ_PROVIDER"],
    );
}

#[test]
fn a_rule_that_answers_the_test_card_by_itself() {
    let ruled = |lang: &str| {
        let play = Play::set_up(lang);
        let rule = "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"echo\"\ndecision = \"allow\"\npriority = 1\n";
        play.home.keep("policy.toml", rule);
        play
    };
    ends(ruled, &[], 1, "rule_answers", ["a rule of your policy answers it", "정책 규칙이 이미 답하므로"]);
}

#[test]
fn a_test_card_that_nobody_presses() {
    let says = ["a test card was sent: nobody pressed it in time", "제한 시간 안에 아무도 누르지 않았습니다"];
    ends(Play::set_up, &["--wait", "1"], 1, "test_unanswered", says);
}

#[test]
fn an_agent_cannot_pair_itself_whatever_options_it_gives() {
    for options in [&["--yes"][..], &["--yes", "--messenger", "telegram"]] {
        let started = |lang: &str| {
            let play = Play::new(lang);
            play.home.keep("config.toml", &format!("telegram_bot_token = \"{}\"\n", play.fake.token()));
            // Whatever is already written to the bot.
            play.writes("/start");
            play
        };
        let says = [
            "only a person at a terminal can answer that, and --yes does not",
            "터미널에 있는 사람만 답할 수 있습니다",
        ];
        ends(started, options, 7, "needs_pairing", says);
    }
}

#[test]
fn answers_that_are_missing_without_a_terminal() {
    ends(Play::new, &[], 7, "needs_person", ["give --messenger, or run `dmplz setup` in a terminal", "--messenger"]);
    ends(Play::new, &["--yes"], 7, "needs_person", ["give --token-command, or run", "--token-command"]);
    let says = ["it takes telegram, discord", "쓸 수 있는 것: telegram, discord"];
    ends(Play::new, &["--messenger", "pigeon"], 2, "no_such_messenger", says);
}

#[test]
fn another_program_that_polls_the_bot() {
    let conflict = |play: &Play, _: &mut Terminal| {
        play.fake.wire().fail(On::call("getUpdates").always(), Fault::Status(409));
    };
    let says = [
        "another program takes them with the same token (409)",
        "다른 프로그램이 같은 토큰으로 그것을 가져갑니다(409)",
    ];
    ends_in_terminal("30", conflict, "other_poller", says);
}

#[test]
fn nobody_who_presses_start() {
    let says = ["nobody did in time", "제한 시간 안에 아무도 하지 않았습니다"];
    ends_in_terminal("2", |_, _| {}, "nobody_pressed", says);
}

#[test]
fn somebody_who_writes_without_the_code_or_with_a_wrong_one() {
    let says = [
        "Jin (7) wrote, but without the code of this link",
        "Jin (7) 님이 말을 걸었지만 이 링크의 코드가 아니었습니다",
    ];
    for text in ["/start", "/start 0123456789abcdef0123456789abcdef", "hello"] {
        let wrong = |play: &Play, terminal: &mut Terminal| {
            terminal.shows("?start=");
            play.writes(text);
        };
        ends_in_terminal("4", wrong, "wrong_code", says);
    }
}

#[test]
fn a_code_counts_once() {
    let play = Play::new("en");
    let mut terminal = play.starts(&[]);
    terminal.shows("?start=");
    let code = terminal.shows("\n").trim().to_owned();
    play.writes(&format!("/start {code}"));
    terminal.shows("Was that you: Jin (7)? [y/n] ");
    terminal.types("n\n");
    assert!(terminal.shows("next: ").contains("you said that Jin (7) is not you; that code is void"));
    assert_eq!(terminal.ended().0, Some(1));
    let mut terminal = play.starts(&["--wait", "4"]);
    terminal.shows("?start=");
    play.writes(&format!("/start {code}"));
    terminal.shows("Jin (7) wrote to the bot without the code of this link");
}

#[test]
fn somebody_else_who_had_the_link() {
    let no = |play: &Play, terminal: &mut Terminal| {
        play.presses_start(terminal);
        terminal.shows("[y/n] ");
        terminal.types("n\n");
    };
    ends_in_terminal(
        "30",
        no,
        "not_you",
        ["you said that Jin (7) is not you", "Jin (7) 님은 본인이 아니라고 하셨습니다"],
    );
}

#[test]
fn a_person_in_the_chat_who_says_no_or_nothing() {
    let until_asked = |play: &Play, terminal: &mut Terminal| {
        play.presses_start(terminal);
        terminal.shows("[y/n] ");
        terminal.types("y\n");
    };
    let no = |play: &Play, terminal: &mut Terminal| {
        until_asked(play, terminal);
        let [deny, at_once] = match play.home.is_english() {
            true => ["❌ Deny", "Deny without a reason"],
            false => ["❌ 거부", "사유 없이 거부"],
        };
        play.presses(deny);
        play.presses(at_once);
        assert!(!play.config().contains("chat_id"), "{}", play.config());
    };
    ends_in_terminal("30", no, "refused_in_chat", ["they said no; that code is void", "아니라고 답했습니다"]);
    ends_in_terminal(
        "4",
        until_asked,
        "test_unanswered",
        ["nobody pressed it in time", "제한 시간 안에 아무도 누르지 않았습니다"],
    );
}

/// Starts another dmplz with the same bot, in a chat that the setup does not know.
fn uses(play: &Play, arguments: &[&str], stdin: Stdio) -> Child {
    let mut command = play.home.command(arguments);
    command.env("DMPLZ_TELEGRAM_CHAT_ID", "7").env("DMPLZ_TELEGRAM_BOT_TOKEN", play.fake.token());
    command.env("DMPLZ_GATEWAY_PORT", "0").stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null());
    play.fake.private_chat(&play.jin);
    let child = command.spawn().unwrap();
    play.fake.wire().await_call_blocking(super::SOON, |call| call.name == "getUpdates").expect("it looks for presses");
    child
}

#[test]
fn a_bot_that_another_dmplz_uses() {
    let request = include_str!("../../../src/setup/request.json");
    let gateway = ["the gateway (`dmplz serve`) uses this bot", "게이트웨이(`dmplz serve`)가 이 봇을 쓰고 있습니다"];
    let hook = ["another dmplz is asking on this bot", "다른 dmplz가 이 봇으로 묻고 있습니다"];
    for (argument, says) in [("serve", gateway), ("hook", hook)] {
        for (lang, says) in LANGS.into_iter().zip(says) {
            let play = Play::new(lang);
            let stdin = std::fs::File::open(play.home.put("request.json", request)).unwrap();
            let mut child = uses(&play, &[argument], stdin.into());
            let (code, shown) = play.starts(&["--json"]).ended();
            assert!(code == Some(1) && shown.contains(says), "{says:?} is not in: {shown}");
            assert!(shown.contains("\"code\": \"in_use\""), "{shown}");
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

#[test]
fn a_bot_that_a_gateway_holds() {
    let play = Play::new("en");
    play.home.keep("config.toml", &format!("telegram_bot_token = \"{}\"\n", play.fake.token()));
    let home: Home = play.home.with("DMPLZ_TELEGRAM_CHAT_ID", "7");
    play.fake.private_chat(&play.jin);
    let gateway = crate::gateway::Gateway::start(&home);
    play.fake.wire().await_call_blocking(super::SOON, |call| call.name == "getUpdates").unwrap();
    // The chat is known, so the gateway that has the bot asks with it.
    let left: Left = std::thread::scope(|scope| {
        let run = scope.spawn(|| home.run(&["setup", "--no-install", "--json"]));
        let card = play.fake.await_message_blocking(super::SOON, |message| message.button("✅ Approve").is_some());
        play.fake.press(&card.unwrap(), "✅ Approve", &play.jin).unwrap();
        run.join().unwrap()
    });
    assert_eq!((left.code, &left.json()["test"]["claude_code_gets"]), (Some(0), &super::allow()), "{left:?}");
    drop(gateway);
}
