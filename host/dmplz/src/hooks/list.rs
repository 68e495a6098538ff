//! `dmplz hooks list`: every hook of every source, whether it would run, and why not.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context;
use dmplz_core::claude::SettingsFile;
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_hooks::event::is_raised;
use dmplz_hooks::plan::{Planned, Skip, Source, Standing, standing};
use dmplz_hooks::problem::{Finding, Severity};
use dmplz_hooks::settings::{self, OnFailure};
use dmplz_protocol::notify::settings::{Hook, HookList, HookSource};
use serde::Serialize;

use super::place::{Place, Where};
use super::session::command;
use super::words;
use crate::settings::environment;
use crate::terminal::{Paint, Tone, pad, say, tell};
use crate::time;

/// What it is told.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    at: Where,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    project: String,
    sources: Vec<SourceRow<'a>>,
    hooks: Vec<HookRow>,
    /// How many hooks there are of each type that dmplz does not run.
    unsupported: BTreeMap<String, usize>,
}

#[derive(Serialize)]
struct SourceRow<'a> {
    source: SettingsFile,
    path: String,
    standing: Standing,
    findings: &'a [Finding],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HookRow {
    source: SettingsFile,
    place: String,
    event: String,
    matcher: String,
    #[serde(rename = "type")]
    kind: String,
    command: String,
    timeout_ms: u64,
    #[serde(rename = "async")]
    is_async: bool,
    once: bool,
    #[serde(rename = "if", skip_serializing_if = "Option::is_none")]
    condition: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_message: Option<String>,
    on_failure: OnFailure,
    runs: bool,
    /// Whether dmplz raises the event itself.
    raised: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<Skip>,
}

/// Lists them.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find(&args.at)?;
    let report = Report::of(&place);
    tell(&report, args.json, |report, paint| report.text(&place, paint))
}

/// Returns the hooks of a folder for the page; those of the person alone where no folder is named.
pub(crate) fn listed(folder: Option<PathBuf>, lang: Lang) -> anyhow::Result<HookList> {
    let home = environment("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    let at = folder.clone().or(home).context("HOME is not set")?;
    let place = Place::find(&Where::in_folder(Some(at)))?;
    let report = Report::of(&place);
    let is_of_folder = folder.is_some();
    let is_shown = |file: SettingsFile| is_of_folder || file == SettingsFile::User;
    let source = |source: &SourceRow<'_>| HookSource {
        source: source.source.name().to_owned(),
        path: words::path(&source.path),
        standing: words::code(source.standing),
        means: words::standing(source.standing, source.source, lang),
        problems: source
            .findings
            .iter()
            .filter(|finding| is_slip(finding))
            .map(|finding| words::problem(&finding.problem, lang))
            .collect(),
    };
    let hook = |hook: HookRow| Hook {
        remark: hook.remark(lang).map(str::to_owned),
        source: hook.source.name().to_owned(),
        event: hook.event,
        matcher: hook.matcher,
        r#type: hook.kind,
        command: hook.command,
        timeout_ms: hook.timeout_ms,
        r#async: hook.is_async,
        r#if: hook.condition,
        description: hook.description,
        why_not: hook.why_not.map(|skip| words::skip(&skip, lang)),
    };
    Ok(HookList {
        folder: folder.map(|_| report.project.clone()),
        sources: report.sources.iter().filter(|row| is_shown(row.source)).map(source).collect(),
        hooks: report.hooks.into_iter().filter(|row| is_shown(row.source)).map(hook).collect(),
        unsupported: if is_of_folder { report.unsupported } else { BTreeMap::new() },
    })
}

