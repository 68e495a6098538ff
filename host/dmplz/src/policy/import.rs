//! `dmplz policy import`: the permission rules of another program as a policy file.
//!
//! The file goes to stdout, what reads differently to stderr. Nothing is written without `--write`, and then only after a
//! yes.

use std::path::PathBuf;

use dmplz_core::text::Lang;
use dmplz_policy::authoring::examples::checked;
use dmplz_policy::authoring::import::{self, Import, Source};
use dmplz_policy::{File, Origin, Tier};
use serde_json::Value;

use super::{words, write};
use crate::settings::{self, environment};
use crate::terminal::{say, show};
use crate::told::{Phrase, Tell, Told};
use crate::{exit, plain_file, time, trouble};

/// The arguments of `policy import`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The settings of Claude Code: ~/.claude/settings.json, .claude/settings.json, ... · Claude Code의 설정 파일
    #[arg(long, value_name = "SETTINGS")]
    claude: PathBuf,
    /// Add the rules to yours, as a new file in policy.d, after a yes · 확인을 받고 policy.d에 추가
    #[arg(long)]
    write: bool,
    /// Do not ask: you have read the rules · 묻지 않기 (규칙을 이미 읽었을 때)
    #[arg(long, requires = "write")]
    yes: bool,
}

/// Shows the rules, and adds them if `--write` is given.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let lang = words::lang();
    let Import { toml, notes } = read(args)?;
    show(&toml)?;
    for note in notes {
        trouble::warn(&words::note(&note, lang));
    }
    if !args.write {
        return Ok(exit::OK);
    }
    let state_dir = settings::state_dir(&environment)?;
    let name = write::unused(&state_dir, "imported", &time::today());
    let origin = Origin { tier: Tier::User, path: state_dir.join(&name), root: None, trusted: true };
    let file = checked(File::parse(&toml, origin));
    let settings = args.claude.display().to_string();
    if file.rules.is_empty() {
        let (ko, en) = ("가져올 수 없습니다: {}: 규칙이 없습니다", "{} cannot be imported: there are no rules in it");
        return Err(Told::new(ko, en, &[&settings]).into());
    }
    if let Some(problem) = file.problems.first() {
        let ko = format!("가져올 수 없습니다: {settings}: {}", words::problem(problem, Lang::Ko));
        let en = format!("{settings} cannot be imported: {}", words::problem(problem, Lang::En));
        return Err(Told::from(Phrase::from([ko, en])).into());
    }
    let question = say(lang, "이 규칙들을 추가할까요?", "Add these rules to yours?");
    if !args.yes && !crate::consent::ask(question)? {
        show(say(lang, "그대로 두었습니다.\n", "Left as it was.\n"))?;
        return Ok(exit::FAILED);
    }
    let path = write::create_ours(&state_dir, &name, &toml)?;
    show(&format!("{}: {}\n", words::line(&path.display().to_string()), say(lang, "추가했습니다.", "added.")))?;
    Ok(exit::OK)
}

fn read(args: &Args) -> anyhow::Result<Import> {
    let path = args.claude.canonicalize().not_found(&args.claude)?;
    let text = plain_file::text(&path).not_read(&path)?;
    let settings: Value = serde_json::from_str(&text).not_read(&path)?;
    let home = environment("HOME").map(PathBuf::from);
    Ok(import::claude(&settings, &Source { file: &path, home: home.as_deref() }))
}
