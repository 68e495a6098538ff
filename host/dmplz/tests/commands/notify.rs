//! Notices by the real binary: from what Claude Code writes to a hook's stdin, as recorded, to what a service gets.

mod receiver;

use std::fs::File;
use std::process::Stdio;
use std::time::{Duration, Instant};

use dmplz_fakes::telegram::{FakeTelegram, Message, User};
use serde_json::{Value, json};

use crate::command::{Home, Left};
use crate::gateway::Gateway;
use crate::terminal::Terminal;
use receiver::Receiver;

const WAIT: Duration = Duration::from_secs(60);
const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// Gives a hook what Claude Code 2.1.330 wrote to one.
#[track_caller]
fn hook(home: &Home, recording: &str) -> Left {
    let left = recorded(home, recording);
    assert_eq!((left.code, left.stdout.as_str()), (Some(0), ""), "{left:?}");
    left
}

fn recorded(home: &Home, recording: &str) -> Left {
    let path = format!("{}/../../tests/e2e/stdin/{recording}.json", env!("CARGO_MANIFEST_DIR"));
    home.run_with(&["hook"], Stdio::from(File::open(path).unwrap()))
}

/// Does the same for another session, so that the notices are not merged.
#[track_caller]
fn hook_in(home: &Home, recording: &str, session: &str) {
    let path = format!("{}/../../tests/e2e/stdin/{recording}.json", env!("CARGO_MANIFEST_DIR"));
    let mut event: Value = serde_json::from_reader(File::open(path).unwrap()).unwrap();
    event["session_id"] = session.into();
    event["tool_use_id"] = Value::Null;
    let stdin = home.put("event.json", &event.to_string());
    let left = home.run_with(&["hook"], Stdio::from(File::open(stdin).unwrap()));
    assert_eq!((left.code, left.stdout.as_str(), left.stderr.as_str()), (Some(0), "", ""), "{left:?}");
}

fn webhook(url: &str, rest: &str) -> String {
    format!("[notify.channels.ops]\ntype = \"webhook\"\nurl = \"{url}\"\nsecret = \"{SECRET}\"\n{rest}")
}

fn route(events: &str, more: &str) -> String {
    format!("[[notify.routes]]\nevents = [{events}]\nto = [\"ops\"]\n{more}\n")
}

#[test]
fn a_recorded_event_becomes_a_message_on_the_phone() {
    let fake = FakeTelegram::spawn_thread();
    let chat = fake.private_chat(&User::person(7, "Jin"));
    let home = Home::on_telegram(&fake, chat);
    home.keep(
        "config.toml",
        "[notify.channels.phone]\ntype = \"messenger\"\nmessenger = \"telegram\"\nsilent = true\n\n[[notify.routes]]\n\
         events = [\"Notification\", \"PostToolUseFailure\", \"SessionEnd\"]\nto = [\"phone\"]\ndetail = \"normal\"\n",
    );
    let _gateway = Gateway::start(&home);
    for (recording, shown) in [
        (
            "Notification-idle_prompt",
            "💤 Claude Code waits for your input\nproject · session 2f9e3ffd\nClaude is waiting for your input",
        ),
        ("PostToolUseFailure-Bash", "⚠️ A tool failed\nproject · session 8c8ea2d5\nBash: Exit code 7"),
        ("SessionEnd", "⏹️ A session ended\nproject · session e68d215d\nother"),
    ] {
        let began = Instant::now();
        let _ = hook(&home, recording);
        let took = began.elapsed();
        let found = |message: &Message| message.now().text.contains(shown);
        let message = fake.await_message_blocking(WAIT, found);
        assert!(message.is_some(), "{recording}: {:#?}", fake.messages(chat));
        assert!(took < Duration::from_secs(30), "{recording}: {took:?}");
    }
    // No route is for it.
    let _ = hook(&home, "Stop");
    let test = home.run(&["notify", "test", "phone"]);
    assert_eq!((test.code, test.stdout.as_str()), (Some(0), "Sent over phone.\n"), "{test:?}");
    let messages = fake.messages(chat);
    assert!(messages.len() == 4 && messages.iter().all(|message| message.silent), "{messages:#?}");
    fake.assert_clean();
    let listed = home.run(&["notify", "list"]).stdout;
    assert!(listed.contains("phone  messenger telegram\n") && listed.contains("last sent "), "{listed}");
    assert!(home.run(&["doctor", "--json"]).stdout.contains("\"notices\""));
}

