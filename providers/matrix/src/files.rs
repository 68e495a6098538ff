//! The files that people send (<https://spec.matrix.org/v1.16/client-server-api/#mroommessage-msgtypes>). One in an encrypted room
//! has no address here.

use dmplz_provider_sdk::http::{Api, percent_encode};
use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::Value;
use dmplz_provider_sdk::{Download, Error, Result, SentFile};

/// How the address of a file begins.
const SCHEME: &str = "mxc://";

/// Returns what kind of file a message is.
pub(crate) fn kind(content: &Value) -> Option<&str> {
    let kind = content.text("msgtype")?.strip_prefix("m.")?;
    ["file", "image", "audio", "video"].contains(&kind).then_some(kind)
}

/// Returns the file of a message.
pub(crate) fn of(content: &Value) -> Option<SentFile> {
    let kind = kind(content)?;
    let name = content.text("filename").or(content.text("body")).unwrap_or(kind);
    let size = content.inner("info").count("size");
    Some(SentFile { id: content.text("url")?.strip_prefix(SCHEME)?.to_owned(), name: name.to_owned(), size })
}

/// Returns the request for a file, whose id is its address: server and media id
/// (<https://spec.matrix.org/v1.16/client-server-api/#get_matrixclientv1mediadownloadservernamemediaid>).
pub(crate) fn locate(api: Api<'_>, file: &SentFile) -> Result<Download> {
    let (server, media) = file.id.split_once('/').ok_or(Error::NotFound)?;
    Ok(api.download(&format!("client/v1/media/download/{}/{}", percent_encode(server), percent_encode(media))))
}
