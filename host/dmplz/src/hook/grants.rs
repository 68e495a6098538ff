//! Grants of our own: one is written before the client hears of the approval that it goes with, and those of a session end
//! with it. What a grant is: [`dmplz_core::policy::grant`].

use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use dmplz_core::claude::HookInput;
use dmplz_core::flow::{Extent, Outcome, Term};
use dmplz_core::policy::{Covers, Grant};
use dmplz_core::resolution::Answerer;
use dmplz_state::{Grants, StateDir};
use uuid::Uuid;

use super::ask;
use super::rules::Ruling;
use crate::time;

/// What became of the grant that an approval carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// It carries none.
    None,
    /// It counts from now on.
    Yes,
    /// It could not be written: the call is allowed, since a person allowed it, and the next one is asked.
    No,
}

/// Keeps the grant that an approval carries. `surface` is where it was pressed.
pub(super) fn keep(
    outcome: &Outcome,
    ruling: &Ruling,
    input: &HookInput,
    request_id: &str,
    surface: &str,
    state: &Path,
) -> Kept {
    let Outcome::Approved { by, extent: Extent::Granted { term } } = outcome else { return Kept::None };
    let by = Answerer { surface: surface.to_owned(), id: by.id().to_owned(), name: by.name().to_owned() };
    let kept = write(*term, by, ruling.grantable.clone(), input, request_id, state);
    match ask::report(kept.context("keep the grant, so only this call is allowed")) {
        Some(()) => Kept::Yes,
        None => Kept::No,
    }
}

/// What has become of it once the client took the decision or did not: a grant goes with an approval that was taken.
pub(super) fn settle(kept: Kept, taken: bool, request_id: &str, state: &Path) -> Kept {
    if taken {
        return kept;
    }
    if kept == Kept::Yes {
        ask::report(take_back(request_id, state));
    }
    Kept::None
}

fn take_back(request_id: &str, state: &Path) -> anyhow::Result<()> {
    Grants::of(&StateDir::open(state)?).revoke(|grant| grant.request_id == request_id, time::both_clocks())?;
    Ok(())
}

/// The session is over, and its grants with it.
pub(super) fn end_session(state: &StateDir, session: &str) {
    ask::report(Grants::of(state).end_session(session, time::both_clocks()));
}

fn write(
    term: Term,
    by: Answerer,
    covers: Option<Covers>,
    input: &HookInput,
    request_id: &str,
    state: &Path,
) -> anyhow::Result<()> {
    let covers = covers.ok_or_else(|| anyhow!("grant what no rule may allow"))?;
    let session = match term {
        Term::HalfHour => None,
        Term::Session => Some(input.session_id.clone()),
    };
    ensure!(session.as_deref() != Some(""), "grant for a session that has no name");
    let (id, now) = (Uuid::new_v4().simple().to_string(), time::both_clocks());
    let grant = Grant::new(id, session, (covers, input.cwd.clone()), by, request_id.to_owned(), now);
    Ok(Grants::of(&StateDir::open(state)?).add(&grant, now)?)
}
