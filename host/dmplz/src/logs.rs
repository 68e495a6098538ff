//! `dmplz logs`: what hooks, the gateway and providers logged, in one list by time.
//!
//! | file | becomes | level |
//! |---|---|---|
//! | `log.jsonl` | the lines that were written on stderr ([`crate::trouble::kept`]) | theirs |
//! | `requests.jsonl` | a line for each request that ended | `info`; `error` where nobody could be asked |
//! | `grants.jsonl` | a line for each grant that was given or ended | `info` |
//!
//! A line names the tool and the folder, and neither the input nor a reason: a secret could stand in them.

mod entry;
mod follow;

use std::io::ErrorKind;
use std::path::Path;

use dmplz_core::text::Lang;
use dmplz_state::Journal;
use jiff::Timestamp;

use self::entry::{Entry, Reader};
use self::follow::Tail;
use crate::settings::{self, Settings, SettingsError, Table, Verbosity, environment};
use crate::terminal::{Paint, say, show};
use crate::time::since::since;
use crate::trouble::kept;
use crate::{exit, journals, trouble, wording};

/// What `logs` is told.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// Go on with what is logged from now on, until Ctrl-C · 새로 기록되는 것도 계속 보기
    #[arg(long, short)]
    follow: bool,
    /// Only what was logged since then: 1h, 7d, 2026-11-01, or 2026-11-01T09:00:00Z · 그때부터
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<Timestamp>,
    /// Only this level and what is more severe · 이 수준 이상만
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    level: Verbosity,
    /// How many of the newest, without --since · 최근 몇 줄
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    limit: usize,
    /// One JSON object a line · 한 줄에 JSON 하나
    #[arg(long)]
    json: bool,
}

const AFTER: &str = "\
DMPLZ_LOG says how much is kept of hooks, gateway and providers: warn and error by default. The gateway under systemd: journalctl --user -u dmplz.
훅, 게이트웨이, 프로바이더의 로그를 얼마나 보관할지는 DMPLZ_LOG가 정합니다(기본값: warn과 error).";

/// Shows them.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let lang = settings::language();
    let table = table(lang)?;
    let state_dir = table.state_dir()?;
    let mut sources = sources(&state_dir, Settings::of(&table).ok().as_ref());
    let shown = Shown { args, lang, paint: Paint::of_stdout() };
    let mut entries = Vec::new();
    for (read, journal, tail) in &mut sources {
        // Before the lines are read, so that none is missed between the two.
        tail.start();
        for line in journal.lines()?.map_while(Result::ok) {
            entries.extend(read(&line).filter(|entry| shown.wants(entry)));
            if args.follow {
                tail.seen(&line);
            }
        }
    }
    entries.sort_by_key(|entry| entry.at);
    let skipped = if args.since.is_some() { 0 } else { entries.len().saturating_sub(args.limit) };
    let text: String = entries.iter().skip(skipped).map(|entry| shown.line(entry)).collect();
    if text.is_empty() && !args.json && !args.follow {
        show(say(lang, "기록된 것이 없습니다.\n", "Nothing was logged.\n"))?;
    }
    show(&text)?;
    if !args.follow {
        return Ok(exit::OK);
    }
    follow::follow(&mut sources, |entry| !shown.wants(entry) || follow::write(&shown.line(entry)))?;
    Ok(exit::OK)
}

/// Returns the settings; without those of the file if it cannot be read, because a setting that is wrong is what people look
/// for here. Where there is no state directory there are no logs.
fn table(lang: Lang) -> Result<Table, SettingsError> {
    Table::load(&environment).or_else(|error| {
        let table = Table::without_file(&environment);
        let is_no_folder =
            matches!(&error, SettingsError::File { source, .. } if source.kind() == ErrorKind::NotADirectory);
        if is_no_folder || table.state_dir().is_err() {
            return Err(error);
        }
        trouble::warn(wording::whole(&error.into()).of(lang));
        Ok(table)
    })
}

/// A log, and where its next lines come from.
type Source = (Reader, Journal, Tail);

fn sources(state_dir: &Path, settings: Option<&Settings>) -> Vec<Source> {
    let of_requests = settings.map(|settings| (Entry::of_request as Reader, journals::requests(settings)));
    let of_grants = settings.map(|settings| (Entry::of_grant as Reader, journals::grants(state_dir, &settings.log)));
    let all = [Some((Entry::of_line as Reader, kept::journal(state_dir))), of_requests, of_grants];
    let with_tail = |(read, journal): (Reader, Journal)| {
        let tail = Tail::new(journal.path());
        (read, journal, tail)
    };
    all.into_iter().flatten().map(with_tail).collect()
}

/// How entries are shown, and which.
struct Shown<'a> {
    args: &'a Args,
    lang: Lang,
    paint: Paint,
}

impl Shown<'_> {
    fn wants(&self, entry: &Entry) -> bool {
        entry.level <= self.args.level && self.args.since.is_none_or(|since| entry.at >= since)
    }

    fn line(&self, entry: &Entry) -> String {
        if self.args.json { entry.json() } else { entry.text(self.lang, self.paint) }
    }
}
