//! Hands events that have a route to the gateway, or leaves them in the spool for the next one. A hook never sends a
//! notice itself. Only the terminal that it runs for is notified by its output.
//!
//! | condition | what happens |
//! |---|---|
//! | no state directory, no `[notify]`, no route for the event | nothing |
//! | a route to a channel of the type `terminal` | the output asks the client to show it at its terminal |
//! | a gateway accepts it within a second | it is on the gateway's disk |
//! | no gateway, `DMPLZ_GATEWAY=off`, or one that does not accept it | it is left in the spool |
//!
//! A failure is one line on stderr, and has no other effect.

use std::time::Duration;

use anyhow::Context;
use dmplz_core::claude::{HookInput, occurrence};
use dmplz_core::notify::{Decision, EventKind, Facts, Occurrence, Plan, Sequence};
use dmplz_protocol::notify::NotifyHappened;
use dmplz_state::{Spool, StateDir};
use serde_json::json;
use uuid::Uuid;

use super::environment;
use super::gateway::Reporting;
use crate::notify::settings::{NotifySettings, Service};
use crate::{settings, time, trouble};

/// How long the gateway may take. The client gives a SessionEnd hook 1.5 s.
const SOON: Duration = Duration::from_secs(1);

/// Reports the event, if a route is for it.
pub(super) fn report(input: &HookInput, stdin: &[u8], gateway: &mut Reporting) {
    let event = EventKind::routable(&input.hook_event_name).filter(|event| event.is_of_client());
    if let Some(event) = event {
        trouble::report(routed(event, stdin, gateway).context("an event is not sent to its channels"));
    }
}

fn routed(event: EventKind, stdin: &[u8], gateway: &mut Reporting) -> anyhow::Result<()> {
    let dir = settings::state_dir(&environment)?;
    let Some(state) = StateDir::find(&dir)? else { return Ok(()) };
    let notify = NotifySettings::load(&dir, &environment)?;
    if !notify.routing.wants(event) {
        return Ok(());
    }
    let id = Uuid::new_v4();
    let Some(occurrence) = occurrence(stdin, id.to_string(), time::now_ms())? else { return Ok(()) };
    let (at_terminal, at_gateway): (Vec<_>, Vec<_>) =
        notify.routing.channels(&occurrence).into_iter().partition(|(name, _)| notify.is_terminal(name));
    let shown = show(&notify, at_terminal, &occurrence);
    trouble::report(shown.context("an event is not shown at the terminal"));
    let Some(detail) = at_gateway.iter().map(|(_, plan)| plan.detail).max() else { return Ok(()) };
    let occurrence = occurrence.for_detail(detail);
    let told = NotifyHappened { occurrence };
    if gateway.call(&state, &told, SOON).is_some_and(|answer| answer.is_ok()) {
        return Ok(());
    }
    let NotifyHappened { occurrence } = told;
    let text = serde_json::to_string(&occurrence)?;
    Ok(Spool::new(&state).leave(occurrence.at_ms, &id.to_string(), &text)?)
}

/// Has the client's terminal show the event, if a route leads there. In quiet hours nothing is shown, also not later.
fn show(notify: &NotifySettings, plans: Vec<(&str, Plan)>, occurrence: &Occurrence) -> anyhow::Result<()> {
    if plans.is_empty() {
        return Ok(());
    }
    let now_ms = time::now_ms();
    let quiet_until_ms = notify.quiet()?.and_then(|(quiet, zone)| quiet.until(now_ms, &zone));
    let facts = Facts { now_ms, quiet_until_ms, ..Facts::default() };
    let lang = settings::language();
    let mut sequences = String::new();
    for (name, plan) in plans {
        let Some(channel) = notify.channels.get(name) else { continue };
        let Service::Terminal(sequence) = channel.service else { continue };
        if plan.decide(occurrence, &facts) == Decision::Send {
            let notice = channel.notice(occurrence, plan.detail, lang, now_ms);
            let sequence = sequence.unwrap_or_else(|| Sequence::of_terminal(&environment));
            sequences.push_str(&sequence.write(&notice, lang, &environment));
        }
    }
    if !sequences.is_empty() {
        super::say(&json!({ "terminalSequence": sequences }))?;
    }
    Ok(())
}
