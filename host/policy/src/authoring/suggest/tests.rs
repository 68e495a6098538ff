use crate::authoring::examples::checked;
use serde_json::{Value, json};

use super::*;
use crate::authoring::history::subject;
use crate::{Origin, Policy, Tier};

const ALLOWED: Decision = Decision::Allow;
const DENIED: Decision = Decision::Deny;

/// Creates an answered request; `at` is the hours since the first of November.
fn asked(at: usize, tool: &str, input: &Value, cwd: &str, answer: Decision) -> Asked {
    let first: Timestamp = "2026-11-01T00:00:00Z".parse().unwrap();
    Asked {
        at: first + jiff::SignedDuration::from_hours(at as i64),
        tool: tool.to_owned(),
        subject: subject(tool, input.as_object().unwrap()),
        cwd: Some(cwd.to_owned()),
        answer,
    }
}

fn commands(lines: &[(&str, Decision)]) -> Vec<Asked> {
    let one = |(at, (line, answer)): (usize, &(&str, Decision))| {
        asked(at, "Bash", &json!({"command": line}), "/home/u/p", *answer)
    };
    lines.iter().enumerate().map(one).collect()
}

fn policy_file(text: &str) -> File {
    let file =
        checked(File::parse(text, Origin { tier: Tier::User, path: "p.toml".into(), root: None, trusted: true }));
    assert!(file.problems.is_empty(), "{text} {:?}", file.problems);
    file
}

fn suggested_to(policy: &str, history: &[Asked]) -> Vec<Suggestion> {
    let wanted = Wanted { least: LEAST, home: Some(Path::new("/home/u")), now: Timestamp::UNIX_EPOCH };
    suggest(history, &[policy_file(policy)], &wanted)
}

/// Formats the suggestions as `decision about (saves/answers)`.
fn short(policy: &str, history: &[Asked]) -> Vec<String> {
    let line = |it: &Suggestion| {
        let decision = if it.decision == Decision::Allow { "allow" } else { "deny" };
        format!("{decision} {} ({}/{})", it.about, it.saves, it.answers)
    };
    suggested_to(policy, history).iter().map(line).collect()
}

fn always(line: &'static str, answer: Decision) -> Vec<(&'static str, Decision)> {
    vec![(line, answer); 3]
}

