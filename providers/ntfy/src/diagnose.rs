//! The checks for `dmplz doctor`.

use dmplz_provider_sdk::prelude::*;

use crate::{server, topic};

/// Checks whether the server is healthy, and whether both topics can be read.
pub(crate) fn diagnose(api: Api<'_>, chat: &Chat) -> Result<Diagnosis> {
    let topic = topic::of(chat)?;
    if !api.get("v1/health")?.flag("healthy") {
        return Err(Error::unavailable("the server says that it is not healthy"));
    }
    let unseen = "shows only when something is published";
    let answers = format!("{}/json?poll=1&since=none", topic::answers(&topic));
    let checks = vec![
        readable(api, Subject::Chat, &format!("{topic}/auth"), "the topic can be read")?,
        Check::fine(Subject::Post, unseen),
        Check::fine(Subject::Attach, unseen),
        readable(api, Subject::Read, &answers, "the topic for answers can be read")?,
    ];
    Ok(Diagnosis { bot: Identity::new("ntfy", &api.url("")), checks })
}

fn readable(api: Api<'_>, subject: Subject, path: &str, well: &str) -> Result<Check> {
    match server::get(api, path) {
        Ok(_) => Ok(Check::fine(subject, well)),
        Err(Error::Denied(said)) => Ok(Check::wrong(subject, said.unwrap_or_default())),
        Err(error) => Err(error),
    }
}
