//! `dmplz notify send --dry-run`: what each channel would get of a recorded event, at each detail, and when. Nothing is sent,
//! and no gateway is needed. What is masked is highlighted.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use dmplz_core::claude::occurrence;
use dmplz_core::notify::{Decision, Detail, Facts, Notice, Occurrence, Plan};
use dmplz_core::text::{Lang, fill};
use dmplz_protocol::notify::settings::{Now, Preview, PreviewedChannel, PreviewedLevel};

use super::Place;
use super::settings::{Channel, NotifySettings};
use crate::terminal::{Paint, Tone, say, tell};
use crate::time;
use crate::told::Tell;

/// What stands for a secret.
const MASK: &str = "****";
/// The most bytes of an event.
const LONGEST: u64 = 16 << 20;

/// Shows it. `channel` is the only one to show.
pub(super) fn run(place: &Place, channel: Option<&str>, file: Option<&Path>, json: bool) -> anyhow::Result<u8> {
    if let Some(channel) = channel {
        place.has_channel(channel)?;
    }
    let event = read(file)?;
    let found = occurrence(&event, "dry-run".to_owned(), time::now_ms()).told(
        "이벤트를 읽을 수 없습니다",
        "the event cannot be read",
        &[],
    )?;
    let occurrence = found.told(
        "알림이 없는 이벤트입니다. 알릴 수 있는 것은 docs/NOTIFICATIONS.ko.md에 있습니다",
        "no notice is about this event: docs/NOTIFICATIONS.md lists those that can be",
        &[],
    )?;
    let preview = preview(&place.notify, &occurrence, channel, place.lang)?;
    tell(&preview, json, |preview, paint| text(preview, place.lang, paint))
}

/// Returns what channels would get of an occurrence now. `channel` is the only one to show.
pub(super) fn preview(
    notify: &NotifySettings,
    occurrence: &Occurrence,
    channel: Option<&str>,
    lang: Lang,
) -> anyhow::Result<Preview> {
    let now_ms = time::now_ms();
    let quiet_until_ms = notify.quiet()?.and_then(|(quiet, zone)| quiet.until(now_ms, &zone));
    let facts = Facts { now_ms, quiet_until_ms, ..Facts::default() };
    let routes = notify.routing.channels(occurrence);
    let shown = notify.channels.iter().filter(|(name, _)| channel.is_none_or(|only| only == *name));
    let shown = shown.map(|(name, settings)| {
        let plan = routes.iter().find(|(known, _)| known == name).map(|(_, plan)| plan);
        of_channel(name, settings, plan, occurrence, &facts, lang)
    });
    Ok(Preview { event: occurrence.event, input: None, channels: shown.collect() })
}

fn of_channel(
    name: &str,
    settings: &Channel,
    plan: Option<&Plan>,
    occurrence: &Occurrence,
    facts: &Facts<'_>,
    lang: Lang,
) -> PreviewedChannel {
    let now = plan.map(|plan| match plan.decide(occurrence, facts) {
        Decision::Send => Now::Send,
        Decision::Hold(..) if settings.service.is_terminal() => Now::Skip,
        Decision::Hold(..) => Now::Hold,
        Decision::Skip(_) => Now::Skip,
    });
    let level = |detail: Detail| {
        let Notice { title, body } = settings.notice(occurrence, detail, lang, facts.now_ms);
        let masked = masked(&title) + masked(&body);
        PreviewedLevel { detail, title, text: body, masked }
    };
    let levels = Detail::ALL.into_iter().map(level).collect();
    PreviewedChannel { channel: name.to_owned(), sends: plan.map(|plan| plan.detail), now, levels }
}

fn read(file: Option<&Path>) -> anyhow::Result<Vec<u8>> {
    let source: Box<dyn Read> = match file {
        Some(path) => Box::new(File::open(path).not_read(path)?),
        None => Box::new(std::io::stdin().lock()),
    };
    let mut event = Vec::new();
    source.take(LONGEST).read_to_end(&mut event)?;
    Ok(event)
}

/// Returns the number of masked places in a text.
fn masked(text: &str) -> usize {
    text.split(|c| c != '*').filter(|stars| stars.starts_with(MASK)).count()
}

fn text(preview: &Preview, lang: Lang, paint: Paint) -> String {
    let words = say(lang, "{}: 아무것도 보내지 않았습니다.\n", "{}: nothing was sent.\n");
    let mut text = fill(words, &[preview.event.name()]);
    text.extend(preview.channels.iter().map(|channel| of_one(channel, lang, paint)));
    text
}

fn of_one(channel: &PreviewedChannel, lang: Lang, paint: Paint) -> String {
    let now = match channel.now {
        Some(Now::Send) => say(lang, "지금 보냅니다", "would be sent now"),
        Some(Now::Hold) => say(lang, "방해 금지 시간이 끝나면 보냅니다", "would wait for the end of the quiet hours"),
        Some(Now::Skip) => say(lang, "보내지 않습니다", "would not be sent"),
        None => say(lang, "이 채널로 가는 경로가 없습니다", "no route leads here"),
    };
    let mut text = format!("{}  {now}\n", paint.tone(Tone::Strong, &channel.channel));
    for PreviewedLevel { detail, title, text: body, masked } in &channel.levels {
        let is_sent = channel.sends == Some(*detail);
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
