//! `dmplz notify list`.

use std::collections::BTreeMap;

use dmplz_core::notify;
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_protocol::notify::settings::{Channel, Route};
use dmplz_state::Spool;
use dmplz_state::store::ChannelRow;
use serde::Serialize;

use super::Place;
use super::channels::{line, trouble};
use super::settings::{self, NotifySettings, Service, TERMINAL};
use crate::terminal::{OnlyJson, Paint, Tone, say, tell};
use crate::time;

/// All of it, for programs.
#[derive(Serialize)]
struct Report {
    /// No URL is shown, because that of a webhook is a secret.
    channels: Vec<Channel>,
    /// Events that wait for a gateway to be started.
    spooled: usize,
    /// The quiet hours, with their time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    quiet: Option<String>,
}

/// Shows them.
pub(super) fn run(args: &OnlyJson) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let rows = match place.store()? {
        Some(store) => store.reads().notice_channels()?,
        None => Vec::new(),
    };
    let channels = channels(&place.notify, rows);
    let spooled = place.state.as_ref().map(|state| Spool::new(state).len()).transpose()?.unwrap_or_default();
    let quiet = place.notify.quiet()?.map(|(quiet, zone)| match zone.iana_name() {
        Some(name) => format!("{quiet} {name}"),
        None => quiet.to_string(),
    });
    let report = Report { channels, spooled, quiet };
    tell(&report, args.json, |report, paint| report.text(place.lang, paint))
}

/// Returns the channels of the settings with their states, by their names.
pub(super) fn channels(notify: &NotifySettings, states: Vec<ChannelRow>) -> Vec<Channel> {
    let mut states: BTreeMap<String, ChannelRow> = states.into_iter().map(|row| (row.channel.clone(), row)).collect();
    let all = routes(notify);
    let listed = |(name, settings): (&String, &settings::Channel)| {
        listed(name, settings, &all, &states.remove(name).unwrap_or_default())
    };
    notify.channels.iter().map(listed).collect()
}

/// Returns the routes of the settings, in their order.
pub(super) fn routes(notify: &NotifySettings) -> Vec<Route> {
    let view = |(at, route): (usize, &notify::Route)| Route {
        number: at + 1,
        events: route.events.clone(),
        only: route.only.clone(),
        to: route.to.clone(),
        detail: route.plan.detail,
        after_ms: time::millis(route.plan.after),
        skip_if: route.plan.skip_if.clone(),
        through_quiet: route.plan.through_quiet.map(|least| least.name().to_owned()),
    };
    notify.routing.0.iter().enumerate().map(view).collect()
}

fn listed(name: &str, settings: &settings::Channel, routes: &[Route], row: &ChannelRow) -> Channel {
    let (mut messenger, mut chat, mut sequence) = (None, None, None);
    let (mut thread, mut username, mut avatar) = (None, None, None);
    match &settings.service {
        Service::Messenger { name, chat: to } => (messenger, chat) = (Some(name.clone()), to.clone()),
        Service::Discord { thread: to, username: by, avatar: face, .. } => {
            (thread, username, avatar) = (to.clone(), by.clone(), face.clone());
        }
        Service::Terminal(named) => sequence = named.map(|named| named.name().to_owned()),
        Service::Webhook { .. } | Service::Push | Service::Desktop => {}
    }
    let to_it = routes.iter().filter(|route| route.to.iter().any(|to| to == name));
    Channel {
        name: name.to_owned(),
        r#type: settings.service.name().to_owned(),
        messenger,
        chat,
        thread,
        username,
        avatar,
        sequence,
        template: settings.template_name.clone(),
        silent: settings.silent,
        verbose: settings.verbose,
        missing: settings.service.missing(name),
        routes: to_it.cloned().collect(),
        waiting: row.waiting,
        dead: row.dead,
        held: row.held,
        sent_ms: row.sent_ms,
        failing: trouble(row),
    }
}

