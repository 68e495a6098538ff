//! No grant allows another call than the one that it was given for.

use proptest::prelude::*;
use serde_json::Map;

use super::*;

/// A call, inputs that are the same to a grant, and calls that only look so.
type Row = (&'static str, Value, Vec<Value>, Vec<(&'static str, Value)>);

fn table() -> Vec<Row> {
    let bash = |rest: Value| {
        let mut input = object(json!({"command": "git push origin main"}));
        input.extend(object(rest));
        Value::Object(input)
    };
    vec![
        (
            "Bash",
            bash(json!({"description": "Push"})),
            vec![bash(json!({})), bash(json!({"description": "Something else"}))],
            vec![
                ("Bash", bash(json!({"timeout": 1000}))),
                ("Bash", bash(json!({"run_in_background": true}))),
                ("Bash", bash(json!({"run_in_background": false}))),
                ("Bash", bash(json!({"dangerouslyDisableSandbox": true}))),
                ("Bash", bash(json!({"description": {"command": "x"}}))),
                ("Bash", bash(json!({"Description": "Push"}))),
                ("Bash", json!({"command": "git push origin main "})),
                ("Bash", json!({"command": "git  push origin main"})),
                ("Bash", json!({"command": "git push origin main2"})),
                ("Bash", json!({"command": "git push origin Main"})),
                ("Bash", json!({"command": "git push origin main\n"})),
                ("Bash", json!({"command": "git push origin main; x"})),
                ("Bash", json!({"command": "/usr/bin/git push origin main"})),
                ("Bash", json!({"command": ["git push origin main"]})),
                ("Bash", json!({})),
                ("PowerShell", bash(json!({}))),
                ("bash", bash(json!({}))),
                ("run_shell_command", bash(json!({}))),
                ("mcp__x__Bash", bash(json!({}))),
            ],
        ),
        (
            "PowerShell",
            json!({"command": "Get-Item x"}),
            vec![json!({"command": "Get-Item x", "description": "y"})],
            vec![("Bash", json!({"command": "Get-Item x"})), ("PowerShell", json!({"command": "Get-Item X"}))],
        ),
        (
            "Write",
            json!({"file_path": "/work/src/a.rs", "content": "x"}),
            vec![json!({"file_path": "/work/src/a.rs", "content": "y"}), json!({"file_path": "src/a.rs"})],
            vec![
                ("Edit", json!({"file_path": "/work/src/a.rs"})),
                ("Read", json!({"file_path": "/work/src/a.rs"})),
                ("Write", json!({"file_path": "/work/src/A.rs"})),
                ("Write", json!({"file_path": "/work/src/a.rs "})),
                ("Write", json!({"file_path": " /work/src/a.rs"})),
                ("Write", json!({"file_path": "/work/src//a.rs"})),
                ("Write", json!({"file_path": "/work/src/./a.rs"})),
                ("Write", json!({"file_path": "/work/src/../src/a.rs"})),
                ("Write", json!({"file_path": "/work/src/a.rs/"})),
                ("Write", json!({"file_path": "/work/src/b.rs"})),
                ("Write", json!({"notebook_path": "/work/src/a.rs"})),
                ("Write", json!({"path": "/work/src/a.rs"})),
                ("Write", json!({"file_path": ["/work/src/a.rs"]})),
                ("NotebookEdit", json!({"file_path": "/work/src/a.rs", "notebook_path": "/work/b"})),
            ],
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": "/work/n.ipynb", "new_source": "x"}),
            vec![json!({"notebook_path": "/work/n.ipynb", "file_path": "/work/b"})],
            vec![("NotebookEdit", json!({"file_path": "/work/n.ipynb", "notebook_path": "/work/m.ipynb"}))],
        ),
        (
            "WebFetch",
            json!({"url": "https://example.org/a", "prompt": "x"}),
            vec![
                json!({"url": "https://example.org/b?c#d", "prompt": "y"}),
                json!({"url": "HTTPS://EXAMPLE.org:443/"}),
            ],
            vec![
                ("WebFetch", json!({"url": "http://example.org/a", "prompt": "x"})),
                ("WebFetch", json!({"url": "https://example.org:8443/a", "prompt": "x"})),
                ("WebFetch", json!({"url": "https://www.example.org/a", "prompt": "x"})),
                ("WebFetch", json!({"url": "https://example.org.evil.com/a", "prompt": "x"})),
                ("WebFetch", json!({"url": "https://example.org@evil.com/a", "prompt": "x"})),
                ("WebFetch", json!({"url": "https://evil.com\\@example.org/a", "prompt": "x"})),
                ("WebFetch", json!({"url": "https://example.org\t/a", "prompt": "x"})),
                ("WebFetch", json!({"url": "https://me@example.org/a", "prompt": "x"})),
                ("WebFetch", json!({"url": "example.org", "prompt": "x"})),
                ("WebFetch", json!({"url": "https://example.org/a", "method": "POST"})),
                ("web_fetch", json!({"url": "https://example.org/a"})),
                ("WebSearch", json!({"url": "https://example.org/a"})),
            ],
        ),
        (
            "mcp__tiny__greet",
            json!({"name": "Ann", "to": {"a": [1, 2]}}),
            vec![json!({"to": {"a": [1, 2]}, "name": "Ann"})],
            vec![
                ("mcp__tiny__greet", json!({"name": "Ann", "to": {"a": [2, 1]}})),
                ("mcp__tiny__greet", json!({"name": "Ann", "to": {"a": [1, 2.0]}})),
                ("mcp__tiny__greet", json!({"name": "Ann", "to": {"a": [1, 2]}, "description": "x"})),
                ("mcp__tiny__greet", json!({"name": "Ann"})),
                ("mcp__tiny__greet2", json!({"name": "Ann", "to": {"a": [1, 2]}})),
            ],
        ),
    ]
}

