//! The checks for `dmplz doctor`.

use dmplz_provider_sdk::prelude::*;

use crate::server::Server;
use crate::topic;

/// Checks whether the server is healthy, and whether both topics can be read.
pub(crate) fn diagnose(server: &Server, host: &dyn Host, chat: &Chat) -> Result<Diagnosis, Error> {
    let topic = topic::of(chat)?;
    if !server.get(host, "v1/health")?.json()?.flag("healthy") {
        return Err(Error::unavailable("the server says that it is not healthy"));
    }
    let unseen = "shows only when something is published";
    let checks = vec![
        readable(server, host, Subject::Chat, &format!("{topic}/auth"), "the topic can be read")?,
        Check::fine(Subject::Post, unseen),
        Check::fine(Subject::Attach, unseen),
        readable(
            server,
            host,
            Subject::Read,
            &format!("{}/json?poll=1&since=none", topic::answers(&topic)),
            "the topic for answers can be read",
        )?,
    ];
    Ok(Diagnosis { bot: Identity { id: "ntfy".to_owned(), name: server.url("") }, checks })
}

fn readable(server: &Server, host: &dyn Host, subject: Subject, path: &str, well: &str) -> Result<Check, Error> {
    match server.get(host, path) {
        Ok(_) => Ok(Check::fine(subject, well)),
        Err(Error::Denied(said)) => Ok(Check::wrong(subject, said.unwrap_or_default())),
        Err(error) => Err(error),
    }
}
