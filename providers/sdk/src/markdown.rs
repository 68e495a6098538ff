//! Cards as Markdown, for messengers whose apps read character references (CommonMark does; Mattermost's apps do).
//!
//! In a text, every character that can mean something is written as a character reference (`&#42;`): apps show the character and
//! nothing else. A server may read references before it looks for mentions, so an at sign is also followed by an invisible word
//! joiner. Code is shown in fences and spans longer than any run of backquotes in it.

use crate::text::units;
use crate::{Card, Line};

/// The characters that mean something in Markdown, or in Mattermost's emoticons, links, mentions, hashtags or formulas.
const SPECIAL: &str = r"&<>*_~`[()#@:|\$+-.=";

/// Returns the Markdown of a card, without its files, and the units of its texts as people see them.
pub fn card(card: &Card) -> (String, usize) {
    let (mut lines, mut shown) = (Vec::new(), 0);
    for line in card.lines() {
        let (markdown, count) = match line {
            Line::Title(title) => (format!("**{}**", escape(title.trim())), units(title.trim())),
            Line::Text(text) => (escape(text), units(text)),
            Line::Hint(before, code, after) => {
                let count = units(before) + units(code) + units(after) + "``".len();
                (format!("{}{}{}", escape(before), span(code), escape(after)), count)
            }
            Line::Code(code) => {
                let fence = "`".repeat(longest_run(code).max(2) + 1);
                (format!("{fence}\n{code}\n{fence}"), units(code))
            }
        };
        shown += count + usize::from(!lines.is_empty());
        lines.push(markdown);
    }
    (lines.join("\n"), shown)
}

/// Escapes a text. Blanks that an app would merge or cut off are kept apart, and so are empty lines.
pub fn escape(text: &str) -> String {
    text.split('\n').map(escape_line).collect::<Vec<_>>().join("\n")
}

fn escape_line(line: &str) -> String {
    if line.is_empty() {
        return "&#8203;".to_owned();
    }
    let mut escaped = String::with_capacity(line.len() * 2);
    let mut after_blank = true;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let is_blank = character == ' ' && !after_blank && characters.peek().is_some();
        match character {
            ' ' if is_blank => escaped.push(' '),
            ' ' => escaped.push_str("&nbsp;"),
            '@' => escaped.push_str("&#64;&#8288;"),
            '\t' => escaped.push_str("&#9;"),
            special if SPECIAL.contains(special) => escaped.push_str(&format!("&#{};", u32::from(special))),
            other => escaped.push(other),
        }
        after_blank = is_blank;
    }
    escaped
}

fn span(code: &str) -> String {
    let fence = "`".repeat(longest_run(code) + 1);
    let pad = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{code}{pad}{fence}")
}

/// Returns the length of the longest run of backquotes.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Block;
    use crate::testing;

    #[test]
    fn nothing_in_a_text_means_anything() {
        for (text, expected) in [
            ("a b", "a b"),
            (" a  b ", "&nbsp;a &nbsp;b&nbsp;"),
            ("**x** @jin", "&#42;&#42;x&#42;&#42; &#64;&#8288;jin"),
            ("# a\n\n- b", "&#35; a\n&#8203;\n&#45; b"),
        ] {
            assert_eq!(escape(text), expected, "{text:?}");
        }
    }

    #[test]
    fn code_never_leaves_its_fence_or_span() {
        let body = vec![Block::Code("a\n```\nb".to_owned()), Block::Hint("write ``x`".to_owned())];
        let (markdown, shown) = card(&testing::card(" t ", body));
        assert_eq!(markdown, "**t**\n````\na\n```\nb\n````\nwrite&nbsp;`` `x ``&#8203;");
        assert_eq!(shown, 1 + 1 + 7 + 1 + 10);
    }
}
