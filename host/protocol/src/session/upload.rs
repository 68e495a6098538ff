//! The files of messages to a session.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{id, number};

/// The largest file of a message to a session, in bytes: 20 MiB.
pub const MAX_FILE: usize = 20 << 20;

/// The largest part of a file that is uploaded at once, in bytes: 128 KiB. In Base64 it fits into a message.
pub const MAX_PART: usize = 128 << 10;

/// Uploads a file for a message to a session, part by part in their order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UploadToSession {
    /// The id of the session.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The part of the file.
    pub part: FilePart,
}

/// A part of a file for a message to a session.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FilePart {
    /// The id of the upload, which its sender makes. It is the same for all parts of a file.
    #[serde(deserialize_with = "id::deserialize")]
    #[schema(value_type = id::Id)]
    pub upload: Uuid,
    /// The name of the file.
    pub name: String,
    /// Where the part begins in the file, in bytes: as many as were uploaded before. At 0 the file begins anew.
    #[serde(deserialize_with = "number::deserialize")]
    pub at: u64,
    /// The bytes of the part in Base64, with padding (RFC 4648, section 4): at most 128 KiB.
    pub content: String,
    /// Whether the file ends with it.
    pub last: bool,
}

/// How far an upload has come.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = UploadedFile)]
pub struct Uploaded {
    /// How many bytes of the file there are.
    pub at: u64,
    /// How a message mentions the file, for example `@"/home/me/shot.png"`, once all of it is there. The client
    /// attaches a picture, a PDF or a text that a message mentions so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mention: Option<String>,
}
