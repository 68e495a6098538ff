//! The files that people send (<https://core.telegram.org/bots/api#message>), and where they are.

use dmplz_provider_sdk::prelude::*;

use crate::api::{self, incomplete};
use crate::manifest::FILE_PATH;

/// The kinds of files that a message can have, and the name of one that has none of its own.
const KINDS: [(&str, &str); 4] =
    [("document", "file"), ("video", "video.mp4"), ("audio", "audio.mp3"), ("voice", "voice.ogg")];

/// Returns the file of a message, which has at most one: an album is several messages.
pub(crate) fn of(message: &Value) -> Option<SentFile> {
    // The sizes of one picture, the largest last.
    if let Some(largest) = message.items("photo").last() {
        return file(largest, "photo.jpg");
    }
    KINDS.iter().find_map(|(kind, name)| file(message.get(*kind)?, name))
}

fn file(found: &Value, name: &str) -> Option<SentFile> {
    let name = found.text("file_name").filter(|name| !name.is_empty()).unwrap_or(name);
    SentFile::new(found.text("file_id")?, name, found.count("file_size"))
}

/// Asks where a file is. Bots get files of at most 20 MB (<https://core.telegram.org/bots/api#getfile>).
pub(crate) fn locate(api: Api<'_>, file: &SentFile) -> Result<Download> {
    let found = api::call(api, "getFile", &json!({ "file_id": file.id }))?;
    let path = found.text("file_path").ok_or_else(|| incomplete("getFile"))?;
    let path: Vec<String> = path.split('/').map(percent_encode).collect();
    Ok(api.download(&format!("{FILE_PATH}{}", path.join("/"))))
}
