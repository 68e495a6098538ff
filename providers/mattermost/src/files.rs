//! The files that people send (<https://developers.mattermost.com/api-documentation/#/operations/GetFile>).

use dmplz_provider_sdk::http::{Api, percent_encode};
use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::Value;
use dmplz_provider_sdk::{Download, SentFile};

/// Returns the files of a post, which has at most 10.
pub(crate) fn of(post: &Value) -> Vec<SentFile> {
    let file = |found: &Value| {
        let (id, name) = (found.text("id")?.to_owned(), found.text("name")?.to_owned());
        Some(SentFile { id, name, size: found.count("size") })
    };
    post.inner("metadata").items("files").iter().filter_map(file).take(10).collect()
}

/// Returns the request for a file.
pub(crate) fn locate(api: Api<'_>, file: &SentFile) -> Download {
    api.download(&format!("files/{}", percent_encode(&file.id)))
}
