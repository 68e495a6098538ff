//! `dmplz hooks trust`: lets the hooks of a folder run, after they were shown, for as long as they stay as they are.
//!
//! Only a person at a terminal can say yes, or `--without-asking` for a machine that a person set up. What changed since the last
//! yes is shown as a diff.
//!
//! The page does the same ([`changes`], [`trust_shown`]): it names the digest of what it showed, and nothing else is trusted. What is too
//! long for it is trusted in a terminal only.

use std::path::PathBuf;

use anyhow::{Context, bail};
use dmplz_core::claude::SettingsFile;
use dmplz_core::text::Lang;
use dmplz_core::visible::visible;
use dmplz_protocol::notify::settings::{ChangedLine, HookChanges, HookTrusted, LineChange, NotChanged};
use dmplz_state::{HookTrust, Standing, StateDir};
use similar::{ChangeTag, TextDiff};

use super::place::{Place, Where};
use super::words;
use crate::exit;
use crate::settings::{self, environment};
use crate::terminal::{self, Paint, Tone, say, show, tell};
use crate::trouble;

/// The longest text that the page shows, in bytes.
const LONGEST: usize = 256 << 10;

/// What `hooks trust` is told.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder; this one unless given · 폴더 (기본값: 현재 폴더)
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Trust them without asking: you have read them, and they may run programs as you · 묻지 않기 (이미 읽었을 때)
    #[arg(long)]
    without_asking: bool,
    /// List the folders whose hooks are trusted · 신뢰한 폴더 목록
    #[arg(long, conflicts_with_all = ["folder", "without_asking"])]
    list: bool,
    /// The list as JSON for programs · 프로그램이 읽을 JSON 목록
    #[arg(long, requires = "list")]
    json: bool,
}

/// What `hooks untrust` is told.
#[derive(Debug, clap::Args)]
pub(super) struct UntrustArgs {
    /// The folder; this one unless given · 폴더 (기본값: 현재 폴더)
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Shows the hooks of a folder, or what changed in them, and trusts them after a yes.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    if args.list {
        return list(args.json);
    }
    let place = Place::find(&Where::in_folder(args.folder.clone()))?;
    let lang = place.lang;
    let shown_path = words::path(&place.project);
    let Some(text) = text_of(&place)? else {
        let none = say(lang, "이 폴더에는 신뢰할 훅이 없습니다.", "this folder has no hooks to trust.");
        show(&format!("{shown_path}: {none}\n"))?;
        return Ok(exit::OK);
    };
    let trust = HookTrust::of(&StateDir::open(&place.state_dir)?);
    let before = trust.trusted_text(&place.project);
    if before.as_deref() == Some(text) {
        let done = say(lang, "이미 지금 내용대로 신뢰하고 있습니다.", "trusted already, as it is now.");
        show(&format!("{shown_path}: {done}\n"))?;
        return Ok(exit::OK);
    }
    show(&shown(before.as_deref(), text, lang, Paint::of_stdout()))?;
    let question = say(
        lang,
        "이 훅들은 내 권한으로 프로그램을 실행합니다. 지금 내용대로 실행해도 될까요?",
        "These hooks run programs as you. Let them run, as they are now?",
    );
    if !args.without_asking && !crate::consent::ask(question)? {
        show(say(lang, "그대로 두었습니다.\n", "Left as it was.\n"))?;
        return Ok(exit::FAILED);
    }
    trust.add(&place.project, text)?;
    let done = say(
        lang,
        "신뢰합니다. 훅이나 위의 파일이 바뀌면 다시 물어야 합니다.",
        "trusted, for as long as these hooks and files stay as they are.",
    );
    show(&format!("{shown_path}: {done}\n"))?;
    let off: Vec<&str> = place.off().map(SettingsFile::name).collect();
    if !off.is_empty() {
        let words = say(lang, "아직 꺼져 있는 출처 (DMPLZ_HOOKS)", "still off (DMPLZ_HOOKS)");
        show(&format!("{words}: {}\n", off.join(", ")))?;
    }
    Ok(exit::OK)
}

/// Returns the text that is to be trusted; `None` if the folder has no hooks that need it.
fn text_of(place: &Place) -> anyhow::Result<Option<&str>> {
    for source in place.sources.iter().filter(|source| source.kind.needs_trust()) {
        if let Some(broken) = source.hooks.broken() {
            let path = words::path(&source.path);
            bail!("{path} cannot be trusted: {}", words::problem(&broken.problem, place.lang));
        }
    }
    match &place.snapshot {
        None => Ok(None),
        Some(Err(why)) => {
            bail!("the hooks of {} cannot be trusted: {why}", words::path(&place.project))
        }
        Some(Ok(text)) => Ok(Some(text)),
    }
}

