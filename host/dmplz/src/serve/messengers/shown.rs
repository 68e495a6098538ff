//! How an ended request looks on a messenger's card.

use dmplz_core::card::Ended;
use dmplz_core::flow::{Outcome, Resolver};
use dmplz_core::text::Lang;
use dmplz_gateway::{Source, Standing, Status};

use crate::time;

/// Where it is shown, and how.
pub(super) struct Shown<'a> {
    pub(super) surface: &'a str,
    /// Whether nobody's answer is a denial.
    pub(super) deny_on_expired: bool,
    pub(super) lang: Lang,
}

impl Shown<'_> {
    /// The words for a request that has ended; none for one that has not. "Allowed" only where the decision was taken.
    pub(super) fn ended(&self, standing: &Standing, taken: bool) -> Option<Ended> {
        let Status::Ended { resolution, ended_ms, .. } = &standing.status else { return None };
        let (lang, when) = (self.lang, time::as_people_write(*ended_ms));
        let Ok(outcome) = resolution.outcome() else { return Some(Ended::interrupted(&when, lang)) };
        let gone = Outcome::ResolvedElsewhere(Resolver::ClientGone);
        let shown = if is_allowed(&outcome) && !taken { &gone } else { &outcome };
        // Nobody asks a tool again in a terminal.
        let denies = self.deny_on_expired || matches!(standing.request.source, Source::Tool { .. });
        let ended = Ended::of(shown, denies, &when, lang).storing(shown, &standing.request.offer, lang);
        let elsewhere = resolution.by.as_ref().filter(|by| by.surface != self.surface);
        Some(match elsewhere {
            Some(by) => ended.answered_on(&by.surface, lang),
            None => ended,
        })
    }
}

/// Whether it still has to be seen if the client takes it.
pub(super) fn awaits_taking(standing: &Standing) -> bool {
    match &standing.status {
        Status::Ended { resolution, taken: None, .. } => resolution.outcome().is_ok_and(|outcome| is_allowed(&outcome)),
        _ => false,
    }
}

fn is_allowed(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Approved { .. })
}
