//! `[[notify.routes]]`: which events go to which channels, how much of them is shown, and when.

use std::collections::BTreeMap;
use std::time::Duration;

use dmplz_core::notify::{Detail, EventKind, Front, Plan, Priority, Route, plan};
use toml::Table;

use super::channel::Channel;
use super::fields::{Wrong, one_of, only, text, texts};
use crate::duration::{self, Unit};

/// Reads a route to some of these channels.
pub(super) fn read(table: &Table, place: &str, channels: &BTreeMap<String, Channel>) -> Result<Route, Wrong> {
    only(table, place, &["events", "only", "to", "detail", "after", "skip_if", "through_quiet"])?;
    let mut events = Vec::new();
    for name in texts(table, "events", place)? {
        let event = EventKind::routable(&name).ok_or_else(|| {
            let known: Vec<&str> = EventKind::ROUTABLE.iter().map(|event| event.name()).collect();
            Wrong::at(place, &format!("names the event {name:?}, which is none of: {}", known.join(", ")))
                .about("events")
        })?;
        events.push(event);
    }
    let to = texts(table, "to", place)?;
    if let Some(unknown) = to.iter().find(|name| !channels.contains_key(*name)) {
        return Err(Wrong::at(place, &format!("leads to {unknown:?}, which is no channel")).about("to"));
    }
    if events.is_empty() || to.is_empty() {
        let key = if events.is_empty() { "events" } else { "to" };
        return Err(Wrong::at(place, "needs \"events\" and \"to\", each a list with at least one name").about(key));
    }
    let detail = match text(table, "detail", place)? {
        None => Detail::default(),
        Some(name) => one_of(&Detail::ALL, Detail::name, &name, "detail", place)?,
    };
    let closed = |name: &&String| channels.get(*name).is_some_and(|channel| !channel.verbose);
    if let Some(closed) = to.iter().find(closed).filter(|_| detail == Detail::Verbose) {
        let wrong = format!(
            "sends content to {closed:?}, which may hold secrets that no mask knows: set verbose = true in that channel, or \
             another detail here"
        );
        return Err(Wrong::at(place, &wrong).about("detail"));
    }
    let after = after(table, place, &events)?;
    let is_terminal = |name: &&String| channels.get(*name).is_some_and(|channel| channel.service.is_terminal());
    if let Some(terminal) = to.iter().find(is_terminal) {
        if let Some(event) = events.iter().find(|event| !event.is_of_client()) {
            let wrong = format!(
                "leads {event} to {terminal:?}, and a terminal shows only events of Claude Code: when it asks, that is Notification"
            );
            return Err(Wrong::at(place, &wrong).about("to"));
        }
        if table.contains_key("skip_if") {
            let wrong = format!(
                "has \"skip_if\", and {terminal:?} is notified by a hook, which sees neither page nor terminal"
            );
            return Err(Wrong::at(place, &wrong).about("skip_if"));
        }
    }
    let through_quiet = text(table, "through_quiet", place)?;
    let through_quiet =
        through_quiet.map(|name| one_of(&Priority::ALL, Priority::name, &name, "through_quiet", place)).transpose()?;
    let skip_if = texts(table, "skip_if", place)?;
    let skip_if = skip_if.iter().map(|name| one_of(&Front::ALL, Front::name, name, "skip_if", place));
    let skip_if = skip_if.collect::<Result<_, _>>()?;
    let plan = Plan { detail, after, skip_if, through_quiet };
    Ok(Route { events, only: texts(table, "only", place)?, to, plan })
}

/// Returns how long a route waits for an answer, which only requests can get.
fn after(table: &Table, place: &str, events: &[EventKind]) -> Result<Duration, Wrong> {
    let Some(text) = text(table, "after", place)? else { return Ok(Duration::ZERO) };
    if let Some(event) = events.iter().find(|event| !plan::can_end(**event)) {
        let wrong =
            format!("has \"after\", and {event} is answered by nobody: only RequestAsked can wait for an answer");
        return Err(Wrong::at(place, &wrong).about("after"));
    }
    let after = duration::read(&text, Unit::SECOND).filter(|after| !after.is_zero() && *after <= plan::LONGEST_WAIT);
    after.ok_or_else(|| {
        Wrong::at(place, "has an \"after\" that is no time from 1s to 1d, such as 90s or 5m").about("after")
    })
}
