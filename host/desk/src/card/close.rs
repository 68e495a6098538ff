//! Closes the messages of an ended request: they then show its outcome.

use std::time::Duration;

use dmplz_core::card::{self, Ended, Style};
use dmplz_core::messenger::{Card, MessageRef, ProviderError};
use dmplz_state::Stage;
use tokio::time::Instant;

use crate::card::drawing::LEAST_BUDGET;
use crate::ledger::{Ledger, Progress};
use crate::session::chat::ChatSession;
use crate::session::messenger::Messenger;
use crate::session::retry::Retry;

/// How long closing the card of a dead process may take.
const ORPHAN: Duration = Duration::from_secs(2);

impl<M: Messenger, L: Ledger> ChatSession<M, L> {
    /// Records how a request ended, before its messages show it.
    pub(crate) fn note_end(&self, progress: &mut Progress, ended: Ended) {
        progress.ended = Some(ended);
        progress.stage = Stage::Deciding;
        self.ledger.borrow_mut().save(progress);
    }

    /// Records that the request's messages show its end.
    pub(crate) fn note_retired(&self, progress: &mut Progress) {
        progress.stage = Stage::Ended;
        self.ledger.borrow_mut().save(progress);
    }

    /// Makes a request's messages, including further copies of its card, show its end.
    pub(crate) async fn retire(
        &self,
        progress: &Progress,
        copies: &[MessageRef],
        within: Duration,
    ) -> Result<(), ProviderError> {
        for copy in copies {
            retire(&*self.messenger, &progress.copy_at(copy), self.style, within).await?;
        }
        retire(&*self.messenger, progress, self.style, within).await
    }

    /// Retires the cards that dead processes left, as far as possible within a few seconds.
    pub(crate) async fn retire_orphans(&self) {
        let orphans = self.ledger.borrow_mut().orphans();
        for (mut progress, claim) in orphans {
            let words = || Ended::interrupted(&self.ledger.borrow().time_of_day(), self.style.lang);
            progress.ended.get_or_insert_with(words);
            let closed = retire(&*self.messenger, &progress, self.style, ORPHAN).await;
            if closed.map_or_else(|error| is_final(&error), |()| true) {
                self.ledger.borrow_mut().retired(progress, claim);
            }
        }
    }
}

/// Whether a message can never be closed: the bot was removed from its chat, or may not change what it wrote. It would be tried in the
/// place of one that can.
fn is_final(error: &ProviderError) -> bool {
    matches!(error, ProviderError::Denied(_))
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
                // Escaping may lengthen a text by more than the host can predict.
                Err(ProviderError::TooLarge) if budget > LEAST_BUDGET => budget /= 2,
                revised => break revised?,
            }
        }
    }
    let pages = progress.view.pages.iter().filter(|page| page.menu && Some(&page.message) != progress.card.as_ref());
    let headline = ended.headline(&progress.subject.tool);
    let pages = pages.map(|page| (&page.message, headline.as_str()));
    let prompts = progress.prompt.iter().chain(&progress.view.spent).map(|prompt| (prompt, ended.line()));
    for (message, line) in pages.chain(prompts) {
        revise(messenger, message, &card::prompt_closed(line, &progress.tag), end).await?;
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
            // A message that was deleted needs no closing.
            Ok(()) | Err(ProviderError::NotFound) => return Ok(()),
            Err(error) => match retry.after(&error) {
                Some(wait) if wait < end.saturating_duration_since(Instant::now()) => tokio::time::sleep(wait).await,
                _ => return Err(error),
            },
        }
    }
}
