//! Decides when a notice is sent, and whether at all.
//!
//! | fact, in this order | what happens to the notice |
//! |---|---|
//! | it is a text of a person's, sent by hand | sent |
//! | it is about a request that has ended | skipped |
//! | it waits for an answer, and the time for that is not over | held until then |
//! | a surface that the route names is in front of a person | skipped |
//! | it is in the quiet hours, and less urgent than the route lets through | held until they end |
//! | none of these | sent |
//!
//! A held notice is decided about again when its time comes. A skipped notice stays in the log, with the reason, and can
//! be sent by hand. Default: sent at once.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Detail, EventKind, Occurrence, Priority};

/// The longest time for which a notice may wait for an answer.
pub const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);
/// The longest time for which a notice is held at once, in milliseconds: a day that has an hour more.
pub const LONGEST_HOLD_MS: u64 = 26 * 60 * 60 * 1_000;

/// A surface that can be in front of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Front {
    /// A page of the gateway that is visible.
    Page,
    /// `dmplz approvals watch` in a terminal.
    Terminal,
}

/// How a channel treats an occurrence: by one route, or by all that lead there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// How much the notice shows.
    pub detail: Detail,
    /// How long to wait whether somebody answers the request.
    pub after: Duration,
    /// The notice is skipped while one of these is in front of a person.
    pub skip_if: Vec<Front>,
    /// The least priority that is sent in quiet hours; `None` lets nothing through.
    pub through_quiet: Option<Priority>,
}

/// What is known when a notice is decided about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts<'a> {
    /// Now, in Unix milliseconds.
    pub now_ms: u64,
    /// When the quiet hours end, in Unix milliseconds; `None` outside of them.
    pub quiet_until_ms: Option<u64>,
    /// The surfaces that are in front of a person.
    pub fronts: &'a [Front],
    /// Whether the request that it is about has ended.
    pub has_ended: bool,
}

/// What happens to a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The notice is sent now.
    Send,
    /// It is decided about again at this time, in Unix milliseconds.
    Hold(Held, u64),
    /// It is not sent.
    Skip(Skipped),
}

/// Why a notice is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// It may be answered before.
    Unanswered,
    /// It is in the quiet hours.
    Quiet,
}

/// Why a notice is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipped {
    /// The request has ended.
    Ended,
    /// This surface was in front of a person.
    InFront(Front),
}

crate::named!(Front { Page = "page", Terminal = "terminal" });

impl Held {
    /// Returns the reason, in English, for the log.
    pub const fn why(self) -> &'static str {
        match self {
            Self::Unanswered => "waits whether the request is answered",
            Self::Quiet => "waits for the end of the quiet hours",
        }
    }
}

impl Skipped {
    /// Returns the reason, in English, for the log.
    pub const fn why(self) -> &'static str {
        match self {
            Self::Ended => "the request had ended",
            Self::InFront(Front::Page) => "the page was in front of somebody",
            Self::InFront(Front::Terminal) => "approvals watch was open in a terminal",
        }
    }
}

impl Plan {
    /// Returns a plan that shows this much and sends at once.
    pub fn at_once(detail: Detail) -> Self {
        Self { detail, after: Duration::ZERO, skip_if: Vec::new(), through_quiet: None }
    }

    /// Returns the plan of a channel that two routes lead to. Whatever one of them sends is sent, and it is sent as early
    /// and shows as much as the more generous one says.
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        self.detail = self.detail.max(other.detail);
        self.after = self.after.min(other.after);
        self.skip_if.retain(|front| other.skip_if.contains(front));
        // The least priority is the most generous; `None` is the least generous.
        self.through_quiet = match (self.through_quiet, other.through_quiet) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        self
    }

    /// Decides what happens to a notice about an occurrence.
    pub fn decide(&self, occurrence: &Occurrence, facts: &Facts<'_>) -> Decision {
        if occurrence.event == EventKind::Message {
            return Decision::Send;
        }
        if facts.has_ended && can_end(occurrence.event) {
            return Decision::Skip(Skipped::Ended);
        }
        let after_ms = u64::try_from(self.after.min(LONGEST_WAIT).as_millis()).unwrap_or_default();
        let due_ms = occurrence.at_ms.saturating_add(after_ms);
        // A clock that was set back holds nothing for longer than was asked.
        if can_end(occurrence.event) && facts.now_ms < due_ms && due_ms - facts.now_ms <= after_ms {
            return Decision::Hold(Held::Unanswered, due_ms);
        }
        if let Some(front) = self.skip_if.iter().find(|front| facts.fronts.contains(front)) {
            return Decision::Skip(Skipped::InFront(*front));
        }
        let passes = self.through_quiet.is_some_and(|least| Priority::of(occurrence) >= least);
        match facts.quiet_until_ms.filter(|_| !passes) {
            Some(until_ms) => Decision::Hold(Held::Quiet, until_ms),
            None => Decision::Send,
        }
    }
}

