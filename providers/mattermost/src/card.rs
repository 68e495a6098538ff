//! Converts a card to the Markdown of a post.
//!
//! In a text, every character that can mean something is written as a character reference (`&#42;`): web, desktop and mobile
//! apps show the character and nothing else. The server reads references before it looks for mentions, so an at sign is
//! also followed by an invisible word joiner. Code is shown in fences and spans longer than any run of backquotes in it.

use dmplz_provider_sdk::text::{code_span, units};
use dmplz_provider_sdk::{Block, Card, Error};

use crate::limits::{CARD_UNITS, POST_CHARS};

/// The characters that mean something in Mattermost's Markdown, in its emoticons, links, mentions, hashtags or formulas.
const SPECIAL: &str = r"&<>*_~`[()#@:|\$+-.=";

/// Returns the Markdown of a card, without its files.
pub(crate) fn message(card: &Card) -> Result<String, Error> {
    let (mut lines, mut shown) = (Vec::new(), 0);
    let mut add = |line: String, text: &str| {
        shown += units(text) + usize::from(!lines.is_empty());
        lines.push(line);
    };
    let title = card.title.trim();
    if !title.is_empty() {
        add(format!("**{}**", escape(title)), title);
    }
    for block in &card.body {
        match block {
            Block::Text(text) => add(escape(text), text),
            Block::Code(code) if code.trim().is_empty() => add(escape(code), code),
            Block::Code(code) => {
                let fence = "`".repeat(longest_run(code).max(2) + 1);
                add(format!("{fence}\n{code}\n{fence}"), code);
            }
            Block::Hint(hint) => match code_span(hint) {
                Some((before, code, after)) => add(format!("{}{}{}", escape(before), span(code), escape(after)), hint),
                None => add(escape(hint), hint),
            },
            Block::File(_) => {}
        }
    }
    checked(lines.join("\n"), shown)
}

/// Returns the Markdown of a text.
pub(crate) fn notice(text: &str) -> Result<String, Error> {
    checked(escape(text), units(text))
}

fn checked(message: String, shown: usize) -> Result<String, Error> {
    if shown > CARD_UNITS || message.chars().count() > POST_CHARS {
        return Err(Error::TooLarge);
    }
    Ok(message)
}

/// Escapes a text. Blanks that an app would merge or cut off are kept apart, and so are empty lines.
fn escape(text: &str) -> String {
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
