//! Texts in Discord's dialect of Markdown (<https://support.discord.com/hc/en-us/articles/210298617>), so that they show
//! literally.
//!
//! A backslash makes the character after it literal when it is neither a letter, a digit nor white space. Escaped are:
//!
//! | what | where | against |
//! |---|---|---|
//! | `\ * ~ \| [ < @` and the backquote | everywhere | escapes, emphasis, spoilers, links, mentions, timestamps, emoji |
//! | `_` | but not between two letters or digits of ASCII: there none can end an emphasis | emphasis, underlining |
//! | `:` | before anything but white space | `:emoji:` names; links, whose address would show the escapes inside it |
//! | `# - + >` | at the start of a line | headings, small text, lists, quotes |
//! | `.` `)` | after digits at the start of a line | numbered lists |
//!
//! Code goes into a fence. A fence ends at the next three backquotes, wherever they stand, and nothing escapes them; so
//! code that contains three goes line by line into a quote, escaped: not monospaced, but complete, and still apart from
//! the words around it, because every line of it begins with the mark of a quote.

const FENCE: &str = "```";

/// Makes every character of a text show as itself.
pub(crate) fn escape(text: &str) -> String {
    text.split('\n').map(escape_line).collect::<Vec<_>>().join("\n")
}

/// Emphasises a text; white space at its ends would undo that, and goes.
pub(crate) fn bold(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() { String::new() } else { format!("**{}**", escape(text)) }
}

/// Shows a word as code, when it can: a backquote inside would end it.
pub(crate) fn code_span(code: &str) -> String {
    let plain = code.contains(['`', '\n']) || code.trim() != code;
    if plain { escape(code) } else { format!("`{code}`") }
}

/// Shows code as a block.
pub(crate) fn code_block(code: &str) -> String {
    if code.trim().is_empty() {
        return code.to_owned();
    }
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
