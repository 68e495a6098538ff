//! How an ended request looks on a messenger's card.

use std::path::PathBuf;

use dmplz_core::card::{Ended, GrantEnd};
use dmplz_core::request::{ApprovalScope, Outcome, Resolver};
use dmplz_core::text::Lang;
use dmplz_protocol::{Source, Standing, Status};
use dmplz_state::Grants;

use crate::time;

/// Within so long after the end a grant is there, unless it could not be kept.
const RIGHT_AFTER_MS: u64 = 60_000;

/// Where it is shown, and how.
pub(super) struct Shown {
    pub(super) surface: String,
    /// Where the grants are kept.
    pub(super) state: PathBuf,
    /// Whether nobody's answer is a denial.
    pub(super) deny_on_expired: bool,
    pub(super) lang: Lang,
}

impl Shown {
    /// The words for a request that has ended; none for one that has not. "Allowed" only where the decision was taken.
    pub(super) fn ended(&self, standing: &Standing, taken: bool) -> Option<Ended> {
        let Status::Ended { resolution, ended_ms, .. } = &standing.status else { return None };
        let (lang, when) = (self.lang, time::moment(*ended_ms));
        let Ok(outcome) = resolution.outcome() else { return Some(Ended::interrupted(&when, lang)) };
        let gone = Outcome::ResolvedElsewhere(Resolver::ClientGone);
        let shown = if is_allowed(&outcome) && !taken { &gone } else { &outcome };
        // Only where a hook asks does the terminal ask again.
        let denies = self.deny_on_expired || !matches!(standing.request.source, Source::Hook { .. });
        let ended = Ended::of(shown, denies, &when, lang).storing(shown, &standing.request.offer, lang);
        let ended = match &outcome {
            Outcome::Approved { scope: ApprovalScope::Granted { .. }, .. } if taken => {
                self.with_grant(ended, standing, *ended_ms)
            }
            _ => ended,
        };
        let elsewhere = resolution.by.as_ref().filter(|by| by.surface != self.surface);
        Some(match elsewhere {
            Some(by) => ended.answered_on(&by.surface, lang),
            None => ended,
        })
    }

    /// With what has become of the grant. The hook wrote it down before it handed the decision over, so one that is not
    /// there right afterwards was not kept; the gateway learns of it by the file, as whoever goes by it does.
    fn with_grant(&self, ended: Ended, standing: &Standing, ended_ms: u64) -> Ended {
        let now = time::both_clocks();
        let id = standing.request.id.to_string();
        let grants = Grants::read(&self.state).unwrap_or_default();
        let holds = grants.iter().any(|grant| grant.request_id == id && grant.holds(now));
        let grant = match (holds, now.wall_ms.saturating_sub(ended_ms) < RIGHT_AFTER_MS) {
            (true, _) => GrantEnd::Revocable,
            (false, true) => GrantEnd::NotKept,
            (false, false) => GrantEnd::Over,
        };
        ended.with_grant(grant, self.lang)
    }
}

/// Whether it still has to be seen if the client takes it.
pub(super) fn awaits_taking(standing: &Standing) -> bool {
    let Status::Ended { resolution, taken: None, .. } = &standing.status else { return false };
    resolution.outcome().is_ok_and(|outcome| is_allowed(&outcome))
}

fn is_allowed(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Approved { .. })
}
