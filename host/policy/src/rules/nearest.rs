//! Suggests the name that was probably meant.

/// Returns the most similar name, if it is similar enough.
pub(crate) fn nearest<'n>(written: &str, names: &[&'n str]) -> Option<&'n str> {
    let plain = plain(written);
    let near = names.iter().map(|name| (strsim::damerau_levenshtein(&plain, &self::plain(name)), *name)).min()?;
    (near.0 <= 1.max(plain.chars().count() / 3)).then_some(near.1)
}

/// Returns a name without case and separators.
fn plain(name: &str) -> String {
    name.chars().filter(|character| !matches!(character, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_keyboard_is_understood_and_another_word_is_not() {
        let names = ["toolName", "commandPrefix", "decision", "modes"];
        for (written, meant) in [
            ("toolname", Some("toolName")),
            ("tool_name", Some("toolName")),
            ("comandPrefix", Some("commandPrefix")),
            ("descision", Some("decision")),
            ("mode", Some("modes")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(written, &names), meant, "{written}");
        }
    }
}
