//! `dmplz install` and `dmplz uninstall`: our hooks in Claude Code's settings.
//!
//! | there is | install | uninstall |
//! |---|---|---|
//! | nothing of ours | adds the hooks of `plugin/hooks/hooks.json`, and of events that a route of notices is for, with this program's path | nothing |
//! | hooks of ours | corrects path, timeout and missing events | removes them |
//! | the very file that an install made | nothing | what was there before it, byte for byte |
//! | anything that is not plain JSON of the known shape | refuses | refuses |
//!
//! Everything else in the file keeps its bytes. A change is written at once and whole, after a backup.

mod document;
mod file;
mod hooks;
mod managed;
mod permission;
mod registration;
mod status;

use std::path::{Path, PathBuf};

use dmplz_core::claude::{SettingsFile, config_dir};
use dmplz_core::text::Lang;
use similar::TextDiff;

pub(crate) use managed::{Managed, managed};
pub(crate) use permission::remove_permission;
#[cfg(test)]
pub(crate) use status::Before;
pub(crate) use status::{Hooks, Installed, status};

use crate::exit;
use crate::notify::settings::NotifySettings;
use crate::program;
use crate::settings::{self, Environment, Settings, SettingsError, Table, environment};
use crate::terminal::{lang, say, show};
use crate::told::Tell;
use file::File;
use registration::{Change, deregister, register};

/// The arguments of `install` and `uninstall`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// In every session of yours: ~/.claude/settings.json (the default) · 내 모든 세션 (기본값)
    #[arg(long, group = "scope")]
    user: bool,
    /// In this folder, for everybody who shares it: .claude/settings.json · 이 폴더, 함께 쓰는 모두
    #[arg(long, group = "scope")]
    project: bool,
    /// In this folder, for you: .claude/settings.local.json · 이 폴더, 나만
    #[arg(long, group = "scope")]
    local: bool,
    /// Show the change and write nothing · 바뀔 내용만 보여 주기
    #[arg(long)]
    dry_run: bool,
}

impl Args {
    fn scope(&self) -> SettingsFile {
        match (self.project, self.local) {
            (true, _) => SettingsFile::Project,
            (_, true) => SettingsFile::Local,
            _ => SettingsFile::User,
        }
    }
}

/// Registers this program. Returns the exit code.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    show(&registered(args.scope(), args.dry_run)?)?;
    Ok(exit::OK)
}

/// Registers this program for a scope. Returns a line that describes the change.
pub(crate) fn registered(scope: SettingsFile, dry_run: bool) -> anyhow::Result<String> {
    let settings = Settings::of(&Table::load(&environment)?)?;
    let reported = NotifySettings::load(&settings.state_dir, &environment)?.hooks();
    let seconds = settings.hook_timeout.as_millis().div_ceil(1_000).try_into()?;
    let program = program::path()?;
    let register = |file: &File| register(file.text.as_deref(), &program, seconds, &reported).map(Change::Text);
    change(&settings_path(scope, &environment)?, dry_run, register)
}

/// Removes every registration of dmplz. Returns the exit code. `has_service` is whether the gateway is a service of this
/// user.
pub(crate) fn run_uninstall(args: &Args, has_service: bool) -> anyhow::Result<u8> {
    // Settings that cannot be read keep nobody from an uninstall.
    let dir = settings::state_dir(&environment);
    let notify = dir.and_then(|dir| NotifySettings::load(&dir, &environment)).unwrap_or_default();
    let deregister = |file: &File| deregister(file, &notify.hooks());
    show(&change(&settings_path(args.scope(), &environment)?, args.dry_run, deregister)?)?;
    if args.scope() == SettingsFile::User && has_service {
        let left = say(
            lang(&environment),
            "게이트웨이 서비스는 남아 있습니다. 지우려면: dmplz service uninstall",
            "the gateway's service is still installed; to remove it: dmplz service uninstall",
        );
        show(&format!("{left}\n"))?;
    }
    Ok(exit::OK)
}

/// Returns the path of a settings file of this user, or of the current directory.
pub(crate) fn settings_path(file: SettingsFile, environment: Environment<'_>) -> anyhow::Result<PathBuf> {
    if file == SettingsFile::User {
        return Ok(file.path(Path::new(""), &config_dir(environment).ok_or(SettingsError::NoClient)?));
    }
    let project =
        std::env::current_dir().told("현재 폴더를 찾을 수 없습니다", "the current directory cannot be found", &[])?;
    Ok(file.path(&project, Path::new("")))
}

/// Changes a file. Returns a line that describes the change, or a diff if nothing is to be written.
fn change(path: &Path, dry_run: bool, edit: impl FnOnce(&File) -> anyhow::Result<Change>) -> anyhow::Result<String> {
    let file = File::read(path)?;
    let change =
        edit(&file).told("바꿀 수 없습니다: {}", "{} cannot be changed", &[&file.path.display().to_string()])?;
    if dry_run { Ok(diff(&file, &change)) } else { make(&file, &change, lang(&environment)) }
}

/// Writes a change. Returns a line that describes it.
fn make(file: &File, change: &Change, lang: Lang) -> anyhow::Result<String> {
    let (path, backup) = (file.path.display(), file.backup());
    let done = match change {
        change if change.text() == file.text.as_deref() => {
            say(lang, "바꿀 것이 없습니다", "nothing to change").to_owned()
        }
        Change::Before(before) => {
            file.restore(before.as_deref())?;
            say(lang, "설치하기 전 그대로 되돌렸습니다", "as it was before the install").to_owned()
        }
        Change::Text(text) => {
            file.write(text)?;
            match &file.text {
                None => say(lang, "새로 만들었습니다", "written").to_owned(),
                Some(_) => {
                    let copy = say(lang, "바꿨습니다. 바꾸기 전 사본:", "changed; as it was before:");
                    format!("{copy} {}", backup.display())
                }
            }
        }
    };
    Ok(format!("{path}: {done}\n"))
}

fn diff(file: &File, change: &Change) -> String {
    let (old, new) = (file.text.as_deref().unwrap_or_default(), change.text().unwrap_or_default());
    let path = file.path.display().to_string();
    TextDiff::from_lines(old, new).unified_diff().header(&path, &path).to_string()
}

#[cfg(test)]
mod tests;
