//! `dmplz notify log`.

use dmplz_core::text::Lang;
use dmplz_core::visible::visible_line;
use dmplz_gateway::notices;
use dmplz_protocol::notify::settings::LoggedNotice;

use super::Place;
use crate::terminal::{Paint, Tone, pad, say, tell};
use crate::time;

/// The arguments of `log`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only this channel · 이 채널만
    #[arg(long)]
    channel: Option<String>,
    /// Only what is not sent any more by itself · 보내지 못한 것만
    #[arg(long)]
    dead: bool,
    /// How many, newest first · 개수, 최근 것부터
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=2_000))]
    limit: u32,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// Shows them.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let status = args.dead.then_some("dead");
    let rows = match place.store()? {
        Some(store) => store.reads().notices(status, args.channel.as_deref(), args.limit)?,
        None => Vec::new(),
    };
    let logged: Vec<LoggedNotice> = rows.into_iter().map(|row| notices::logged(row, place.lang)).collect();
    tell(&logged, args.json, |logged, paint| match logged.as_slice() {
        [] => say(place.lang, "알림이 없습니다.\n", "There are no notices.\n").to_owned(),
        logged => logged.iter().map(|logged| text(logged, place.lang, paint)).collect(),
    })
}

fn text(logged: &LoggedNotice, lang: Lang, paint: Paint) -> String {
    let (status, tone) = match logged.status.as_str() {
        "sent" => (say(lang, "보냄", "sent"), Tone::Good),
        "dead" => (say(lang, "실패", "dead"), Tone::Bad),
        "held" => (say(lang, "보류", "held"), Tone::Doubtful),
        "skipped" => (say(lang, "건너뜀", "skipped"), Tone::Faint),
        _ => (say(lang, "대기", "waiting"), Tone::Doubtful),
    };
    let title = logged.title.as_deref().unwrap_or(say(lang, "(읽을 수 없음)", "(cannot be read)"));
    let when = time::moment(logged.created_ms);
    let (number, status) = (pad(&logged.number.to_string(), 6), paint.tone(tone, &pad(status, 8)));
    let mut text = format!("{number}{status}{when}  {}  {}\n", visible_line(&logged.channel), visible_line(title));
    if let Some(why) = &logged.why {
        text.push_str(&format!("      {}\n", paint.tone(Tone::Faint, &visible_line(why))));
    }
    text
}
