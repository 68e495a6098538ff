//! Converts a card to the content of a message: its text, and the same as HTML
//! (<https://spec.matrix.org/v1.16/client-server-api/#mroommessage-msgtypes>).
//!
//! In HTML everything is escaped, and blanks that a browser would merge are kept apart. `m.mentions` is empty, so nobody is
//! notified because of words in a card. The content names the card's tag and choices too, for presses on a card that nobody
//! watches yet.

use dmplz_provider_sdk::json::set;
use dmplz_provider_sdk::serde_json::{Map, Value, json};
use dmplz_provider_sdk::text::{code_span, units};
use dmplz_provider_sdk::{Block, Card, Error};

use crate::limits::{CONTENT_BYTES, MESSAGE_UNITS};

/// The field of a message's content with the card's tag and choices.
pub(crate) const CARD: &str = "dmplz.card";

/// Returns the content of a card's message, without its files.
pub(crate) fn content(card: &Card) -> Result<Value, Error> {
    let title = card.title.trim();
    let mut body = String::new();
    let mut html = Html::default();
    let mut add = |text: &str, line: String, is_block: bool| {
        if !body.is_empty() {
            body.push('\n');
        }
        body.push_str(text);
        html.add(&line, is_block);
    };
    if !title.is_empty() {
        add(title, format!("<strong>{}</strong>", escape(title)), false);
    }
    for block in &card.body {
        match block {
            Block::Text(text) => add(text, escape(text), false),
            Block::Code(code) if code.trim().is_empty() => add(code, escape(code), false),
            Block::Code(code) => add(code, format!("<pre><code>{}</code></pre>", escape_code(code)), true),
            Block::Hint(hint) => match code_span(hint) {
                Some((before, code, after)) => add(
                    &format!("{before}{code}{after}"),
                    format!("{}<code>{}</code>{}", escape(before), escape(code), escape(after)),
                    false,
                ),
                None => add(hint, escape(hint), false),
            },
            Block::File(_) => {}
        }
    }
    let kind = if card.silent { "m.notice" } else { "m.text" };
    let mut content = message(kind, &body, &html.text);
    let choices = card.choices.iter().map(|choice| (choice.emoji.clone(), Value::from(choice.id.as_str())));
    let choices = choices.collect::<Map<_, _>>();
    set(&mut content, CARD, json!({ "tag": card.tag, "choices": choices }));
    checked(content, &body)
}

/// Returns the content of a notice, which does not ring.
pub(crate) fn notice(text: &str) -> Result<Value, Error> {
    checked(message("m.notice", text, &escape(text)), text)
}

fn message(kind: &str, body: &str, html: &str) -> Value {
    json!({
        "msgtype": kind,
        "body": body,
        "format": "org.matrix.custom.html",
        "formatted_body": html,
        "m.mentions": {},
    })
}

fn checked(content: Value, body: &str) -> Result<Value, Error> {
    if units(body) > MESSAGE_UNITS || content.to_string().len() > CONTENT_BYTES {
        return Err(Error::TooLarge);
    }
    Ok(content)
}

/// Lines of HTML. A block begins and ends a line by itself.
#[derive(Default)]
struct Html {
    text: String,
    after_line: bool,
}

impl Html {
    fn add(&mut self, line: &str, is_block: bool) {
        if self.after_line && !is_block {
            self.text.push_str("<br>");
        }
        self.text.push_str(line);
        self.after_line = !is_block;
    }
}

/// Escapes a text. Line ends and blanks, which HTML merges, stay as they are.
fn escape(text: &str) -> String {
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
