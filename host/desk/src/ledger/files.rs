//! The desk's ledger as files: the card records and the cursor of an account.

use std::cell::OnceCell;
use std::error::Error;

use dmplz_core::card::{Ended, Subject};
use dmplz_core::chain;
use dmplz_core::messenger::{Chosen, Event, Said, Watch};
use dmplz_state::{AccountKey, CardRecord, Cards, Cursor, Found, OpenCard, Stage, StateDir};
use serde::{Deserialize, Serialize};

use crate::ledger::view::CardView;
use crate::ledger::{LateCard, Ledger, Progress, Saved};

/// How many past cards are still polled.
const RECENT: usize = 5;
/// How many cards of dead processes one request retires.
const ORPHANS: usize = 5;
/// Words that come more than this after the time for them ran out, in milliseconds, are about something else.
const LATE_WORDS_MS: u64 = 600_000;

/// The part of a card record that is needed to show the card's end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Face {
    subject: Subject,
    seen: Vec<String>,
    awaited_text: bool,
    ended: Option<Ended>,
    #[serde(flatten)]
    view: CardView,
}

/// The ledger of one account in a state directory.
pub struct Files {
    cards: Cards,
    account: AccountKey,
    cursor: Cursor,
    open: Option<OpenCard<Face>>,
    /// Read on first use, so that the request is posted before.
    recent: OnceCell<Vec<Past>>,
    clock: Clock,
}

/// A card that has ended, as the desk knows it, and its record.
type Past = (Progress, CardRecord<Face>);

/// The wall clock, and the function that reports trouble with files. The caller supplies both.
#[derive(Clone, Copy)]
pub struct Clock {
    /// Returns the wall clock in Unix milliseconds.
    pub now_ms: fn() -> u64,
    /// Returns the local time of day as people write it.
    pub time_of_day: fn() -> String,
    /// Reports a file that could not be used.
    pub warn: fn(&str),
}

impl Face {
    /// Creates the face of a new request.
    pub fn new(subject: Subject) -> Self {
        Self::of(&Progress::new("", subject))
    }

    fn of(progress: &Progress) -> Self {
        let Progress { subject, seen, awaited_text, ended, view, .. } = progress.clone();
        Self { subject, seen, awaited_text, ended, view }
    }
}

impl Files {
    /// Opens the ledger for a request whose card is owned, or without a request.
    pub fn new(state: &StateDir, account: &AccountKey, open: Option<OpenCard<Face>>, clock: Clock) -> Self {
        let (cards, cursor) = (Cards::new(state), Cursor::new(state, account));
        Self { cards, account: account.clone(), cursor, open, recent: OnceCell::new(), clock }
    }

    fn past(&self) -> &[Past] {
        self.recent.get_or_init(|| {
            let (recent, corrupt) = self.report(self.cards.recent(&self.account)).unwrap_or_default();
            corrupt.iter().for_each(|error| (self.clock.warn)(&chain(error)));
            let read = |record: CardRecord<Face>| (progress(&record), record);
            recent.into_iter().map(read).collect()
        })
    }

    fn report<T, E: Error + 'static>(&self, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| (self.clock.warn)(&chain(&error))).ok()
    }

    fn past_of(&self, event: &Event) -> Option<&Past> {
        let now = (self.clock.now_ms)();
        let is_recent = |ended: u64| now.saturating_sub(ended) < LATE_WORDS_MS;
        self.past().iter().find(|(past, record)| match event {
            Event::Chosen(press) => past.is_pressed_late(press),
            Event::Said(said) => {
                past.is_explained_late(said)
                    && !record.told.contains(&said.user.id)
                    && record.ended_ms.is_some_and(is_recent)
            }
        })
    }
}

impl Ledger for Files {
    type Claim = OpenCard<Face>;

    fn cursor(&self) -> String {
        self.report(self.cursor.load()).unwrap_or_default()
    }

    fn keep_cursor(&mut self, cursor: &str) {
        self.report(self.cursor.store(cursor));
    }

    fn save(&mut self, progress: &Progress) -> Saved {
        let Some(open) = &mut self.open else { return Saved::ALREADY };
        let updated = open.update(|record| fill(record, progress));
        self.report(updated);
        if progress.stage == Stage::Ended
            && let Some(card) = self.open.take()
        {
            self.report(card.end((self.clock.now_ms)()));
        }
        Saved::ALREADY
    }

    fn recent(&self) -> Vec<Watch> {
        self.past().iter().take(RECENT).flat_map(|(past, _)| past.late_watches()).collect()
    }

    fn orphans(&mut self) -> Vec<(Progress, OpenCard<Face>)> {
        let found = self.report(self.cards.orphans(&self.account)).unwrap_or_default();
        let mut orphans = Vec::new();
        for found in found {
            match found {
                Found::Orphan(claim) => orphans.push((progress(claim.record()), claim)),
                Found::Corrupt(error) => (self.clock.warn)(&chain(&error)),
                Found::Alive(_) => {}
            }
        }
        orphans.truncate(ORPHANS);
        orphans
    }

    fn now_ms(&self) -> u64 {
        (self.clock.now_ms)()
    }

    fn time_of_day(&self) -> String {
        (self.clock.time_of_day)()
    }

    fn retired(&mut self, progress: Progress, mut claim: OpenCard<Face>) {
        let progress = Progress { stage: Stage::Ended, ..progress };
        self.report(claim.update(|record| fill(record, &progress)));
        self.report(claim.end((self.clock.now_ms)()));
    }

    fn late(&mut self, event: &Event) -> Option<LateCard> {
        let (Event::Chosen(Chosen { user, .. }) | Event::Said(Said { user, .. })) = event;
        let (past, record) = self.past_of(event)?;
        // A reaction stays set, and every hook would see it anew.
        let known = record.told.contains(&user.id);
        let (tag, request_id) = (record.tag.clone(), record.request_id.clone());
        let first = !known && self.report(self.cards.mark_told(&self.account, &tag, &user.id)).unwrap_or(false);
        Some(LateCard { tag, request_id, line: None, lost: past.lost(event), first })
    }
}

impl Drop for Files {
    /// A request that ends before anything was posted leaves nothing to retire.
    fn drop(&mut self) {
        if let Some(card) = self.open.take_if(|card| card.record().stage == Stage::Queued) {
            self.report(card.end((self.clock.now_ms)()));
        }
    }
}

fn fill(record: &mut CardRecord<Face>, progress: &Progress) {
    record.stage = progress.stage;
    record.card = progress.card.clone();
    record.prompt = progress.prompt.clone();
    record.denier = progress.denier.clone();
    record.face = Face::of(progress);
}

fn progress(record: &CardRecord<Face>) -> Progress {
    let Face { subject, seen, awaited_text, ended, view } = record.face.clone();
    Progress {
        stage: record.stage,
        tag: record.tag.clone(),
        subject,
        card: record.card.clone(),
        prompt: record.prompt.clone(),
        denier: record.denier.clone(),
        seen,
        awaited_text,
        ended,
        view,
    }
}

#[cfg(test)]
mod tests;
