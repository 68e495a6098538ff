use crate::command::Home;

fn line(day: u32, outcome: &str) -> String {
    let ids = r#""request_id":"r","session_id":"s","provider":"telegram","tool_name":"Bash""#;
    format!("{{\"timestamp\":\"2026-11-{day:02}T01:00:00.000Z\",{ids},\"outcome\":\"{outcome}\",\"asked_ms\":1000}}\n")
}

#[test]
fn rotated_files_count_too() {
    let home = Home::new();
    home.keep("requests.jsonl", &line(22, "approved"));
    home.keep("requests.jsonl.1", &line(21, "approved_session"));
    home.keep("requests.jsonl.2", &line(20, "approved"));
    let count = |arguments: &[&str]| {
        let left = home.run(arguments);
        assert_eq!(left.code, Some(0), "{left:?}");
        left.json()["requests"].clone()
    };
    assert_eq!(count(&["stats", "--json"]), 3);
    assert_eq!(count(&["stats", "--json", "--since", "2026-11-21"]), 2);
    assert_eq!(count(&["stats", "--json", "--since", "2026-11-21T01:00:00.001Z"]), 1);
    assert_eq!(home.run(&["stats", "--since", "soon"]).code, Some(2));
}

#[test]
fn nothing_happened_yet() {
    let home = Home::new();
    let left = home.run(&["stats"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    assert!(left.stdout.contains("requests                        0"), "{left:?}");
    assert!(!home.state().exists(), "looking creates nothing");
}
