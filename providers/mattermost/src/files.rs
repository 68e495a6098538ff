//! The files that people send (<https://developers.mattermost.com/api-documentation/#/operations/GetFile>).

use dmplz_provider_sdk::http::percent_encode;
use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::Value;
use dmplz_provider_sdk::{Download, SentFile};

use crate::api::Api;

/// Returns the files of a post, which has at most 10.
pub(crate) fn of(post: &Value) -> Vec<SentFile> {
    let file = |found: &Value| {
        let size = found.int("size").and_then(|size| u64::try_from(size).ok());
        Some(SentFile { id: found.text("id")?.to_owned(), name: found.text("name")?.to_owned(), size })
    };
    let infos = post.get("metadata").map(|metadata| metadata.items("files")).unwrap_or_default();
    infos.iter().filter_map(file).take(10).collect()
}

/// Returns the request for a file.
pub(crate) fn locate(api: &Api, file: &SentFile) -> Download {
    api.download(&format!("files/{}", percent_encode(&file.id)))
}
