//! `dmplz status`: how it is now, on one screen, or in one line for Claude Code's status line. `dmplz doctor` looks
//! deeper, and over the network.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use dmplz_core::request::Cause;
use dmplz_core::stats::RequestEnd;
use dmplz_core::text::{Lang, fill, title};
use dmplz_core::visible::visible_line;
use dmplz_protocol::health::GetStatus;
use dmplz_state::{Cards, Grants, Instance, StateDir};
use serde::Serialize;

use crate::gateway::{connect, soon};
use crate::notify::settings::NotifySettings;
use crate::settings::{Settings, Table, environment};
use crate::terminal::{Paint, Tone, pad, say, show, tell};
use crate::{account, exit, journals, notify, outage, time, trouble, wording};

/// Bytes of the end of the log that a status line reads.
const GLANCE: u64 = 32 << 10;
/// How long a status line tells of a failure: 12 hours.
const RECENT_MS: u64 = 12 * 3_600 * 1_000;

/// What `status` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long, conflicts_with = "line")]
    json: bool,
    /// One short line, for a status line · 상태 표시줄에 쓸 한 줄
    #[arg(long)]
    line: bool,
}

/// How it is.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Status {
    /// What a hook alone asks on; none where nothing is set up.
    messenger: Option<String>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
    /// The same in the reader's language, if there are words for it.
    #[serde(skip)]
    missing_in_words: Option<String>,
    /// The process id of the gateway that runs.
    gateway: Option<u32>,
    /// Requests that wait for somebody.
    waiting: usize,
    /// Grants in force.
    grants: usize,
    /// Messengers of the gateway that cannot be used, in words.
    outages: Vec<String>,
    /// Channels of notices whose last attempt failed, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    channels: Vec<String>,
    /// The last request that could not be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_failure: Option<Failed>,
    /// When that was, for the line; only where it was not long ago.
    #[serde(skip)]
    failed_at: Option<String>,
}

/// A request that could not be asked.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Failed {
    at: String,
    tool: String,
    messenger: String,
}

/// Shows it.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let mut table = Table::load(&environment)?;
    let settings = Settings::of(&table)?;
    let mut status = Status::of(&mut table, &settings)?;
    if args.line {
        status.failed_at = recently_failed(&settings);
        show(&format!("{}\n", status.line(settings.lang)))?;
    } else {
        // The whole log is read for it: a status line is drawn too often for that.
        status.last_failure = last_failure(&settings);
        tell(&status, args.json, |status, paint| status.text(settings.lang, paint))?;
    }
    Ok(exit::OK)
}

impl Status {
    fn of(table: &mut Table, settings: &Settings) -> anyhow::Result<Self> {
        let chosen = account::choose(table, &environment);
        let missing = chosen.as_ref().err().map(trouble::chain);
        let missing_in_words = chosen.as_ref().err().map(|error| wording::words(error, settings.lang).0);
        let messenger = chosen.ok().map(|chosen| chosen.name);
        let mut status = Self { messenger, missing, missing_in_words, ..Self::default() };
        let Some(state) = StateDir::find(&settings.state_dir)? else { return Ok(status) };
        let now = time::both_clocks();
        status.grants = Grants::read(state.path())?.iter().filter(|grant| grant.holds(now)).count();
        status.gateway = Instance::running(&state)?;
        let notify = NotifySettings::load(&settings.state_dir, &environment)?;
        // What cannot be read of the store is no reason to show nothing of the rest.
        status.channels = match notify::failing(&state, |name| notify.channels.contains_key(name)) {
            Ok(failing) => failing.iter().map(|failing| notify::line(failing, settings.lang, now.wall_ms)).collect(),
            Err(error) => vec![wording::words(&error, settings.lang).0],
        };
        if status.gateway.is_none() {
            status.waiting = Cards::new(&state).alive()?;
            return Ok(status);
        }
        match connect(state.path()).and_then(|mut gateway| gateway.call(&GetStatus {}, soon())) {
            Ok(told) => {
                let out = told.messengers.iter().filter(|messenger| !messenger.reachable);
                status.outages = out.map(|out| outage::of(settings.lang, out, time::now_ms())).collect();
                status.waiting = told.open;
            }
            // What it does not tell is no reason to show nothing of the rest.
            Err(error) => status.outages.push(wording::words(&error.into(), settings.lang).0),
        }
        Ok(status)
    }

