//! The parts of a card.

use crate::text::code_span;
use crate::{Attachment, Block, Card, MessageRef};

/// What a card shows one below the other: one line, or several where its text has line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    /// The title, which has more than blanks.
    Title(&'a str),
    /// Words, also of a hint without a code span and of code that is nothing but blanks.
    Text(&'a str),
    /// The text before, inside and after the code span of a hint.
    Hint(&'a str, &'a str, &'a str),
    /// Code, which has more than blanks.
    Code(&'a str),
}

impl Card {
    /// Returns the message that the card replies to, if it is in this chat: nothing can reply to one of another chat.
    pub fn reply_in(&self, chat: &str) -> Option<&MessageRef> {
        self.reply_to.as_ref().filter(|message| message.chat == chat)
    }

    /// Returns the files of the card, in their order.
    pub fn files(&self) -> impl Iterator<Item = &Attachment> + Clone {
        self.body.iter().filter_map(|block| match block {
            Block::File(file) => Some(file),
            _ => None,
        })
    }

    /// Returns the title of the card and the texts below it as they are, without its files.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.title.as_str()).chain(self.body.iter().filter_map(|block| match block {
            Block::Text(text) | Block::Hint(text) | Block::Code(text) => Some(text.as_str()),
            Block::File(_) => None,
        }))
    }

    /// Returns the lines of the card, without its files.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let title = Some(self.title.as_str()).filter(|title| !title.trim().is_empty()).map(Line::Title);
        title.into_iter().chain(self.body.iter().filter_map(|block| match block {
            Block::Code(code) if !code.trim().is_empty() => Some(Line::Code(code)),
            Block::Text(text) | Block::Code(text) => Some(Line::Text(text)),
            Block::Hint(hint) => Some(match code_span(hint) {
                Some((before, code, after)) => Line::Hint(before, code, after),
                None => Line::Text(hint),
            }),
            Block::File(_) => None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::card;

    #[test]
    fn a_card_replies_to_a_message_of_its_chat() {
        let message = MessageRef::new("a", "1", 1);
        let reply = Card { reply_to: Some(message.clone()), ..card("", Vec::new()) };
        assert_eq!((reply.reply_in("a"), reply.reply_in("b")), (Some(&message), None));
        assert_eq!(card("", Vec::new()).reply_in("a"), None);
    }

    #[test]
    fn a_line_is_what_it_looks_like() {
        let hint = |text: &str| Block::Hint(text.to_owned());
        let body = vec![
            Block::Text("a".to_owned()),
            Block::Code(" \n".to_owned()),
            Block::Code("b".to_owned()),
            hint("write `c`"),
            hint("d"),
        ];
        let (titled, untitled) = (card(" t ", body), card(" ", Vec::new()));
        let expected = [
            Line::Title(" t "),
            Line::Text("a"),
            Line::Text(" \n"),
            Line::Code("b"),
            Line::Hint("write ", "c", ""),
            Line::Text("d"),
        ];
        assert_eq!(titled.lines().collect::<Vec<_>>(), expected);
        assert_eq!(untitled.lines().count(), 0);
        assert_eq!(titled.texts().collect::<Vec<_>>(), [" t ", "a", " \n", "b", "write `c`", "d"]);
    }
}