#[test]
fn a_channel_with_a_chat_of_its_own_posts_there_and_waits_for_no_press() {
    let fake = FakeTelegram::spawn_thread();
    let jin = User::person(7, "Jin");
    let chat = fake.private_chat(&jin);
    let other = fake.group_chat("Notices", &[jin]);
    let home = Home::on_telegram(&fake, chat);
    home.keep(
        "config.toml",
        &format!("[notify.channels.phone]\ntype = \"messenger\"\nmessenger = \"telegram\"\nchat = \"{other}\"\n"),
    );
    let _gateway = Gateway::start(&home);
    let test = home.run(&["notify", "test", "phone", "--json"]);
    assert_eq!((test.code, &test.json()["press"]), (Some(0), &Value::Null), "{test:?}");
    assert_eq!(fake.messages(chat).len(), 0);
    let messages = fake.messages(other);
    let [message] = messages.as_slice() else { panic!("{messages:#?}") };
    assert!(message.button("✅ Press to confirm").is_none(), "{message:?}");
    fake.assert_clean();
}

#[test]
fn a_channel_with_a_topic_of_a_group_posts_in_that_topic() {
    let fake = FakeTelegram::spawn_thread();
    let jin = User::person(7, "Jin");
    let chat = fake.private_chat(&jin);
    let group = fake.group_chat("Team", std::slice::from_ref(&jin));
    fake.enable_topics(group);
    let [_talk, topic] = ["Talk", "Notices"].map(|name| fake.open_topic(group, &jin, name));
    let home = Home::on_telegram(&fake, chat);
    home.keep(
        "config.toml",
        &format!(
            "[notify.channels.phone]\ntype = \"messenger\"\nmessenger = \"telegram\"\nchat = \"{group}/{topic}\"\n\n\
             [[notify.routes]]\nevents = [\"SessionEnd\"]\nto = [\"phone\"]\n"
        ),
    );
    let _gateway = Gateway::start(&home);
    let test = home.run(&["notify", "test", "phone", "--json"]);
    assert_eq!((test.code, &test.json()["press"]), (Some(0), &Value::Null), "{test:?}");
    let _ = hook(&home, "SessionEnd");
    let ended = |message: &Message| message.now().text.contains("⏹️ A session ended");
    let _ = fake.await_message_blocking(WAIT, ended).expect("the notice");
    let messages = fake.messages(group);
    let of_bot = messages.iter().filter(|message| message.from.is_bot).map(|message| message.topic);
    assert_eq!(of_bot.collect::<Vec<_>>(), [Some(topic); 2], "{messages:#?}");
    assert_eq!(fake.messages(chat).len(), 0);
    fake.assert_clean();
}

#[test]
fn a_test_on_a_terminal_waits_for_the_press_and_says_who_pressed() {
    let fake = FakeTelegram::spawn_thread();
    let jin = User::person(7, "Jin");
    let chat = fake.private_chat(&jin);
    let home = Home::on_telegram(&fake, chat);
    home.keep("config.toml", "[notify.channels.phone]\ntype = \"messenger\"\nmessenger = \"telegram\"\n");
    let _gateway = Gateway::start(&home);
    let mut terminal = Terminal::start(&home, &["notify", "test", "phone"], 100);
    terminal.shows("Sent over phone.");
    terminal.shows("Now press its button there.");
    let has_button = |message: &Message| message.button("✅ Press to confirm").is_some();
    let message = fake.await_message_blocking(WAIT, has_button).expect("a message with a button");
    fake.press((chat, message.id), "✅ Press to confirm", &jin).unwrap();
    terminal.shows("Jin pressed it: notices arrive, and so do answers.");
    assert_eq!(terminal.ended().0, Some(0));
    let left = home.run(&["notify", "test", "phone", "--wait", "1s", "--json"]);
    assert_eq!((left.code, &left.json()["press"]["state"]), (Some(1), &json!("waiting")), "{left:?}");
    let left = home.run(&["notify", "test", "phone", "--wait", "1s"]);
    assert!(left.code == Some(1) && left.stdout.ends_with("Nobody pressed it.\n"), "{left:?}");
}

