//! `dmplz hooks validate`: what is wrong in settings files, and in the programs that they name. Nothing is run, and nothing is
//! changed. Exit code 4 if something is wrong; notes alone are fine.
//!
//! Without files it looks at the files of all three sources, switched on or not. A file is read in the dialect of its client,
//! which its path tells: `.gemini/`, `.codex/`, or Claude Code's for everything else.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_hooks::condition::Base;
use dmplz_hooks::event::Dialect;
use dmplz_hooks::plan::Standing;
use dmplz_hooks::problem::{Finding, Problem, Severity};
use dmplz_hooks::script;
use dmplz_hooks::settings::Hooks;
use serde::Serialize;

use super::disk::RealDisk;
use super::place::{Place, Where, read_text};
use super::words;
use crate::settings::environment;
use crate::terminal::{Paint, Tone, say, tell_findings};
use crate::told::Tell;

/// What it is told.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Settings files in place of those of the sources · 출처의 파일 대신 점검할 설정 파일
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The client whose file it is; the path tells unless given · 파일의 클라이언트 (기본값: 경로로 판단)
    #[arg(long, value_parser = clients(), requires = "files")]
    dialect: Option<Dialect>,
    /// The folder of the project; this one unless given · 프로젝트 폴더 (기본값: 현재 폴더)
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    /// Whether nothing is wrong.
    ok: bool,
    files: Vec<Checked>,
}

#[derive(Serialize)]
struct Checked {
    path: String,
    dialect: Dialect,
    /// How many hooks it has.
    hooks: usize,
    findings: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    severity: Severity,
    #[serde(flatten)]
    finding: Finding,
    /// The same in words, in English.
    message: String,
}

/// Checks them.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find(&Where::in_folder(args.project.clone()))?;
    let mut files = Vec::new();
    if args.files.is_empty() {
        for source in place.sources.iter().filter(|source| source.standing != Standing::Missing) {
            files.push(Checked::of(&source.path, Dialect::Claude, &source.hooks, &place));
        }
    }
    for path in &args.files {
        let text = read_text(path).not_read(path)?;
        let text = text.told("그런 파일이 없습니다: {}", "{} does not exist", &[&path.display().to_string()])?;
        let path = std::path::absolute(path)?;
        let dialect = args.dialect.unwrap_or_else(|| dialect_of(&path));
        let hooks = Hooks::parse(&text, dialect, Base { file: &path, home: place.home.as_deref() });
        files.push(Checked::of(&path, dialect, &hooks, &place));
    }
    let is_fine = |row: &Row| row.severity == Severity::Note;
    let report = Report { ok: files.iter().flat_map(|file| &file.findings).all(is_fine), files };
    tell_findings(&report, args.json, report.ok, |report, paint| report.text(place.lang, paint))
}

/// Reads a client by its name on the command line.
fn clients() -> impl TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(["claude", "gemini", "codex"]).map(|name| match name.as_str() {
        "gemini" => Dialect::Gemini,
        "codex" => Dialect::Codex,
        _ => Dialect::Claude,
    })
}

fn dialect_of(path: &Path) -> Dialect {
    let is_in = |name: &str| path.components().any(|component| component.as_os_str() == name);
    match () {
        () if is_in(".gemini") => Dialect::Gemini,
        () if is_in(".codex") => Dialect::Codex,
        () => Dialect::Claude,
    }
}

impl Checked {
    fn of(path: &Path, dialect: Dialect, hooks: &Hooks, place: &Place) -> Self {
        let disk = RealDisk { path: environment("PATH").unwrap_or_default() };
        let mut findings = hooks.findings.clone();
        for (_, handler) in hooks.handlers() {
            let Some(command) = &handler.command else { continue };
            let at = |problem: Problem| Finding { place: handler.place.to_string(), problem };
            findings.extend(script::check(command, place.roots(), &disk).into_iter().map(at));
        }
        Self {
            path: path.display().to_string(),
            dialect,
            hooks: hooks.handlers().count(),
            findings: findings.into_iter().map(Row::of).collect(),
        }
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let count = self.hooks.to_string();
        let head = fill(say(lang, "{}: 훅 {}개", "{}, hooks: {}"), &[&words::path(&self.path), &count]);
        let mut text = format!("{}\n", paint.tone(Tone::Strong, &head));
        for Row { severity, finding, .. } in &self.findings {
            let (mark, tone) = match severity {
                Severity::Error => ("✗", Tone::Bad),
                Severity::Warning => ("!", Tone::Doubtful),
                Severity::Note => ("-", Tone::Faint),
            };
            let place =
                if finding.place.is_empty() { String::new() } else { format!("{}: ", visible_line(&finding.place)) };
            text.push_str(&format!("  {} {place}{}\n", paint.tone(tone, mark), words::problem(&finding.problem, lang)));
        }
        if self.findings.is_empty() {
            text.push_str(&format!(
                "  {} {}\n",
                paint.tone(Tone::Good, "✓"),
                say(lang, "문제가 없습니다", "nothing is wrong")
            ));
        }
        text
    }
}

impl Row {
    fn of(finding: Finding) -> Self {
        let message = words::problem(&finding.problem, Lang::En);
        Self { severity: finding.problem.severity(), message, finding }
    }
}

impl Report {
    fn text(&self, lang: Lang, paint: Paint) -> String {
        if self.files.is_empty() {
            return say(lang, "훅 설정 파일이 없습니다.\n", "There is no settings file with hooks.\n").to_owned();
        }
        let mut text: String = self.files.iter().map(|file| file.text(lang, paint)).collect();
        text.push_str(say(
            lang,
            "\n스크립트가 이벤트에 무엇이라고 답하는지는 dmplz hooks run이 보여 줍니다.\n",
            "\n`dmplz hooks run` shows what each script answers to an event.\n",
        ));
        text
    }
}
