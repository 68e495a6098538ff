//! Converts a card to a message.

use dmplz_provider_sdk::text::{code_span, units};
use dmplz_provider_sdk::{Attachment, Block, Card, Error};

use crate::limits::{ATTACHMENT, ATTACHMENTS, CONTENT, UPLOAD_BYTES};
use crate::markdown;

/// Returns the content of a card's message, without its files.
pub(crate) fn content(card: &Card) -> Result<String, Error> {
    let mut lines = lines(card);
    if !card.title.trim().is_empty() {
        lines.insert(0, markdown::bold(&card.title));
    }
    checked(lines.join("\n"))
}

/// Returns a card's body, without its files.
pub(crate) fn lines(card: &Card) -> Vec<String> {
    let line = |block: &Block| match block {
        Block::Text(text) => Some(markdown::escape(text)),
        Block::Code(code) => Some(markdown::code_block(code)),
        Block::Hint(hint) => Some(hinted(hint)),
        Block::File(_) => None,
    };
    card.body.iter().filter_map(line).collect()
}

/// Returns the content of a notice.
pub(crate) fn notice(text: &str) -> Result<String, Error> {
    checked(markdown::escape(text))
}

/// Returns the files of a card, which must fit in one message.
pub(crate) fn files(card: &Card) -> Result<Vec<&Attachment>, Error> {
    let files = card.files().collect::<Vec<_>>();
    let bytes = files.iter().map(|file| file.data.len()).sum::<usize>();
    let too_large = files.iter().any(|file| file.data.len() > ATTACHMENT as usize);
    if too_large || bytes > UPLOAD_BYTES || files.len() > ATTACHMENTS {
        return Err(Error::TooLarge);
    }
    Ok(files)
}

fn hinted(hint: &str) -> String {
    match code_span(hint) {
        Some((before, code, after)) => {
            format!("{}{}{}", markdown::escape(before), markdown::code_span(code), markdown::escape(after))
        }
        None => markdown::escape(hint),
    }
}

fn checked(content: String) -> Result<String, Error> {
    if units(&content) > CONTENT {
        return Err(Error::TooLarge);
    }
    Ok(content)
}
