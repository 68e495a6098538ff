//! Grants of dmplz. A grant is stored before the client receives the approval that carries it, and the grants of a
//! session end with it. The result is logged after the client has its answer. [`dmplz_core::grant`] defines grants.

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
    /// The approval carries no grant.
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

/// Stores the grant that an approval carries.
pub(crate) fn keep(
    outcome: &Outcome,
    grantable: Option<&Covers>,
    input: &HookInput,
    request_id: &str,
    state: &Path,
) -> Keeping {
    let Outcome::Approved { by, scope: ApprovalScope::Granted { term } } = outcome else {
        return Keeping { kept: Kept::None, changes: Vec::new() };
    };
    let written = write(*term, by.answerer().clone(), grantable.cloned(), input, request_id, state);
    match trouble::report(written.context("the grant cannot be kept, so only this call is allowed")) {
        Some(changes) => Keeping { kept: Kept::Yes, changes },
        None => Keeping { kept: Kept::No, changes: Vec::new() },
    }
}

impl Keeping {
    /// Settles the grant after the client took the decision or did not: it stays only with an approval that was
    /// taken.
    pub(crate) fn settle(mut self, taken: bool, request_id: &str, state: &Path) -> Self {
        if taken {
            return self;
        }
        if self.kept == Kept::Yes {
            self.changes.extend(taken_back(request_id, state));
        }
        Self { kept: Kept::None, ..self }
    }

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
