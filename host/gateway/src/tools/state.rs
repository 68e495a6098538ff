//! The states of an invocation, as a pure function.
//!
//! ```text
//! awaiting_approval ─ allowed ──────────────────────▶ running ─ exited with 0 ─────────────────────▶ succeeded
//!         │         ─ denied ─▶ forbidden                │    ─ exited otherwise, killed, out of time ▶ failed
//!         │         ─ nobody answered ─▶ expired         │    ─ could not start, stopped, gateway ended ▶ failed
//!         └─ stopped, gateway ended ─▶ failed            └─ the binding has changed ─▶ forbidden
//! ```
//!
//! Nothing else changes a state, and a final state never changes. If nobody answers, the state is `expired` and not
//! `forbidden`: silence is no denial by a person, and never an allow.
//!
//! **Invariant:** `running` is reached only by [`Event::Allowed`], which holds the authority that allowed it.

use dmplz_core::approvers::Approver;
use dmplz_core::request::{Decision, ExpiredCause, Outcome, Resolver};
use dmplz_policy::{Permit, Ruled};
use dmplz_protocol::tool::{Code, Fault, State};

/// The authority behind an allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Authority {
    /// A person who may answer.
    Person(Approver),
    /// A rule that a person wrote.
    Rule(Permit),
}

/// What can happen to an invocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// A person or a rule allowed it.
    Allowed(Authority),
    /// A person or a rule denied it, nobody answered, or it cannot run.
    Refused(State, Fault),
    /// Its process ended by itself.
    Exited {
        /// The exit code of a process that exited.
        code: Option<i32>,
        /// The signal of a process that was killed.
        signal: Option<i32>,
    },
}

impl Event {
    /// Returns the event for the invocation when its request has ended.
    pub(super) fn of(outcome: &Outcome) -> Self {
        let refused = |state, code, message: String| Self::Refused(state, Fault { code, message });
        match (outcome.decision(false), outcome) {
            (Decision::Allow { by, .. }, _) => Self::Allowed(Authority::Person(by)),
            (Decision::Deny { message }, _) => refused(State::Forbidden, Code::Forbidden, message),
            (Decision::None, Outcome::Expired(ExpiredCause::Failed(why))) => {
                refused(State::Expired, Code::Expired, format!("Nobody could be asked, so it was not run: {why}"))
            }
            (Decision::None, Outcome::ResolvedElsewhere(Resolver::Stopped | Resolver::ClientGone)) => {
                refused(State::Failed, Code::Cancelled, "It was stopped before anybody allowed it.".to_owned())
            }
            (Decision::None, _) => {
                let told = "Nobody answered in time, so it was not run. No user rejected it.";
                refused(State::Expired, Code::Expired, told.to_owned())
            }
        }
    }

    /// Returns the event for the invocation when a rule has decided.
    pub(super) fn ruled(ruled: &Ruled) -> Self {
        match ruled {
            Ruled::Allowed(by) => Self::Allowed(Authority::Rule(by.clone())),
            Ruled::Denied(denial) => {
                Self::Refused(State::Forbidden, Fault { code: Code::Forbidden, message: denial.told() })
            }
        }
    }

    pub(super) fn fault(code: Code, message: impl Into<String>) -> Self {
        let state = if code == Code::Mismatch { State::Forbidden } else { State::Failed };
        Self::Refused(state, Fault { code, message: message.into() })
    }
}