#[test]
fn a_suggestion_is_a_rule_with_its_reason_and_examples() {
    let history = commands(&[("git log -1", ALLOWED), ("git log --oneline", ALLOWED), ("git log -5 main", ALLOWED)]);
    let suggestions = suggested_to("", &history);
    insta::assert_snapshot!(suggestions[0].toml, @r#"
    [[rule]]
    toolName = "Bash"
    commandPrefix = "git log"
    cwd = "//home/u/p/**"
    decision = "allow"
    priority = 50
    reason = "suggested from 3 answers"
    match = ["git log -1", "git log -5 main", "git log --oneline"]
    "#);
    insta::assert_snapshot!(serde_json::to_string(&Suggestion { toml: String::new(), ..suggestions[0].clone() }).unwrap(), @r#"{"decision":"allow","tool":"Bash","about":"git log *","within":"/home/u/p","saves":3,"answers":3,"days":1,"last":"2026-11-01T02:00:00.000Z","toml":""}"#);
}

#[test]
fn a_habit_needs_three_answers_and_no_other() {
    let line = |answers: &[Decision]| commands(&answers.iter().map(|answer| ("npm test", *answer)).collect::<Vec<_>>());
    assert_eq!(short("", &line(&[ALLOWED; 2])), [""; 0]);
    assert_eq!(short("", &line(&[ALLOWED; 3])), ["allow npm test * (3/3)"]);
    assert_eq!(short("", &line(&[DENIED; 3])), ["deny npm test * (3/3)"]);
    assert_eq!(short("", &line(&[ALLOWED, ALLOWED, ALLOWED, ALLOWED, DENIED])), [""; 0]);
}

#[test]
fn a_beginning_says_what_is_done_and_never_only_with_what() {
    for (lines, expected) in [
        (vec!["git status", "git diff", "git log"], vec![]),
        (vec!["git status", "git status", "git status -s", "git push"], vec!["allow git status * (3/3)"]),
        (vec!["npm run lint", "npm run build", "npm run test"], vec![]),
        (vec!["npm run lint", "npm run lint", "npm run lint -- --fix"], vec!["allow npm run lint * (3/3)"]),
        (vec!["ls", "ls -la", "ls src"], vec!["allow ls * (3/3)"]),
        (vec!["cargo test -p a", "cargo test -p b", "cargo test"], vec!["allow cargo test * (3/3)"]),
        (vec!["git -C a status", "git -C a status", "git -C a diff"], vec![]),
        (vec!["python a.py", "python b.py", "python c.py"], vec![]),
        (vec!["python a.py", "python a.py", "python a.py"], vec!["allow python a.py (3/3)"]),
        (vec!["bash -c 'ls'", "bash -c 'ls'", "bash -c 'pwd'"], vec![]),
        (vec!["curl https://a", "curl https://b", "curl https://c"], vec![]),
        (vec!["rm a", "rm a", "rm a"], vec![]),
        (vec!["sudo ls", "sudo ls -l", "sudo ls -a"], vec![]),
        (vec!["docker ps", "docker ps -a", "docker ps"], vec!["allow docker ps * (3/3)"]),
        (vec!["docker exec a ls", "docker exec a ls", "docker exec a pwd"], vec![]),
        (vec!["make", "make", "make"], vec!["allow make (3/3)"]),
        (vec!["pytest tests/a.py", "pytest -x tests/b.py", "pytest"], vec!["allow pytest * (3/3)"]),
        (
            vec!["npx eslint a.ts", "npx eslint b.ts", "npx eslint src"],
            vec!["allow eslint * (3/3)", "allow npx eslint * (3/3)"],
        ),
        (
            vec!["uv run pytest a.py", "uv run pytest b.py", "uv run pytest"],
            vec!["allow pytest * (3/3)", "allow uv run pytest * (3/3)"],
        ),
        (vec!["npx prisma a", "npx prisma b", "npx prisma c"], vec![]),
        (vec!["black a.py", "black b.py", "black c.py"], vec![]),
        (vec!["./run.sh", "./run.sh a", "./run.sh b"], vec![]),
        (vec!["$x", "$x", "$x"], vec![]),
        // A word that is known only at run time may be an option.
        (vec!["git add $x", "git add $y", "git add ."], vec!["allow git add * (1/3)"]),
    ] {
        let lines: Vec<_> = lines.into_iter().map(|line| (line, ALLOWED)).collect();
        assert_eq!(short("", &commands(&lines)), expected, "{lines:?}");
    }
}

#[test]
fn each_command_of_a_line_counts_on_its_own() {
    let history = commands(&[
        ("cd web && npm test", ALLOWED),
        ("npm test | head -5", ALLOWED),
        ("timeout 60 npm test 2>&1 | tail -20", ALLOWED),
        ("cd api && head x", ALLOWED),
        ("cd api; head x | tail -1", ALLOWED),
        ("tail x", ALLOWED),
    ]);
    let expected = ["allow cd * (3/3)", "allow head * (3/3)", "allow npm test * (3/3)", "allow tail * (3/3)"];
    assert_eq!(short("", &history), expected);
}

#[test]
fn an_allow_holds_where_it_was_given() {
    let within = |folders: [&str; 3], line: &str| {
        let one = |(at, cwd): (usize, &&str)| asked(at, "Bash", &json!({"command": line}), cwd, ALLOWED);
        let history: Vec<_> = folders.iter().enumerate().map(one).collect();
        let suggestions = suggested_to("", &history);
        suggestions.iter().find(|one| one.about != "cd sub *" && one.about != "cd *").unwrap().within.clone()
    };
    assert_eq!(within(["/home/u/p"; 3], "npm test").as_deref(), Some("/home/u/p"));
    assert_eq!(within(["/home/u/p", "/home/u/p/a", "/home/u/p/b"], "npm test").as_deref(), Some("/home/u/p"));
    assert_eq!(within(["/home/u/p", "/home/u/q", "/home/u/q"], "npm test"), None);
    assert_eq!(within(["/home/u"; 3], "npm test"), None);
    assert_eq!(within(["/home/u/p"; 3], "ls"), None);
    // After a `cd` the folder is known only at run time, and the rule would not apply.
    assert_eq!(within(["/home/u/p"; 3], "(cd web; npm test)"), None);
    let lines = [("npm test", ALLOWED), ("cd web && npm test", ALLOWED), ("npm test", ALLOWED), ("npm test", ALLOWED)];
    let suggestions = suggested_to("", &commands(&lines));
    assert_eq!((suggestions[0].within.as_deref(), suggestions[0].saves), (Some("/home/u/p"), 3));
}

#[test]
fn what_was_denied_anywhere_below_kills_the_rule_and_narrower_ones_are_looked_for() {
    let mut lines = vec![("git push origin a", ALLOWED); 3];
    lines.extend([("git push --force", DENIED), ("git push origin b", ALLOWED), ("git push upstream", ALLOWED)]);
    assert_eq!(short("", &commands(&lines)), ["allow git push origin * (4/4)"]);
    for denied in [
        "git push origin a --force", "cd x && git push origin a", "bash -c 'git push origin a x'",
        "git -c a=b push origin a", "git push origin $x", "git push $x", "echo $(git push origin a)",
        "git push origin a ((",
    ] {
        let mut lines = always("git push origin a", ALLOWED);
        lines.push((denied, DENIED));
        assert_eq!(short("", &commands(&lines)), [""; 0], "{denied}");
    }
}

#[test]
fn a_deny_is_suggested_where_it_is_clear_what_was_denied() {
    let mut lines = always("rm -rf build", DENIED);
    lines.push(("rm -rf dist", DENIED));
    assert_eq!(short("", &commands(&lines)), ["deny rm -rf * (4/4)"]);
    lines.push(("rm x", ALLOWED));
    assert_eq!(short("", &commands(&lines)), ["deny rm -rf * (4/4)"]);
    lines.push(("make && rm -rf x", ALLOWED));
    assert_eq!(short("", &commands(&lines)), ["deny rm -rf build * (3/3)"]);
    assert_eq!(short("", &commands(&always("make && make install", DENIED))), [""; 0]);
    let ls = "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"ls\"\ndecision = \"allow\"\npriority = 1\n";
    assert_eq!(short(ls, &commands(&always("ls && git push", DENIED))), ["deny git push * (3/3)"]);
}

#[test]
fn what_the_policy_decides_already_is_not_suggested() {
    let history = commands(&always("npm test", ALLOWED));
    let rule = |decision: &str, priority: u16| {
        format!(
            "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"npm test\"\ndecision = \"{decision}\"\npriority = {priority}\n"
        )
    };
    assert_eq!(short(&rule("allow", 1), &history), [""; 0]);
    assert_eq!(short(&rule("deny", 1), &history), [""; 0]);
    // The rule says that a person is to be asked.
    assert_eq!(short(&rule("ask_user", 100), &history), [""; 0]);
}

#[test]
fn what_was_masked_speaks_only_against_a_rule() {
    let secret = "deploy now --token abcdef0123456789abcdef";
    assert_eq!(short("", &commands(&always(secret, ALLOWED))), [""; 0]);
    let mut lines = always("deploy now x", ALLOWED);
    assert_eq!(short("", &commands(&lines)), ["allow deploy now x * (3/3)"]);
    lines.push(("deploy now x --token abcdef0123456789abcdef", DENIED));
    assert_eq!(short("", &commands(&lines)), [""; 0]);
}

#[test]
fn files_become_the_deepest_folder_of_the_project() {
    let edits = |paths: &[(&str, Decision)]| -> Vec<Asked> {
        let one = |(at, (path, answer)): (usize, &(&str, Decision))| {
            asked(at, "Edit", &json!({"file_path": path}), "/home/u/p", *answer)
        };
        paths.iter().enumerate().map(one).collect()
    };
    let allowed = |paths: &[&'static str]| edits(&paths.iter().map(|path| (*path, ALLOWED)).collect::<Vec<_>>());
    for (paths, expected) in [
        (vec!["/home/u/p/src/a/x.rs", "/home/u/p/src/y.rs", "src/z.rs"], vec!["allow /home/u/p/src/** (3/3)"]),
        (vec!["/home/u/p/a.md", "/home/u/p/b.md", "/home/u/p/c.md"], vec![]),
        (vec!["/home/u/p/a.md", "/home/u/p/a.md", "/home/u/p/a.md"], vec!["allow /home/u/p/a.md (3/3)"]),
        (vec!["/etc/x/a", "/etc/x/b", "/etc/x/c"], vec![]),
        (vec!["/home/u/p/src/../../a", "/home/u/p/src/../../b", "/home/u/p/src/../../c"], vec![]),
    ] {
        assert_eq!(short("", &allowed(&paths)), expected, "{paths:?}");
    }
    let mut paths =
        vec![("/home/u/p/src/a/x", ALLOWED), ("/home/u/p/src/a/y", ALLOWED), ("/home/u/p/src/a/z", ALLOWED)];
    paths.extend([("/home/u/p/src/b/x", ALLOWED), ("/home/u/p/src/b/secret", DENIED)]);
    assert_eq!(short("", &edits(&paths)), ["allow /home/u/p/src/a/** (3/3)"]);
}

#[test]
fn hosts_and_tools_become_rules_as_a_whole() {
    let mut history = Vec::new();
    for at in 0..3 {
        history.push(asked(at, "WebFetch", &json!({"url": format!("https://docs.rs/{at}?q=1")}), "/p", ALLOWED));
        history.push(asked(at, "mcp__db__query", &json!({"sql": "select"}), "/p", ALLOWED));
        history.push(asked(at, "WebSearch", &json!({"query": "x"}), "/p", ALLOWED));
        history.push(asked(at, "AskUserQuestion", &json!({"questions": []}), "/p", ALLOWED));
        history.push(asked(at, "Agent", &json!({"prompt": "x"}), "/p", ALLOWED));
    }
    assert_eq!(short("", &history), ["allow WebSearch (3/3)", "allow docs.rs (3/3)", "allow mcp__db__query (3/3)"]);
    history.push(asked(9, "WebFetch", &json!({"url": "https://docs.rs/secret"}), "/p", DENIED));
    history.push(asked(9, "mcp__db__query", &json!({"sql": "drop"}), "/p", DENIED));
    assert_eq!(short("", &history), ["allow WebSearch (3/3)"]);
}

mod property {
    use proptest::prelude::*;

    use super::*;

    /// Generates lines that share words in ways that are easy to get wrong.
    fn line() -> impl Strategy<Value = String> {
        let words = [
            "git push", "git push origin", "git status", "npm run x", "rm -rf", "ls", "cd", "python a.py", "echo",
            "make",
        ];
        let ends = ["", " a", " -f", " $x", " > out", " --output=x", " 'a b'", " *.rs", " 2>&1", " ;("];
        let forms = [
            "{}", "{} | head", "cd x && {}", "bash -c '{}'", "timeout 5 {}", "A=1 {}", "echo $({})", "sudo {}",
            "env {}",
        ];
        let select = proptest::sample::select::<&'static str>;
        (select(words.to_vec()), select(ends.to_vec()), select(forms.to_vec()))
            .prop_map(|(word, end, form)| form.replace("{}", &format!("{word}{end}")))
    }

    fn request() -> impl Strategy<Value = (&'static str, Value)> {
        let path = proptest::sample::select(vec![
            "/home/u/p/src/a", "/home/u/p/src/b/c", "src/d", "/home/u/p/x", "../q/src/a", "/etc/x",
        ]);
        let url = proptest::sample::select(vec![
            "https://a.example/1", "https://a.example/2", "https://b.a.example/", "http://c.example",
        ]);
        prop_oneof![
            6 => line().prop_map(|line| ("Bash", json!({ "command": line }))),
            2 => path.clone().prop_map(|path| ("Bash", json!({"command": format!("ls > {path}")}))),
            3 => path.clone().prop_map(|path| ("Edit", json!({ "file_path": path }))),
            2 => path.prop_map(|path| ("Grep", json!({ "path": path }))),
            2 => url.prop_map(|url| ("WebFetch", json!({ "url": url }))),
        ]
    }

    fn history() -> impl Strategy<Value = Vec<Asked>> {
        let folder = proptest::sample::select(vec!["/home/u/p", "/home/u/q", "/w"]);
        let answered = (request(), proptest::bool::weighted(0.85), folder);
        proptest::collection::vec(answered, 0..60).prop_map(|answered| {
            let one = |(at, ((tool, input), allowed, cwd)): (usize, ((&str, Value), bool, &str))| {
                asked(at, tool, &input, cwd, if allowed { ALLOWED } else { DENIED })
            };
            answered.into_iter().enumerate().map(one).collect()
        })
    }

    proptest! {
        #[test]
        fn no_suggestion_decides_a_request_otherwise_than_a_person_did(history in history()) {
            let suggestions = suggested_to("", &history);
            for taken in [suggestions.clone(), suggestions.into_iter().rev().take(2).collect()] {
                let text: String = taken.iter().map(|one| one.toml.as_str()).collect();
                let policy = Policy::new(vec![policy_file(&text)]);
                for asked in &history {
                    let key = evidence::input_key(&asked.tool).unwrap();
                    let input = json!({key: asked.subject.as_ref().unwrap().as_str()});
                    let mut call = crate::Call::new(&asked.tool, input.as_object().unwrap(), asked.at);
                    call.cwd = asked.cwd.as_deref().map(Path::new);
                    call.home = Some(Path::new("/home/u"));
                    let expected = asked.answer;
                    let decided = policy.check(&call).decision;
                    prop_assert!(decided == Decision::AskUser || decided == expected, "{} {input} {decided:?}", text);
                }
            }
        }
    }
}