#[test]
fn a_terminal_shows_an_event_by_what_the_hook_writes_and_no_gateway_is_needed() {
    let home = Home::new().with("TERM", "xterm-256color").with("TERM_PROGRAM", "iTerm.app");
    let routes = "[[notify.routes]]\nevents = [\"Notification\", \"PostToolUseFailure\"]\nto = [\"here\"]\ndetail = \"normal\"\n";
    let channel = |more: &str| format!("{more}[notify.channels.here]\ntype = \"terminal\"\n{routes}");
    home.keep("config.toml", &channel(""));
    let shown = |recording: &str| {
        let left = recorded(&home, recording);
        assert_eq!(left.stderr, "", "{left:?}");
        left.stdout
    };
    let failure = shown("PostToolUseFailure-Bash");
    let failure: Value = serde_json::from_str(&failure).unwrap();
    assert_eq!(
        failure,
        json!({ "terminalSequence": "\u{1b}]9;⚠️ A tool failed · project · session 8c8ea2d5 · Bash: Exit code 7\u{7}" })
    );
    // No route is for it.
    assert_eq!(shown("Stop"), "");
    // Nothing is left for a gateway, which a terminal does not need.
    assert_eq!(home.run(&["notify", "list", "--json"]).json()["spooled"], 0);
    let listed = home.run(&["notify", "list"]).stdout;
    assert!(listed.contains("shown by the terminal of Claude Code, and not kept"), "{listed}");
    let sent = home.run(&["notify", "test", "here"]);
    assert_eq!(sent.code, Some(1), "{sent:?}");
    assert!(sent.stderr.contains("run this at one, without --json"), "{sent:?}");
    home.keep("config.toml", "[notify.channels.here]\ntype = \"terminal\"\nsequence = \"777\"\n");
    let mut terminal = Terminal::start(&home, &["notify", "test", "here"], 100);
    terminal.shows("\u{1b}]777;notify;dmplz notify test: notices arrive on this channel.;\u{7}");
    terminal.shows("(sequence = \"777\")");
    assert_eq!(terminal.ended().0, Some(0));
    // In quiet hours it stays dark, but for what the route lets through.
    home.keep("config.toml", &channel("[notify]\nquiet = \"00:00-23:59\"\nzone = \"UTC\"\n"));
    assert_eq!(shown("Notification-idle_prompt"), "");
    home.keep(
        "config.toml",
        &format!("{}through_quiet = \"done\"\n", channel("[notify]\nquiet = \"00:00-23:59\"\nzone = \"UTC\"\n")),
    );
    assert!(shown("Notification-idle_prompt").contains("waits for your input"));
}

#[test]
fn a_webhook_gets_signed_json_and_its_own_figures_are_kept() {
    let receiver = Receiver::start(&[(429, Some("1"), ""), (503, None, "hunter2"), (0, None, "")]);
    let home = Home::new();
    let routes = route("\"Stop\", \"StopFailure\"", "");
    home.keep("config.toml", &webhook(&receiver.url("/hook/hunter2"), &routes));
    let gateway = Gateway::start(&home);
    let _ = hook(&home, "Stop");
    let got = receiver.wait_for(4);
    let last = &got[3];
    assert_eq!(got.iter().map(|got| got.status).collect::<Vec<_>>(), [429, 503, 0, 204]);
    assert_eq!((last.request.target.as_str(), last.header("content-type")), ("/hook/hunter2", "application/json"));
    let body: Value = serde_json::from_str(last.body()).unwrap();
    let expected = json!({
        "type": "notice", "event": "Stop", "count": 1, "happenedAtMs": body["happenedAtMs"],
        "sessionId": "8d24eb9d-ab49-4320-aab0-12cd6a50eb46", "title": "✅ The turn is finished",
        "text": "project · session 8d24eb9d", "leftOut": 0,
    });
    assert_eq!(body, expected);
    // One notice, whose id is the same at every attempt, and whose signature is of what was sent.
    assert!(got.iter().all(|got| got.header("webhook-id") == last.header("webhook-id")), "{got:#?}");
    let key = dmplz_gateway::notices::webhook::Key::parse(SECRET).unwrap();
    let uid = last.header("webhook-id").trim_start_matches("msg_");
    let seconds: u64 = last.header("webhook-timestamp").parse().unwrap();
    let [_, _, (_, signature)] = key.headers(uid, seconds * 1_000, last.body().as_bytes());
    assert_eq!(last.header("webhook-signature"), signature);
    let sent = home.run(&["notify", "test", "ops", "--json"]).json();
    assert_eq!(sent["delivery"], "sent", "{sent}");
    drop(gateway);
    let log = home.run(&["notify", "log", "--json"]).json();
    let log: Vec<_> =
        log.as_array().unwrap().iter().map(|row| (&row["status"], &row["event"], &row["attempts"])).collect();
    assert_eq!(log, [(&"sent".into(), &"Message".into(), &1.into()), (&"sent".into(), &"Stop".into(), &4.into())]);
}

