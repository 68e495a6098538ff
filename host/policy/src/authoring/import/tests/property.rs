//! Compares the import with a second implementation of the client's matching, and runs it on arbitrary text.

use crate::authoring::examples::checked;
use proptest::prelude::*;
use proptest::sample::select;

use super::decisions::bash;
use super::*;

fn word() -> impl Strategy<Value = &'static str> {
    select(vec!["git", "npm", "ls", "rm", "log", "run", "push", "a", "b", "-f", "--x", "main"])
}

/// Generates the words of the lines, with `*` in and between them.
fn specifier() -> impl Strategy<Value = String> {
    let piece = prop_oneof![8 => word().prop_map(str::to_owned), 2 => Just("*".to_owned()), 1 => word().prop_map(|word| format!("{word}*"))];
    let end = select(vec!["", "", " *", ":*", "*"]);
    (proptest::collection::vec(piece, 1..4), end).prop_map(|(pieces, end)| pieces.join(" ") + end)
}

fn line() -> impl Strategy<Value = String> {
    let before = select(vec![
        "", "", "", "timeout 5 ", "nohup ", "NODE_ENV=x ", "FOO=x ", "LD_PRELOAD=x ", "setsid ", "ionice ", "env ",
        "exec ", "nice ", "command ", "taskset 1 ", "doas ", "sudo ", "xargs ",
    ]);
    let name = word().prop_filter("a command", |word| !word.starts_with('-'));
    let command = (before, name, proptest::collection::vec(word(), 0..3))
        .prop_map(|(before, name, words)| format!("{before}{name} {}", words.join(" ")).trim().to_owned());
    let sign = select(vec![" && ", " || ", "; ", " | ", " & ", "\n"]);
    let command = command.boxed();
    (command.clone(), proptest::option::weighted(0.3, (sign, command)))
        .prop_map(|(first, second)| second.map_or(first.clone(), |(sign, second)| format!("{first}{sign}{second}")))
}

fn bash_rules(specifiers: &[String]) -> Vec<String> {
    specifiers.iter().map(|specifier| format!("Bash({specifier})")).collect()
}

proptest! {
    #[test]
    fn an_import_allows_nothing_that_the_client_asks_for(
        specifiers in proptest::collection::vec(specifier(), 1..4),
        lines in proptest::collection::vec(line(), 1..10),
    ) {
        let permissions = json!({"allow": bash_rules(&specifiers)});
        for line in lines {
            let ours = bash(&permissions, &line);
            prop_assert!(ours != Decision::Allow || reference::allows(&specifiers, &line), "{specifiers:?} {line}");
        }
    }

    #[test]
    fn an_import_denies_all_that_the_client_denies(
        specifiers in proptest::collection::vec(specifier(), 1..4),
        lines in proptest::collection::vec(line(), 1..10),
    ) {
        let permissions = json!({"deny": bash_rules(&specifiers), "allow": ["Bash"]});
        for line in lines {
            let ours = bash(&permissions, &line);
            prop_assert!(ours == Decision::Deny || !reference::stops(&specifiers, &line), "{specifiers:?} {line} {ours:?}");
        }
    }

    #[test]
    fn whatever_the_entries_are_the_file_loads_and_a_deny_is_never_lost(
        tool in select(vec!["Bash", "Read", "Edit", "Write", "WebFetch", "Agent", "Skill", "mcp__a__b", "Mystery"]),
        specifier in "[ -~\u{80}-\u{2fff}\u{0}-\u{1f}]{0,24}|(domain:|/|//|~/|\\./|[a-z]+:)?[-a-z*.\"'$\\\\/{}\\[\\]!&|;> ]{0,16}",
    ) {
        let entry = format!("{tool}({specifier})");
        for list in ["allow", "ask", "deny"] {
            for source in [user(), project()] {
                let toml = claude(&json!({"permissions": {list: [&entry]}}), &source).toml;
                let file = checked(File::parse(&toml, Origin { tier: Tier::User, path: "p".into(), root: None, trusted: true }));
                prop_assert!(file.problems.is_empty(), "{toml} {:?}", file.problems);
                let failures: Vec<_> = file.rules.iter().flat_map(crate::authoring::examples::failures).collect();
                prop_assert!(failures.is_empty(), "{toml} {failures:?}");
                prop_assert!(list == "allow" || !file.rules.is_empty(), "{toml}");
            }
        }
    }
}
