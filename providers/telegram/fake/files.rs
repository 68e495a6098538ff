//! The files that people sent, and where bots get them: <https://core.telegram.org/bots/api#getfile>.

use super::model::Document;
use super::params::Params;
use super::refusal::Refusal;
use super::world::World;
use bytes::Bytes;
use serde_json::{Value, json};

/// The largest file that a bot gets, in bytes.
const LARGEST: usize = 20 << 20;

/// Tells where a file is.
pub(crate) fn get(world: &World, params: &Params) -> Result<Value, Refusal> {
    let wanted = params.text("file_id");
    let found = documents(world).enumerate().find(|(_, document)| document.file_id == wanted);
    let (at, document) = found.ok_or_else(|| Refusal::bad_request("invalid file_id"))?;
    if document.bytes.len() > LARGEST {
        return Err(Refusal::bad_request("file is too big"));
    }
    Ok(json!({
        "file_id": document.file_id,
        "file_unique_id": format!("AgAD{at}"),
        "file_size": document.bytes.len(),
        "file_path": path(at),
    }))
}

/// Returns the file at a path that [`get`] told.
pub(crate) fn at(world: &World, path: &str) -> Option<Bytes> {
    documents(world).enumerate().find(|(at, _)| self::path(*at) == path).map(|(_, document)| document.bytes.clone())
}

fn path(at: usize) -> String {
    format!("documents/file_{at}")
}

fn documents(world: &World) -> impl Iterator<Item = &Document> {
    let messages = world.chats.values().flat_map(|chat| &chat.messages);
    messages.flat_map(|message| &message.revisions).filter_map(|revision| revision.document.as_ref())
}