fn text(channel: &Channel, lang: Lang, paint: Paint) -> String {
    let service = match &channel.messenger {
        Some(messenger) => format!("{} {}", channel.r#type, visible_line(messenger)),
        None => channel.r#type.clone(),
    };
    let mut text = format!("{}  {service}\n", paint.tone(Tone::Strong, &channel.name));
    for route in &channel.routes {
        let only = if route.only.is_empty() { String::new() } else { format!(" ({})", route.only.join(", ")) };
        let events: Vec<&str> = route.events.iter().map(|event| event.name()).collect();
        let (events, detail) = (events.join(", "), route.detail.name());
        let line = format!("{events}{} · {detail}{}", visible_line(&only), when(route));
        text.push_str(&format!("    {line}\n"));
    }
    if channel.routes.is_empty() {
        let none = say(lang, "이 채널로 가는 경로가 없습니다", "no route leads here");
        text.push_str(&format!("    {}\n", paint.tone(Tone::Faint, none)));
    }
    if !channel.missing.is_empty() {
        let words = say(
            lang,
            "여기서는 설정되지 않음 (dmplz serve의 환경에 있어야 함): {}",
            "not set here; dmplz serve needs it: {}",
        );
        let line = fill(words, &[&channel.missing.join(", ")]);
        text.push_str(&format!("    {}\n", paint.tone(Tone::Doubtful, &line)));
    }
    if channel.r#type == TERMINAL {
        let words = say(
            lang,
            "Claude Code의 터미널이 보여 주고, 기록은 남지 않음",
            "shown by the terminal of Claude Code, and not kept",
        );
        return format!("{text}    {words}\n");
    }
    let state = match (&channel.failing, channel.sent_ms) {
        (Some(failing), _) => paint.tone(Tone::Bad, &format!("✗ {}", line(failing, lang, time::now_ms()))),
        (None, Some(sent)) => {
            let words = say(lang, "마지막 전송 {}, 대기 {}", "last sent {}, {} waiting");
            fill(words, &[&time::moment(sent), &channel.waiting.to_string()])
        }
        (None, None) => {
            let words = say(lang, "아직 보낸 것 없음, 대기 {}", "nothing sent yet, {} waiting");
            fill(words, &[&channel.waiting.to_string()])
        }
    };
    let held = (channel.held > 0).then(|| {
        let words = say(lang, "    보류 중인 알림 {}개 (dmplz notify log)\n", "    {} held (dmplz notify log)\n");
        fill(words, &[&channel.held.to_string()])
    });
    format!("{text}    {state}\n{}", held.unwrap_or_default())
}

/// Returns when it sends, in the words of the settings; empty if at once.
fn when(route: &Route) -> String {
    let after = (route.after_ms > 0).then(|| format!(" · after {}s", route.after_ms / 1_000));
    let fronts: Vec<&str> = route.skip_if.iter().map(|front| front.name()).collect();
    let skip_if = (!fronts.is_empty()).then(|| format!(" · skip_if {}", fronts.join(", ")));
    let through = route.through_quiet.as_ref().map(|least| format!(" · through_quiet {least}"));
    [after, skip_if, through].into_iter().flatten().collect()
}

impl Report {
    fn text(&self, lang: Lang, paint: Paint) -> String {
        let mut text: String = self.channels.iter().map(|channel| text(channel, lang, paint)).collect();
        if self.channels.is_empty() {
            text.push_str(say(
                lang,
                "채널이 없어 아무것도 보내지 않습니다. docs/NOTIFICATIONS.ko.md를 봐 주세요.\n",
                "There is no channel, so nothing is sent. docs/NOTIFICATIONS.md shows how to begin.\n",
            ));
        }
        if let Some(quiet) = &self.quiet {
            text.push_str(&fill(say(lang, "방해 금지 시간: {}\n", "Quiet hours: {}\n"), &[quiet]));
        }
        if self.spooled > 0 {
            let words = say(
                lang,
                "게이트웨이를 기다리는 이벤트 {}개: dmplz serve를 시작해 주세요.",
                "Events that wait for the gateway: {}. Start dmplz serve.",
            );
            text.push_str(&format!("{}\n", paint.tone(Tone::Doubtful, &fill(words, &[&self.spooled.to_string()]))));
        }
        text
    }
}