#[test]
fn a_gateway_that_is_killed_again_and_again_loses_nothing_and_keeps_the_order() {
    let receiver = Receiver::start(&[(503, None, ""), (200, None, ""), (0, None, ""), (500, None, "")]);
    let home = Home::new();
    let path = home.keep("config.toml", &webhook(&receiver.url("/"), &route("\"Stop\"", "")));
    // With no gateway, events are left in the spool.
    hook_in(&home, "Stop", "session0");
    assert_eq!(home.run(&["notify", "list", "--json"]).json()["spooled"], 1);
    for round in 0..3 {
        let gateway = Gateway::start(&home);
        hook_in(&home, "Stop", &format!("session{}", round * 2 + 1));
        drop(gateway);
        hook_in(&home, "Stop", &format!("session{}", round * 2 + 2));
    }
    let _gateway = Gateway::start(&home);
    let end = Instant::now() + WAIT;
    let delivered = || {
        let text = |got: &receiver::Got| {
            serde_json::from_str::<Value>(got.body()).unwrap()["sessionId"].as_str().unwrap().to_owned()
        };
        let taken = receiver.wait_for(0);
        let mut sessions: Vec<String> = taken.iter().filter(|got| (200..300).contains(&got.status)).map(text).collect();
        // Notices are sent at least once: a notice whose reply the killed gateway did not get is sent again.
        sessions.dedup();
        sessions
    };
    while delivered().len() < 7 && Instant::now() < end {
        std::thread::yield_now();
    }
    let expected: Vec<String> = (0..7).map(|number| format!("session{number}")).collect();
    assert_eq!(delivered(), expected);
    assert!(path.exists());
}

