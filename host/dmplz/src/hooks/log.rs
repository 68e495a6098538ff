//! `dmplz hooks log`: which hooks ran, and how they ended.

use dmplz_core::text::Lang;
use dmplz_core::visible::visible_line;

use super::session::Logged;
use super::words;
use crate::journals;
use crate::settings::{RejectionLog, Table, environment};
use crate::terminal::{Paint, Tone, fit, say, tell};

/// The columns that a command may take.
const COMMAND: usize = 70;

/// What it is told.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only this event · 이 이벤트만
    #[arg(long)]
    event: Option<String>,
    /// Only hooks that failed, or wanted to deny · 실패했거나 거부하려 한 것만
    #[arg(long)]
    failed: bool,
    /// How many, newest last · 개수, 최근 것이 마지막
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// Shows them.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let table = Table::load(&environment)?;
    let lang = table.lang()?;
    let journal = journals::hooks(&table.state_dir()?, &RejectionLog::of(&table)?);
    let mut logged = Vec::new();
    for line in journal.lines()? {
        // A line that a crash left unfinished is no record.
        let Ok(record) = serde_json::from_slice::<Logged>(&line?) else { continue };
        if args.event.as_ref().is_none_or(|event| *event == record.event) && (!args.failed || record.is_notable()) {
            logged.push(record);
        }
    }
    let skipped = logged.len().saturating_sub(usize::try_from(args.limit).unwrap_or(usize::MAX));
    logged.drain(..skipped);
    tell(&logged, args.json, |logged, paint| match logged.as_slice() {
        [] => say(lang, "실행된 훅이 없습니다.\n", "No hook ran.\n").to_owned(),
        logged => logged.iter().map(|record| record.text(lang, paint)).collect(),
    })
}

impl Logged {
    fn is_notable(&self) -> bool {
        self.exit_code != Some(0) || self.wanted.as_deref() == Some("deny")
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let at = self.at.parse::<jiff::Timestamp>().map(crate::time::local).unwrap_or_default();
        let tone = if self.is_notable() { Tone::Doubtful } else { Tone::Good };
        let ended = match (self.exit_code, self.ended.as_str()) {
            (Some(code), _) => code.to_string(),
            (None, "timed_out") => say(lang, "시간 초과", "too long").to_owned(),
            (None, "killed") => say(lang, "시그널", "killed").to_owned(),
            (None, _) => say(lang, "시작 못 함", "not started").to_owned(),
        };
        let command = fit(&visible_line(&self.command), COMMAND);
        let wanted = self.wanted.as_ref().map(|wanted| format!("  ({wanted})")).unwrap_or_default();
        format!(
            "{at}  {}  {}  {}ms  {command}{wanted}  {}\n",
            visible_line(&self.event),
            paint.tone(tone, &ended),
            self.took_ms,
            paint.tone(Tone::Faint, &words::path(&self.project)),
        )
    }
}
