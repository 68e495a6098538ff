//! `dmplz policy trust`: shows the allows of a folder's `.dmplz/policy.toml`, and lets them count as long as the file
//! does not change.

use std::path::{Path, PathBuf};

use dmplz_core::text::Lang;
use dmplz_policy::authoring::examples::checked;
use dmplz_policy::{Decision, File, Origin, Rule, Tier};
use dmplz_state::{StateDir, Trust};

use super::load::WORKSPACE;
use super::sources::here;
use super::words;
use crate::settings::{self, environment};
use crate::terminal::{Paint, Tone, say, show, tell};
use crate::told::{Tell, Told};
use crate::{exit, plain_file};

/// The arguments of `policy trust`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder; this one unless given · 폴더 (기본값: 현재 폴더)
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Do not ask: you have read the file · 묻지 않기 (파일을 이미 읽었을 때)
    #[arg(long)]
    yes: bool,
    /// List what is trusted · 신뢰한 파일 목록
    #[arg(long, conflicts_with_all = ["folder", "yes"])]
    list: bool,
    /// The list as JSON for programs · 프로그램이 읽을 JSON 목록
    #[arg(long, requires = "list")]
    json: bool,
}

/// The arguments of `policy untrust`.
#[derive(Debug, clap::Args)]
pub(crate) struct UntrustArgs {
    /// The folder; this one unless given · 폴더 (기본값: 현재 폴더)
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Shows what a file would allow, and trusts it after a confirmation.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let lang = words::lang();
    if args.list {
        return list(args.json, lang);
    }
    let path = file_of(args.folder.as_deref())?.canonicalize();
    let path = path.told(
        "폴더에 .dmplz/policy.toml이 없습니다(`dmplz policy init --workspace`로 만들 수 있습니다)",
        "the folder has no .dmplz/policy.toml (dmplz policy init --workspace writes one)",
        &[],
    )?;
    let text = plain_file::text(&path).not_read(&path)?;
    let root = path.parent().and_then(Path::parent).map(Path::to_owned);
    let file = checked(File::parse(&text, Origin { tier: Tier::Workspace, path: path.clone(), root, trusted: true }));
    show(&shown(&file, &text, lang, Paint::of_stdout()))?;
    if !file.problems.is_empty() {
        let shown = path.display().to_string();
        return Told::err("먼저 고쳐야 신뢰할 수 있습니다: {}", "{} cannot be trusted: correct it first", &[&shown]);
    }
    let question = say(lang, "이 파일의 허용 규칙을 적용할까요?", "Let the allows of this file count?");
    if !args.yes && !crate::consent::ask(question)? {
        show(say(lang, "그대로 두었습니다.\n", "Left as it was.\n"))?;
        return Ok(exit::FAILED);
    }
    Trust::of(&StateDir::open(settings::state_dir(&environment)?)?).add(&path, text.as_bytes())?;
    let done = say(lang, "신뢰합니다. 파일이 바뀌면 다시 물어야 합니다.", "trusted, for as long as it stays as it is.");
    show(&format!("{}: {done}\n", path.display()))?;
    Ok(exit::OK)
}

/// Revokes the trust. Revoking trust that does not exist is not an error.
pub(crate) fn run_untrust(args: &UntrustArgs) -> anyhow::Result<u8> {
    let lang = words::lang();
    let path = file_of(args.folder.as_deref())?;
    // The file may have been deleted; its folder determines its path.
    let path = path.canonicalize().unwrap_or_else(|_| super::real_path::real_path(&path).unwrap_or(path));
    let state = StateDir::find(&settings::state_dir(&environment)?)?;
    let was_there = state.map(|state| Trust::of(&state).remove(&path)).transpose()?.unwrap_or_default();
    let done = match was_there {
        true => say(lang, "더 이상 신뢰하지 않습니다.", "not trusted any more."),
        false => say(lang, "신뢰한 적이 없습니다.", "was not trusted."),
    };
    show(&format!("{}: {done}\n", path.display()))?;
    Ok(exit::OK)
}

fn list(json: bool, lang: Lang) -> anyhow::Result<u8> {
    let state = StateDir::find(&settings::state_dir(&environment)?)?;
    let paths = state.map(|state| Trust::of(&state).list()).transpose()?.unwrap_or_default();
    tell(&paths, json, |paths, _| match paths.as_slice() {
        [] => say(lang, "신뢰한 파일이 없습니다.\n", "Nothing is trusted.\n").to_owned(),
        paths => paths.iter().map(|path| format!("{}\n", words::line(&path.display().to_string()))).collect(),
    })
}

fn file_of(folder: Option<&Path>) -> anyhow::Result<PathBuf> {
    let folder = folder.map_or_else(here, |folder| Ok(folder.to_owned()))?;
    Ok(std::path::absolute(folder).told("폴더를 찾을 수 없습니다", "the folder cannot be found", &[])?.join(WORKSPACE))
}

/// Formats each allow as it is written in the file, because a person agrees to exactly that text.
fn shown(file: &File, text: &str, lang: Lang, paint: Paint) -> String {
    let allows: Vec<&Rule> = file.rules.iter().filter(|rule| rule.decision == Decision::Allow).collect();
    let path = words::line(&file.origin.path.display().to_string());
    let mut shown = match lang {
        Lang::Ko => format!("{path}의 허용 규칙: {}개\n", allows.len()),
        Lang::En => format!("{path}, rules that allow: {}\n", allows.len()),
    };
    for rule in allows {
        // The text reaches to the next rule, so that no part of a rule is missing from what a person agrees to.
        let next = file.rules.iter().map(|other| other.line).filter(|line| *line > rule.line).min();
        let source = words::source(text, rule.line, next);
        shown.push_str(&format!("\n{}\n{source}", paint.tone(Tone::Faint, &rule.place())));
    }
    for problem in &file.problems {
        shown.push_str(&format!("{} {}\n", paint.tone(Tone::Bad, "✗"), words::line(&words::problem(problem, lang))));
    }
    shown.push('\n');
    shown
}
