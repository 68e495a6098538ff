//! The author guide's example of typed answers, `providers/examples/signal`: it keeps its promises, and a real hook is answered by a code.

use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::command::Home;
use crate::http::{Reply, Request, serve};

const JIN: &str = "+15550199";

/// A home in which the example is installed.
fn installed() -> Home {
    let home = Home::new();
    for folder in [home.path().to_owned(), home.path().join("work")] {
        std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    }
    std::fs::copy(dmplz_guests::SIGNAL_PATH, home.path().join("work/signal.wasm")).unwrap();
    let left = home.run(&["provider", "add", "./signal.wasm", "--yes"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    home.with("DMPLZ_PROVIDER", "signal").with("DMPLZ_SIGNAL_NUMBER", "+15550100").with("DMPLZ_SIGNAL_PERSON", JIN)
}

#[test]
fn the_example_of_typed_answers_keeps_every_promise_and_is_short() {
    let home = installed();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../providers/examples/signal");
    let wire = folder.join("wire.json");
    let left = home.run(&["provider", "test", "signal", "--json", "--wire", wire.to_str().unwrap()]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let report = left.json();
    let rows = report["promises"].as_array().unwrap();
    assert!(rows.len() == 20 && rows.iter().all(|row| row["state"] == "kept"), "{report:#}");
    let left = home.run(&["provider", "inspect", "signal"]);
    assert!(left.stdout.contains("typed codes"), "{left:?}");
    let sources = ["lib.rs", "manifest.rs"].map(|file| std::fs::read_to_string(folder.join("src").join(file)).unwrap());
    assert!(sources.iter().map(|text| text.lines().count()).sum::<usize>() <= 200);
}

/// Serves signal-cli-rest-api, with a person who writes "ok", and then the code of the choice with this label and these words.
/// Returns its URL, and what the person was sent.
fn signal(label: &'static str, words: &'static str) -> (String, Arc<Mutex<Vec<String>>>) {
    let sent = Arc::<Mutex<Vec<String>>>::default();
    let kept = Arc::clone(&sent);
    let written = Mutex::new(0);
    let address = serve(move |request: &Request| {
        let mut sent = kept.lock().unwrap();
        if request.method == "POST" {
            let body: Value = serde_json::from_slice(&request.body).unwrap();
            assert_eq!((&body["number"], &body["recipients"]), (&json!("+15550100"), &json!([JIN])));
            sent.push(body["message"].as_str().unwrap().to_owned());
            return Reply::json(201, json!({ "timestamp": (1_800_000_000_000 + sent.len()).to_string() }));
        }
        let code = |text: &String| {
            let line = text.lines().find(|line| line.ends_with(label))?;
            Some(line.split_once(' ')?.0.to_owned())
        };
        let mut written = written.lock().unwrap();
        let text = match (*written, sent.first().and_then(code)) {
            (0, Some(_)) => "ok".to_owned(),
            (1, Some(code)) => format!("{} {words}", code.to_lowercase()),
            _ => return Reply::json(200, "[]"),
        };
        *written += 1;
        let message = json!({ "timestamp": 1_800_000_001_000_u64 + *written, "message": text });
        let envelope = json!({ "sourceNumber": JIN, "sourceName": "Jin", "dataMessage": message });
        Reply::json(200, json!([{ "account": "+15550100", "envelope": envelope }]))
    });
    (format!("http://{address}"), sent)
}

fn asked(home: Home, url: &str) -> Value {
    let home = home.with("DMPLZ_SIGNAL_SERVER", url).with("DMPLZ_LANG", "en");
    let request = json!({
        "session_id": "s-1", "transcript_path": "/t", "cwd": "/home/ann/shop", "hook_event_name": "PermissionRequest",
        "permission_mode": "default", "tool_name": "Bash", "tool_input": { "command": "make deploy" },
    });
    let request = home.put("request.json", &request.to_string());
    let left = home.run_with(&["hook"], std::fs::File::open(request).unwrap().into());
    assert_eq!(left.code, Some(0), "{left:?}");
    left.json()["hookSpecificOutput"]["decision"].take()
}

#[test]
fn a_hook_is_allowed_by_a_code_and_never_by_ok() {
    let (url, sent) = signal("Approve", "");
    assert_eq!(asked(installed(), &url)["behavior"], "allow");
    let sent = sent.lock().unwrap();
    assert!(sent[0].contains("\nTo answer, send the code in front of your choice:\n"), "{}", sent[0]);
    assert!(sent.last().unwrap().starts_with("✅ Approved: Bash"), "{sent:?}");
}

#[test]
fn a_code_with_words_says_what_to_do_instead_and_one_that_allows_takes_none() {
    let (url, _) = signal("Tell Claude what to do instead", "run the tests first");
    let told = "User rejected the request and said what to do instead: run the tests first";
    assert_eq!(asked(installed(), &url), json!({ "behavior": "deny", "message": told }));
    let (url, _) = signal("Approve", "but only once");
    let home = installed().with("DMPLZ_QUESTION_TIMEOUT_MS", "3000").with("DMPLZ_ON_EXPIRED", "deny");
    assert_eq!(asked(home, &url)["behavior"], "deny");
}
