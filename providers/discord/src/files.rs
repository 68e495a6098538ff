//! The files that people send (docs/resources/message#attachment-object).

use dmplz_provider_sdk::prelude::*;

/// Where Discord keeps files. A URL there is signed, and good for a day, so it needs no token (docs/reference#signed-attachment-cdn-urls).
pub(crate) const ORIGIN: &str = "https://cdn.discordapp.com";

/// The most files of one message (docs/resources/message#create-message).
const MOST: usize = 10;

/// Returns the files of attachments.
pub(crate) fn of<'a>(attachments: impl IntoIterator<Item = &'a Value>) -> Vec<SentFile> {
    let file = |found: &Value| SentFile::new(found.text("url")?, found.text("filename")?, found.count("size"));
    attachments.into_iter().filter_map(file).take(MOST).collect()
}

/// Returns the request for a file. The id of a file is its URL; the host refuses one elsewhere.
pub(crate) fn locate(file: SentFile) -> Result<Download, Error> {
    Ok(Download::new(file.id))
}
