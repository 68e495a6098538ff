//! Converts a card to a message.

use dmplz_provider_sdk::prelude::*;

use crate::limits::{ATTACHMENT, ATTACHMENTS, CONTENT, UPLOAD_BYTES};
use crate::markdown::{bold, code_block, code_span, escape};

/// Returns the content of a card's message, without its files.
pub(crate) fn content(card: &Card) -> Result<String> {
    checked(card.lines().map(line).collect::<Vec<_>>().join("\n"))
}

/// Returns a line of a card.
pub(crate) fn line(line: Line<'_>) -> String {
    match line {
        Line::Title(title) => bold(title),
        Line::Text(text) => escape(text),
        Line::Hint(before, code, after) => format!("{}{}{}", escape(before), code_span(code), escape(after)),
        Line::Code(code) => code_block(code),
    }
}

/// Returns the content of a notice.
pub(crate) fn notice(text: &str) -> Result<String> {
    checked(escape(text))
}

/// Returns the files of a card, which must fit in one message.
pub(crate) fn files(card: &Card) -> Result<Vec<&Attachment>> {
    let files = card.files().collect::<Vec<_>>();
    let bytes = files.iter().map(|file| file.data.len()).sum::<usize>();
    let too_large = files.iter().any(|file| file.data.len() > ATTACHMENT as usize);
    if too_large || bytes > UPLOAD_BYTES || files.len() > ATTACHMENTS {
        return Err(Error::TooLarge);
    }
    Ok(files)
}

fn checked(content: String) -> Result<String> {
    if units(&content) > CONTENT {
        return Err(Error::TooLarge);
    }
    Ok(content)
}
