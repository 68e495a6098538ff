//! Hands events that have a route to the gateway, or leaves them in the spool for the next one. A hook never sends a
//! notice itself.
//!
//! | condition | what happens |
//! |---|---|
//! | no state directory, no `[notify]`, no route for the event | nothing |
//! | a gateway accepts it within a second | it is on the gateway's disk |
//! | no gateway, `DMPLZ_GATEWAY=off`, or one that does not accept it | it is left in the spool |
//!
//! A failure is one line on stderr, and has no other effect.

use std::time::{Duration, Instant};

use anyhow::Context;
use dmplz_core::claude::{HookInput, occurrence};
use dmplz_core::notify::{EventKind, Occurrence};
use dmplz_protocol::client::Client;
use dmplz_protocol::notify::NotifyHappened;
use dmplz_state::{Spool, StateDir};
use uuid::Uuid;

use super::environment;
use crate::notify::settings::NotifySettings;
use crate::{gateway, settings, time, trouble};

/// How long the gateway may take. The client gives a SessionEnd hook 1.5 s.
const SOON: Duration = Duration::from_secs(1);

/// Reports the event, if a route is for it.
pub(super) fn report(input: &HookInput, stdin: &[u8]) {
    let event = EventKind::routable(&input.hook_event_name).filter(|event| event.is_of_client());
    if let Some(event) = event {
        trouble::report(handed_over(event, stdin).context("an event is not sent to its channels"));
    }
}

fn handed_over(event: EventKind, stdin: &[u8]) -> anyhow::Result<()> {
    let dir = settings::state_dir(&environment)?;
    let Some(state) = StateDir::find(&dir)? else { return Ok(()) };
    let routing = NotifySettings::load(&dir, &environment)?.routing;
    if !routing.wants(event) {
        return Ok(());
    }
    let id = Uuid::new_v4();
    let Some(occurrence) = occurrence(stdin, id.to_string(), time::now_ms())? else { return Ok(()) };
    let Some(detail) = routing.most(&occurrence) else { return Ok(()) };
    let occurrence = occurrence.for_detail(detail);
    if is_taken(&state, &occurrence) {
        return Ok(());
    }
    let text = serde_json::to_string(&occurrence)?;
    Ok(Spool::new(&state).leave(occurrence.at_ms, &id.to_string(), &text)?)
}

fn is_taken(state: &StateDir, occurrence: &Occurrence) -> bool {
    if environment("DMPLZ_GATEWAY").is_some_and(|value| value.trim() == "off") {
        return false;
    }
    let Ok(mut client) = Client::connect(&gateway::socket(state.path())) else { return false };
    let told = NotifyHappened { occurrence: occurrence.clone() };
    client.call(&told, Some(Instant::now() + SOON)).is_ok()
}
