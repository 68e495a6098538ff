//! Grants of dmplz. A hook stores a grant once the client has the approval that carries it, so that no grant outlives an
//! approval that never arrived, whatever ends the hook in between. The grants of a session end with it.
//! [`dmplz_core::grant`] defines grants.

use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use dmplz_core::approvers::Answerer;
use dmplz_core::claude::HookInput;
use dmplz_core::grant::change::Over;
use dmplz_core::grant::{Change, Covers, Grant};
use dmplz_core::request::{ApprovalScope, Outcome, Term};
use dmplz_state::{Dropped, Grants, StateDir};
use uuid::Uuid;

use crate::grants::tell;
use crate::{time, trouble};

/// What happened to the grant that an approval carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// The approval carries no grant, or the client did not take it.
    None,
    /// The grant is in force.
    Yes,
    /// The grant could not be stored: this call is allowed, since a person allowed it, but the next one is asked.
    No,
}

/// The result of storing a grant, and its entry for the log.
pub(crate) struct Keeping {
    kept: Kept,
    changes: Vec<Change>,
}

/// Stores the grant that an approval carries, if the client took it.
pub(crate) fn keep(
    outcome: &Outcome,
    grantable: Option<&Covers>,
    input: &HookInput,
    request_id: &str,
    state: &Path,
    taken: bool,
) -> Keeping {
    let (Outcome::Approved { by, scope: ApprovalScope::Granted { term } }, true) = (outcome, taken) else {
        return Keeping { kept: Kept::None, changes: Vec::new() };
    };
    let written = write(*term, by.answerer().clone(), grantable.cloned(), input, request_id, state);
    match trouble::report(written.context("the grant cannot be kept, so only this call is allowed")) {
        Some(changes) => Keeping { kept: Kept::Yes, changes },
        None => Keeping { kept: Kept::No, changes: Vec::new() },
    }
}

impl Keeping {
    /// Writes the log entry.
    pub(crate) fn tell(self, state: &Path) -> Kept {
        tell(&self.changes, state);
        self.kept
    }
}

/// Revokes the grant of an approval that the client did not take. Returns the change to report.
pub(crate) fn taken_back(request_id: &str, state: &Path) -> Vec<Change> {
    let dropped = trouble::report(take_back(request_id, state)).unwrap_or_default();
    dropped.changes(|grant| Change::ended(grant, Over::NotTaken))
}

fn take_back(request_id: &str, state: &Path) -> anyhow::Result<Dropped> {
    Ok(Grants::of(&StateDir::open(state)?).revoke(|grant| grant.request_id == request_id, time::both_clocks())?)
}

/// Ends the grants of a session that is over.
pub(crate) fn end_session(state: &StateDir, session: &str) {
    let dropped = trouble::report(Grants::of(state).end_session(session, time::both_clocks())).unwrap_or_default();
    tell(&dropped.changes(|grant| Change::ended(grant, Over::Session)), state.path());
}

fn write(
    term: Term,
    by: Answerer,
    covers: Option<Covers>,
    input: &HookInput,
    request_id: &str,
    state: &Path,
) -> anyhow::Result<Vec<Change>> {
    let covers = covers.ok_or_else(|| anyhow!("what no rule may allow cannot be granted"))?;
    let session = match term {
        Term::HalfHour => None,
        Term::Session => Some(input.session_id.clone()),
    };
    ensure!(session.as_deref() != Some(""), "no grant can be kept for a session that has no name");
    let (id, now) = (Uuid::new_v4().simple().to_string(), time::both_clocks());
    let grant = Grant::new(id, session, (covers, input.cwd.clone()), by, request_id.to_owned(), now);
    let dropped = Grants::of(&StateDir::open(state)?).add(&grant, now)?;
    let mut changes = dropped.changes(|grant| Change::ended(grant, Over::Expired));
    changes.push(Change::made(&grant));
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use dmplz_core::request::{End, Resolution};
    use serde_json::json;

    use super::*;

    #[test]
    fn a_grant_is_kept_only_with_an_approval_that_the_client_took() {
        let home = tempfile::tempdir().unwrap();
        let state = home.path().join("state");
        let approved = Resolution {
            outcome: End::ApprovedGranted,
            by: Some(Answerer { surface: "web".into(), id: "Ann".into(), name: "Ann".into() }),
            scope: Some(ApprovalScope::Granted { term: Term::HalfHour }),
            reason: None,
            reason_source: None,
            cause: None,
            rule: None,
        };
        let outcome = approved.outcome().unwrap();
        let covers = Covers::Command { tool: "Bash".into(), digest: "d".into(), shown: "git push".into() };
        let input = json!({ "hook_event_name": "PermissionRequest", "session_id": "s1", "cwd": "/home/ann" });
        let input = HookInput::parse(input.to_string().as_bytes()).unwrap();
        for (taken, kept) in [(false, Kept::None), (true, Kept::Yes)] {
            let keeping = keep(&outcome, Some(&covers), &input, "r1", &state, taken);
            assert_eq!((keeping.kept, keeping.changes.len()), (kept, usize::from(taken)));
            assert_eq!(state.join("grants.json").exists(), taken);
        }
    }
}
