//! `dmplz hooks run EVENT`: gives an event to the hooks, and shows what each did with it.
//!
//! Handlers run as they would for the event: in the project's folder, at the same time, with their limits. What a hook answers
//! is shown, and nothing else follows from it. Exit code 4 if a hook failed, or its output cannot be read as it was meant.

use std::io::{IsTerminal, Read};
use std::path::PathBuf;

use anyhow::bail;
use dmplz_core::claude::SettingsFile;
use dmplz_core::redact::mask;
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_hooks::event::Dialect;
use dmplz_hooks::input::{Input, MAX_BYTES};
use dmplz_hooks::output::{Ending, Reading};
use dmplz_hooks::plan::Skip;
use serde::Serialize;
use tokio::signal::unix::{SignalKind, signal};

use super::place::{Place, Where};
use super::session::{Part, Ran, Results, Session, command};
use super::words;
use crate::terminal::{Paint, Tone, pad, say, tell_findings};
use crate::time;
use crate::told::{Tell, Told};

/// How many lines of a stream are shown to people.
const LINES: usize = 12;

/// What it is told.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The event: PreToolUse, Stop, Notification, ... · 이벤트 이름
    event: String,
    /// A file with the event as JSON, - for stdin; an example event unless given · 이벤트 JSON 파일 (기본값: 예시)
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    at: Where,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    event: String,
    project: String,
    /// Whether every hook that ran ended well.
    ok: bool,
    hooks: Vec<Row>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    source: SettingsFile,
    place: String,
    command: String,
    ran: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<Skip>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    did: Option<Did>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Did {
    #[serde(flatten)]
    ending: Ending,
    took_ms: u64,
    stdout: String,
    stdout_bytes: u64,
    stderr: String,
    stderr_bytes: u64,
    left_running: bool,
    reading: Reading,
    /// The names of the variables that it exported for later hooks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exported: Vec<String>,
    /// Lines of its CLAUDE_ENV_FILE that would have to be executed, and were not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    passed_over: Vec<usize>,
}

/// Runs the hooks of an event.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find(&args.at)?;
    let lang = place.lang;
    if !Dialect::Claude.raises(&args.event) {
        let like = Dialect::Claude.meant(&args.event);
        let like =
            like.map(|like| fill(say(lang, " (혹시 {}?)", "; {} was probably meant"), &[like])).unwrap_or_default();
        let events = Dialect::Claude.events().collect::<Vec<_>>().join(", ");
        let words =
            say(lang, "없는 이벤트입니다: {}{}. 쓸 수 있는 것: {}", "there is no event {}{}; the events are {}");
        bail!(fill(words, &[&args.event, &like, &events]));
    }
    let input = event(args)?;
    let runtime = crate::runtime::runtime()?;
    let mut session = Session::start(&place, uuid::Uuid::new_v4().to_string())?;
    let ran = runtime.block_on(async {
        // The hooks have process groups of their own, so a Ctrl-C reaches this process alone.
        let (mut interrupt, mut end) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        tokio::select! {
            ran = session.raise(input, Part::All) => ran.map(Some),
            _ = interrupt.recv() => Ok(None),
            _ = end.recv() => Ok(None),
        }
    })?;
    let Some(ran) = ran else {
        bail!(say(lang, "중단했고, 훅도 모두 끝냈습니다", "interrupted; the hooks were ended"))
    };
    let report = Report {
        event: args.event.clone(),
        project: place.project.display().to_string(),
        ok: ran.iter().filter_map(|ran| ran.result.as_ref()).all(is_well),
        hooks: ran.into_iter().map(Row::of).collect(),
    };
    tell_findings(&report, args.json, report.ok, |report, paint| report.text(&place, paint))
}

/// Returns the event: a recorded one, or an example.
fn event(args: &Args) -> anyhow::Result<Input> {
    let mut text = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    match &args.file {
        None => return Ok(Input::example(&args.event)),
        Some(path) if path.as_os_str() == "-" => {
            let is_terminal = std::io::stdin().is_terminal();
            if !is_terminal {
                std::io::stdin().lock().take(limit).read_to_end(&mut text).told(
                    "이벤트를 읽을 수 없습니다",
                    "the event cannot be read",
                    &[],
                )?;
            }
            if text.trim_ascii().is_empty() {
                let why = if is_terminal {
                    ["stdin이 터미널입니다", "stdin is a terminal"]
                } else {
                    ["stdin이 비어 있습니다", "stdin is empty"]
                };
                bail!(no_event(why, &args.event));
            }
        }
        Some(path) => {
            let file = std::fs::File::open(path).not_read(path)?;
            file.take(limit).read_to_end(&mut text).not_read(path)?;
        }
    }
    Ok(Input::parse(&text, &args.event)?)
}

/// Returns the error about a stdin that holds no event, and what to do.
fn no_event([ko, en]: [&str; 2], event: &str) -> Told {
    let (ko, en) = (
        format!(
            "{ko}. `dmplz hooks run {{}} - < event.json`처럼 이벤트를 주거나, `-` 없이 예시 이벤트로 실행해 주세요"
        ),
        format!("{en}: give an event, as in `dmplz hooks run {{}} - < event.json`, or leave `-` out for an example"),
    );
    Told::new(&ko, &en, &[event])
}

