//! What is left to show, and when.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use dmplz_core::messenger::ProviderError;
use dmplz_core::notify::backoff;
use tokio::time::Instant;
use uuid::Uuid;

use crate::serve::messengers::lead::drafts::{Draft, Drafts};

/// The least time between two edits of cards: groups of Telegram take 20 messages and edits a minute, and requests need some of them.
const EDITS: Duration = Duration::from_secs(4);
/// How long after an edit a card is edited only because the agent is writing: some messengers let a bot edit five times a minute.
const WRITING: Duration = Duration::from_secs(12);
/// A wake time far away.
const FAR: Duration = Duration::from_secs(86_400);

/// What is left to do.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// Sessions that may have something to be told.
    pub(super) news: BTreeSet<Uuid>,
    /// Sessions whose cards may have changed, the longest waiting first.
    pub(super) changed: VecDeque<Uuid>,
    /// Sessions whose agents are writing.
    pub(super) writing: BTreeSet<Uuid>,
    /// What is being written, where the messenger shows drafts.
    pub(super) drafts: Option<Drafts>,
    /// When a card was edited last.
    pub(super) edited: Option<Instant>,
    /// Nothing is done before, because something failed.
    not_before: Option<Instant>,
    /// How often something failed since it went well.
    pub(super) failures: u32,
}

impl Work {
    /// Nothing is left to do. `has_drafts` is whether what is being written is shown as a draft.
    pub(super) fn new(has_drafts: bool) -> Self {
        Self { drafts: has_drafts.then(Drafts::default), ..Self::default() }
    }

    /// The card of a session may have changed.
    pub(super) fn changed(&mut self, id: Uuid) {
        if !self.changed.contains(&id) {
            self.changed.push_back(id);
        }
    }

    /// When there is something to do.
    pub(super) fn due(&self) -> Instant {
        let now = Instant::now();
        let after_edit = |pause| self.edited.map_or(now, |edited| edited + pause);
        let due = match (self.news.is_empty(), self.changed.is_empty(), self.writing.is_empty()) {
            (false, ..) => now,
            (true, false, _) => after_edit(EDITS),
            (true, true, false) => after_edit(WRITING),
            (true, true, true) => now + FAR,
        };
        let due = due.max(self.not_before.unwrap_or(now));
        // News come first.
        let draft = self.drafts.as_ref().filter(|_| self.news.is_empty()).and_then(Drafts::due);
        due.min(draft.unwrap_or(due))
    }

    /// The draft that is to be shown now.
    pub(super) fn draft(&mut self) -> Option<Draft> {
        self.drafts.as_mut().filter(|_| self.news.is_empty())?.next()
    }

    /// Another text begins, or the one that is being written goes on.
    pub(super) fn writes(&mut self, id: Uuid, begins: bool) {
        self.writing.insert(id);
        if let Some(drafts) = &mut self.drafts {
            drafts.writes(id, begins);
        }
    }

    /// Something failed: everything waits.
    pub(super) fn failed(&mut self, error: &ProviderError) {
        self.failures = self.failures.saturating_add(1);
        let asked = match error {
            ProviderError::RateLimited(wait) => wait.map(|ms| Duration::from_millis(ms.into())),
            _ => None,
        };
        self.not_before = Some(Instant::now() + backoff(self.failures, asked, fastrand::f64()));
    }

    /// Something went well: nothing waits for a failure any more.
    pub(super) fn went_well(&mut self) {
        (self.failures, self.not_before) = (0, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_is_being_written_waits_longer_than_what_has_changed() {
        let mut work = Work::default();
        let begun = Instant::now();
        assert_eq!(work.due(), begun + FAR);
        work.writing.insert(Uuid::from_u128(1));
        assert_eq!(work.due(), begun, "nothing was edited yet");
        work.edited = Some(begun);
        assert_eq!(work.due(), begun + WRITING);
        work.changed(Uuid::from_u128(2));
        assert_eq!(work.due(), begun + EDITS);
        work.news.insert(Uuid::from_u128(3));
        assert_eq!(work.due(), begun);
    }

    #[tokio::test(start_paused = true)]
    async fn a_draft_waits_for_news_and_brings_no_edit_forward() {
        let (one, begun) = (Uuid::from_u128(1), Instant::now());
        let mut work = Work { edited: Some(begun), ..Work::new(true) };
        work.writes(one, true);
        assert_eq!(work.due(), begun);
        work.news.insert(one);
        work.not_before = Some(begun + EDITS);
        assert!(work.due() == begun + EDITS && work.draft().is_none(), "what failed is not tried early");
        work.news.clear();
        assert!(work.draft().is_some());
        assert_eq!(work.due(), begun + WRITING, "it is shown already");
        let mut none = Work { edited: Some(begun), ..Work::default() };
        none.writes(one, true);
        assert!(none.due() == begun + WRITING && none.draft().is_none(), "where the messenger has no drafts");
    }
}
