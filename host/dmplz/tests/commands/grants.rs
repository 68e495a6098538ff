//! Tests of grants: `dmplz grants`, and the hook that applies them. Giving a grant requires a press, which `tests/e2e`
//! covers.

mod changes;

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

use dmplz_core::approvers::Answerer;
use dmplz_core::grant::HALF_HOUR_MS;
use dmplz_core::grant::{Grant, Moment};
use dmplz_policy::Call;
use dmplz_state::{Grants, StateDir};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use crate::command::{Home, Left};

const DENY: &str = "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"git push\"\ndecision = \"deny\"\npriority = 1\n";

/// Returns the moment this number of minutes ago.
fn ago(minutes: u64) -> Moment {
    #[cfg(target_os = "linux")]
    const UP: ClockId = ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    const UP: ClockId = ClockId::Monotonic;
    let ms = |clock| {
        let time = clock_gettime(clock);
        u64::try_from(time.tv_sec).unwrap() * 1_000 + u64::try_from(time.tv_nsec).unwrap() / 1_000_000
    };
    let (wall_ms, up_ms) = (ms(ClockId::Realtime), ms(UP));
    Moment { wall_ms: wall_ms - minutes * 60_000, up_ms: up_ms.saturating_sub(minutes * 60_000) }
}

/// Stores the grant for a call in the agent's folder, as if a person had pressed it at that moment.
fn grant(home: &Home, number: u8, tool: &str, input: Value, session: Option<&str>, now: Moment) -> Grant {
    let folder = home.path().join("work");
    let Value::Object(input) = input else { panic!("{input}") };
    let call = Call { cwd: Some(&folder), ..Call::new(tool, &input, jiff::Timestamp::UNIX_EPOCH) };
    let what = (dmplz_policy::covers(&call).unwrap(), folder.to_str().unwrap().to_owned());
    let by = Answerer { surface: "telegram".into(), id: "7".into(), name: "Ada".into() };
    let id = format!("{number:02x}{}", "0a".repeat(15));
    let grant = Grant::new(id, session.map(Into::into), what, by, "r1".into(), now);
    Grants::of(&StateDir::open(home.state()).unwrap()).add(&grant, now).unwrap();
    grant
}

/// Runs a hook with an event of session `s1`.
fn hook(home: &Home, event: &str, tool: &str, input: &Value) -> Left {
    hook_in(home, &home.path().join("work"), event, tool, input)
}

fn hook_in(home: &Home, cwd: &Path, event: &str, tool: &str, input: &Value) -> Left {
    let event =
        json!({"hook_event_name": event, "session_id": "s1", "cwd": cwd, "tool_name": tool, "tool_input": input});
    let mut stdin = tempfile::tempfile().unwrap();
    stdin.write_all(event.to_string().as_bytes()).unwrap();
    std::io::Seek::rewind(&mut stdin).unwrap();
    home.run_with(&["hook"], Stdio::from(stdin))
}

/// Returns whether the hook allows a call: nobody can be asked here, so it says nothing to any other.
fn allowed(home: &Home, tool: &str, input: Value) -> bool {
    let left = hook(home, "PermissionRequest", tool, &input);
    match left.stdout.as_str() {
        "" => false,
        _ => left.json()["hookSpecificOutput"]["decision"] == json!({"behavior": "allow"}),
    }
}

fn push() -> Value {
    json!({"command": "git push", "description": "Push"})
}

#[test]
fn exactly_what_was_granted_passes_and_is_logged() {
    let home = Home::new();
    assert!(!allowed(&home, "Bash", push()));
    grant(&home, 1, "Bash", push(), None, ago(0));
    assert!(allowed(&home, "Bash", push()));
    assert!(allowed(&home, "Bash", json!({"command": "git push"})));
    for other in [json!({"command": "git push -f"}), json!({"command": "git push", "run_in_background": true})] {
        assert!(!allowed(&home, "Bash", other));
    }
    let elsewhere = hook_in(&home, home.path(), "PermissionRequest", "Bash", &push());
    assert!(elsewhere.json()["systemMessage"].is_string(), "{elsewhere:?}");
    let log = fs::read_to_string(home.state().join("requests.jsonl")).unwrap();
    let uses: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let uses: Vec<_> = uses.iter().filter(|line| line["outcome"] == "allowed_by_rule").collect();
    assert!(
        uses.len() == 2 && uses.iter().all(|line| line["rule"] == "grant:010a0a0a" && line["provider"] == "policy")
    );
    assert_eq!(home.run(&["grants", "list", "--json"]).json()[0]["uses"], 2);
}