#[test]
fn the_same_thing_is_allowed_and_what_only_looks_so_is_not() {
    for (tool, input, same, others) in table() {
        let grant = given(tool, &input, None, HERE).unwrap_or_else(|| panic!("{tool} {input}"));
        let allowed = |tool: &str, input: &Value, place| allows(&Policy::default(), &grant, tool, input, place);
        for input in same.iter().chain([&input]) {
            assert!(allowed(tool, input, HERE), "{tool} {input}");
        }
        for (other, input) in &others {
            assert!(!allowed(other, input, HERE), "{other} {input}");
        }
        for place in [
            Place { folder: "/work/sub", ..HERE },
            Place { folder: "/", ..HERE },
            Place { folder: "work", ..HERE },
            Place { server: Some("tiny"), ..HERE },
        ] {
            assert!(!allowed(tool, &input, place), "{tool} {input} {place:?}");
        }
        assert!(allowed(tool, &input, Place { session: "s2", ..HERE }), "half an hour is of no session");
    }
}

#[test]
fn a_file_that_leads_elsewhere_meanwhile_is_another_one() {
    let input = json!({"file_path": "/work/link/a"});
    let linked = Place { linked: true, ..HERE };
    for (then, now, same) in [(HERE, HERE, true), (linked, linked, true), (HERE, linked, false), (linked, HERE, false)]
    {
        let grant = given("Write", &input, None, then).unwrap();
        assert_eq!(allows(&Policy::default(), &grant, "Write", &input, now), same, "{then:?} {now:?}");
    }
}

#[test]
fn nothing_is_given_for_questions_and_for_what_is_not_certain() {
    for (tool, input) in [
        ("AskUserQuestion", json!({"questions": []})),
        ("ask_user", json!({})),
        ("ExitPlanMode", json!({"plan": "x"})),
        ("exit_plan_mode", json!({})),
        ("Bash", json!({})),
        ("Bash", json!({"command": " \n"})),
        ("Bash", json!({"command": 7})),
        ("Write", json!({"file_path": "../x"})),
        ("Write", json!({"file_path": "~/x"})),
        ("Write", json!({"file_path": "/work/*.rs"})),
        ("Write", json!({"file_path": "/work/a\u{0}b"})),
        ("Read", json!({})),
        ("NotebookEdit", json!({"file_path": "/work/n"})),
        ("WebFetch", json!({"url": "https://a@b/"})),
        ("WebFetch", json!({"url": "ftp://x/"})),
    ] {
        assert_eq!(given(tool, &input, None, HERE), None, "{tool} {input}");
    }
}