fn is_well(result: &Results) -> bool {
    // With 2 a hook says what it wants.
    let ended_well = matches!(result.done.ending, Ending::Exited { exit_code: 0 | 2 });
    ended_well && result.reading.slips.is_empty() && result.passed_over.is_empty()
}

impl Row {
    fn of(ran: Ran<'_>) -> Self {
        Self {
            source: ran.planned.source,
            place: ran.planned.handler.place.to_string(),
            command: command(&ran.planned),
            ran: ran.result.is_some(),
            why_not: ran.planned.skip,
            did: ran.result.map(Did::of),
        }
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let command = if self.command.is_empty() { &self.place } else { &self.command };
        let head = format!("{} {}", pad(self.source.name(), 8), visible_line(command));
        let Some(did) = &self.did else {
            let why = self.why_not.as_ref().map(|skip| words::skip(skip, lang)).unwrap_or_default();
            return format!("{}\n             {why}\n", paint.tone(Tone::Faint, &format!("- {head}")));
        };
        let (mark, tone) = match did.ending {
            Ending::Exited { exit_code: 0 } => ("✓", Tone::Good),
            Ending::Exited { exit_code: 2 } => ("!", Tone::Doubtful),
            _ => ("✗", Tone::Bad),
        };
        let mut text = format!("{}\n", paint.tone(tone, &format!("{mark} {head}")));
        let mut line = |what: &str| text.push_str(&format!("    {what}\n"));
        line(&words::ending(&did.ending, did.took_ms, lang));
        for (name, written, bytes) in
            [("stdout", &did.stdout, did.stdout_bytes), ("stderr", &did.stderr, did.stderr_bytes)]
        {
            if bytes == 0 {
                continue;
            }
            line(&fill(say(lang, "{}, {}바이트:", "{}, {} bytes:"), &[name, &bytes.to_string()]));
            let lines: Vec<&str> = written.lines().collect();
            lines.iter().take(LINES).for_each(|text| line(&format!("  {}", visible_line(text))));
            if lines.len() > LINES {
                line(&fill(
                    say(lang, "  … {}줄 더 있음 (--json)", "  … and {} lines more (--json)"),
                    &[&(lines.len() - LINES).to_string()],
                ));
            }
        }
        if let Some(wanted) = did.reading.wanted {
            line(&words::wanted(wanted, did.reading.reason.as_deref(), lang));
        }
        if did.reading.is_async {
            line(say(lang, "백그라운드에서 계속하겠다고 했습니다", "it asked to go on in the background"));
        }
        if !did.exported.is_empty() {
            line(&fill(
                say(lang, "다음 훅에 넘긴 변수: {}", "variables for later hooks: {}"),
                &[&did.exported.join(", ")],
            ));
        }
        for at in &did.passed_over {
            let words = say(
                lang,
                "CLAUDE_ENV_FILE {}번째 줄은 실행해야 알 수 있어 건너뛰었습니다",
                "line {} of CLAUDE_ENV_FILE would have to be executed, and was passed over",
            );
            line(&fill(words, &[&at.to_string()]));
        }
        if did.left_running {
            line(say(lang, "훅이 남긴 프로세스가 아직 실행 중입니다", "something that it started is still running"));
        }
        for slip in &did.reading.slips {
            line(&paint.tone(Tone::Doubtful, &format!("! {}", words::slip(slip, lang))));
        }
        text
    }
}

impl Did {
    fn of(result: Results) -> Self {
        let masked = |text: String| mask(&text).as_str().to_owned();
        let mut reading = result.reading;
        for text in [&mut reading.reason, &mut reading.system_message, &mut reading.context] {
            *text = text.take().map(masked);
        }
        Self {
            took_ms: time::millis(result.done.took),
            stdout: masked(result.done.stdout.text()),
            stdout_bytes: result.done.stdout.total,
            stderr: masked(result.done.stderr.text()),
            stderr_bytes: result.done.stderr.total,
            left_running: result.done.left_running,
            ending: result.done.ending,
            reading,
            exported: result.exported,
            passed_over: result.passed_over,
        }
    }
}

impl Report {
    fn text(&self, place: &Place, paint: Paint) -> String {
        let lang = place.lang;
        if self.hooks.is_empty() {
            let words = say(lang, "{}에 등록된 훅이 없습니다.\n", "There are no hooks for {}.\n");
            return fill(words, &[&self.event]);
        }
        let mut text: String = self.hooks.iter().map(|hook| hook.text(lang, paint)).collect();
        if self.hooks.iter().any(|hook| matches!(hook.why_not, Some(Skip::SourceOff))) {
            text.push_str(say(
                lang,
                "\n꺼진 출처는 DMPLZ_HOOKS로 켜거나, 이번에만 --source로 고를 수 있습니다.\n",
                "\nDMPLZ_HOOKS switches a source on, and --source does for one run.\n",
            ));
        }
        text.push_str(say(
            lang,
            "\n훅의 응답은 기록만 하며 아무것도 바꾸지 않습니다.\n",
            "\nWhat hooks answer is recorded, and changes nothing.\n",
        ));
        text
    }
}
