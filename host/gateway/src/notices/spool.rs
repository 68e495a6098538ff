//! Takes over what hooks left while no gateway was running.

use std::time::Duration;

use dmplz_core::notify::Occurrence;
use dmplz_state::Spooled;
use dmplz_state::store::NewNotice;

use super::Notices;
use crate::disk::{DiskError, blocking};

/// The interval of reading the spool. A hook may leave an event just before this gateway listens.
const LOOK: Duration = Duration::from_secs(15);

impl Notices {
    /// Takes the events from the spool periodically. Never returns. `warn` is called with errors, in English.
    pub async fn watch_spool(&self, warn: impl Fn(&str)) {
        loop {
            tokio::time::sleep(LOOK).await;
            self.empty_spool(&warn).await;
        }
    }

    /// Takes over what is in the spool, in the order in which it happened. What is there stays until it is on disk here: an
    /// id is taken once, so that twice is no harm.
    pub async fn empty_spool(&self, warn: &impl Fn(&str)) {
        let spool = self.shared.setup.spool.clone();
        let waiting = match blocking(move || spool.waiting()).await {
            Ok(Ok(waiting)) => waiting,
            Ok(Err(error)) => return warn(&format!("the events that hooks left cannot be listed: {error}")),
            Err(_) => return,
        };
        let mut notices = Vec::new();
        for event in &waiting {
            match self.read(event) {
                Ok(routed) => notices.extend(routed),
                Err(why) => warn(&format!("an event that a hook left cannot be read, and is removed: {why}")),
            }
        }
        if let Err(error) = self.queue(notices).await {
            return warn(&format!("the events that hooks left stay where they are: {error}"));
        }
        let removed = blocking(move || waiting.into_iter().try_for_each(Spooled::remove)).await;
        if let Ok(Err(error)) = removed {
            warn(&format!("an event that a hook left cannot be removed: {error}"));
        }
    }

    fn read(&self, event: &Spooled) -> Result<Vec<NewNotice>, String> {
        let text = event.text.as_ref().map_err(ToString::to_string)?;
        let occurrence = serde_json::from_str::<Occurrence>(text);
        // serde's own message quotes the text.
        let occurrence = occurrence.map_err(DiskError::json("an event")).map_err(|error| error.without_content())?;
        self.routed(occurrence).map_err(|error| error.to_string())
    }
}
