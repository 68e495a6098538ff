//! Rules that were made up.

use proptest::prelude::*;

use super::parse;
use crate::authoring::write::RuleText;
use crate::file::prefix::words;
use crate::rules::decision::Decision;
use crate::rules::rule::{Arguments, Rule};
use crate::shell::quote;

/// A rule that a person may write.
#[derive(Debug, Clone)]
struct Written {
    decision: Decision,
    priority: u16,
    prefixes: Vec<Vec<String>>,
    reason: String,
    modes: Vec<String>,
}

fn written() -> impl Strategy<Value = Written> {
    let word = "\\PC{0,6}|[a-z*$;'\" -]{1,8}";
    let prefixes = prop::collection::vec(prop::collection::vec(word, 1..4), 1..4);
    let modes = prop::collection::vec(prop::sample::select(vec!["default", "plan", "autoEdit"]), 0..3);
    let decision = prop::sample::select(vec![Decision::Allow, Decision::AskUser, Decision::Deny]);
    (decision, 0..=999u16, prefixes, any::<String>(), modes).prop_map(
        |(decision, priority, prefixes, reason, modes)| {
            let modes = modes.into_iter().map(str::to_owned).collect();
            Written { decision, priority, prefixes, reason: format!("x{reason}"), modes }
        },
    )
}

fn text(rule: &Written) -> String {
    let line = |words: &Vec<String>| words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ");
    RuleText::default()
        .text("toolName", "run_shell_command")
        .texts("commandPrefix", &rule.prefixes.iter().map(line).collect::<Vec<_>>())
        .texts("modes", &rule.modes)
        .text("reason", &rule.reason)
        .decides(rule.decision, rule.priority)
        .to_string()
}

fn prefixes(rule: &Rule) -> &[Vec<String>] {
    match &rule.when.arguments {
        Arguments::Prefixes(prefixes) => prefixes,
        _ => &[],
    }
}

proptest! {
    #[test]
    fn a_rule_is_read_back_as_it_was_written(rules in prop::collection::vec(written(), 0..5)) {
        let file = parse(&rules.iter().map(text).collect::<String>());
        prop_assert_eq!(&file.problems, &[]);
        prop_assert_eq!(file.rules.len(), rules.len());
        for (read, rule) in file.rules.iter().zip(&rules) {
            prop_assert_eq!((read.decision, read.priority), (rule.decision, rule.priority));
            prop_assert_eq!(read.reason.as_ref(), Some(&rule.reason));
            prop_assert_eq!(prefixes(read), &rule.prefixes[..]);
            prop_assert_eq!(read.when.modes.len(), rule.modes.len());
        }
    }

    #[test]
    fn words_that_were_quoted_are_read_back(written in prop::collection::vec(any::<String>(), 1..5)) {
        let quoted = written.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ");
        prop_assert_eq!(words(&quoted), Ok(written));
    }

    #[test]
    fn damage_in_one_rule_leaves_the_denies_of_the_others(
        rules in prop::collection::vec(written(), 2..5),
        which in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        put in "\\PC{0,3}|[\"'\\[\\]=#\n]{0,3}",
    ) {
        let texts: Vec<String> = rules.iter().map(text).collect();
        let which = which.index(texts.len());
        // Its header stays: without it, what follows belongs to the rule before.
        let body = texts[which].strip_prefix("[[rule]]\n").unwrap();
        let ends: Vec<usize> = body.char_indices().map(|(at, _)| at).collect();
        let cut = ends[at.index(ends.len())];
        let damaged = format!("[[rule]]\n{}{put}\n{}", &body[..cut], body[cut..].chars().skip(1).collect::<String>());
        let whole: String = texts.iter().enumerate().map(|(at, text)| if at == which { &damaged } else { text }.as_str()).collect();
        let file = parse(&whole);
        let others = rules.iter().enumerate().filter(|(at, rule)| *at != which && rule.decision == Decision::Deny).count();
        let denies = file.rules.iter().filter(|rule| rule.decision == Decision::Deny).count();
        prop_assert!(denies >= others, "{others} denies became {denies}:\n{whole}");
    }
}