/// Returns what a person would trust in a folder, for the page.
pub(crate) fn changes(folder: PathBuf, lang: Lang) -> anyhow::Result<HookChanges> {
    let place = Place { lang, ..Place::find(&Where::in_folder(Some(folder)))? };
    let none = HookChanges {
        folder: place.project.display().to_string(),
        trusted: HookTrusted::NoHooks,
        digest: None,
        lines: Vec::new(),
        why_not: None,
    };
    let text = match text_of(&place) {
        Ok(Some(text)) => text,
        Ok(None) => return Ok(none),
        Err(why) => return Ok(HookChanges { trusted: HookTrusted::New, why_not: Some(why.to_string()), ..none }),
    };
    let trust = HookTrust::of(&StateDir::open(&place.state_dir)?);
    let before = trust.trusted_text(&place.project);
    let trusted = match trust.standing(&place.project, text)? {
        Standing::Trusted => return Ok(HookChanges { trusted: HookTrusted::Trusted, ..none }),
        Standing::Changed => HookTrusted::Changed,
        Standing::Unknown => HookTrusted::New,
    };
    let lines = lines(before.as_deref(), text);
    if lines.iter().map(|line| line.text.len()).sum::<usize>() > LONGEST {
        let why = say(
            lang,
            "여기서 모두 보여 주기에는 너무 깁니다. 터미널에서 실행하세요: dmplz hooks trust",
            "it is too long to be shown here. Run this in a terminal: dmplz hooks trust",
        );
        return Ok(HookChanges { trusted, why_not: Some(why.to_owned()), ..none });
    }
    Ok(HookChanges { trusted, digest: Some(HookTrust::digest(text)), lines, ..none })
}

/// Trusts the hooks of a folder, if they are still those that were shown.
pub(crate) fn trust_shown(folder: PathBuf, digest: &str) -> Result<(), NotChanged> {
    let place = Place::find(&Where::in_folder(Some(folder))).map_err(not_changed)?;
    let text = text_of(&place).map_err(not_changed)?.filter(|text| HookTrust::digest(text) == digest);
    let text = text.ok_or_else(|| NotChanged {
        field: Some("digest".to_owned()),
        message: "these hooks have changed since they were shown; look at them again".to_owned(),
    })?;
    let state = StateDir::open(&place.state_dir).map_err(|error| not_changed(error.into()))?;
    HookTrust::of(&state).add(&place.project, text).map_err(|error| not_changed(error.into()))?;
    trouble::info(&format!("the hooks of {} were trusted on the page", words::path(&place.project)));
    Ok(())
}

/// Trusts the hooks of a folder no more.
pub(crate) fn untrust_folder(folder: PathBuf) -> Result<(), NotChanged> {
    revoke(folder).map(drop).map_err(not_changed)
}

fn not_changed(error: anyhow::Error) -> NotChanged {
    NotChanged { field: None, message: trouble::chain(&error) }
}

/// Revokes the trust in a folder, which may have been deleted. Returns its path, and whether it was trusted.
fn revoke(folder: PathBuf) -> anyhow::Result<(PathBuf, bool)> {
    let folder = match folder.canonicalize() {
        Ok(folder) => folder,
        Err(_) => std::path::absolute(folder).context("the folder cannot be found")?,
    };
    let state = StateDir::find(&settings::state_dir(&environment)?)?;
    let was_there = state.map(|state| HookTrust::of(&state).remove(&folder)).transpose()?.unwrap_or_default();
    Ok((folder, was_there))
}

/// Revokes the trust. Revoking trust that does not exist is not an error.
pub(super) fn run_untrust(args: &UntrustArgs) -> anyhow::Result<u8> {
    let lang = terminal::lang(&environment);
    let (folder, was_there) = revoke(args.folder.clone().unwrap_or_else(|| PathBuf::from(".")))?;
    let done = match was_there {
        true => say(lang, "더 이상 신뢰하지 않습니다.", "not trusted any more."),
        false => say(lang, "신뢰한 적이 없습니다.", "was not trusted."),
    };
    show(&format!("{}: {done}\n", words::path(&folder)))?;
    Ok(exit::OK)
}

fn list(json: bool) -> anyhow::Result<u8> {
    let state = StateDir::find(&settings::state_dir(&environment)?)?;
    let folders = state.map(|state| HookTrust::of(&state).list()).transpose()?.unwrap_or_default();
    tell(&folders, json, |folders, _| match folders.as_slice() {
        [] => say(terminal::lang(&environment), "신뢰한 폴더가 없습니다.\n", "Nothing is trusted.\n").to_owned(),
        folders => folders.iter().map(|path| format!("{}\n", words::path(path))).collect(),
    })
}

/// Formats exactly the text that a person agrees to, or what changed in it.
fn shown(before: Option<&str>, text: &str, lang: Lang, paint: Paint) -> String {
    if before.is_none() {
        return format!("{}\n", visible(text).trim_end());
    }
    let mut shown = format!("{}\n", say(lang, "신뢰한 뒤에 바뀐 것:", "What changed since it was trusted:"));
    for ChangedLine { change, text: line } in lines(before, text) {
        shown.push_str(&match change {
            LineChange::Gap => "...".to_owned(),
            LineChange::Removed => paint.tone(Tone::Bad, &format!("- {line}")),
            LineChange::Added => paint.tone(Tone::Good, &format!("+ {line}")),
            LineChange::Same => format!("  {line}"),
        });
        shown.push('\n');
    }
    shown
}

/// Returns the lines of the text that a person agrees to, or of what changed in it.
fn lines(before: Option<&str>, text: &str) -> Vec<ChangedLine> {
    let line = |change, text: &str| ChangedLine { change, text: visible(text.trim_end_matches('\n')) };
    let Some(before) = before else {
        return text.trim_end().lines().map(|text| line(LineChange::Same, text)).collect();
    };
    let diff = TextDiff::from_lines(before, text);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(3) {
        lines.push(line(LineChange::Gap, ""));
        lines.extend(group.iter().flat_map(|op| diff.iter_changes(op)).map(|change| {
            let kind = match change.tag() {
                ChangeTag::Delete => LineChange::Removed,
                ChangeTag::Insert => LineChange::Added,
                ChangeTag::Equal => LineChange::Same,
            };
            line(kind, change.value())
        }));
    }
    lines
}