#[test]
fn discord_gets_what_it_takes_and_what_it_refuses_is_named_and_sent_again() {
    let unknown = "{\"message\": \"Unknown Webhook\", \"code\": 10015}";
    let limited = "{\"message\": \"You are being rate limited.\", \"retry_after\": 0.5, \"global\": false}";
    let receiver = Receiver::start(&[(404, None, unknown), (429, None, limited), (200, None, "{\"id\": \"1\"}")]);
    let home = Home::new().with("DMPLZ_NOTIFY_TEAM_URL", &receiver.url("/api/webhooks/1/hunter2"));
    home.keep(
        "config.toml",
        "[notify.channels.team]\ntype = \"discord\"\nthread = \"77\"\n\n[[notify.routes]]\nevents = [\"PostToolUseFailure\"]\n\
         only = [\"Web*\"]\nto = [\"team\"]\ndetail = \"normal\"\n",
    );
    let (_gateway, said) = Gateway::start_saying(&home);
    let _ = hook(&home, "PostToolUseFailure-Bash");
    let _ = hook(&home, "PostToolUseFailure-WebFetch");
    receiver.wait_for(1);
    let test = home.run(&["notify", "log", "--dead", "--json"]);
    let end = Instant::now() + WAIT;
    while home.run(&["notify", "log", "--dead", "--json"]).json().as_array().unwrap().is_empty() && Instant::now() < end
    {
        std::thread::yield_now();
    }
    let dead = home.run(&["notify", "log", "--dead"]).stdout;
    assert!(dead.contains("it answered 404: Unknown Webhook"), "{dead} {test:?}");
    let status = home.run(&["status"]).stdout;
    assert!(status.contains("the channel team has failed for "), "{status}");
    let doctor = home.run(&["doctor"]);
    assert!(doctor.stdout.contains("the channel team has failed for "), "{doctor:?}");
    assert_eq!(home.run(&["notify", "retry", "--all"]).stdout, "Notices that are sent again: 1\n");
    let got = receiver.wait_for(3);
    assert!(got.iter().all(|got| got.request.target == "/api/webhooks/1/hunter2?wait=true&thread_id=77"), "{got:#?}");
    let body: Value = serde_json::from_str(got[2].body()).unwrap();
    assert_eq!(body["allowed_mentions"], json!({ "parse": [] }));
    assert!(
        body["content"].as_str().unwrap().starts_with("**⚠️ A tool failed**\nproject · session f7583fd6"),
        "{body}"
    );
    for text in
        [&home.run(&["notify", "list"]).stdout, &home.run(&["config"]).stdout, &std::fs::read_to_string(said).unwrap()]
    {
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[test]
fn what_the_gateway_knows_is_sent_as_well() {
    let receiver = Receiver::start(&[]);
    let home = Home::new();
    home.keep(
        "config.toml",
        &webhook(&receiver.url("/"), &route("\"NobodyReachable\", \"RequestExpired\", \"RequestAsked\"", "")),
    );
    let gateway = Gateway::start(&home);
    let input = json!({
        "session_id": "s-1", "cwd": "/home/ann/shop", "hook_event_name": "PermissionRequest", "tool_name": "Bash",
        "tool_input": { "command": "ls" },
    });
    let ask = json!({ "requestId": "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f", "input": input, "expiresInMs": 1_000 });
    let refused = gateway.line().call("hook.ask", &ask);
    assert!(refused["error"].is_object(), "{refused}");
    let mut surface = gateway.line();
    surface.call("events.subscribe", &json!({}));
    let mut asks = gateway.line();
    asks.asks("4f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f", "ls", 1_000);
    assert_eq!(asks.decided()["outcome"], "expired");
    let events: Vec<Value> = receiver
        .wait_for(3)
        .iter()
        .map(|got| serde_json::from_str::<Value>(got.body()).unwrap()["event"].clone())
        .collect();
    assert_eq!(events, ["NobodyReachable", "RequestAsked", "RequestExpired"]);
}

#[test]
fn install_registers_the_events_that_routes_are_for_and_no_others() {
    let home = Home::new();
    let events = |home: &Home| {
        assert_eq!(home.run(&["install"]).code, Some(0));
        let text = std::fs::read_to_string(home.path().join(".claude/settings.json")).unwrap();
        let settings: Value = serde_json::from_str(&text).unwrap();
        settings["hooks"].as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    let before = events(&home);
    assert!(!before.contains(&"Notification".to_owned()), "{before:?}");
    home.keep(
        "config.toml",
        &webhook("http://127.0.0.1:9/", &route("\"Notification\", \"Stop\", \"RequestExpired\"", "")),
    );
    let doctor = home.run(&["doctor"]).stdout;
    assert!(doctor.contains("some events are not registered: Notification"), "{doctor}");
    let with = events(&home);
    assert_eq!(with.len(), before.len() + 1, "{with:?}");
    assert!(with.contains(&"Notification".to_owned()), "{with:?}");
    home.keep("config.toml", "");
    assert_eq!(events(&home), before);
}

#[test]
fn settings_that_cannot_be_read_are_named_and_change_nothing_about_requests() {
    let home = Home::new();
    home.keep("config.toml", "[notify.channels.ops]\ntype = \"webhook\"\nurl = \"https://e/hunter2\"\nport = 5\n");
    let said = hook(&home, "Stop").stderr;
    assert!(said.contains("channel \"ops\" has the key \"port\"") && !said.contains("hunter2"), "{said}");
    assert_eq!(hook(&home, "ConfigChange").stderr, "");
    let list = home.run(&["notify", "list"]);
    assert_eq!(list.code, Some(3), "{list:?}");
    let doctor = home.run(&["doctor"]).stdout;
    assert!(doctor.contains("in [notify], channel \"ops\""), "{doctor}");
    assert_eq!(home.run(&["config"]).code, Some(0));
}

#[test]
fn without_a_gateway_or_a_channel_the_commands_say_what_to_do() {
    let home = Home::new();
    assert_eq!(
        home.run(&["notify", "list"]).stdout,
        "There is no channel, so nothing is sent. docs/NOTIFICATIONS.md shows how to begin.\n"
    );
    assert_eq!(home.run(&["notify", "log"]).stdout, "There are no notices.\n");
    let test = home.run(&["notify", "test", "phone"]);
    assert_eq!(test.code, Some(1), "{test:?}");
    assert!(test.stderr.contains("there is no channel \"phone\""), "{test:?}");
    home.keep("config.toml", &webhook("http://127.0.0.1:9/", &route("\"Stop\"", "")));
    let test = home.run(&["notify", "test", "phone"]);
    assert!(test.stderr.contains("there is no channel \"phone\"; there is ops"), "{test:?}");
    for command in [&["notify", "test", "ops"][..], &["notify", "send", "ops", "x"], &["notify", "retry", "--all"]] {
        let left = home.run(command);
        assert_eq!(left.code, Some(5), "{left:?}");
    }
    assert_eq!(home.run(&["notify", "retry"]).code, Some(2));
}

#[test]
fn nobody_answers_so_the_next_channel_gets_it_and_an_answer_ends_that() {
    let receiver = Receiver::start(&[]);
    let home = Home::new();
    let second = "[notify.channels.boss]\ntype = \"webhook\"\nsecret = \"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\"\n";
    let url = format!("url = \"{}\"\n", receiver.url("/boss"));
    let late = "[[notify.routes]]\nevents = [\"RequestAsked\"]\nto = [\"boss\"]\nafter = \"10m\"\n";
    let routes = route("\"RequestAsked\"", "after = \"1s\"\n") + second + &url + late;
    home.keep("config.toml", &webhook(&receiver.url("/ops"), &routes));
    let gateway = Gateway::start(&home);
    let mut surface = gateway.line();
    surface.call("events.subscribe", &json!({}));
    let id = "4f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";
    let mut asks = gateway.asking(id, "ls");
    let got = receiver.wait_for(1);
    assert_eq!(got[0].request.target, "/ops");
    let left = home.run(&["approvals", "approve", id]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert_eq!(asks.decided()["outcome"], "approved");
    let end = Instant::now() + WAIT;
    let log = || home.run(&["notify", "log", "--json"]).json();
    while log()[0]["status"] != "skipped" && Instant::now() < end {
        std::thread::yield_now();
    }
    let log = log();
    let rows: Vec<_> =
        log.as_array().unwrap().iter().map(|row| (&row["channel"], &row["status"], &row["why"])).collect();
    let ended = Value::from("the request had ended");
    assert_eq!(rows, [(&"boss".into(), &"skipped".into(), &ended), (&"ops".into(), &"sent".into(), &Value::Null),]);
    let trail = home.run(&["audit", "show", "--json"]).stdout;
    assert!(trail.contains("notice.escalated") && trail.contains("afterMs"), "{trail}");
    assert_eq!(home.run(&["audit", "verify"]).code, Some(0));
    assert_eq!(receiver.wait_for(0).len(), 1);
}

#[test]
fn what_is_in_front_of_a_terminal_is_not_sent_and_quiet_hours_hold_it() {
    let receiver = Receiver::start(&[]);
    let home = Home::new();
    // Every time of day but the minute that is half a day away.
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs() / 60 + 12 * 60;
    let of_day = |minute: u64| format!("{:02}:{:02}", minute / 60 % 24, minute % 60);
    let span = format!("{}-{}", of_day(now + 1), of_day(now));
    let quiet = format!("[notify]\nquiet = \"{span}\"\nzone = \"UTC\"\n");
    let routes =
        route("\"Stop\"", "skip_if = [\"terminal\"]\n") + &route("\"StopFailure\"", "through_quiet = \"failure\"\n");
    home.keep("config.toml", &(quiet + &webhook(&receiver.url("/"), &routes)));
    let gateway = Gateway::start(&home);
    let mut terminal = gateway.line();
    assert!(terminal.call("presence.set", &json!({ "visible": true }))["result"].is_object());
    hook_in(&home, "Stop", "seen");
    assert!(terminal.call("presence.set", &json!({ "visible": false }))["result"].is_object());
    hook_in(&home, "Stop", "held");
    hook_in(&home, "StopFailure", "urgent");
    let got = receiver.wait_for(1);
    assert!(got[0].body().contains("StopFailure"), "{got:#?}");
    let log = home.run(&["notify", "log", "--json"]).json();
    let why: Vec<_> = log.as_array().unwrap().iter().rev().map(|row| (&row["status"], &row["why"])).collect();
    let (seen, quiet) = ("approvals watch was open in a terminal", "waits for the end of the quiet hours");
    assert_eq!(why[..2], [(&"skipped".into(), &seen.into()), (&"held".into(), &quiet.into())], "{log}");
    let text = home.run(&["notify", "log"]).stdout;
    assert!(text.contains("held") && text.contains("skipped"), "{text}");
    let none = home.run(&["notify", "retry", "99"]);
    assert_eq!(none.code, Some(1), "{none:?}");
    assert!(none.stderr.contains("has the number 99; dmplz notify log shows the numbers"), "{none:?}");
    assert_eq!(home.run(&["notify", "retry", "2"]).stdout, "Notices that are sent again: 1\n");
    assert_eq!(receiver.wait_for(2).len(), 2);
    let list = home.run(&["notify", "list"]).stdout;
    assert!(list.contains(&format!("Quiet hours: {span} UTC")) && list.contains("skip_if terminal"), "{list}");
}

#[test]
fn a_dry_run_shows_every_level_for_each_channel_and_sends_nothing() {
    let home = Home::new();
    let more =
        "template = \"labels\"\n[notify.channels.team]\ntype = \"discord\"\nurl = \"https://127.0.0.1:9/hunter2\"\n";
    home.keep(
        "config.toml",
        &webhook("http://127.0.0.1:9/", &(more.to_owned() + &route("\"PostToolUseFailure\"", "detail = \"normal\""))),
    );
    let event = json!({
        "hook_event_name": "PostToolUseFailure", "session_id": "8c8ea2d5-bc3f", "cwd": "/home/ann/shop", "tool_name": "Bash",
        "tool_use_id": "t", "error": "Exit code 7\nno ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "tool_input": { "command": "curl -H 'Authorization: Bearer hunter2hunter2hunter2' x" },
    });
    let file = home.put("event.json", &event.to_string());
    let left = home.run(&["notify", "send", "--dry-run", "--event", file.to_str().unwrap()]);
    let ops = "PostToolUseFailure: nothing was sent.\nops  would be sent now\n  minimal\n    ⚠️ A tool failed\n    \
               Folder: shop\n    Session: 8c8ea2d5\n  normal ← what is sent\n    ⚠️ A tool failed\n    Folder: shop\n    \
               Session: 8c8ea2d5\n    About: Bash\n    Details: Exit code 7\n  verbose · masked: ";
    assert!(left.stdout.starts_with(ops), "{left:?}");
    let team = "team  no route leads here\n  minimal\n    ⚠️ A tool failed\n    shop · session 8c8ea2d5\n  normal\n";
    assert!(left.stdout.contains(team), "{left:?}");
    assert!(left.stdout.contains("****"), "{left:?}");
    assert!(!left.stdout.contains("hunter2") && !left.stdout.contains("ghp_0123"), "{left:?}");
    let json = home.run(&["notify", "send", "ops", "--dry-run", "--event", file.to_str().unwrap(), "--json"]).json();
    assert_eq!(
        (&json["channels"][0]["sends"], &json["channels"][0]["now"]),
        (&"normal".into(), &"send".into()),
        "{json}"
    );
    assert!(!json.to_string().contains("hunter2"), "{json}");
    let none = home.run_with(&["notify", "send", "--dry-run"], Stdio::null());
    assert_eq!(none.code, Some(1), "{none:?}");
    assert_eq!(home.run(&["notify", "send", "ops"]).code, Some(2));
    assert_eq!(home.run(&["notify", "log"]).stdout, "There are no notices.\n");
}

#[test]
fn a_notice_for_the_desktop_is_shown_by_the_systems_notifier_which_gets_no_secret() {
    let home = Home::new().with("DMPLZ_NOTIFY_OPS_SECRET", SECRET);
    let bin = home.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    let shown = home.path().join("shown");
    let script = format!("#!/bin/sh\n(printf '%s\\n' \"$@\"; env) > {0}.new && mv {0}.new {0}\n", shown.display());
    let notifier = bin.join("notify-send");
    std::fs::write(&notifier, script).unwrap();
    std::fs::set_permissions(&notifier, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let home = home.with("PATH", &path);
    home.keep(
        "config.toml",
        "[notify.channels.desk]\ntype = \"desktop\"\n[[notify.routes]]\nevents = [\"Stop\"]\nto = [\"desk\"]\n",
    );
    let _gateway = Gateway::start(&home);
    let _ = hook(&home, "Stop");
    let end = Instant::now() + WAIT;
    while !shown.exists() && Instant::now() < end {
        std::thread::yield_now();
    }
    let shown = std::fs::read_to_string(shown).unwrap();
    assert!(shown.contains("--\n✅ The turn is finished\nproject · session 8d24eb9d\n"), "{shown}");
    assert!(!shown.contains("whsec_"), "{shown}");
}
