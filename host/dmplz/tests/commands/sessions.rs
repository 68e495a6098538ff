//! Sessions under the gateway, with a client that speaks the control protocol by script (`sessions/claude.sh`).

mod changes;
mod interrupts;
mod limits;
mod marked;
mod permissions;
mod uploads;
mod writing;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};

use crate::command::Home;
use crate::gateway::{Gateway, Line};
use crate::terminal::Terminal;

/// The time limit for everything that must happen.
const SOON: Duration = Duration::from_secs(40);

/// A home where `claude` is the script.
struct Desk {
    home: Home,
}

impl Desk {
    fn new() -> Self {
        Self::with(&[])
    }

    fn with(settings: &[(&str, &str)]) -> Self {
        let home = settings.iter().fold(Home::new(), |home, (name, value)| home.with(name, value));
        let bin = home.path().join("bin");
        fs::create_dir_all(&bin).unwrap();
        fs::write(bin.join("claude"), include_str!("sessions/claude.sh")).unwrap();
        fs::set_permissions(bin.join("claude"), fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", bin.display());
        Self { home: home.with("PATH", &path) }
    }

    /// Starts a session with this prompt. Returns its id.
    #[track_caller]
    fn start(&self, line: &mut Line, prompt: &str) -> String {
        let env: Value = self.home.environment().collect::<std::collections::BTreeMap<_, _>>().into_iter().collect();
        let started =
            line.call("session.start", &json!({ "cwd": self.home.path().join("work"), "prompt": prompt, "env": env }));
        started["result"]["session"]["id"].as_str().unwrap_or_else(|| panic!("{started}")).to_owned()
    }

    /// Returns a file in which the fake client records what it did or read.
    fn file(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.home.path().join("work").join(name)).ok()
    }

    #[track_caller]
    fn client(&self) -> Pid {
        let mut pid = None;
        until("the client", || {
            pid = self.file("pid").and_then(|text| Pid::from_raw(text.trim().parse().ok()?));
            pid.is_some()
        });
        pid.unwrap()
    }

    /// Returns the answers that the client read.
    fn answers(&self) -> Vec<Value> {
        let heard = self.file("heard").unwrap_or_default();
        let lines = heard.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter(|line| line["type"] == "control_response").map(|mut line| line["response"].take()).collect()
    }
}

