//! Shows what the agents of sessions are writing as drafts, where the messenger has them. A draft is never the only way in which
//! something is said, so one that fails is dropped, and none is shown for a while.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use dmplz_core::lead;
use tokio::time::Instant;
use uuid::Uuid;

use super::Lead;
use crate::trouble;

/// The least time between two drafts: a private chat of Telegram takes about one message a second.
const PAUSE: Duration = Duration::from_secs(1);
/// How long no draft is shown after one has failed.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(60);
/// How long a draft may take.
const CALL: Duration = Duration::from_secs(5);
/// The greatest key of a text.
const MOST_KEY: u32 = i32::MAX.cast_unsigned();

/// The texts that agents are writing.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    /// Sessions of which there is more to show.
    waiting: BTreeSet<Uuid>,
    /// The key of the text of each session.
    keys: HashMap<Uuid, u32>,
    /// No draft is shown before.
    not_before: Option<Instant>,
}

/// A text that is to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Draft {
    session: Uuid,
    /// Drafts of the same text have the same key.
    key: u32,
}

impl Drafts {
    /// Another text begins, or the one that is being written goes on.
    pub(super) fn writes(&mut self, session: Uuid, begins: bool) {
        self.waiting.insert(session);
        let key = self.keys.entry(session).or_insert(1);
        if begins {
            *key = *key % MOST_KEY + 1;
        }
    }

    /// When the next draft is to be shown.
    pub(super) fn due(&self) -> Option<Instant> {
        (!self.waiting.is_empty()).then(|| self.not_before.unwrap_or_else(Instant::now))
    }

    /// The draft that is to be shown now. [`Self::shown`] is called before the next one.
    pub(super) fn next(&mut self) -> Option<Draft> {
        self.due().filter(|due| *due <= Instant::now())?;
        let session = self.waiting.pop_first()?;
        Some(Draft { session, key: self.keys.get(&session).copied().unwrap_or(1) })
    }

    /// A draft was shown, or that failed.
    pub(super) fn shown(&mut self, is_shown: bool) {
        self.not_before = Some(Instant::now() + if is_shown { PAUSE } else { PAUSE_AFTER_FAILURE });
    }

    /// Nothing more is written in a session that has ended.
    pub(super) fn forget(&mut self, session: Uuid) {
        self.waiting.remove(&session);
        self.keys.remove(&session);
    }
}

impl Lead {
    /// Shows what the agent of a session is writing. Whether it did not fail.
    pub(super) async fn show_draft(&self, Draft { session, key }: Draft) -> bool {
        let account = &self.account;
        let Ok(one) = self.sessions.get(session).await else { return true };
        let text = lead::draft(&one.partial, account.style);
        if text.is_empty() || self.card_of(session).is_none() {
            return true;
        }
        let shown = account.messenger.draft(&self.chat_of(session), key, &text, CALL).await;
        if let Err(error) = &shown {
            trouble::info(&format!("what session {session} writes is not shown on {}: {error}", account.surface));
        }
        shown.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_draft_waits_for_the_one_before_it_and_another_text_has_another_key() {
        let (session, begun) = (Uuid::from_u128(1), Instant::now());
        let mut drafts = Drafts::default();
        assert_eq!((drafts.due(), drafts.next()), (None, None));
        drafts.writes(session, true);
        assert_eq!((drafts.due(), drafts.next()), (Some(begun), Some(Draft { session, key: 2 })));
        drafts.shown(true);
        drafts.writes(session, false);
        assert_eq!((drafts.due(), drafts.next()), (Some(begun + PAUSE), None));
        tokio::time::advance(PAUSE).await;
        assert_eq!(drafts.next(), Some(Draft { session, key: 2 }), "the same text");
        drafts.shown(false);
        drafts.writes(session, true);
        tokio::time::advance(PAUSE).await;
        assert_eq!(drafts.next(), None, "after a failure");
        tokio::time::advance(PAUSE_AFTER_FAILURE).await;
        assert_eq!(drafts.next(), Some(Draft { session, key: 3 }));
        drafts.writes(session, false);
        drafts.forget(session);
        assert_eq!(drafts.due(), None);
    }
}
