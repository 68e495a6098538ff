//! `[[notify.routes]]`: which events go to which channels, how much of them is shown, and when.

use std::collections::BTreeMap;
use std::time::Duration;

use dmplz_core::notify::{Detail, EventKind, Front, Plan, Priority, Route, plan};
use toml::Table;

use super::channel::Channel;
use super::fields::{one_of, only, text, texts};
use super::wrong::Wrong;
use crate::duration::{self, Unit};
use crate::told::Phrase;

/// Reads a route to some of these channels.
pub(super) fn read(table: &Table, place: &Phrase, channels: &BTreeMap<String, Channel>) -> Result<Route, Wrong> {
    only(table, place, &["events", "only", "to", "detail", "after", "skip_if", "through_quiet"])?;
    let mut events = Vec::new();
    for name in texts(table, "events", place)? {
        let event = EventKind::routable(&name).ok_or_else(|| {
            let known: Vec<&str> = EventKind::ROUTABLE.iter().map(|event| event.name()).collect();
            Wrong::at(
                place,
                "없는 이벤트입니다: {}. 쓸 수 있는 것: {}",
                "names the event {}, which is none of: {}",
                &[&format!("{name:?}"), &known.join(", ")],
            )
            .about("events")
        })?;
        events.push(event);
    }
    let to = texts(table, "to", place)?;
    if let Some(unknown) = to.iter().find(|name| !channels.contains_key(*name)) {
        let (ko, en) = ("없는 채널로 보내려고 합니다: {}", "leads to {}, which is no channel");
        return Err(Wrong::at(place, ko, en, &[&format!("{unknown:?}")]).about("to"));
    }
    if events.is_empty() || to.is_empty() {
        let key = if events.is_empty() { "events" } else { "to" };
        let wrong = [
            "\"events\"와 \"to\"에 각각 이름을 하나 이상 적어 주세요",
            "needs \"events\" and \"to\", each a list with at least one name",
        ];
        return Err(Wrong::new(place, wrong.into()).about(key));
    }
    let detail = match text(table, "detail", place)? {
        None => Detail::default(),
        Some(name) => one_of(&Detail::ALL, Detail::name, &name, "detail", place)?,
    };
    let closed = |name: &&String| channels.get(*name).is_some_and(|channel| !channel.verbose);
    if let Some(closed) = to.iter().find(closed).filter(|_| detail == Detail::Verbose) {
        let ko = "내용까지 보내면 가려지지 않은 비밀이 섞일 수 있습니다: {}. 그 채널에 verbose = true를 적거나, 여기의 detail을 \
                  바꿔 주세요";
        let en = "sends content to {}, which may hold secrets that no mask knows: set verbose = true in that channel, or \
                  another detail here";
        return Err(Wrong::at(place, ko, en, &[&format!("{closed:?}")]).about("detail"));
    }
    let after = after(table, place, &events)?;
    let is_terminal = |name: &&String| channels.get(*name).is_some_and(|channel| channel.service.is_terminal());
    if let Some(terminal) = to.iter().find(is_terminal) {
        if let Some(event) = events.iter().find(|event| !event.is_of_client()) {
            let ko = "터미널 채널로 보낼 수 없는 이벤트입니다: {} → {}. 터미널에는 Claude Code의 이벤트만 알릴 수 있고, Claude \
                      Code가 물을 때의 이벤트는 Notification입니다";
            let en =
                "leads {} to {}, and a terminal shows only events of Claude Code: when it asks, that is Notification";
            return Err(Wrong::at(place, ko, en, &[&event.to_string(), &format!("{terminal:?}")]).about("to"));
        }
        if table.contains_key("skip_if") {
            let ko = "\"skip_if\"를 쓸 수 없는 채널로 보냅니다: {}. 이 채널은 훅이 알리는데, 훅은 누가 페이지나 터미널을 보고 \
                      있는지 모릅니다";
            let en = "has \"skip_if\", and {} is notified by a hook, which sees neither page nor terminal";
            return Err(Wrong::at(place, ko, en, &[&format!("{terminal:?}")]).about("skip_if"));
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
fn after(table: &Table, place: &Phrase, events: &[EventKind]) -> Result<Duration, Wrong> {
    let Some(text) = text(table, "after", place)? else { return Ok(Duration::ZERO) };
    if let Some(event) = events.iter().find(|event| !plan::can_end(**event)) {
        let ko =
            "아무도 답하지 않는 이벤트라 \"after\"를 쓸 수 없습니다: {}. 답을 기다릴 수 있는 것은 RequestAsked뿐입니다";
        let en = "has \"after\", and {} is answered by nobody: only RequestAsked can wait for an answer";
        return Err(Wrong::at(place, ko, en, &[&event.to_string()]).about("after"));
    }
    let after = duration::read(&text, Unit::SECOND).filter(|after| !after.is_zero() && *after <= plan::LONGEST_WAIT);
    after.ok_or_else(|| {
        let wrong = [
            "\"after\"에는 1s부터 1d까지의 시간을 적어 주세요. 예: 90s, 5m",
            "has an \"after\" that is no time from 1s to 1d, such as 90s or 5m",
        ];
        Wrong::new(place, wrong.into()).about("after")
    })
}
