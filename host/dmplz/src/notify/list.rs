//! `dmplz notify list`.

use std::collections::BTreeMap;

use dmplz_core::notify::{Detail, Front, Priority, Route};
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_state::Spool;
use dmplz_state::store::ChannelRow;
use serde::Serialize;

use super::settings::{Channel, Service};
use super::{Failing, Place};
use crate::settings::environment;
use crate::terminal::{Paint, Tone, say, show, show_json};
use crate::{exit, time};

/// The arguments of `list`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// JSON for programs
    #[arg(long)]
    json: bool,
}

/// All of it, for programs.
#[derive(Serialize)]
struct Report {
    channels: Vec<Listed>,
    /// Events that wait for a gateway to be started.
    spooled: usize,
    /// The quiet hours, with their time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    quiet: Option<String>,
}

/// A channel. No URL is shown, because that of a webhook is a secret.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    name: String,
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    messenger: Option<String>,
    verbose: bool,
    /// Variables that are set neither in the file nor in this environment.
    missing: Vec<String>,
    routes: Vec<Routed>,
    waiting: u64,
    dead: u64,
    /// Notices that wait for an answer, or for the end of the quiet hours.
    held: u64,
    /// When a notice was last sent, in Unix milliseconds.
    sent_ms: Option<u64>,
    failing: Option<Failing>,
}

/// A route to a channel.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Routed {
    events: Vec<&'static str>,
    only: Vec<String>,
    detail: Detail,
    /// How long to wait whether somebody answers, in milliseconds.
    #[serde(skip_serializing_if = "is_zero")]
    after_ms: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skip_if: Vec<Front>,
    #[serde(skip_serializing_if = "Option::is_none")]
    through_quiet: Option<Priority>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Routed {
    fn of(route: &Route) -> Self {
        Self {
            events: route.events.iter().map(|event| event.name()).collect(),
            only: route.only.clone(),
            detail: route.detail,
            after_ms: time::millis(route.after),
            skip_if: route.skip_if.clone(),
            through_quiet: route.through_quiet,
        }
    }

    /// Returns when it sends, in the words of the settings; empty if at once.
    fn when(&self) -> String {
        let after = (self.after_ms > 0).then(|| format!(" · after {}s", self.after_ms / 1_000));
        let fronts: Vec<&str> = self.skip_if.iter().map(|front| front.name()).collect();
        let skip_if = (!fronts.is_empty()).then(|| format!(" · skip_if {}", fronts.join(", ")));
        let through = self.through_quiet.map(|least| format!(" · through_quiet {}", least.name()));
        [after, skip_if, through].into_iter().flatten().collect()
    }
}

/// Shows them.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let rows = match place.store()? {
        Some(store) => store.reads().notice_channels()?,
        None => Vec::new(),
    };
    let mut rows: BTreeMap<String, ChannelRow> = rows.into_iter().map(|row| (row.channel.clone(), row)).collect();
    let routes = &place.notify.routing.0;
    let listed = |(name, channel): (&String, &Channel)| Listed::of(name, channel, routes, rows.remove(name));
    let channels: Vec<Listed> = place.notify.channels.iter().map(listed).collect();
    let spooled = place.state.as_ref().map(|state| Spool::new(state).len()).transpose()?.unwrap_or_default();
    let quiet = place.notify.quiet()?.map(|(quiet, zone)| match zone.iana_name() {
        Some(name) => format!("{quiet} {name}"),
        None => quiet.to_string(),
    });
    let report = Report { channels, spooled, quiet };
    if args.json {
        show_json(&report)?;
    } else {
        show(&report.text(place.lang, Paint::of_stdout(&environment)))?;
    }
    Ok(exit::OK)
}

impl Listed {
    fn of(name: &str, channel: &Channel, routes: &[Route], row: Option<ChannelRow>) -> Self {
        let row = row.unwrap_or_default();
        let to_it = routes.iter().filter(|route| route.to.iter().any(|to| to == name));
        Self {
            name: name.to_owned(),
            r#type: channel.service.name(),
            messenger: match &channel.service {
                Service::Messenger(messenger) => Some(messenger.clone()),
                Service::Discord { .. } | Service::Webhook { .. } | Service::Push | Service::Desktop => None,
            },
            verbose: channel.verbose,
            missing: channel.service.missing(name),
            routes: to_it.map(Routed::of).collect(),
            waiting: row.waiting,
            dead: row.dead,
            held: row.held,
            sent_ms: row.sent_ms,
            failing: Failing::of(row),
        }
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let service = match &self.messenger {
            Some(messenger) => format!("{} {}", self.r#type, visible_line(messenger)),
            None => self.r#type.to_owned(),
        };
        let mut text = format!("{}  {service}\n", paint.tone(Tone::Strong, &self.name));
        for route in &self.routes {
            let only = if route.only.is_empty() { String::new() } else { format!(" ({})", route.only.join(", ")) };
            let (events, detail) = (route.events.join(", "), route.detail.name());
            let line = format!("{events}{} · {detail}{}", visible_line(&only), route.when());
            text.push_str(&format!("    {line}\n"));
        }
        if self.routes.is_empty() {
            let none = say(lang, "이 채널로 가는 경로가 없습니다", "no route leads here");
            text.push_str(&format!("    {}\n", paint.tone(Tone::Faint, none)));
        }
        if !self.missing.is_empty() {
            let words = say(
                lang,
                "여기서는 설정되지 않음 (dmplz serve의 환경에 있어야 함): {}",
                "not set here; dmplz serve needs it: {}",
            );
            let line = fill(words, &[&self.missing.join(", ")]);
            text.push_str(&format!("    {}\n", paint.tone(Tone::Doubtful, &line)));
        }
        let state = match (&self.failing, self.sent_ms) {
            (Some(failing), _) => paint.tone(Tone::Bad, &format!("✗ {}", failing.line(lang, time::now_ms()))),
            (None, Some(sent)) => {
                let words = say(lang, "마지막 전송 {}, 대기 {}", "last sent {}, {} waiting");
                fill(words, &[&time::moment(sent), &self.waiting.to_string()])
            }
            (None, None) => {
                let words = say(lang, "아직 보낸 것 없음, 대기 {}", "nothing sent yet, {} waiting");
                fill(words, &[&self.waiting.to_string()])
            }
        };
        let held = (self.held > 0).then(|| {
            let words = say(lang, "    보류 중인 알림 {}개 (dmplz notify log)\n", "    {} held (dmplz notify log)\n");
            fill(words, &[&self.held.to_string()])
        });
        format!("{text}    {state}\n{}", held.unwrap_or_default())
    }
}

impl Report {
    fn text(&self, lang: Lang, paint: Paint) -> String {
        let mut text: String = self.channels.iter().map(|channel| channel.text(lang, paint)).collect();
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
