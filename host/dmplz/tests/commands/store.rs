//! `dmplz store`, on what a gateway kept.

use dmplz_state::StateDir;
use dmplz_state::store::{End, NewRequest, Store, StoreOptions, digest};
use serde_json::{Value, json};

use crate::command::Home;
use crate::gateway::Gateway;

const ENDED: &str = "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";
const OPEN: &str = "4f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";

/// Creates the state of a killed gateway: a request that was denied, and one that is open and contains a secret.
fn kept(home: &Home) {
    let gateway = Gateway::start(home);
    let mut surface = gateway.line();
    surface.call("events.subscribe", &json!({}));
    let mut hook = gateway.asking(ENDED, "git push");
    assert_eq!(home.run(&["approvals", "deny", ENDED, "--reason", "not now"]).code, Some(0));
    hook.decided();
    let _open = gateway.asking(OPEN, "curl -H 'Authorization: Bearer abcdef1234567890' https://example.org");
    drop(gateway);
}

/// Changes the database directly.
fn spoil(home: &Home, sql: &str) {
    rusqlite::Connection::open(home.state().join("state.db")).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_sound_store_is_said_to_be_so() {
    let home = Home::new();
    let left = home.run(&["store", "check"]);
    assert_eq!((left.code, left.stdout.as_str()), (Some(0), "✓ Nothing was kept yet.\n"));
    assert!(!home.state().exists(), "looking creates nothing");
    kept(&home);
    let left = home.run(&["store", "check"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert!(left.stdout.contains("sound (version 4") && left.stdout.contains("2 can be read"), "{left:?}");
    let json = home.run(&["store", "check", "--json"]).json();
    assert_eq!((&json["ok"], &json["requests"], &json["trail"]["verified"]), (&true.into(), &2.into(), &true.into()));
}

#[test]
fn one_request_that_cannot_be_read_is_said_everywhere_and_the_gateway_starts_all_the_same() {
    let home = Home::new();
    kept(&home);
    spoil(&home, &format!("UPDATE requests SET body = 'hunter2' WHERE id = '{OPEN}'"));

    let left = home.run(&["store", "check"]);
    assert_eq!(left.code, Some(4), "{left:?}");
    assert!(left.stdout.contains(&format!("✗ requests  request {OPEN} cannot be read")), "{left:?}");
    assert!(!left.stdout.contains("hunter2"), "{left:?}");
    let json = home.run(&["store", "check", "--json"]).json();
    assert_eq!(json["unreadable"][0]["id"], OPEN);
    let doctor = home.run(&["doctor"]);
    assert!(doctor.stdout.contains("1 of the requests cannot be read"), "{doctor:?}");

    let (gateway, said) = Gateway::start_saying(&home);
    let said = std::fs::read_to_string(said).unwrap();
    assert!(said.contains(&format!("request {OPEN} cannot be read")) && said.contains("nobody is asked"), "{said}");
    let history = home.run(&["approvals", "list", "--all", "--json"]);
    assert_eq!(history.code, Some(0), "{history:?}");
    assert!(history.stdout.contains(ENDED) && !history.stdout.contains(OPEN), "{history:?}");
    let answered = home.run(&["approvals", "approve", OPEN]);
    assert_ne!(answered.code, Some(0), "{answered:?}");
    // Who asks again under its id gets an error, and no decision.
    let mut surface = gateway.line();
    surface.call("events.subscribe", &json!({}));
    let input = json!({
        "session_id": "s-1", "cwd": "/home/ann/shop", "hook_event_name": "PermissionRequest", "permission_mode": "default",
        "tool_name": "Bash", "tool_input": { "command": "curl -H 'Authorization: Bearer abcdef1234567890' https://example.org" },
    });
    let params = json!({ "requestId": OPEN, "input": input, "expiresInMs": 200_000 });
    let again = gateway.line().call("hook.ask", &params);
    assert!(again["error"].is_object(), "{again}");
}

/// Other systems do not identify the machine's present start.
#[cfg(target_os = "linux")]
#[test]
fn a_clock_that_is_set_while_the_gateway_is_away_ends_no_request_that_still_has_its_time() {
    for drift_ms in [600_000, -600_000] {
        let home = Home::new();
        kept(&home);
        // Makes everything older by this time, as if the clock had been set.
        let set = format!(
            "UPDATE requests SET created_ms = created_ms - {drift_ms}, expires_ms = expires_ms - {drift_ms}, body = json_set(body, \
             '$.createdMs', created_ms - {drift_ms}, '$.expiresMs', expires_ms - {drift_ms}) WHERE status = 'open'"
        );
        spoil(&home, &set);
        let _gateway = Gateway::start(&home);
        let open = home.run(&["approvals", "list", "--json"]).json();
        let waits = &open["approvals"][0];
        assert_eq!(waits["id"], OPEN, "{open}");
        let now_ms = std::time::UNIX_EPOCH.elapsed().unwrap().as_millis() as u64;
        let left_ms = waits["expiresMs"].as_u64().unwrap() - now_ms;
        assert!((100_000..=200_000).contains(&left_ms), "{drift_ms}: {left_ms}");
    }
}

#[test]
fn a_backup_is_made_while_the_gateway_runs_and_only_its_owner_reads_it() {
    use std::os::unix::fs::PermissionsExt;

    let home = Home::new();
    kept(&home);
    let gateway = Gateway::start(&home);
    let file = home.path().join("copy.db");
    let name = file.to_str().unwrap();
    let left = home.run(&["store", "backup", name, "--json"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let head = left.json()["head"].as_str().unwrap().to_owned();
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(home.run(&["store", "backup", name]).code, Some(1), "it is not written over");

    let left = home.run(&["store", "backup", "/nonexistent/copy.db"]);
    assert_eq!(left.stderr, "dmplz: /nonexistent cannot be written to: No such file or directory (os error 2)\n");

    let left = home.run(&["store", "restore", name]);
    assert_eq!(left.code, Some(1), "{left:?}");
    assert!(left.stderr.contains("another gateway is already running (process"), "{left:?}");
    drop(gateway);

    spoil(&home, "DELETE FROM notes; UPDATE requests SET body = 'spoilt' WHERE status = 'open'");
    let wrong = home.run(&["store", "restore", name, "--head", &format!("1:{}", "0".repeat(64))]);
    assert_eq!(wrong.code, Some(4), "{wrong:?}");
    assert_eq!(home.run(&["store", "check"]).code, Some(4), "nothing was changed");
    let left = home.run(&["store", "restore", name, "--head", &head]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert!(left.stdout.contains("What was there is kept as"), "{left:?}");
    assert_eq!(home.run(&["store", "check"]).code, Some(0));
    assert_eq!(home.run(&["audit", "verify", "--head", &head]).code, Some(0));
    let trail = home.run(&["audit", "show", "--json"]).stdout;
    assert!(trail.contains(r#""kind":"store.restored""#), "{trail}");
}

#[test]
fn the_history_is_written_out_one_request_a_line_without_secrets() {
    let home = Home::new();
    kept(&home);
    let left = home.run(&["store", "export"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let lines: Vec<Value> = left.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| line["id"].as_str().unwrap()).collect::<Vec<_>>(), [ENDED, OPEN]);
    assert_eq!((&lines[0]["status"], &lines[0]["resolution"]["reason"]), (&"ended".into(), &"not now".into()));
    assert!(lines[1]["input"]["command"].as_str().unwrap().contains("example.org"));
    assert!(!left.stdout.contains("abcdef1234567890"), "{}", left.stdout);
    spoil(&home, "UPDATE requests SET body = 'hunter2' WHERE status = 'open'");
    let left = home.run(&["store", "export"]);
    assert_eq!((left.code, left.stdout.lines().count()), (Some(4), 1), "{left:?}");
    assert!(left.stderr.contains("cannot be read") && !left.stderr.contains("hunter2"), "{left:?}");
}

#[test]
fn what_is_old_is_removed_with_and_without_a_gateway() {
    for runs in [true, false] {
        let home = Home::new();
        old(&home);
        let gateway = runs.then(|| Gateway::start(&home));
        let left = home.run(&["store", "prune", "--json"]);
        assert_eq!(left.code, Some(0), "{left:?}");
        let counts = left.json();
        assert_eq!((&counts["requests"], &counts["entries"]), (&1.into(), &2.into()), "{runs}");
        assert_eq!(counts["logLines"], 1);
        let again = home.run(&["store", "prune"]);
        assert!(again.stdout.starts_with("Removed 0 requests"), "{again:?}");
        let verified = home.run(&["audit", "verify"]);
        assert!(verified.stdout.contains("1 entries, all as recorded; 2 before them were pruned."), "{verified:?}");
        assert_eq!(home.run(&["audit", "verify", "--json"]).json()["pruned"], 2);
        drop(gateway);
    }
}

/// Creates a request of the year 1970, and a line of a log.
fn old(home: &Home) {
    let mut store = Store::open(&StateDir::open(home.state()).unwrap(), StoreOptions::default(), 0).unwrap();
    let request = NewRequest {
        id: ENDED.into(),
        source: "hook".into(),
        session_id: None,
        agent_id: None,
        tool: "Bash".into(),
        cwd: "/".into(),
        created_ms: 1_000,
        expires_ms: 2_000,
        digest: "d".into(),
        body: "{}".into(),
        masked: "{}".into(),
        masked_digest: digest(b"{}"),
        stamp: None,
    };
    let resolution = r#"{"outcome":"expired","cause":"nobody"}"#.to_owned();
    let end = End { outcome: "expired".into(), surface: None, resolution, at_ms: 2_000 };
    let mut batch = store.batch().unwrap();
    batch
        .attempt(|writes| {
            writes.add(&request, r#"{"inputSha256":"d","tool":"Bash"}"#)?;
            writes.resolve(ENDED, &end)
        })
        .unwrap();
    batch.commit().unwrap();
    home.keep("requests.jsonl", "{\"timestamp\":\"1970-01-01T00:00:02Z\"}\n{\"timestamp\":\"2999-01-01T00:00:00Z\"}\n");
}

#[test]
fn a_database_of_a_newer_version_is_refused_in_plain_words() {
    let home = Home::new().with("DMPLZ_GATEWAY_PORT", "0");
    kept(&home);
    spoil(&home, "PRAGMA user_version = 99");
    for command in [["serve"].as_slice(), &["store", "check"], &["audit", "verify"]] {
        let left = home.run(command);
        assert_eq!(left.code, Some(1), "{left:?}");
        assert!(
            left.stderr.contains("it has version 99, this program knows those up to 4; use a newer dmplz"),
            "{left:?}"
        );
    }
}

#[test]
fn a_damaged_database_is_said_with_what_to_do() {
    let home = Home::new();
    home.keep("state.db", &"this is no database".repeat(300));
    let left = home.run(&["store", "check"]);
    assert_eq!(left.code, Some(4), "{left:?}");
    assert!(left.stdout.starts_with("✗ file") && !left.stderr.contains("store check"), "{left:?}");
    assert!(left.stderr.contains("put a backup back with dmplz store restore"), "{left:?}");
    let check = home.run(&["store", "check", "--json"]);
    assert_eq!((check.code, &check.json()["ok"]), (Some(4), &false.into()), "{check:?}");
    let verify = home.run(&["audit", "verify", "--json"]);
    assert_eq!((verify.code, &verify.json()["verified"]), (Some(4), &false.into()), "{verify:?}");
    let show = home.run(&["audit", "show"]);
    assert_eq!(show.code, Some(4), "{show:?}");
    assert!(show.stderr.contains("dmplz store check tells more"), "{show:?}");
    let doctor = home.run(&["doctor"]);
    assert!(doctor.stdout.contains("✗ store"), "{doctor:?}");
}

#[test]
fn help_teaches_every_subcommand() {
    let home = Home::new();
    let help = home.run(&["store", "--help"]);
    for word in ["check", "backup", "restore", "export", "prune", "DMPLZ_HISTORY_DAYS", "Exit codes", "백업"] {
        assert!(help.stdout.contains(word), "{word}: {}", help.stdout);
    }
    assert_eq!(home.run(&["store", "backup"]).code, Some(2));
}
