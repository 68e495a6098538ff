//! Writes rules as the text of a policy file.
//!
//! Text from outside (an imported rule, a command from the history) is written to a file that a person reads: it must
//! not end a string or a comment, hide, or reorder the text beside it.

use std::fmt;
use std::path::Path;

use dmplz_core::visible::{visible, visible_line};

use crate::rules::decision::Decision;

/// A `[[rule]]`, as text: its comments, then its keys in the order in which they were added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RuleText {
    comments: Vec<String>,
    lines: Vec<(&'static str, String)>,
}

impl RuleText {
    /// Adds a line of comment above the rule, for people.
    pub(crate) fn comment(mut self, text: &str) -> Self {
        self.comments.push(comment(text));
        self
    }

    /// Adds a key with a string.
    pub(crate) fn text(mut self, key: &'static str, text: &str) -> Self {
        self.lines.push((key, string(text)));
        self
    }

    /// Adds a key with one string, or with a list of several. An empty list is not written.
    pub(crate) fn texts<T: AsRef<str>>(mut self, key: &'static str, texts: &[T]) -> Self {
        let value = match texts {
            [] => return self,
            [one] => string(one.as_ref()),
            _ => format!("[{}]", texts.iter().map(|text| string(text.as_ref())).collect::<Vec<_>>().join(", ")),
        };
        self.lines.push((key, value));
        self
    }

    /// Adds the rule's decision and its priority.
    pub(crate) fn decides(mut self, decision: Decision, priority: u16) -> Self {
        let word = match decision {
            Decision::Allow => "allow",
            Decision::AskUser => "ask_user",
            Decision::Deny => "deny",
        };
        self.lines.push(("decision", string(word)));
        self.lines.push(("priority", priority.to_string()));
        self
    }
}

impl fmt::Display for RuleText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for comment in &self.comments {
            formatter.write_str(comment)?;
        }
        formatter.write_str("[[rule]]\n")?;
        self.lines.iter().try_for_each(|(key, value)| writeln!(formatter, "{key} = {value}"))
    }
}

/// Returns lines of comment, each with a line end.
pub(crate) fn comment(text: &str) -> String {
    visible(text).lines().map(|line| format!("# {}\n", visible_line(line))).collect()
}

/// Returns a TOML string: a literal one between `'` if that avoids escapes, otherwise one with escapes.
pub(crate) fn string(text: &str) -> String {
    let plain = visible_line(text) == text;
    if plain && text.contains(['"', '\\']) && !text.contains('\'') {
        return format!("'{text}'");
    }
    let mut written = String::with_capacity(text.len() + 2);
    written.push('"');
    for character in text.chars() {
        match character {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            '\t' => written.push_str("\\t"),
            _ if plain || visible_line(character.encode_utf8(&mut [0; 4])) == character.to_string() => {
                written.push(character);
            }
            _ => written.push_str(&format!("\\U{:08X}", u32::from(character))),
        }
    }
    written.push('"');
    written
}

/// Returns an expression that matches this text and no other.
pub(crate) fn literal(text: &str) -> String {
    let mut expression = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if r"\.+*?()|[]{}^$".contains(character) {
            expression.push('\\');
        }
        expression.push(character);
    }
    expression
}

/// Returns a path pattern for paths below a folder, whatever characters the folder's name contains.
pub(crate) fn below(folder: &Path, pattern: &str) -> String {
    let folder = folder.to_string_lossy();
    let mut line = String::from("/");
    if folder != "/" {
        line.push('/');
    }
    for character in folder.trim_matches('/').chars() {
        if "*?[]{}!\\".contains(character) {
            line.push('\\');
        }
        line.push(character);
    }
    line + pattern
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_string_has_as_few_escapes_as_it_can() {
        for (text, written) in [
            ("npm run", r#""npm run""#),
            (r"^git (status|log)\b", r"'^git (status|log)\b'"),
            (r#"say "it's""#, r#""say \"it's\"""#),
            ("a\nb\tc", r#""a\nb\tc""#),
            ("rm\u{202e}x", r#""rm\U0000202Ex""#),
            ("\u{1b}\u{7f}", r#""\U0000001B\U0000007F""#),
            ("배포", r#""배포""#),
        ] {
            assert_eq!(string(text), written);
        }
    }

    #[test]
    fn a_rule_is_written_as_a_person_would() {
        let rule = RuleText::default()
            .comment("From the history.\ndecision = \"allow\"")
            .text("toolName", "Bash")
            .texts("commandPrefix", &["git status", "git log"])
            .texts::<&str>("paths", &[])
            .decides(Decision::AskUser, 7);
        insta::assert_snapshot!(rule, @r#"
        # From the history.
        # decision = "allow"
        [[rule]]
        toolName = "Bash"
        commandPrefix = ["git status", "git log"]
        decision = "ask_user"
        priority = 7
        "#);
    }

    proptest! {
        #[test]
        fn any_text_is_an_expression_of_itself(text in any::<String>(), marks in "[-.+*?()|\\[\\]{}^$&~#<>/' \\\\]{0,9}") {
            for text in [text, marks] {
                let pattern = crate::rules::pattern::Pattern::new(&format!("^{}$", literal(&text))).unwrap();
                prop_assert_eq!(pattern.starts(&text), crate::Match::Yes);
            }
        }

        #[test]
        fn any_text_is_read_back_as_it_was_and_comments_stay_comments(text in any::<String>(), control in "[\u{0}-\u{20}\u{7f}-\u{a0}\"'\\\\#]{0,8}") {
            for text in [text, control] {
                let rule = RuleText::default().comment(&text).text("name", &text).texts("paths", &[&text, &text]);
                let read: toml::Table = rule.to_string().parse().unwrap();
                let rules = read["rule"].as_array().unwrap();
                prop_assert_eq!(rules.len(), 1);
                prop_assert_eq!(rules[0]["name"].as_str(), Some(text.as_str()));
                prop_assert_eq!(rules[0]["paths"][1].as_str(), Some(text.as_str()));
                prop_assert_eq!(rules[0].as_table().unwrap().len(), 2);
            }
        }
    }
}
