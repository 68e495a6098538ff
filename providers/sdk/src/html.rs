//! Cards as HTML, for messengers whose apps show it. Everything is escaped, and blanks that a browser would merge are kept apart.

use crate::{Card, Line};

/// Returns the plain text of a card, and the same as HTML, without its files.
///
/// ```
/// use dmplz_provider_sdk::testing::card;
/// use dmplz_provider_sdk::{Block, html};
///
/// let card = card("May I?", vec![Block::Code("a < b".into()), Block::Text("one\n two".into())]);
/// let (text, shown) = html::card(&card);
/// assert_eq!(text, "May I?\na < b\none\n two");
/// assert_eq!(shown, "<strong>May I?</strong><pre><code>a &lt; b</code></pre>one<br>&nbsp;two");
/// ```
pub fn card(card: &Card) -> (String, String) {
    let (mut text, mut html) = (String::new(), String::new());
    // A block begins and ends a line by itself.
    let mut after_line = false;
    for line in card.lines() {
        let (plain, shown) = match line {
            Line::Title(title) => (title.trim().to_owned(), format!("<strong>{}</strong>", escape(title.trim()))),
            Line::Text(text) => (text.to_owned(), escape(text)),
            Line::Hint(before, code, after) => (
                format!("{before}{code}{after}"),
                format!("{}<code>{}</code>{}", escape(before), escape(code), escape(after)),
            ),
            Line::Code(code) => (code.to_owned(), format!("<pre><code>{}</code></pre>", escape_code(code))),
        };
        let is_block = matches!(line, Line::Code(_));
        if after_line && !is_block {
            html.push_str("<br>");
        }
        after_line = !is_block;
        html.push_str(&shown);
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&plain);
    }
    (text, html)
}

/// Escapes a text. Line ends and blanks, which HTML merges, stay as they are.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    let mut after_blank = true;
    for character in text.chars() {
        match character {
            '\n' => escaped.push_str("<br>"),
            ' ' if after_blank => escaped.push_str("&nbsp;"),
            other => push(&mut escaped, other),
        }
        after_blank = matches!(character, '\n') || (character == ' ' && !after_blank);
    }
    escaped
}

/// Escapes code, whose line ends and blanks are kept anyway.
fn escape_code(code: &str) -> String {
    let mut escaped = String::with_capacity(code.len() + code.len() / 8);
    code.chars().for_each(|character| push(&mut escaped, character));
    escaped
}

fn push(escaped: &mut String, character: char) {
    match character {
        '&' => escaped.push_str("&amp;"),
        '<' => escaped.push_str("&lt;"),
        '>' => escaped.push_str("&gt;"),
        other => escaped.push(other),
    }
}
