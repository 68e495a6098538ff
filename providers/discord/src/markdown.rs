//! Escapes texts for Discord's dialect of Markdown (<https://support.discord.com/hc/en-us/articles/210298617>), so
//! that they are shown literally.
//!
//! A backslash makes the next character literal unless it is a letter, a digit or white space. These characters are
//! escaped:
//!
//! | character | where | against |
//! |---|---|---|
//! | `\ * ~ \| [ < @` and the backquote | everywhere | escapes, emphasis, spoilers, links, mentions, timestamps, emoji |
//! | `_` | except between two ASCII letters or digits, where it cannot end an emphasis | emphasis, underlining |
//! | `:` | before anything but white space | `:emoji:` names; links, whose address would show the escapes in it |
//! | `# - + >` | at the start of a line | headings, small text, lists, quotes |
//! | `.` `)` | after digits at the start of a line | numbered lists |
//!
//! Code is put into a fence. A fence ends at the next three backquotes, which cannot be escaped. So code that
//! contains them is quoted line by line and escaped: not monospaced, but complete and separate from the text around
//! it, because every line begins with the mark of a quote.

const FENCE: &str = "```";

/// Escapes a text so that every character is shown.
pub(crate) fn escape(text: &str) -> String {
    text.split('\n').map(escape_line).collect::<Vec<_>>().join("\n")
}

/// Emphasizes a text, which has more than blanks. White space at its ends would prevent that and is removed.
pub(crate) fn bold(text: &str) -> String {
    format!("**{}**", escape(text.trim()))
}

/// Formats a word as code, unless it contains a backquote, which would end the code span.
pub(crate) fn code_span(code: &str) -> String {
    let plain = code.contains(['`', '\n']) || code.trim() != code;
    if plain { escape(code) } else { format!("`{code}`") }
}

/// Formats code, which has more than blanks, as a block.
pub(crate) fn code_block(code: &str) -> String {
    if code.contains(FENCE) {
        return code.split('\n').map(|line| format!("> {}", escape_line(line))).collect::<Vec<_>>().join("\n");
    }
    format!("{FENCE}\n{code}\n{FENCE}")
}

fn escape_line(line: &str) -> String {
    let content = line.trim_start();
    let (indent, _) = line.split_at(line.len() - content.len());
    let digits = content.len() - content.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mark = content.chars().nth(digits);
    let is_mark = match mark {
        Some('#' | '-' | '+' | '>') => digits == 0,
        Some('.' | ')') => digits > 0,
        _ => false,
    };
    if !is_mark {
        return format!("{indent}{}", escape_inline(content));
    }
    let (number, rest) = content.split_at(digits);
    let mut rest = rest.chars();
    let mark = rest.next().map(String::from).unwrap_or_default();
    format!("{indent}{number}\\{mark}{}", escape_inline(rest.as_str()))
}

fn escape_inline(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    let mut characters = text.chars().peekable();
    let mut before = ' ';
    while let Some(character) = characters.next() {
        let special = match character {
            '_' => !(before.is_ascii_alphanumeric() && characters.peek().is_some_and(char::is_ascii_alphanumeric)),
            '\\' | '*' | '~' | '`' | '|' | '[' | '<' | '@' => true,
            ':' => characters.peek().is_some_and(|next| !next.is_whitespace()),
            _ => false,
        };
        if special {
            escaped.push('\\');
        }
        escaped.push(character);
        before = character;
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generates every text of up to four of the characters that are markup, or could make others markup.
    fn bombs() -> impl Iterator<Item = String> {
        let alphabet: Vec<char> = "\\*_`~|[<@:#-+>1.) \na가".chars().collect();
        let texts = std::iter::once(vec![String::new()]);
        let longer = move |shorter: &Vec<String>| {
            let texts = shorter.iter().flat_map(|text| alphabet.iter().map(move |last| format!("{text}{last}")));
            Some(texts.collect::<Vec<_>>())
        };
        texts.flat_map(move |first| std::iter::successors(Some(first), &longer).take(5).collect::<Vec<_>>()).flatten()
    }

    /// Returns what Discord shows for an escaped text. `left` is called with characters that are still markup.
    fn shown(escaped: &str, mut left: impl FnMut(char)) -> String {
        let mut shown = String::new();
        let mut characters = escaped.chars();
        while let Some(character) = characters.next() {
            if character == '\\' {
                let literal = characters.next().unwrap();
                assert!(!literal.is_ascii_alphanumeric() && !literal.is_whitespace(), "{escaped:?}");
                shown.push(literal);
            } else {
                left(character);
                shown.push(character);
            }
        }
        shown
    }

    #[test]
    fn an_escaped_text_shows_what_it_was_and_nothing_in_it_means_anything() {
        for text in bombs() {
            let escaped = escape(&text);
            let special = |character: char| assert!(!"*`~|[<@".contains(character), "{text:?} {escaped:?}");
            assert_eq!(shown(&escaped, special), text, "{escaped:?}");
            for line in escaped.lines().map(str::trim_start) {
                let after_digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
                assert!(!line.starts_with(['#', '-', '+', '>']), "{text:?} {escaped:?}");
                let is_item = after_digits.len() < line.len() && after_digits.starts_with(['.', ')']);
                assert!(!is_item, "{text:?} {escaped:?}");
            }
        }
    }

    #[test]
    fn code_never_leaves_its_block_and_all_of_it_is_there() {
        for code in bombs().filter(|code| !code.trim().is_empty()) {
            let block = code_block(&code);
            match block.strip_prefix("```\n").and_then(|rest| rest.strip_suffix("\n```")) {
                Some(inside) => assert!(inside == code && !inside.contains("```"), "{code:?}"),
                None => {
                    let lines = block.split('\n').map(|line| line.strip_prefix("> ").unwrap());
                    assert_eq!(shown(&lines.collect::<Vec<_>>().join("\n"), |_| {}), code);
                }
            }
        }
    }
}
