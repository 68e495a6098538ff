//! The ledger of a desk with many requests. It passes each request's records to the caller, and remembers cards that
//! ended recently, so that a late press is told how its request ended. Everything else (the cursor, cards of processes
//! that ran alone) goes to another ledger.

use std::collections::VecDeque;
use std::time::Duration;

use dmplz_core::card::{self, Ended};
use dmplz_core::messenger::{Chosen, Event, Watch};
use dmplz_core::text::Lang;
use tokio::time::Instant;

use crate::ledger::{LateCard, Ledger, Progress, Saved};

/// How many ended cards are remembered: about an hour of busy agents.
const PAST: usize = 200;
/// How many of those are polled, if a messenger reports only on watched cards, and for how long.
const RECENT: usize = 5;
const LOOKED_AT: Duration = Duration::from_secs(600);

/// A record of a [`GatewayLedger`].
#[derive(Debug)]
pub enum Noted<'a> {
    /// The progress of a request.
    Kept(&'a Progress),
    /// The request with this tag is not needed any more.
    Forgotten(&'a str),
}

/// The ledger of many requests.
pub struct GatewayLedger<L, K> {
    others: L,
    keep: K,
    lang: Lang,
    past: VecDeque<Past>,
}

/// A card that shows its end, or soon will.
struct Past {
    progress: Progress,
    ended_at: Instant,
}

impl<L: Ledger, K: FnMut(Noted<'_>) -> Saved> GatewayLedger<L, K> {
    /// Creates a ledger without requests, on top of another ledger.
    pub fn new(others: L, lang: Lang, keep: K) -> Self {
        Self { others, keep, lang, past: VecDeque::new() }
    }

    /// Adds a card that showed its end already, in a dead process.
    pub fn remember(&mut self, progress: Progress) {
        // Cards with a revocable grant are kept longest.
        while self.past.len() >= PAST
            && let at = self.past.iter().position(|past| !past.is_revocable()).unwrap_or_default()
            && let Some(oldest) = self.past.remove(at)
        {
            (self.keep)(Noted::Forgotten(&oldest.progress.tag));
        }
        self.past.push_back(Past { progress, ended_at: Instant::now() });
    }

    fn past_of(&self, event: &Event) -> Option<&Past> {
        self.past.iter().rev().find(|past| match event {
            Event::Chosen(press) => past.progress.is_pressed_late(press),
            Event::Said(said) => past.progress.is_explained_late(said) && past.ended_at.elapsed() < LOOKED_AT,
        })
    }
}

impl Past {
    fn is_revocable(&self) -> bool {
        self.progress.ended.as_ref().is_some_and(Ended::is_revocable)
    }
}

impl<L: Ledger, K: FnMut(Noted<'_>) -> Saved> Ledger for GatewayLedger<L, K> {
    type Claim = L::Claim;

    fn cursor(&self) -> String {
        self.others.cursor()
    }

    fn keep_cursor(&mut self, cursor: &str) {
        self.others.keep_cursor(cursor);
    }

    fn save(&mut self, progress: &Progress) -> Saved {
        let saved = (self.keep)(Noted::Kept(progress));
        if progress.ended.is_none() {
            return saved;
        }
        match self.past.iter_mut().find(|past| past.progress.tag == progress.tag) {
            Some(past) => past.progress.clone_from(progress),
            None => self.remember(progress.clone()),
        }
        saved
    }

    fn recent(&self) -> Vec<Watch> {
        let wanted = |past: &&Past| past.ended_at.elapsed() < LOOKED_AT;
        let watches = self.past.iter().rev().filter(wanted).take(RECENT).flat_map(|past| past.progress.late_watches());
        let mut recent: Vec<Watch> = watches.collect();
        recent.extend(self.others.recent());
        recent
    }

    fn orphans(&mut self) -> Vec<(Progress, L::Claim)> {
        self.others.orphans()
    }

    fn now_ms(&self) -> u64 {
        self.others.now_ms()
    }

    fn time_of_day(&self) -> String {
        self.others.time_of_day()
    }

    fn retired(&mut self, progress: Progress, claim: L::Claim) {
        self.others.retired(progress, claim);
    }

    fn revocable(&self, press: &Chosen) -> Option<Progress> {
        let past = self.past.iter().rev().find(|past| past.progress.is_pressed_late(press) && past.is_revocable())?;
        Some(past.progress.clone())
    }

    fn granted(&self, request_id: &str) -> Option<Progress> {
        let is_it = |past: &&Past| past.progress.subject.request_id == request_id && past.is_revocable();
        self.past.iter().rev().find(is_it).map(|past| past.progress.clone())
    }

    fn late(&mut self, event: &Event) -> Option<LateCard> {
        let lang = self.lang;
        let Some(past) = self.past_of(event) else { return self.others.late(event) };
        let progress = &past.progress;
        let line = progress.ended.as_ref().map(|ended| card::late_ended(lang, ended, &progress.subject));
        let (tag, request_id) = (progress.tag.clone(), progress.subject.request_id.clone());
        Some(LateCard { tag, request_id, line, lost: progress.lost(event), first: true })
    }
}

#[cfg(test)]
mod tests;