/// Returns whether the event is about a request that can still be answered.
pub fn can_end(event: EventKind) -> bool {
    event == EventKind::RequestAsked
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const AT: u64 = 1_000_000;

    fn plan() -> Plan {
        Plan { after: Duration::from_secs(5), skip_if: vec![Front::Page], ..Plan::at_once(Detail::Normal) }
    }

    #[test]
    fn a_notice_is_sent_held_or_skipped_by_what_is_known() {
        let asked = Occurrence::new(EventKind::RequestAsked, "1".into(), AT);
        let stop = Occurrence::new(EventKind::Stop, "1".into(), AT);
        let message = Occurrence::new(EventKind::Message, "1".into(), AT);
        let now = Facts { now_ms: AT, ..Facts::default() };
        let later = Facts { now_ms: AT + 5_000, ..now };
        let (page, terminal) = (&[Front::Page][..], &[Front::Terminal][..]);
        let quiet = Some(AT + 99_000);
        let through = |least| Plan { through_quiet: Some(least), ..plan() };
        for (name, plan, occurrence, facts, decision) in [
            ("asked", plan(), &asked, now, Decision::Hold(Held::Unanswered, AT + 5_000)),
            ("not answered", plan(), &asked, later, Decision::Send),
            ("answered", plan(), &asked, Facts { has_ended: true, ..later }, Decision::Skip(Skipped::Ended)),
            ("another event never waits", plan(), &stop, now, Decision::Send),
            ("page", plan(), &stop, Facts { fronts: page, ..now }, Decision::Skip(Skipped::InFront(Front::Page))),
            ("terminal is not named", plan(), &stop, Facts { fronts: terminal, ..now }, Decision::Send),
            ("quiet", plan(), &stop, Facts { quiet_until_ms: quiet, ..now }, Decision::Hold(Held::Quiet, AT + 99_000)),
            (
                "not urgent enough",
                through(Priority::Failure),
                &stop,
                Facts { quiet_until_ms: quiet, ..now },
                Decision::Hold(Held::Quiet, AT + 99_000),
            ),
            ("urgent", through(Priority::Done), &stop, Facts { quiet_until_ms: quiet, ..now }, Decision::Send),
            ("urgent", through(Priority::Failure), &asked, Facts { quiet_until_ms: quiet, ..later }, Decision::Send),
            (
                "a person's own text",
                plan(),
                &message,
                Facts { quiet_until_ms: quiet, fronts: page, ..now },
                Decision::Send,
            ),
            // The clock was set back by a minute: the time is over.
            ("clock", plan(), &asked, Facts { now_ms: AT - 60_000, ..now }, Decision::Send),
        ] {
            assert_eq!(plan.decide(occurrence, &facts), decision, "{name}");
        }
    }

    #[test]
    fn two_routes_to_one_channel_send_what_either_of_them_sends() {
        let other = Plan {
            detail: Detail::Minimal,
            after: Duration::from_secs(9),
            skip_if: vec![Front::Terminal],
            through_quiet: Some(Priority::Failure),
        };
        let both = Plan { skip_if: Vec::new(), through_quiet: Some(Priority::Failure), ..plan() };
        assert_eq!(plan().or(&other), both);
        assert_eq!(other.or(&plan()), both);
    }

    fn plans() -> impl Strategy<Value = Plan> {
        let fronts = proptest::sample::subsequence(Front::ALL.to_vec(), 0..=2);
        let through = proptest::option::of(proptest::sample::select(Priority::ALL.to_vec()));
        (0..100_u64, fronts, through, 0..3_usize).prop_map(|(after, skip_if, through_quiet, detail)| Plan {
            detail: Detail::ALL[detail],
            after: Duration::from_secs(after),
            skip_if,
            through_quiet,
        })
    }

    proptest! {
        #[test]
        fn a_further_route_never_makes_a_channel_miss_or_delay_a_notice(
            one in plans(), two in plans(), event in 0..EventKind::ROUTABLE.len(), passed in 0..200_000_u64,
            quiet in proptest::option::of(1..LONGEST_HOLD_MS), page: bool, terminal: bool, has_ended: bool
        ) {
            let occurrence = Occurrence::new(EventKind::ROUTABLE[event], "1".into(), AT);
            let fronts: Vec<Front> = Front::ALL.into_iter().zip([page, terminal]).filter(|(_, is)| *is)
                .map(|(front, _)| front).collect();
            let now_ms = AT + passed;
            let facts = Facts { now_ms, quiet_until_ms: quiet.map(|left| now_ms + left), fronts: &fronts, has_ended };
            let (first, both) = (one.decide(&occurrence, &facts), one.clone().or(&two).decide(&occurrence, &facts));
            match (first, both) {
                (Decision::Send, both) => prop_assert_eq!(both, Decision::Send),
                (Decision::Hold(Held::Unanswered, _), _) => {}
                (Decision::Hold(Held::Quiet, until), Decision::Hold(_, earlier)) => prop_assert!(earlier <= until),
                (Decision::Hold(..), both) => prop_assert_eq!(both, Decision::Send),
                (Decision::Skip(_), _) => {}
            }
            if let Decision::Hold(_, until) = first {
                prop_assert!(until > now_ms && until - now_ms <= LONGEST_HOLD_MS);
            }
        }
    }
}
