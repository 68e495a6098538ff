//! `dmplz notify send --dry-run`: what each channel would get of a recorded event, at each detail, and when. Nothing is sent,
//! and no gateway is needed. What is masked is highlighted.

use std::io::Read;
use std::path::Path;

use anyhow::Context;
use dmplz_core::claude::occurrence;
use dmplz_core::notify::{Decision, Detail, Facts, Notice, Occurrence};
use dmplz_core::text::{Lang, fill};
use serde::Serialize;

use super::{Place, send};
use crate::notify::settings::Channel;
use crate::settings::environment;
use crate::terminal::{Paint, Tone, say, show, show_json};
use crate::{exit, time};

/// What stands for a secret.
const MASK: &str = "****";
/// The most bytes of an event.
const LONGEST: u64 = 16 << 20;

/// What would happen to the event.
#[derive(Serialize)]
struct Report {
    event: &'static str,
    channels: Vec<Shown>,
}

/// What one channel would get.
#[derive(Serialize)]
struct Shown {
    channel: String,
    /// The detail at which routes send it; absent if no route leads here.
    #[serde(skip_serializing_if = "Option::is_none")]
    sends: Option<Detail>,
    /// What would happen now: `send`, `hold` or `skip`; absent if no route leads here.
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<&'static str>,
    levels: Vec<Level>,
}

/// The notice at one detail.
#[derive(Serialize)]
struct Level {
    detail: Detail,
    title: String,
    text: String,
    /// The number of masked places.
    masked: usize,
}

/// Shows it. `channel` is the only one to show.
pub(super) fn run(place: &Place, channel: Option<&str>, file: Option<&Path>, json: bool) -> anyhow::Result<u8> {
    if let Some(channel) = channel {
        send::known(place, channel)?;
    }
    let event = read(file)?;
    let found = occurrence(&event, "dry-run".to_owned(), time::now_ms()).context("the event cannot be read")?;
    let occurrence = found.context("no notice is about this event: docs/NOTIFICATIONS.md lists those that can be")?;
    let channels = place.notify.channels.iter().filter(|(name, _)| channel.is_none_or(|only| only == *name));
    let channels = channels.map(|(name, channel)| Shown::of(place, name, channel, &occurrence));
    let report = Report { event: occurrence.event.name(), channels: channels.collect::<anyhow::Result<_>>()? };
    if json {
        show_json(&report)?;
    } else {
        show(&report.text(place.lang, Paint::of_stdout(&environment)))?;
    }
    Ok(exit::OK)
}

fn read(file: Option<&Path>) -> anyhow::Result<Vec<u8>> {
    let mut event = Vec::new();
    match file {
        Some(path) => {
            let opened = std::fs::File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
            opened.take(LONGEST).read_to_end(&mut event)?;
        }
        None => {
            std::io::stdin().lock().take(LONGEST).read_to_end(&mut event)?;
        }
    }
    Ok(event)
}

/// Returns the number of masked places in a text.
fn masked(text: &str) -> usize {
    text.split(|c| c != '*').filter(|stars| stars.starts_with(MASK)).count()
}

impl Shown {
    fn of(place: &Place, name: &str, channel: &Channel, occurrence: &Occurrence) -> anyhow::Result<Self> {
        let routes = place.notify.routing.channels(occurrence);
        let plan = routes.into_iter().find(|(known, _)| *known == name).map(|(_, plan)| plan);
        let now_ms = time::now_ms();
        let quiet_until_ms = place.notify.quiet()?.and_then(|(quiet, zone)| quiet.until(now_ms, &zone));
        let facts = Facts { now_ms, quiet_until_ms, ..Facts::default() };
        let now = plan.as_ref().map(|plan| match plan.decide(occurrence, &facts) {
            Decision::Send => "send",
            Decision::Hold(..) => "hold",
            Decision::Skip(_) => "skip",
        });
        let template = channel.template.as_ref().and_then(|words| words.template(place.lang));
        let level = |detail: Detail| {
            let shown = occurrence.clone().for_detail(detail);
            let Notice { title, body } = match &template {
                Some(template) => Notice::by(template, &shown, 1, detail, place.lang, now_ms),
                None => Notice::of(&shown, 1, detail, place.lang, now_ms),
            };
            let masked = masked(&title) + masked(&body);
            Level { detail, title, text: body, masked }
        };
        let levels = Detail::ALL.into_iter().map(level).collect();
        Ok(Self { channel: name.to_owned(), sends: plan.map(|plan| plan.detail), now, levels })
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let now = match self.now {
            Some("send") => say(lang, "지금 보냅니다", "would be sent now"),
            Some("hold") => say(lang, "방해 금지 시간이 끝나면 보냅니다", "would wait for the end of the quiet hours"),
            Some(_) => say(lang, "보내지 않습니다", "would not be sent"),
            None => say(lang, "이 채널로 가는 경로가 없습니다", "no route leads here"),
        };
        let mut text = format!("{}  {now}\n", paint.tone(Tone::Strong, &self.channel));
        for Level { detail, title, text: body, masked } in &self.levels {
            let is_sent = self.sends == Some(*detail);
            let mark = if is_sent { say(lang, " ← 이것을 보냄", " ← what is sent") } else { "" };
            let hidden = match masked {
                0 => String::new(),
                count => fill(say(lang, " · 가림 {}", " · masked: {}"), &[&count.to_string()]),
            };
            text.push_str(&format!("  {}{mark}{hidden}\n", paint.tone(Tone::Faint, detail.name())));
            for line in std::iter::once(title.as_str()).chain(body.lines()) {
                let line = line.replace(MASK, &paint.tone(Tone::Doubtful, MASK));
                text.push_str(&format!("    {line}\n"));
            }
        }
        text
    }
}

impl Report {
    fn text(&self, lang: Lang, paint: Paint) -> String {
        let words = say(lang, "{}: 아무것도 보내지 않았습니다.\n", "{}: nothing was sent.\n");
        let mut text = fill(words, &[self.event]);
        text.extend(self.channels.iter().map(|channel| channel.text(lang, paint)));
        text
    }
}
