//! A hook in a session that the gateway runs. The client asks the gateway itself, so the hook stays silent, and
//! nobody is asked twice.
//!
//! The session's mark is an environment variable, which proves nothing: an agent may set it for processes that it
//! starts, and a project's settings for every session in it. So the hook is silent only under these conditions:
//!
//! | condition | why |
//! |---|---|
//! | the mark is the id of the session that the hook was started for | in another session the mark means nothing |
//! | a gateway answers, and runs a session of that id that has not ended | otherwise nobody would be asked |
//!
//! While a keeper runs the session, a gateway that was killed or updated is waited for: the next one asks about the same
//! call.
//!
//! In doubt the hook asks: asking twice is better than not asking. Silence is never an allow: the client then asks
//! the gateway or its terminal, or denies. Without the mark this costs one look-up in the environment.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use dmplz_core::claude::HookInput;
use dmplz_protocol::session::{GetSession, State};
use dmplz_runner::keeper::{MARK, SessionDir};
use uuid::Uuid;

use super::environment;
use crate::{gateway, settings};

/// The time limit for the gateway to say whether it runs the session.
const SOON: Duration = Duration::from_secs(1);
/// How long a gateway is waited for that does not answer, or does not know the session yet, while a keeper runs the session.
const RETURNS: Duration = Duration::from_secs(10);
/// How often it is tried meanwhile.
const AGAIN: Duration = Duration::from_millis(100);

/// Returns whether the gateway runs the session of this hook, so that the client asks it.
pub(super) fn asks_by_itself(input: &HookInput) -> bool {
    let Some(mark) = environment(MARK) else { return false };
    mark == input.session_id && Uuid::try_parse(&mark).is_ok_and(is_run)
}

fn is_run(id: Uuid) -> bool {
    let Ok(state) = settings::state_dir(&environment) else { return false };
    let (dir, until) = (SessionDir::of(&state, id), Instant::now() + RETURNS);
    loop {
        match state_of(&state, id) {
            None | Some(State::Starting) if dir.is_kept() && Instant::now() < until => sleep(AGAIN),
            known => return known.is_some_and(|state| !matches!(state, State::Starting | State::Ended)),
        }
    }
}

/// What the gateway says of the session; `None` if it does not answer, or does not know it.
fn state_of(state: &Path, id: Uuid) -> Option<State> {
    let mut client = gateway::connect(state).ok()?;
    let got = client.call(&GetSession { id }, Some(Instant::now() + SOON));
    Some(got.ok()?.session.state)
}