#[test]
fn a_deny_wins_and_a_spoilt_policy_grants_nothing() {
    let home = Home::new();
    grant(&home, 1, "Bash", push(), None, ago(0));
    home.keep("policy.toml", DENY);
    let denied = hook(&home, "PermissionRequest", "Bash", &push()).json();
    assert_eq!(denied["hookSpecificOutput"]["decision"]["behavior"], "deny");
    assert!(!hook(&home, "PreToolUse", "Bash", &push()).stdout.contains("allow"));
    home.keep("policy.toml", "[[rule]]\ndecision = \"denny\"\n");
    assert!(!allowed(&home, "Bash", push()));
    home.keep("policy.toml", "");
    assert!(allowed(&home, "Bash", push()));
    assert_eq!(hook(&home, "PreToolUse", "Bash", &push()).stdout, "", "the client asks, and only then it counts");
}

#[test]
fn nothing_passes_after_half_an_hour_or_with_a_clock_that_was_set_back() {
    let home = Home::new();
    let half = HALF_HOUR_MS / 60_000;
    let now = ago(0);
    for (made, passes) in [
        (ago(half - 1), true),
        (ago(half), false),
        // The time of day is before it, or the machine has been up for longer.
        (Moment { wall_ms: now.wall_ms + 60_000, ..now }, false),
        (Moment { wall_ms: ago(1).wall_ms, up_ms: ago(half).up_ms }, ago(half).up_ms == 0),
        (Moment { up_ms: now.up_ms + 60_000, ..now }, false),
    ] {
        grant(&home, 1, "Bash", push(), None, made);
        assert_eq!(allowed(&home, "Bash", push()), passes, "{made:?} {now:?}");
        let listed = home.run(&["grants", "list", "--json"]).json();
        assert_eq!(listed.as_array().unwrap().len(), usize::from(passes));
    }
}

#[test]
fn a_session_that_ends_takes_its_grants_with_it() {
    let home = Home::new();
    let file = |name: &str| json!({"file_path": home.path().join("work").join(name), "content": "x"});
    grant(&home, 1, "Write", file("a"), Some("s1"), ago(0));
    grant(&home, 2, "Write", file("b"), Some("s2"), ago(0));
    grant(&home, 3, "Write", file("c"), None, ago(0));
    let passing = || ["a", "b", "c"].map(|name| allowed(&home, "Write", file(name)));
    assert_eq!(passing(), [true, false, true]);
    let over = hook(&home, "SessionEnd", "", &json!({}));
    assert_eq!((over.stdout.as_str(), over.stderr.as_str()), ("", ""));
    assert_eq!(passing(), [false, false, true]);
    let left = home.run(&["grants", "list", "--json"]).json();
    assert_eq!(
        left.as_array().unwrap().iter().map(|grant| &grant["session"]).collect::<Vec<_>>(),
        [&json!("s2"), &Value::Null]
    );
}

#[test]
fn what_no_rule_may_allow_is_not_granted_either() {
    let home = Home::new();
    let own = json!({"command": "dmplz approvals approve x"});
    let kept = json!({"file_path": home.state().join("grants.json")});
    let secret = json!({"command": format!("cat {}", home.state().join("gateway.token").display())});
    grant(&home, 1, "Bash", own.clone(), None, ago(0));
    grant(&home, 2, "Write", kept.clone(), None, ago(0));
    grant(&home, 3, "Bash", secret.clone(), None, ago(0));
    assert!(!allowed(&home, "Bash", own) && !allowed(&home, "Write", kept) && !allowed(&home, "Bash", secret));
}

#[test]
fn a_list_that_somebody_else_may_have_written_grants_nothing_and_says_so_once() {
    let home = Home::new();
    grant(&home, 1, "Bash", push(), None, ago(0));
    let path = home.state().join("grants.json");
    fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
    let home = home.with("DMPLZ_TELEGRAM_BOT_TOKEN", "");
    let left = hook(&home, "PermissionRequest", "Bash", &push());
    assert!(left.json()["systemMessage"].is_string(), "{left:?}");
    assert_eq!(left.stderr.matches("grants.json").count(), 1, "{}", left.stderr);
    let listed = home.run(&["grants", "list"]);
    assert_eq!(listed.code, Some(1));
    insta::assert_snapshot!(listed.stderr.replace(home.path().to_str().unwrap(), "~"), @"dmplz: the grants cannot be listed, and none of them counts (dmplz grants revoke --all takes them away): ~/.claude/dm-plz/grants.json is not trusted: it belongs to another user, or is not ours alone (mode 600)");
    assert_eq!(home.run(&["grants", "revoke", "010a"]).code, Some(1));
    assert_eq!(home.run(&["grants", "revoke", "--all"]).code, Some(0));
    assert!(!path.exists());
}