/// A session outlives the gateway, so a test that is over ends its client.
impl Drop for Desk {
    fn drop(&mut self) {
        if let Some(pid) = self.file("pid").and_then(|text| Pid::from_raw(text.trim().parse().ok()?)) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

#[track_caller]
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + SOON;
    while !is_so() {
        assert!(Instant::now() < end, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns a surface that subscribes to requests and sessions.
#[track_caller]
fn surface(gateway: &Gateway) -> Line {
    let mut line = gateway.line();
    let types = ["approval.requested", "approval.denied", "approval.resolved", "approval.taken", "session.event"];
    line.call("events.subscribe", &json!({ "types": types }));
    line
}

#[track_caller]
fn asked(line: &mut Line) -> Value {
    line.told("approval.requested")["approval"].take()
}

fn prompt(home: &Home, prompt: &str) -> Child {
    let mut command = home.command(&["run", "--", prompt]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[track_caller]
fn ended(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_prompt_is_run_to_its_end_and_what_the_agent_says_is_visible() {
    let desk = Desk::with(&[
        ("DMPLZ_TELEGRAM_BOT_TOKEN", "7:secret"),
        ("CLAUDECODE", "1"),
        ("DMPLZ_PROVIDER", "telegram"),
        ("DMPLZ_TELEGRAM_CHAT_ID", "1"),
        ("DMPLZ_TELEGRAM_API_BASE", "http://127.0.0.1:9"),
    ]);
    let _gateway = Gateway::start(&desk.home);
    let left = desk.home.run(&["run", "--", "say hi"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    insta::assert_snapshot!(left.stdout, @r#"
    > say hi
    │ hello ␛[31m
    The session has ended.
    "#);
    let started = desk.file("started").unwrap();
    let id = started.split("--session-id=").nth(1).unwrap().split_whitespace().next().unwrap();
    let shown = started.replace(id, "ID").replace(desk.home.path().to_str().unwrap(), "HOME");
    insta::assert_snapshot!(shown, @r#"
    -p --output-format=stream-json --verbose --input-format=stream-json --permission-prompt-tool=stdio --replay-user-messages --include-partial-messages --permission-mode=default --session-id=ID --add-dir=HOME/.claude/dm-plz/sessions/ID/received
    CLAUDE_AGENT_SDK_CLIENT_APP=dmplz/0.1.0
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1
    CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=true
    CLAUDE_CODE_ENTRYPOINT=sdk-cli
    DMPLZ_LANG=en
    DMPLZ_SESSION=ID
    "#);
    let listed = desk.home.run(&["sessions", "list", "--json"]).json();
    assert_eq!((&listed["sessions"][0]["state"], &listed["sessions"][0]["title"]), (&json!("ended"), &json!("say hi")));
    assert_eq!(desk.file("ended").as_deref(), Some("ended\n"), "its stdin was closed, and it ended by itself");
    let shown = desk.home.run(&["sessions", "show", id]);
    assert!(shown.stdout.contains("hello ␛[31m"), "{shown:?}");
}

#[test]
fn an_approved_call_runs_with_the_input_that_was_shown_and_the_history_says_that_it_was_taken() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let run = prompt(&desk.home, "ask");
    let request = asked(&mut line);
    assert_eq!((&request["source"]["kind"], &request["tool"]), (&json!("session"), &json!("Bash")));
    assert_eq!(desk.home.run(&["approvals", "approve", request["id"].as_str().unwrap()]).code, Some(0));
    assert_eq!(line.told("approval.taken")["taken"], true);
    let (code, said) = ended(run);
    assert_eq!(code, Some(0), "{said}");
    insta::assert_snapshot!(said, @r#"
    > ask
    ⏺ Bash touch ran-1
    │ allowed
    The session has ended.
    "#);
    assert!(desk.file("ran-1").is_some());
    insta::assert_snapshot!(desk.answers()[0], @r#"{"subtype":"success","request_id":"r1","response":{"behavior":"allow","updatedInput":{"command":"touch ran-1"}}}"#);
}

#[test]
fn a_denial_carries_its_reason_to_the_agent() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let run = prompt(&desk.home, "ask");
    let request = asked(&mut line);
    let id = request["id"].as_str().unwrap();
    assert_eq!(desk.home.run(&["approvals", "deny", id, "--reason", "not here"]).code, Some(0));
    let (_, said) = ended(run);
    assert!(said.contains("│ denied: User rejected the request. Reason: not here"), "{said}");
    assert!(desk.file("ran-1").is_none());
    let logged = |name: &str| fs::read_to_string(desk.home.state().join(name)).unwrap_or_default();
    until("the logs", || logged("requests.jsonl").contains(id) && logged("rejections.jsonl").contains("not here"));
}

#[test]
fn nobodys_answer_is_a_denial_that_blames_nobody() {
    let desk = Desk::with(&[("DMPLZ_QUESTION_TIMEOUT_MS", "1000")]);
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let (_, said) = ended(prompt(&desk.home, "ask"));
    assert!(said.contains("denied: Nobody answered the permission request in time"), "{said}");
    assert_eq!(line.told("approval.resolved")["approval"]["resolution"]["outcome"], "expired");
    assert!(desk.file("ran-1").is_none());
}

#[test]
fn what_the_client_cancels_is_retired() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut gateway.line(), "ask");
    let request = asked(&mut line);
    assert_eq!(desk.home.run(&["sessions", "send", &id, "go on"]).code, Some(0));
    let resolved = line.told("approval.resolved")["approval"].take();
    assert_eq!((&resolved["id"], &resolved["resolution"]["outcome"]), (&request["id"], &json!("resolved_elsewhere")));
    let late = desk.home.run(&["approvals", "approve", request["id"].as_str().unwrap()]);
    assert_eq!(late.code, Some(6), "{late:?}");
    assert!(desk.answers().is_empty() && desk.file("ran-1").is_none());
}

#[test]
fn a_gateway_that_was_killed_comes_back_to_the_same_request_once() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut gateway.line(), "ask");
    let request = asked(&mut line);
    drop((gateway, line));

    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    until("the session", || line.call("session.get", &json!({ "id": id }))["result"]["session"]["state"] == "asking");
    let open = desk.home.run(&["approvals", "list", "--json"]).json();
    assert_eq!(open["approvals"].as_array().unwrap().len(), 1, "{open}");
    assert_eq!(open["approvals"][0]["id"], request["id"]);
    assert_eq!(desk.home.run(&["approvals", "approve", request["id"].as_str().unwrap()]).code, Some(0));
    until("what was allowed", || desk.file("ran-1").is_some());
    assert_eq!(line.told("approval.taken")["taken"], true);
    assert_eq!(desk.answers().len(), 1, "it is answered once");
    let initialized = desk.file("heard").unwrap().matches("\"initialize\"").count();
    assert_eq!(initialized, 2, "each gateway says who it is");
}

#[test]
fn an_answer_that_came_right_before_the_gateway_was_killed_reaches_the_client() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    desk.start(&mut gateway.line(), "ask");
    let request = asked(&mut line);
    // The client is stopped, so that the answer stays in the pipe; the keeper has it.
    let mut person = gateway.line();
    person.call("approval.respond", &json!({ "id": request["id"], "decision": "deny", "reason": "no" }));
    drop((gateway, line));
    let _gateway = Gateway::start(&desk.home);
    until("the denial", || desk.answers().len() == 1);
    assert_eq!(desk.answers()[0]["response"]["behavior"], "deny");
    assert!(desk.file("ran-1").is_none());
}

#[test]
fn an_event_keeps_its_number_over_a_restart_of_the_gateway_whatever_the_gateway_itself_had_to_say() {
    let desk = Desk::new();
    fs::write(desk.home.path().join("work/refuses"), "").unwrap();
    let gateway = Gateway::start(&desk.home);
    let mut line = gateway.line();
    let id = desk.start(&mut line, "say hi");
    let events = |line: &mut Line| -> Vec<(u64, String)> {
        let told = line.call("session.get", &json!({ "id": id }))["result"]["events"].take();
        let events = told.as_array().unwrap().iter();
        events.map(|event| (event["number"].as_u64().unwrap(), event["event"]["kind"].to_string())).collect()
    };
    until("the turn and the refusal", || {
        let kinds: Vec<String> = events(&mut line).into_iter().map(|(_, kind)| kind).collect();
        ["\"turn\"", "\"notice\""].iter().all(|wanted| kinds.iter().any(|kind| kind == wanted))
    });
    let of_client = |line: &mut Line| -> Vec<(u64, String)> {
        events(line).into_iter().filter(|(_, kind)| kind != "\"notice\"").collect()
    };
    let before = of_client(&mut line);
    let mut terminal = Terminal::start(&desk.home, &["sessions", "attach", &id], 100);
    terminal.shows("│ hello ␛[31m");
    drop((gateway, line));

    // What is said while no gateway is there is shown by the terminal once one is back.
    fs::remove_file(desk.home.path().join("work/refuses")).unwrap();
    let gateway = Gateway::start(&desk.home);
    let mut line = gateway.line();
    assert_eq!(of_client(&mut line), before, "whoever comes first reads all of it, under the numbers it had");
    line.call("session.send", &json!({ "id": id, "text": "say more" }));
    terminal.shows("> say more");
    terminal.shows("│ hello ␛[31m");
    terminal.types("/stop\n");
    terminal.shows("The session has ended.");
}

#[test]
fn a_session_that_has_ended_goes_on_in_the_mode_that_it_ended_in() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let id = desk.start(&mut gateway.line(), "say hi");
    let session = |line: &mut Line| line.call("session.get", &json!({ "id": id }))["result"].take();
    until("the turn", || session(&mut line)["session"]["costUsd"] == 0.5);
    assert_eq!(desk.home.run(&["sessions", "resume", &id, "--json"]).code, Some(1), "it runs");
    assert_eq!(desk.home.run(&["sessions", "mode", &id, "plan"]).code, Some(0));
    until("the mode", || session(&mut line)["session"]["mode"] == "plan");
    let left = desk.home.run(&["sessions", "mode", &id, "bypassPermissions"]);
    assert_eq!(left.code, Some(2), "{left:?}");
    let left = desk.home.run(&["sessions", "mode", &id, "bypass-permissions"]);
    assert!(left.code == Some(1) && left.stderr.contains("DMPLZ_RUN_MODES"), "{left:?}");
    let refused = line.call("session.mode", &json!({ "id": id, "mode": "yolo" }));
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let left = desk.home.run(&["sessions", "model", &id, "bad"]);
    assert!(left.code == Some(1) && left.stderr.contains("There is no model bad"), "{left:?}");
    assert_eq!(desk.home.run(&["sessions", "model", &id, "opus"]).code, Some(0));
    let rules = desk.home.run(&["sessions", "rules", &id]);
    insta::assert_snapshot!(rules.stdout, @"ask    Bash(touch *)  userSettings");
    assert_eq!(desk.home.run(&["sessions", "stop", &id]).code, Some(0));
    until("the end", || session(&mut line)["session"]["state"] == "ended");
    let before = session(&mut line)["events"].take();
    drop((gateway, line));

    // The next gateway resumes it as well.
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    assert_eq!(session(&mut line)["events"], before);
    let resumed = desk.home.run(&["sessions", "resume", &id, "--json"]).json();
    assert_eq!(resumed["session"]["mode"], "plan", "{resumed}");
    let wanted = format!("--permission-mode=plan --resume={id} --model=opus");
    until("the client", || desk.file("started").is_some_and(|started| started.contains(&wanted)));
    let kinds: Vec<&Value> =
        resumed["events"].as_array().unwrap().iter().map(|event| &event["event"]["kind"]).collect();
    assert_eq!(kinds, ["message", "text", "turn", "resumed"]);
    // A client that counts its requests anew asks anew.
    line.call("session.send", &json!({ "id": id, "text": "ask" }));
    let first = asked(&mut line);
    assert_eq!(desk.home.run(&["approvals", "deny", first["id"].as_str().unwrap()]).code, Some(0));
    until("the denial", || desk.answers().iter().any(|answer| answer["response"]["behavior"] == "deny"));
    assert_eq!(desk.home.run(&["sessions", "stop", &id]).code, Some(0));
    until("the end", || session(&mut line)["session"]["state"] == "ended");
    assert_eq!(desk.home.run(&["sessions", "resume", &id]).code, Some(0));
    line.call("session.send", &json!({ "id": id, "text": "ask" }));
    assert_ne!(asked(&mut line)["id"], first["id"]);
}

#[test]
fn a_message_that_waits_is_seen_and_taken_back() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = gateway.line();
    let id = desk.start(&mut line, "say hi");
    let message = line.call("session.send", &json!({ "id": id, "text": "later" }))["result"]["messageId"].take();
    let mut stages = || {
        let queue = line.call("session.get", &json!({ "id": id }))["result"]["session"]["queue"].take();
        queue.as_array().unwrap().iter().map(|queued| queued["stage"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    until("the first turn", || stages() == ["done", "waiting"]);
    let mut other = gateway.line();
    let taken_back = other.call("session.retract", &json!({ "id": id, "messageId": message }));
    assert_eq!(taken_back["result"]["retracted"], true, "{taken_back}");
    assert_eq!(stages(), ["done", "dropped"]);
}

#[test]
fn a_keeper_that_is_killed_takes_its_client_and_its_requests_with_it() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    desk.start(&mut gateway.line(), "ask");
    asked(&mut line);
    let client = desk.client();
    let status = fs::read_to_string(format!("/proc/{}/status", client.as_raw_nonzero())).unwrap();
    let keeper = status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap().trim().parse().unwrap();
    kill_process(Pid::from_raw(keeper).unwrap(), Signal::KILL).unwrap();
    let resolved = line.told("approval.resolved")["approval"].take();
    assert_eq!(resolved["resolution"]["outcome"], "resolved_elsewhere");
    until("the end of the client", || test_kill_process(client).is_err());
    assert!(desk.file("ran-1").is_none());
}

#[test]
fn rules_decide_unless_the_client_wants_a_person() {
    let desk = Desk::new();
    let rule = |decision: &str| {
        format!(
            "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"touch\"\ndecision = \"{decision}\"\npriority = 100\n"
        )
    };
    desk.home.keep("policy.toml", &rule("allow"));
    fs::set_permissions(desk.home.state(), fs::Permissions::from_mode(0o700)).unwrap();
    let gateway = Gateway::start(&desk.home);
    let (_, said) = ended(prompt(&desk.home, "ask"));
    assert!(said.contains("│ allowed"), "{said}");
    // The person's own rule in the client's settings requires a person, so the allow does not apply.
    let mut line = surface(&gateway);
    let run = prompt(&desk.home, "rule");
    let request = asked(&mut line);
    assert!(request["subject"]["context"].to_string().contains("userSettings: ask Bash(touch *)"), "{request}");
    desk.home.keep("policy.toml", &rule("deny"));
    assert_eq!(desk.home.run(&["approvals", "deny", request["id"].as_str().unwrap()]).code, Some(0));
    ended(run);
    // A rule's deny holds whatever the client says.
    let (_, said) = ended(prompt(&desk.home, "rule"));
    assert!(said.contains("│ denied: "), "{said}");
}

#[test]
fn where_the_client_wants_no_always_none_is_offered() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let run = prompt(&desk.home, "hush");
    let request = asked(&mut line);
    assert_eq!((&request["offer"]["session"], &request["offer"]["always"]), (&json!(false), &json!([])), "{request}");
    let refused = desk.home.run(&["approvals", "approve", request["id"].as_str().unwrap(), "--session"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert_eq!(desk.home.run(&["approvals", "deny", request["id"].as_str().unwrap()]).code, Some(0));
    ended(run);
}

#[test]
fn what_was_granted_for_a_while_is_not_asked_again_unless_the_client_wants_a_person() {
    let desk = Desk::new();
    let gateway = Gateway::start(&desk.home);
    let mut line = surface(&gateway);
    let run = prompt(&desk.home, "ask");
    let request = asked(&mut line);
    assert_eq!(desk.home.run(&["approvals", "approve", request["id"].as_str().unwrap(), "--for", "30m"]).code, Some(0));
    assert!(ended(run).1.contains("│ allowed"));
    assert_eq!(desk.home.run(&["grants", "list", "--json"]).json().as_array().map(Vec::len), Some(1));
    fs::remove_file(desk.home.path().join("work/ran-1")).unwrap();
    assert!(ended(prompt(&desk.home, "ask")).1.contains("│ allowed"), "the very same call in the same folder");
    let run = prompt(&desk.home, "rule");
    let request = asked(&mut line);
    assert_eq!(request["offer"]["granted"], false, "{request}");
    assert_eq!(desk.home.run(&["approvals", "deny", request["id"].as_str().unwrap()]).code, Some(0));
    ended(run);
}

#[test]
fn a_client_that_ends_badly_says_why() {
    let desk = Desk::new();
    let _gateway = Gateway::start(&desk.home);
    let (code, said) = ended(prompt(&desk.home, "die"));
    assert_eq!(code, Some(1));
    assert!(said.contains("The session ended badly: it hurts"), "{said}");
}

#[test]
fn a_client_that_is_not_there_is_said() {
    let desk = Desk::new();
    let _gateway = Gateway::start(&desk.home);
    fs::remove_file(desk.home.path().join("bin/claude")).unwrap();
    let (code, said) = ended(prompt(&desk.home, "ask"));
    assert_eq!(code, Some(1));
    let why = "Claude Code cannot be started: there is no `claude` on the PATH; install Claude Code";
    assert!(said.contains(why), "{said}");
}

#[test]
fn at_a_terminal_a_session_is_answered_interrupted_left_and_ended() {
    let desk = Desk::new();
    let _gateway = Gateway::start(&desk.home);
    let mut terminal = Terminal::start(&desk.home, &["run", "--", "ask"], 100);
    let begun = terminal.shows("/stop ends it)");
    let id = begun.split("Session ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    terminal.shows("⏺ Bash touch ran-1");
    terminal.shows("Allow? [Y/N");
    terminal.types("y\n");
    terminal.shows("│ allowed");
    until("what was allowed", || desk.file("ran-1").is_some());
    terminal.types("ask again\n");
    terminal.shows("⏺ Bash touch ran-2");
    terminal.shows("Allow? [Y/N");
    terminal.types("\u{3}");
    terminal.shows("↩ ");
    terminal.shows("The turn did not go to its end");
    terminal.types("/detach\n");
    let (code, left) = terminal.ended();
    assert_eq!(code, Some(0), "{left}");
    assert!(left.contains(&format!("dmplz sessions attach {id}")), "{left}");

    let mut terminal = Terminal::start(&desk.home, &["sessions", "attach", &id], 100);
    terminal.shows("│ allowed");
    terminal.shows("The turn did not go to its end");
    terminal.types("say more\n");
    terminal.shows("│ hello ␛[31m");
    terminal.types("write lines\n");
    terminal.shows("│ one line");
    terminal.types("finish lines\n");
    let since = terminal.shows("│ and a half");
    assert!(!since.contains("│ one line"), "it is shown once: {since}");
    terminal.types("/stop\n");
    terminal.shows("The session has ended.");
    assert_eq!(terminal.ended().0, Some(0));
}

#[test]
fn an_unknown_session_sends_to_the_list_of_sessions() {
    let desk = Desk::new();
    let _gateway = Gateway::start(&desk.home);
    let id = "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";
    let left = desk.home.run(&["sessions", "stop", id]);
    assert_eq!(left.code, Some(1), "{left:?}");
    let expected = format!("dmplz: there is no session {id}\nhint: dmplz sessions list shows the ids\n");
    assert_eq!(left.stderr, expected);
    let left = desk.home.run(&["sessions", "revoke", id, "1"]);
    assert!(left.stderr.contains("hint: dmplz sessions rules shows the numbers"), "{left:?}");
}
