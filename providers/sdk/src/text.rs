//! Text lengths as messengers count them.

/// Returns the length in UTF-16 code units, the strictest of the counts that messengers use. Telegram counts the
/// offsets of entities in it (<https://core.telegram.org/bots/api#messageentity>).
pub fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Splits a text after at most `limit` units, never inside a character. The first part is empty if not even one
/// character fits.
pub fn split_at_units(text: &str, limit: usize) -> (&str, &str) {
    let mut taken = 0;
    for (at, character) in text.char_indices() {
        taken += character.len_utf16();
        if taken > limit {
            return text.split_at(at);
        }
    }
    (text, "")
}

/// Returns the approximate number of columns of a label on a screen: Chinese, Japanese and Korean letters and emoji
/// count two, joiners and variation selectors none. It is precise enough to decide whether buttons fit side by side.
pub fn columns(text: &str) -> usize {
    text.chars().map(character_columns).sum()
}

/// Returns the words of a text without mentions as Slack and Discord write them (`<@ID>`), with a blank between them.
pub fn without_mentions(text: &str) -> String {
    let is_mention = |word: &str| word.starts_with("<@") && word.ends_with('>');
    text.split_whitespace().filter(|word| !is_mention(word)).collect::<Vec<_>>().join(" ")
}

/// Returns a reply without the message that it quotes before its own words, as in mail and in Matrix: lines that begin with `> `,
/// and an empty line below them.
///
/// ```
/// use dmplz_provider_sdk::text::without_quote;
///
/// assert_eq!(without_quote("> why?\n> really\n\nbecause\n> of this"), "because\n> of this");
/// assert_eq!(without_quote("\nbecause"), "\nbecause");
/// ```
pub fn without_quote(reply: &str) -> &str {
    let mut rest = reply;
    while let Some(line) = rest.strip_prefix("> ") {
        rest = line.split_once('\n').map_or("", |(_, rest)| rest);
    }
    if rest.len() == reply.len() { reply } else { rest.strip_prefix('\n').unwrap_or(rest) }
}

/// Returns the text before, inside and after the code span of a [`Block::Hint`](crate::Block::Hint); `None` if it has
/// none.
pub fn code_span(hint: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = hint.split_once('`')?;
    let (code, after) = rest.rsplit_once('`')?;
    (!code.is_empty()).then_some((before, code, after))
}

fn character_columns(character: char) -> usize {
    match u32::from(character) {
        0x0300..=0x036F | 0x200B..=0x200F | 0xFE00..=0xFE0F => 0,
        0x1100..=0x115F
        | 0x2600..=0x27BF
        | 0x2E80..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0x1F300..=0x1FAFF
        | 0x20000..=0x3FFFD => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_utf_16() {
        for (text, expected) in [("", 0), ("a", 1), ("가", 1), ("😀", 2), ("👨‍👩‍👧", 8), ("a\u{10FFFF}b", 4)]
        {
            assert_eq!(units(text), expected, "{text:?}");
            assert_eq!(units(text), text.encode_utf16().count(), "{text:?}");
        }
    }

    #[test]
    fn a_split_keeps_every_character_whole_and_loses_nothing() {
        for (text, limit, expected) in [
            ("abc", 2, ("ab", "c")),
            ("abc", 3, ("abc", "")),
            ("a😀b", 2, ("a", "😀b")),
            ("a😀b", 3, ("a😀", "b")),
            ("😀", 1, ("", "😀")),
            ("", 0, ("", "")),
        ] {
            assert_eq!(split_at_units(text, limit), expected, "{text:?} at {limit}");
        }
    }

    #[test]
    fn columns_count_wide_letters_twice() {
        for (text, expected) in [("✅ 승인", 7), ("🔄 세션 허용", 12), ("❌ Deny", 7), ("e\u{301}", 1)] {
            assert_eq!(columns(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_mention_is_a_word_of_its_own() {
        assert_eq!(without_mentions(" <@U1>  ab\ncd <@&2> <@x"), "ab cd <@x");
    }

    #[test]
    fn a_code_span_is_between_the_first_and_the_last_backquote() {
        for (hint, expected) in [
            ("write `no_reason` now", Some(("write ", "no_reason", " now"))),
            ("`a`b`", Some(("", "a`b", ""))),
            ("one ` only", None),
            ("none", None),
            ("``", None),
        ] {
            assert_eq!(code_span(hint), expected, "{hint:?}");
        }
    }
}
