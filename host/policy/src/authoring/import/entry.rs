//! Parses `Tool` and `Tool(specifier)`.

use super::note::Warning;
use crate::rules::decision::Decision;
use crate::tools;

/// An entry of a list of permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// The entry as it is written.
    pub(super) text: &'a str,
    pub(super) decision: Decision,
    pub(super) tool: &'a str,
    /// The text between the parentheses. Parentheses in it need no escape.
    pub(super) specifier: Option<&'a str>,
}

impl<'a> Entry<'a> {
    /// Parses an entry. `None` if it does not begin with the name of a tool.
    pub(super) fn read(text: &'a str, decision: Decision) -> Option<Self> {
        let text = text.trim();
        let (tool, specifier) = match text.split_once('(') {
            Some((tool, rest)) => (tool, Some(rest.strip_suffix(')')?.trim())),
            None => (text, None),
        };
        let named = |character: char| character.is_ascii_alphanumeric() || "_-.*".contains(character);
        (!tool.is_empty() && tool.chars().all(named)).then_some(Self { text, decision, tool, specifier })
    }

    /// Corrects the name of the tool in a deny or an ask, and returns a note about it: `bash` means `Bash`, although
    /// Claude Code ignores it.
    pub(super) fn with_known_tool(self) -> (Self, Option<Warning>) {
        let means = |known: &&str| known.eq_ignore_ascii_case(self.tool);
        if self.allows() || tools::find(self.tool).is_some() {
            return (self, None);
        }
        let Some(tool) = tools::known().find(means) else { return (self, None) };
        let warning = Warning::OtherLetters { written: self.tool.to_owned(), tool };
        (Self { tool, ..self }, Some(warning))
    }

    pub(super) fn allows(&self) -> bool {
        self.decision == Decision::Allow
    }

    /// Returns the `param:value` of a deny or an ask, without blanks around the colon.
    pub(super) fn parameter(&self) -> Option<(&'a str, &'a str)> {
        let (name, value) = self.specifier.filter(|_| !self.allows())?.split_once(':')?;
        let (name, value) = (name.trim(), value.trim());
        let identifier = |character: char| character.is_ascii_alphanumeric() || character == '_';
        (!name.is_empty() && !value.is_empty() && name.chars().all(identifier)).then_some((name, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_a_tool_and_what_narrows_it() {
        let read = |text| Entry::read(text, Decision::Deny).map(|entry| (entry.tool, entry.specifier));
        assert_eq!(read("Bash"), Some(("Bash", None)));
        assert_eq!(read(" Bash( npm test ) "), Some(("Bash", Some("npm test"))));
        assert_eq!(read("Bash(echo (a) (b))"), Some(("Bash", Some("echo (a) (b)"))));
        assert_eq!(read("mcp__a-b__*"), Some(("mcp__a-b__*", None)));
        for text in ["", "(x)", "Bash(x", "Bash(x) y", "Bash x", "rm -rf", "도구"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_parameter_is_a_name_and_a_value_and_never_allows() {
        let parameter = |text, decision| Entry::read(text, decision).unwrap().parameter();
        assert_eq!(parameter("Agent(model : opus)", Decision::AskUser), Some(("model", "opus")));
        assert_eq!(parameter("Bash(npm run a:b)", Decision::Deny), None);
        assert_eq!(parameter("Bash(npm:)", Decision::Deny), None);
        assert_eq!(parameter("Agent(model:opus)", Decision::Allow), None);
    }
}