impl<'a> Report<'a> {
    fn of(place: &'a Place) -> Self {
        let hooks: Vec<HookRow> = standing(&place.sources).iter().map(HookRow::of).collect();
        let mut unsupported = BTreeMap::new();
        for (_, handler) in place.sources.iter().flat_map(|source| source.hooks.handlers()) {
            if let settings::Kind::Unsupported(kind) = &handler.kind {
                *unsupported.entry(kind.clone()).or_default() += 1;
            }
        }
        let row = |source: &'a Source| SourceRow {
            source: source.kind,
            path: source.path.display().to_string(),
            standing: source.standing,
            findings: &source.hooks.findings,
        };
        Self {
            project: place.project.display().to_string(),
            sources: place.sources.iter().map(row).collect(),
            hooks,
            unsupported,
        }
    }

    fn text(&self, place: &Place, paint: Paint) -> String {
        let lang = place.lang;
        let mut text = String::new();
        for source in &self.sources {
            let (mark, tone) = match source.standing {
                Standing::On => ("✓", Tone::Good),
                Standing::Off | Standing::Missing => ("-", Tone::Faint),
                Standing::Broken => ("✗", Tone::Bad),
                Standing::Untrusted | Standing::Changed => ("!", Tone::Doubtful),
            };
            let path = words::path(&source.path);
            let why = words::standing(source.standing, source.source, lang);
            let line = format!("{mark} {} {path}: {why}", pad(source.source.name(), 8));
            text.push_str(&format!("{}\n", paint.tone(tone, &line)));
            if source.standing == Standing::Broken {
                let findings = source.findings.iter().filter(|finding| finding.problem.severity() == Severity::Error);
                text.extend(
                    findings.take(1).map(|finding| format!("    {}\n", words::problem(&finding.problem, lang))),
                );
            }
        }
        let mut event = "";
        for hook in &self.hooks {
            if hook.event != event {
                event = &hook.event;
                text.push_str(&format!("\n{}\n", paint.tone(Tone::Strong, &visible_line(event))));
            }
            text.push_str(&hook.text(lang, paint));
        }
        if self.hooks.is_empty() {
            text.push_str(say(lang, "\n훅이 없습니다.\n", "\nThere are no hooks.\n"));
        }
        if !self.unsupported.is_empty() {
            let counts: Vec<String> = self.unsupported.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            let words = say(lang, "\n지원하지 않는 훅: {}\n", "\nHooks of types that dmplz does not run: {}\n");
            text.push_str(&fill(words, &[&counts.join(", ")]));
        }
        let slips = self.sources.iter().flat_map(|source| source.findings).filter(|finding| is_slip(finding)).count();
        if slips > 0 {
            let words = say(
                lang,
                "\n설정에 고칠 것이 {}개 있습니다: dmplz hooks validate\n",
                "\nSomething to look at in the settings: {}. `dmplz hooks validate` tells more.\n",
            );
            text.push_str(&fill(words, &[&slips.to_string()]));
        }
        text
    }
}

fn is_slip(finding: &Finding) -> bool {
    finding.problem.severity() != Severity::Note
}

impl HookRow {
    fn of(planned: &Planned<'_>) -> Self {
        let handler = planned.handler;
        let kind = match &handler.kind {
            settings::Kind::Command => "command",
            settings::Kind::Unsupported(kind) | settings::Kind::Unknown(kind) => kind,
        };
        let condition = handler.condition.as_ref().map(|condition| match condition {
            Ok(condition) => condition.as_str().to_owned(),
            Err(text) => text.clone(),
        });
        Self {
            source: planned.source,
            place: handler.place.to_string(),
            event: planned.group.event.clone(),
            matcher: planned.group.written.clone(),
            kind: kind.to_owned(),
            command: command(planned),
            timeout_ms: time::millis(handler.limit),
            is_async: handler.is_async,
            once: handler.once,
            condition,
            description: handler.description.clone(),
            status_message: handler.status_message.clone(),
            on_failure: handler.on_failure,
            runs: planned.skip.is_none(),
            raised: is_raised(&planned.group.event),
            why_not: planned.skip.clone(),
        }
    }

    /// Returns what to know of a hook that would run, if there is something.
    fn remark(&self, lang: Lang) -> Option<&'static str> {
        let remark = say(
            lang,
            "이 이벤트는 Claude Code만 내고 dmplz는 내지 않음. 테스트: dmplz hooks run",
            "only Claude Code raises this event, dmplz does not; to try it: dmplz hooks run",
        );
        (self.runs && !self.raised).then_some(remark)
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let matcher = if self.matcher.is_empty() { "*" } else { &self.matcher };
        let what = if self.command.is_empty() { format!("({})", self.kind) } else { self.command.clone() };
        let mut options = vec![words::limit(self.timeout_ms)];
        options.extend(self.is_async.then(|| "async".to_owned()));
        options.extend(self.condition.as_ref().map(|condition| format!("if {condition}")));
        let (mark, tone) = if self.runs { ("✓", Tone::Good) } else { ("-", Tone::Faint) };
        let line = format!("{mark} {} {}  {}", pad(self.source.name(), 8), visible_line(matcher), visible_line(&what));
        let mut text = format!(
            "  {} {}\n",
            paint.tone(tone, &line),
            paint.tone(Tone::Faint, &format!("({})", options.join(", ")))
        );
        if let Some(description) = &self.description {
            text.push_str(&format!("             {}\n", visible_line(description)));
        }
        if let Some(skip) = &self.why_not {
            text.push_str(&format!("             {}\n", words::skip(skip, lang)));
        }
        if let Some(remark) = self.remark(lang) {
            text.push_str(&format!("             {remark}\n"));
        }
        text
    }
}