/// Returns the next state, and the fault if there is one. `None` if the event changes nothing.
pub(super) fn step(state: State, event: &Event) -> Option<(State, Option<Fault>)> {
    let fault = |code, message| Some(Fault { code, message });
    match (state, event) {
        (State::AwaitingApproval, Event::Allowed(_)) => Some((State::Running, None)),
        (State::AwaitingApproval | State::Running, Event::Refused(end, why)) if end.is_final() => {
            Some((*end, Some(why.clone())))
        }
        (State::Running, Event::Exited { code: Some(0), .. }) => Some((State::Succeeded, None)),
        (State::Running, Event::Exited { code: Some(code), .. }) => {
            Some((State::Failed, fault(Code::Exit, format!("It exited with code {code}."))))
        }
        (State::Running, Event::Exited { code: None, signal }) => {
            let which = signal.map_or_else(|| "a signal".to_owned(), |signal| format!("signal {signal}"));
            Some((State::Failed, fault(Code::Signal, format!("It was killed by {which}."))))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use dmplz_core::approvers::Approvers;
    use dmplz_core::messenger::User;
    use dmplz_core::request::ReasonSource;

    use super::State::{AwaitingApproval, Expired, Failed, Forbidden, Running, Succeeded};
    use super::*;

    const STATES: [State; 6] = [AwaitingApproval, Running, Succeeded, Failed, Forbidden, Expired];

    fn allowed() -> Event {
        let user = User { id: "owner".into(), name: "Ada".into(), is_bot: false };
        Event::of(&Outcome::Approved {
            by: Approvers::owner("web", "owner").admit(&user).unwrap(),
            scope: dmplz_core::request::ApprovalScope::Once,
        })
    }

    #[test]
    fn every_state_goes_where_the_table_says() {
        let exited = |code, signal| Event::Exited { code, signal };
        let denied = Event::Refused(Forbidden, Fault { code: Code::Forbidden, message: "no".into() });
        let late = Event::of(&Outcome::Expired(ExpiredCause::Nobody));
        let table = [
            (allowed(), [Some(Running), None]),
            (denied, [Some(Forbidden), Some(Forbidden)]),
            (late, [Some(Expired), Some(Expired)]),
            (Event::fault(Code::Mismatch, ""), [Some(Forbidden), Some(Forbidden)]),
            (Event::fault(Code::Cancelled, ""), [Some(Failed), Some(Failed)]),
            (exited(Some(0), None), [None, Some(Succeeded)]),
            (exited(Some(1), None), [None, Some(Failed)]),
            (exited(None, Some(9)), [None, Some(Failed)]),
            (Event::Refused(Running, Fault { code: Code::Exit, message: String::new() }), [None, None]),
        ];
        for (event, expected) in table {
            let found = STATES.map(|state| step(state, &event).map(|(next, _)| next));
            assert_eq!(found, [expected[0], expected[1], None, None, None, None], "{event:?}");
        }
    }

    #[test]
    fn only_an_allow_starts_anything() {
        let gone = [Resolver::Terminal, Resolver::Stopped, Resolver::ClientGone].map(Outcome::ResolvedElsewhere);
        let nobody = [ExpiredCause::Nobody, ExpiredCause::Failed(dmplz_core::request::Trouble::Other("net".into()))]
            .map(Outcome::Expired);
        for outcome in gone.iter().chain(&nobody) {
            let (state, fault) = step(AwaitingApproval, &Event::of(outcome)).unwrap();
            assert!(state.is_final() && fault.is_some(), "{outcome:?}");
        }
    }

    #[test]
    fn a_denial_carries_its_reason() {
        let user = User { id: "owner".into(), name: "Ada".into(), is_bot: false };
        let by = Approvers::owner("web", "owner").admit(&user).unwrap();
        for (outcome, message) in [
            (
                Outcome::RejectedWithReason { by: by.clone(), reason: "not to main".into(), instead: false },
                "User rejected the request. Reason: not to main",
            ),
            (
                Outcome::RejectedNoReason { by, source: ReasonSource::Timeout },
                "User rejected the request. (No reason provided: timeout)",
            ),
        ] {
            let told = step(AwaitingApproval, &Event::of(&outcome));
            let fault = Fault { code: Code::Forbidden, message: message.into() };
            assert_eq!(told, Some((Forbidden, Some(fault))));
        }
    }
}
