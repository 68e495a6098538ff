//! Interprets the text of a person who denied.

/// The rules for a reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReasonRules {
    /// The most characters that are kept (`DMPLZ_REJECT_REASON_MAX_CHARS`).
    pub max_chars: usize,
    /// Words that mean "no reason", in lower case. Empty if the messenger has a button for it.
    pub skip_keywords: Vec<String>,
}

impl ReasonRules {
    /// Returns whether the text, trimmed and in lower case, is a keyword that means "no reason".
    pub fn is_skip(&self, text: &str) -> bool {
        let text = text.trim().to_lowercase();
        !text.is_empty() && self.skip_keywords.iter().any(|keyword| keyword.trim().to_lowercase() == text)
    }

    /// Returns the reason, trimmed and truncated; `None` if it is empty.
    pub fn normalise(&self, text: &str) -> Option<String> {
        let cut: String = text.trim().chars().take(self.max_chars).collect();
        let cut = cut.trim_end();
        (!cut.is_empty()).then(|| cut.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> ReasonRules {
        ReasonRules { max_chars: 5, skip_keywords: vec!["no_reason".into(), "N/A".into(), "".into()] }
    }

    #[test]
    fn a_reason_is_trimmed_and_cut_by_characters() {
        for (text, reason) in [
            ("  ok \n", Some("ok")),
            ("가나다라마바", Some("가나다라마")),
            ("abcd efg", Some("abcd")),
            ("🙂🙂🙂🙂🙂🙂", Some("🙂🙂🙂🙂🙂")),
            (" \t\n", None),
            ("", None),
        ] {
            assert_eq!(rules().normalise(text).as_deref(), reason, "{text:?}");
        }
    }

    #[test]
    fn a_keyword_is_compared_trimmed_and_in_lower_case() {
        for (text, skip) in [
            ("no_reason", true),
            (" NO_Reason\n", true),
            ("n/a", true),
            ("no_reason!", false),
            ("", false),
            (" ", false),
        ] {
            assert_eq!(rules().is_skip(text), skip, "{text:?}");
        }
    }
}
