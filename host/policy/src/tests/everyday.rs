//! Tests of everyday lines that a person who wrote a rule would want it to allow, each with its nearest neighbours that
//! the rule does not mean. The agent works in `/work`, where `link` leads elsewhere.

use std::path::Path;

use serde_json::json;

use super::{Allow, AskUser, Decision, object, roots, sound};
use crate::Call;
use crate::places::Places;

const RULES: &str = "
    [[rule]]
    toolName = 'Bash'
    commandPrefix = [
        'git status', 'git log', 'git branch', 'npm test', 'pytest', 'kubectl get', 'kubectl delete', 'make test', 'diff',
        'sort', 'echo', 'cd',
    ]
    decision = 'allow'
    priority = 100
";

#[track_caller]
fn all(rules: &str, expected: Decision, lines: &[&str]) {
    let policy = sound(rules);
    let places = Places::of(roots());
    let links = |path: &Path| path.starts_with("/work/link").then(|| "/elsewhere".into());
    let of = |line: &str| {
        let input = object(json!({ "command": line }));
        let call = Call {
            cwd: Some(Path::new("/work")),
            home: Some(Path::new("/home/me")),
            places: &places,
            real_path: &links,
            ..Call::new("Bash", &input, super::now())
        };
        let decision = policy.check(&call).decision;
        assert_eq!(policy.explain(&call).decision, decision, "explained as it is decided: {line}");
        decision
    };
    let wrong: Vec<String> = lines
        .iter()
        .map(|line| (line, of(line)))
        .filter(|(_, is)| *is != expected)
        .map(|(line, is)| format!("{is:?}: {line}"))
        .collect();
    assert!(wrong.is_empty(), "not {expected:?}:\n{}", wrong.join("\n"));
}

#[test]
fn tests_of_another_folder_are_asked_however_it_is_written() {
    all(RULES, Allow, &["pytest", "pytest tests", "pytest tests/*.py", "pytest tests/test_{a,b}.py"]);
    all(
        RULES,
        AskUser,
        &[
            "pytest /tmp/ev",
            "pytest ../ev",
            "pytest tests/../../ev",
            "pytest \"tests/$x\"",
            "pytest tests/$x",
            "x=../../tmp/ev; pytest \"tests/$x\"",
            "pytest */../../ev",
            "pytest tests/{a,../../ev}",
            "pytest tests/.*",
            "pytest ~/ev",
            "pytest \"$HOME/ev\"",
        ],
    );
}

#[test]
fn an_absolute_path_in_the_workspace_is_as_the_relative_one() {
    all(
        RULES,
        Allow,
        &[
            "pytest /work/tests",
            "pytest /work/tests/test_a.py::test_b -q",
            "pytest /work",
            "timeout 60 pytest /work/tests",
        ],
    );
    all(
        RULES,
        AskUser,
        &[
            "pytest /work2/tests",
            "pytest /work/../ev",
            "pytest /work/tests/../../ev",
            "pytest /work/link/tests",
            "pytest /work/link/tests/test_a.py::test_b",
            "pytest /WORK/tests",
            "pytest \"/work/$x\"",
            "pytest --rootdir=/work/tests",
            "pytest -c /work/x.ini",
            "cd /work/sub && pytest /work/tests",
            "cd /tmp && pytest /work/tests",
        ],
    );
}

#[test]
fn the_port_of_a_server_may_be_set_to_a_number() {
    all(
        RULES,
        Allow,
        &["PORT=3000 npm test", "PORT='3000' CI=1 npm test", "env PORT=3000 npm test", "PORT=1 make test"],
    );
    all(
        RULES,
        AskUser,
        &[
            "PORT='3000 --x' npm test", "PORT=$(id) npm test", "PORT=\"$x\" npm test", "PORT='$(shell id)' make test",
            "PORT= npm test", "PORT=-1 npm test", "PORT=3000; npm test", "export PORT=3000; npm test",
            "HOST=0.0.0.0 npm test", "NODE_OPTIONS=1 npm test",
        ],
    );
}
