//! Converts a card to blocks (<https://docs.slack.dev/reference/block-kit/blocks/rich-text-block>).
//!
//! All words stand in `text` elements of a `rich_text` block, where nothing is markup: no emphasis, link, mention, emoji name
//! or fence takes effect. Only the preview of notifications is a text that Slack parses; there `&`, `<` and `>` are escaped
//! (<https://docs.slack.dev/messaging/formatting-message-text#escaping>), without which there is no mention and no link.

use dmplz_provider_sdk::prelude::*;

use crate::buttons;
use crate::limits::{MESSAGE, PREVIEW};

/// What a notification shows of a card without words, and of what is left out: Slack refuses a message without a text.
const NO_WORDS: &str = "…";

/// Returns the fields `text` and `blocks` of a message that shows a card.
pub(crate) fn message(card: &Card) -> Result<Value> {
    let mut words = Words::default();
    for line in card.lines() {
        match line {
            Line::Title(title) => words.line(&[(title, Some("bold"))]),
            Line::Text(text) => words.line(&[(text, None)]),
            Line::Hint(before, code, after) => words.line(&[(before, None), (code, Some("code")), (after, None)]),
            Line::Code(code) => words.code(code),
        }
    }
    let text = preview(card.texts());
    let mut blocks = words.blocks()?;
    blocks.extend(buttons::rows(&card.tag, &card.choices)?);
    Ok(json!({ "text": text, "blocks": blocks }))
}

/// Returns the same fields for one text.
pub(crate) fn notice(text: &str) -> Result<Value> {
    let mut words = Words::default();
    words.line(&[(text, None)]);
    Ok(json!({ "text": preview(std::iter::once(text)), "blocks": words.blocks()? }))
}

/// Returns what notifications show and screen readers read instead of blocks: all lines with words, as far as Slack takes them.
fn preview<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let words = lines.filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n");
    let escaped = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    match split_at_units(&escaped, PREVIEW) {
        ("", _) => NO_WORDS.to_owned(),
        (whole, "") => whole.to_owned(),
        (beginning, _) => format!("{beginning}{NO_WORDS}"),
    }
}

/// The words of a message, as the elements of a `rich_text` block.
#[derive(Default)]
struct Words {
    elements: Vec<Value>,
    /// The elements of the section that is not complete.
    section: Vec<Value>,
    units: usize,
    /// Whether there is a line before the next one.
    begun: bool,
}

impl Words {
    /// Adds a line. Slack shows two sections without a line end between them, so lines stand in one.
    fn line(&mut self, parts: &[(&str, Option<&str>)]) {
        if !self.section.is_empty() || self.begun && self.elements.is_empty() {
            self.text("\n", None);
        }
        parts.iter().for_each(|(text, style)| self.text(text, *style));
        self.begun = true;
    }

    fn code(&mut self, code: &str) {
        self.end_section();
        self.units += units(code) + 1;
        self.elements.push(json!({ "type": "rich_text_preformatted", "elements": [{ "type": "text", "text": code }] }));
    }

    fn text(&mut self, text: &str, style: Option<&str>) {
        // Slack refuses an empty text.
        if text.is_empty() {
            return;
        }
        self.units += units(text);
        self.section.push(match style {
            Some(style) => json!({ "type": "text", "text": text, "style": { style: true } }),
            None => json!({ "type": "text", "text": text }),
        });
    }

    fn end_section(&mut self) {
        if !self.section.is_empty() {
            let elements = std::mem::take(&mut self.section);
            self.elements.push(json!({ "type": "rich_text_section", "elements": elements }));
        }
    }

    fn blocks(mut self) -> Result<Vec<Value>> {
        self.end_section();
        if self.units > MESSAGE {
            return Err(Error::TooLarge);
        }
        let block = (!self.elements.is_empty()).then(|| json!({ "type": "rich_text", "elements": self.elements }));
        Ok(block.into_iter().collect())
    }
}
