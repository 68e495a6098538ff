//! Whether the store can be written to. A probe really writes, so that a full disk is noticed before a request fails.
//! It writes at most once in [`FRESH`], however often it is called.

use std::time::Duration;

use dmplz_protocol::health::{Reason, ReasonCode};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use crate::disk::Disk;

/// How long a result is reused.
const FRESH: Duration = Duration::from_secs(5);
/// A store that takes longer than this to write a line does not take requests.
const SLOW: Duration = Duration::from_secs(2);

/// The last result: why the store cannot be written to, if that is so. A call during a probe waits for its result.
#[derive(Debug, Default)]
pub(super) struct Probe(Mutex<Option<(Instant, Option<Reason>)>>);

impl Probe {
    pub(super) async fn of(&self, disk: &Disk) -> Option<Reason> {
        let mut last = self.0.lock().await;
        match &*last {
            Some((at, found)) if at.elapsed() < FRESH => found.clone(),
            _ => {
                let found = match timeout(SLOW, disk.probe()).await {
                    Ok(Ok(())) => None,
                    Ok(Err(_)) => Some((ReasonCode::StoreFailing, "the store cannot be written to")),
                    Err(_) => Some((ReasonCode::StoreSilent, "the store does not answer")),
                };
                let found = found.map(|(code, message)| Reason { code, message: message.to_owned() });
                *last = Some((Instant::now(), found.clone()));
                found
            }
        }
    }
}