    fn line(&self, lang: Lang) -> String {
        let place = match (&self.messenger, self.gateway) {
            (Some(name), _) => title(name),
            (None, Some(_)) => say(lang, "게이트웨이", "gateway").to_owned(),
            (None, None) => return say(lang, "dmplz: 설정되지 않음", "dmplz: not set up").to_owned(),
        };
        let count = |number: usize, words| (number > 0).then(|| fill(words, &[&number.to_string()]));
        let waiting = count(self.waiting, say(lang, "대기 {}", "{} waiting"));
        let grants = count(self.grants, say(lang, "허용 중 {}", "{} granted"));
        let out =
            (!self.outages.is_empty() || !self.channels.is_empty()).then(|| say(lang, "연결 안 됨", "out").to_owned());
        let gateway = (self.gateway.is_some() && self.messenger.is_some())
            .then(|| say(lang, "게이트웨이 켜짐", "gateway up").to_owned());
        let failed = self.failed_at.as_ref().map(|at| fill(say(lang, "{} 실패", "failed at {}"), &[at]));
        let parts = [Some(format!("dmplz {}", visible_line(&place))), gateway, waiting, grants, out, failed];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let row = |name: &str, what: &str| format!("{}{what}\n", paint.tone(Tone::Faint, &pad(name, 12)));
        let why = self.missing_in_words.as_ref().or(self.missing.as_ref());
        let messenger = match (&self.messenger, why) {
            (Some(name), _) => title(name),
            (None, why) => format!("- ({})", why.map_or("", String::as_str)),
        };
        let gateway = match self.gateway {
            Some(process) => fill(say(lang, "프로세스 {}", "process {}"), &[&process.to_string()]),
            None => say(lang, "없음: 훅이 각자 묻습니다", "none: each hook asks by itself").to_owned(),
        };
        let mut text = row(say(lang, "메신저", "messenger"), &visible_line(&messenger));
        text += &row(say(lang, "게이트웨이", "gateway"), &gateway);
        text += &row(say(lang, "대기", "waiting"), &self.waiting.to_string());
        text += &row(say(lang, "허용 중", "granted"), &self.grants.to_string());
        for out in self.outages.iter().chain(&self.channels) {
            text += &row(say(lang, "장애", "outage"), &paint.tone(Tone::Bad, out));
        }
        if let Some(failed) = &self.last_failure {
            let what = visible_line(&format!("{} · {} · {}", failed.at, failed.tool, title(&failed.messenger)));
            text += &row(say(lang, "마지막 실패", "last failure"), &format!(" {what}"));
        }
        text
    }
}

/// The time of day of the last request that could not be asked, if that was in the last 12 hours. Only the end of the log is
/// read, because a status line is drawn often.
fn recently_failed(settings: &Settings) -> Option<String> {
    let journal = journals::requests(settings);
    let mut file = File::open(journal.path()).ok()?;
    let begins = file.metadata().ok()?.len().saturating_sub(GLANCE);
    file.seek(SeekFrom::Start(begins)).ok()?;
    let mut bytes = Vec::new();
    file.take(GLANCE).read_to_end(&mut bytes).ok()?;
    let mut ends =
        bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<RequestEnd>(line).ok());
    let failed = ends.rfind(|end| end.cause == Some(Cause::Failed))?;
    let at_ms = u64::try_from(failed.timestamp.as_millisecond()).unwrap_or_default();
    (time::now_ms().saturating_sub(at_ms) < RECENT_MS).then(|| time::clock_time(at_ms))
}

/// By the log of requests. What cannot be read of it is passed over.
fn last_failure(settings: &Settings) -> Option<Failed> {
    let lines = trouble::report(journals::requests(settings).lines())?;
    let ends = lines.map_while(Result::ok).filter_map(|line| serde_json::from_slice::<RequestEnd>(&line).ok());
    let failed = ends.filter(|end| end.cause == Some(Cause::Failed)).last()?;
    Some(Failed { at: time::local(failed.timestamp), tool: failed.tool_name, messenger: failed.provider })
}