#[test]
fn a_list_reads_as_people_read() {
    let home = Home::new();
    let nothing = home.run(&["grants", "list"]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (Some(0), "Nothing is granted.\n"));
    assert!(!home.state().exists(), "looking makes nothing");
    grant(&home, 0x1f, "Bash", push(), None, ago(2));
    grant(
        &home,
        0x2e,
        "WebFetch",
        json!({"url": "https://example.org/a", "prompt": "x"}),
        Some("0c9e1234-5678"),
        ago(0),
    );
    let shown = |home: &Home| {
        let text = home.run(&["grants", "list"]).stdout.replace(home.path().to_str().unwrap(), "~");
        let mut parts: Vec<String> = text.split(" UTC").map(str::to_owned).collect();
        let before_last = parts.len() - 1;
        parts[..before_last].iter_mut().for_each(|part| part.truncate(part.len() - "2026-11-22 12:00:00".len()));
        parts.join("WHEN")
    };
    insta::assert_snapshot!(shown(&home), @"
    1f0a0a0a  Bash, exactly this command: git push (in ~/work)
              28 min left · by Ada (Telegram), WHEN, used 0 times
    2e0a0a0a  WebFetch, every page of https://example.org (in ~/work)
              until session 0c9e1234 ends, 24 h at most · by Ada (Telegram), WHEN, used 0 times
    ");
    let home = home.with("DMPLZ_LANG", "ko");
    insta::assert_snapshot!(shown(&home), @"
    1f0a0a0a  Bash, 정확히 이 명령: git push (폴더 ~/work)
              28분 남음 · Ada (Telegram), WHEN, 0번 사용
    2e0a0a0a  WebFetch, https://example.org의 모든 페이지 (폴더 ~/work)
              세션이 끝날 때까지(0c9e1234), 길어도 24시간 · Ada (Telegram), WHEN, 0번 사용
    ");
}

#[test]
fn revoking_takes_four_characters_of_an_id_and_never_more_than_was_meant() {
    let home = Home::new();
    for number in [0x1f, 0x1e, 0x2e] {
        grant(&home, number, "Bash", json!({"command": format!("make {number}")}), None, ago(0));
    }
    grant(&home, 0x30, "Bash", push(), Some("abcd1"), ago(0));
    grant(&home, 0x31, "Bash", push(), Some("abcd2"), ago(0));
    let count = || home.run(&["grants", "list", "--json"]).json().as_array().unwrap().len();
    let also_1f = format!("1f0a{}", "0b".repeat(14));
    let now = ago(0);
    let twin = Grant { id: also_1f.clone(), ..grant(&home, 0x1f, "Bash", json!({"command": "make 31"}), None, now) };
    Grants::of(&StateDir::open(home.state()).unwrap()).add(&twin, now).unwrap();
    for (arguments, code, says) in [
        (&["revoke", "1f0a"][..], 1, "2 ids begin with 1f0a"),
        (&["revoke", "4000"], 1, "no id begins with 4000"),
        (&["revoke", "1e0a", "4000"], 1, "no id begins with 4000"),
        (&["revoke", ""], 2, "the grant cannot be found: its id is empty"),
        (&["revoke", " "], 2, "its id is empty"),
        (&["revoke", "1e0a", ""], 2, "its id is empty"),
        (&["revoke", "1"], 2, "1 is too short for an id"),
        (&["revoke", "1e0"], 2, "1e0 is too short for an id"),
        (&["revoke", "1E0A"], 2, "32 characters at most"),
        (&["revoke", "*"], 2, "32 characters at most"),
        (&["revoke", ".."], 2, "32 characters at most"),
        (&["revoke", "--session", ""], 2, "the session cannot be found: its id is empty"),
        (&["revoke", "--session", "abc"], 2, "abc is too short for an id"),
        (&["revoke", "--session", "abcd"], 1, "2 ids begin with abcd"),
        (&["revoke", "--session", "xxxx"], 1, "no id begins with xxxx"),
        (&["revoke"], 2, "required"),
        (&["revoke", "1e0a", "--all"], 2, "cannot be used"),
        (&["add", "1e0a"], 2, "unrecognized"),
    ] {
        let left = home.run(&[&["grants"], arguments].concat());
        assert_eq!(left.code, Some(code), "{left:?}");
        assert!(left.stderr.contains(says), "{left:?}");
        assert_eq!(count(), 6, "{arguments:?}");
    }
    assert!(home.run(&["grants", "revoke", "1f0a0a", "2e0a"]).stdout.contains("revoked: 1f0a0a0a  Bash"));
    assert_eq!(count(), 4);
    assert_eq!(home.run(&["grants", "revoke", &also_1f]).code, Some(0));
    assert_eq!(count(), 3);
    assert_eq!(home.run(&["grants", "revoke", "--session", "abcd1"]).code, Some(0));
    assert_eq!(count(), 2);
    assert_eq!(home.run(&["grants", "revoke", "--all"]).code, Some(0));
    assert_eq!(count(), 0);
    assert_eq!(home.run(&["grants", "revoke", "--all"]).stdout, "Nothing is granted.\n");
}
