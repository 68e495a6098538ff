//! Closing: the messages of an ended request show what became of it.

use std::time::Duration;

use dmplz_core::card::{self, Ended, Style};
use dmplz_core::messenger::{Card, MessageRef, ProviderError};
use dmplz_state::Stage;
use tokio::time::Instant;

use crate::Desk;
use crate::ask::Asked;
use crate::ledger::{Ledger, Progress};
use crate::messenger::Messenger;
use crate::retry::Retry;

/// What the end of a dead process's card may take.
const ORPHAN: Duration = Duration::from_secs(2);
/// Below this many units a smaller card is not tried.
const LEAST_BUDGET: usize = 400;

impl<M: Messenger, L: Ledger> Desk<M, L> {
    /// Retires the request's messages, within the time given. `ended` says how: the caller knows whether the client
    /// took the decision. What cannot be shown in time stays written down for the next process.
    pub async fn close(&mut self, mut asked: Asked, ended: Ended, within: Duration) {
        asked.progress.ended = Some(ended);
        asked.progress.stage = Stage::Deciding;
        self.ledger.save(&asked.progress);
        // The sign that a press was taken and the card's end do not wait for each other.
        let presses = std::mem::take(&mut asked.presses);
        let acknowledged = self.acknowledge_all(presses);
        let retired = async {
            for copy in std::mem::take(&mut asked.copies) {
                let copy = Progress { card: Some(copy), prompt: None, ..asked.progress.clone() };
                retire(&self.messenger, &copy, self.style, within).await?;
            }
            retire(&self.messenger, &asked.progress, self.style, within).await
        };
        let closing = async { tokio::join!(acknowledged, retired).1 };
        if let Ok(Ok(())) = tokio::time::timeout(within, closing).await {
            asked.progress.stage = Stage::Ended;
            self.ledger.save(&asked.progress);
        }
    }

    /// Retires the cards that dead processes left, as far as that goes within a few seconds.
    pub async fn retire_orphans(&mut self) {
        for (mut progress, claim) in self.ledger.orphans() {
            let words = || Ended::interrupted(&self.ledger.time_of_day(), self.style.lang);
            progress.ended.get_or_insert_with(words);
            if retire(&self.messenger, &progress, self.style, ORPHAN).await.is_ok() {
                self.ledger.retired(progress, claim);
            }
        }
    }
}

pub(crate) async fn retire<M: Messenger>(
    messenger: &M,
    progress: &Progress,
    style: Style,
    within: Duration,
) -> Result<(), ProviderError> {
    let Some(ended) = progress.ended.clone() else { return Ok(()) };
    let end = Instant::now() + within;
    if let Some(message) = &progress.card {
        let mut budget = style.limits.text;
        loop {
            let card = card::ended(&progress.subject, &ended, &progress.tag, style, budget);
            match revise(messenger, message, &card, end).await {
                // Escaping can make a text longer than the host can know.
                Err(ProviderError::TooLarge) if budget > LEAST_BUDGET => budget /= 2,
                revised => break revised?,
            }
        }
    }
    if let Some(message) = &progress.prompt {
        revise(messenger, message, &card::prompt_closed(ended.line(), &progress.tag), end).await?;
    }
    Ok(())
}

async fn revise<M: Messenger>(
    messenger: &M,
    message: &MessageRef,
    card: &Card,
    end: Instant,
) -> Result<(), ProviderError> {
    let mut retry = Retry::default();
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match messenger.revise(message, card, left).await {
            // A message that somebody deleted needs no retiring.
            Ok(()) | Err(ProviderError::NotFound) => return Ok(()),
            Err(error) => match retry.after(&error) {
                Some(wait) if wait < end.saturating_duration_since(Instant::now()) => tokio::time::sleep(wait).await,
                _ => return Err(error),
            },
        }
    }
}
