//! `dmplz audit`: the trail of everything that happened to requests, read from its file, with or without a gateway.
//!
//! What a chain of hashes can show, and what it cannot, is in `state::store`'s `verify`.

use clap::{Args as ClapArgs, Subcommand};
use dmplz_core::text::Lang;
use dmplz_core::visible::visible_line;
use dmplz_state::StateDir;
use dmplz_state::store::{Entry, Head, Reader, Verdict};
use serde_json::{Value, json};

use crate::gateway::Place;
use crate::terminal::{Tone, say, show, tell_findings};
use crate::told::Tell;
use crate::{exit, store, time, trouble, verdict};

/// The number of entries that are read at once.
const PAGE: u32 = 1_000;

/// The subcommands of `audit`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find entries that were edited, removed or reordered · 고치거나 지우거나 순서를 바꾼 기록 찾기
    Verify(VerifyArgs),
    /// Show what was recorded · 기록 보기
    Show(ShowArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct VerifyArgs {
    /// A head that you kept elsewhere: the trail must still hold it · 따로 보관한 head. 감사 기록에 그대로 있어야 합니다
    #[arg(long, value_name = "SEQ:HASH")]
    head: Option<Head>,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ShowArgs {
    /// Only what comes after this entry · 이 기록 다음 것만
    #[arg(long, value_name = "SEQ", default_value_t = 0)]
    after: u64,
    /// One JSON object a line · 한 줄에 JSON 하나
    #[arg(long)]
    json: bool,
}

/// Runs a subcommand. Returns the exit code.
pub(crate) fn run(command: &Command) -> anyhow::Result<u8> {
    let place = Place::find()?;
    match command {
        Command::Verify(args) => {
            let verified = open(&place).and_then(|trail| verify(args, trail, place.lang));
            match verified.as_ref().err().and_then(|error| store::damage(error, place.lang)) {
                Some(damage) => unreadable(&damage, args),
                None => verified,
            }
        }
        Command::Show(args) => list(args, open(&place)?, place.lang),
    }
}

/// Opens the trail. `None` if nothing was ever recorded.
fn open(place: &Place) -> anyhow::Result<Option<Reader>> {
    let state = StateDir::find(&place.state)?;
    Ok(state
        .as_ref()
        .map(store::open)
        .transpose()
        .told("감사 기록을 읽을 수 없습니다", "the audit trail cannot be read", &[])?
        .flatten())
}

/// Reports a trail whose file is so damaged that it cannot be read. Returns exit code 4.
fn unreadable(damage: &str, args: &VerifyArgs) -> anyhow::Result<u8> {
    let report = json!({ "verified": false, "what": damage });
    tell_findings(&report, args.json, false, |_, paint| {
        format!("{}\n", paint.tone(Tone::Bad, &format!("✗ {}", visible_line(damage))))
    })
}

/// Verifies the trail. Returns exit code 4 if it differs from what was recorded.
fn verify(args: &VerifyArgs, trail: Option<Reader>, lang: Lang) -> anyhow::Result<u8> {
    let verdict = match trail {
        Some(reader) => reader.verify(args.head)?,
        None => Verdict::Verified { cut: Head::default(), last: Head::default(), head: None },
    };
    let finding = verdict::finding(&verdict, args.head, lang);
    tell_findings(&verdict::report(&verdict, finding.as_ref().err()), args.json, finding.is_ok(), |_, paint| {
        let line = match &finding {
            Ok(well) => paint.tone(Tone::Good, &format!("✓ {well}")),
            Err(broken) => paint.tone(Tone::Bad, &format!("✗ {broken}")),
        };
        let last = match verdict {
            Verdict::Verified { last, .. } if last.seq > 0 => format!("{}: {last}\n", say(lang, "끝", "head")),
            _ => String::new(),
        };
        format!("{line}\n{last}")
    })
}

/// Lists entries from the oldest to the newest.
fn list(args: &ShowArgs, trail: Option<Reader>, lang: Lang) -> anyhow::Result<u8> {
    let Some(reader) = trail else {
        if !args.json {
            show(say(lang, "아직 기록이 없습니다.\n", "Nothing was recorded yet.\n"))?;
        }
        return Ok(exit::OK);
    };
    let mut after = args.after;
    loop {
        let page = reader.reads().entries_after(after, PAGE)?;
        let Some(last) = page.last() else { return Ok(exit::OK) };
        after = last.as_ref().map_or_else(|row| row.number, |(entry, _)| entry.seq);
        let mut lines = String::new();
        for row in &page {
            match row {
                Ok((entry, _)) => lines.push_str(&if args.json { object(entry) } else { line(entry) }),
                Err(row) => trouble::warn(&row.to_string()),
            }
        }
        show(&lines)?;
    }
}

fn object(entry: &Entry) -> String {
    let Entry { seq, at_ms, kind, request_id, body, prev, hash } = entry;
    let body = serde_json::from_str(body).unwrap_or_else(|_| Value::String(body.clone()));
    let (prev, hash) = (prev.to_string(), hash.to_string());
    let object = json!({
        "seq": seq, "atMs": at_ms, "kind": kind, "requestId": request_id, "body": body, "prev": prev, "hash": hash,
    });
    format!("{object}\n")
}

fn line(entry: &Entry) -> String {
    let id = entry.request_id.as_deref().unwrap_or("-");
    let (when, kind) = (time::moment(entry.at_ms), visible_line(&entry.kind));
    format!("{}  {when}  {kind}  {}  {}\n", entry.seq, visible_line(id), visible_line(&entry.body))
}
