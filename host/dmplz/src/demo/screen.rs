//! Prints the chat line by line, as a phone would show it.

use std::collections::BTreeMap;

use dmplz_core::text::Lang;
use dmplz_core::visible::visible;
use dmplz_fakes::telegram::{Message, MessageRef, Revision};

use crate::terminal::{Paint, Tone, say};

/// The messages and buttons that were shown so far.
pub(super) struct Screen {
    lang: Lang,
    paint: Paint,
    /// The number of revisions that were shown, by message.
    shown: BTreeMap<i64, usize>,
    /// Every button that was shown, by its number from 1.
    pub(super) buttons: Vec<(MessageRef, String)>,
}

impl Screen {
    pub(super) fn new(lang: Lang, paint: Paint) -> Self {
        Self { lang, paint, shown: BTreeMap::new(), buttons: Vec::new() }
    }

    /// Formats the new messages and revisions.
    pub(super) fn draw(&mut self, messages: &[Message]) -> String {
        let mut text = String::new();
        for message in messages {
            let seen = self.shown.insert(message.id, message.revisions.len()).unwrap_or(0);
            for (number, revision) in message.revisions.iter().enumerate().skip(seen) {
                text.push_str(&self.bubble(message, number, revision));
            }
        }
        text
    }

    fn bubble(&mut self, message: &Message, number: usize, revision: &Revision) -> String {
        let edited = if number > 0 { say(self.lang, " (수정됨)", " (edited)") } else { "" };
        let head = format!("{} #{}{edited}", message.from.first_name, message.id);
        let mut lines = vec![format!("┌ {}", self.paint.tone(Tone::Strong, &head))];
        lines.extend(visible(&revision.text).lines().map(|line| format!("│ {line}")));
        if let Some(file) = &revision.document {
            lines.push(format!("│ 📎 {} ({} bytes)", visible(&file.name), file.bytes.len()));
        }
        for row in &revision.keyboard {
            let row: Vec<String> = row.iter().map(|button| self.button(message.into(), &button.text)).collect();
            lines.push(format!("│ {}", row.join("  ")));
        }
        format!("{}\n└\n", lines.join("\n"))
    }

    fn button(&mut self, message: MessageRef, label: &str) -> String {
        let known = self.buttons.iter().position(|(at, known)| *at == message && known == label);
        let number = known.unwrap_or_else(|| {
            self.buttons.push((message, label.to_owned()));
            self.buttons.len() - 1
        });
        self.paint.tone(Tone::Good, &format!("[{} {label}]", number + 1))
    }

    /// Formats the bot's answer to a press.
    pub(super) fn toast(&self, text: &str) -> String {
        format!("  💬 {}\n", visible(text))
    }

    /// Formats what is said of a press on a button that is no longer there.
    pub(super) fn gone(&self) -> String {
        format!("  {}\n", say(self.lang, "그 버튼은 이제 없습니다.", "that button is not there any more"))
    }
}

#[cfg(test)]
mod tests;
