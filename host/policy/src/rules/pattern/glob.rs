//! Names with `*`.

use dmplz_core::wildcard::spells;

/// A name in which `*` stands for any sequence of characters, including none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    text: String,
}

impl Glob {
    /// Parses a name or a pattern; every text is valid.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }

    /// Returns it as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the only name that it matches, if it has no `*`.
    pub fn literal(&self) -> Option<&str> {
        (!self.text.contains('*')).then_some(self.text.as_str())
    }

    /// Returns whether it matches a whole name.
    pub fn matches(&self, name: &str) -> bool {
        spells(self.text.split('*'), name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_run_of_characters() {
        for (pattern, name, matches) in [
            ("*", "", true),
            ("*", "Bash", true),
            ("mcp__*", "mcp__github__search", true),
            ("mcp__*__search", "mcp__github__search", true),
            ("mcp__*__search", "mcp__github__search_all", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("a*b*c", "a_b_b_c", true),
            ("a*b*c", "a_c_b", false),
            ("Bash", "bash", false),
            ("Bash", "BashOutput", false),
        ] {
            assert_eq!(Glob::new(pattern).matches(name), matches, "{pattern} {name}");
        }
    }
}