/// Generates small texts that are often similar.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab /.;~-]{0,4}",
        Just("git push".to_owned()),
        Just("/work/a".to_owned()),
        Just("https://a.b/c".to_owned())
    ]
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        text().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        (0..3u8).prop_map(Value::from),
        Just(Value::Null)
    ]
}

fn input() -> impl Strategy<Value = Map<String, Value>> {
    let key = prop::sample::select(vec![
        "command", "description", "timeout", "file_path", "notebook_path", "url", "prompt", "x",
    ]);
    prop::collection::vec((key, value()), 0..5)
        .prop_map(|fields| fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn tool() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "Bash", "PowerShell", "Write", "Edit", "Read", "NotebookEdit", "WebFetch", "mcp__a__b", "Glob",
    ])
}

/// Returns whether two inputs are the same to a grant: the table of the module, implemented in another way.
fn is_same(tool: &str, one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let without = |input: &Map<String, Value>, key: &str| {
        let mut input = input.clone();
        if input.get(key).is_some_and(Value::is_string) {
            input.remove(key);
        }
        input
    };
    let path = |input: &Map<String, Value>, key: &str| {
        input.get(key).and_then(Value::as_str).map(|path| Path::new("/work").join(path))
    };
    match tool {
        "Bash" | "PowerShell" => without(one, "description") == without(other, "description"),
        "Write" | "Edit" | "Read" => path(one, "file_path") == path(other, "file_path"),
        "NotebookEdit" => path(one, "notebook_path") == path(other, "notebook_path"),
        // Of the URLs above one is plain.
        "WebFetch" => one.get("url") == other.get("url"),
        _ => one == other,
    }
}

proptest! {
    #[test]
    fn no_grant_allows_another_call(
        (tool, other_tool) in (tool(), tool()), (input, other) in (input(), input()), session in prop::option::of(Just("s1")),
        folder in prop::sample::select(vec!["/work", "/work", "/other"]),
        asking in prop::sample::select(vec!["s1", "s1", "s2"]),
        later in 0..2 * HALF_HOUR_MS,
    ) {
        let (input_value, other_value) = (Value::Object(input.clone()), Value::Object(other.clone()));
        let Some(grant) = given(tool, &input_value, session, HERE) else { return Ok(()) };
        let now = Moment { wall_ms: NOW.wall_ms + later, up_ms: NOW.up_ms + later };
        let place = Place { folder, session: asking, now, ..HERE };
        if allows(&Policy::default(), &grant, other_tool, &other_value, place) {
            prop_assert_eq!(tool, other_tool);
            prop_assert!(is_same(tool, &input, &other), "{} {:?} {:?}", tool, input, other);
            prop_assert_eq!(folder, "/work");
            prop_assert!(session.is_none_or(|session| session == asking));
            prop_assert!(session.is_some() || later < HALF_HOUR_MS);
        }
    }

    #[test]
    fn a_command_with_one_letter_changed_is_another(
        command in "[a-z]{1,3}( [a-z./-]{1,6}){0,3}", at in any::<prop::sample::Index>(), letter in "[a-zA-Z ;&|\\n\\u{a0}\\u{200b}]?",
    ) {
        let chars: Vec<char> = command.chars().collect();
        let at = at.index(chars.len());
        let changed: String = chars[..at].iter().copied().chain(letter.chars()).chain(chars[at + 1..].iter().copied()).collect();
        let Some(grant) = given("Bash", &json!({"command": command}), None, HERE) else { return Ok(()) };
        let allowed = allows(&Policy::default(), &grant, "Bash", &json!({"command": changed}), HERE);
        prop_assert!(!allowed || changed == command, "{:?} {:?}", command, changed);
    }
}
