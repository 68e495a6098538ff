//! The settings files of a folder: which count, and whether a person trusts them.
//!
//! `DMPLZ_HOOKS` names the sources that count; `--source` takes its place for one command, and neither takes the place of trust.
//! What is trusted is a text ([`dmplz_hooks::snapshot`]): the hooks of the project's two settings files, all files in
//! `.claude/hooks`, and the files of the project that commands name. Each file is read once, so that what is parsed is what was
//! compared with the trusted text.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dmplz_core::claude::{SettingsFile, config_dir};
use dmplz_core::text::Lang;
use dmplz_hooks::condition::Base;
use dmplz_hooks::event::Dialect;
use dmplz_hooks::plan::{Source, Standing};
use dmplz_hooks::script::{Roots, project_files};
use dmplz_hooks::settings::Hooks;
use dmplz_hooks::snapshot::{self, Piece};
use dmplz_state::{HookTrust, Standing as Trusted, StateDir};

use super::disk;
use crate::settings::{RejectionLog, SettingsError, Table, environment};
use crate::told::{Tell, Told};
use crate::trouble;

/// The setting that names the sources.
pub(crate) const SOURCES: &str = "DMPLZ_HOOKS";

/// Which folder, and which sources.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Where {
    /// The folder of the project; this one unless given · 프로젝트 폴더 (기본값: 현재 폴더)
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Take this source in place of DMPLZ_HOOKS: user, project or local; may be given more than once · 이번에만 쓸 출처
    #[arg(long = "source", value_name = "SOURCE", value_parser = source)]
    sources: Vec<SettingsFile>,
}

fn source(name: &str) -> Result<SettingsFile, Told> {
    let (ko, en) = ("쓸 수 있는 값: user, project, local", "it takes user, project or local");
    SettingsFile::named(name).ok_or_else(|| Told::new(ko, en, &[]))
}

impl Where {
    /// Takes the sources of the setting, in a folder.
    pub(super) fn in_folder(project: Option<PathBuf>) -> Self {
        Self { project, sources: Vec::new() }
    }
}

/// A folder with its settings files.
pub(crate) struct Place {
    pub(super) lang: Lang,
    /// The canonical path of the project's folder.
    pub(super) project: PathBuf,
    pub(super) home: Option<PathBuf>,
    pub(super) sources: Vec<Source>,
    /// The text of the project's hooks; `None` if it has none.
    pub(super) snapshot: Option<Snapshot>,
    pub(super) state_dir: PathBuf,
    pub(super) log: RejectionLog,
}

/// The text that is trusted, or why there is none.
pub(super) type Snapshot = Result<String, String>;

impl Place {
    /// Reads the settings files of a folder.
    pub(super) fn find(at: &Where) -> anyhow::Result<Self> {
        let table = Table::load(&environment)?;
        let sources = match at.sources.is_empty() {
            true => switched_on(&table)?,
            false => at.sources.iter().copied().collect(),
        };
        let folder = at.project.clone().unwrap_or_else(|| PathBuf::from("."));
        Self::read(&table, &folder, &sources)
    }

    /// Reads the settings files of a folder if `DMPLZ_HOOKS` names a source; otherwise no file of theirs is touched.
    pub(super) fn switched_on(folder: &Path) -> anyhow::Result<Option<Self>> {
        let table = Table::load(&environment)?;
        let sources = switched_on(&table)?;
        if sources.is_empty() { Ok(None) } else { Self::read(&table, folder, &sources).map(Some) }
    }

    fn read(table: &Table, folder: &Path, on: &BTreeSet<SettingsFile>) -> anyhow::Result<Self> {
        let project = folder.canonicalize().not_found(folder)?;
        let home = environment("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        let state_dir = table.state_dir()?;
        let config_dir = config_dir(environment);
        let user = config_dir.as_deref().map(|folder| SettingsFile::User.path(&project, folder));
        let files = SettingsFile::ALL.into_iter().filter_map(|file| match file {
            SettingsFile::User => Some((file, user.clone()?)),
            _ => Some((file, file.path(&project, Path::new("")))),
        });
        // In the home directory the project's file is the user's own.
        let is_double =
            |(kind, path): &(SettingsFile, PathBuf)| *kind == SettingsFile::Project && user.as_ref() == Some(path);
        // A rule's path is below the project also in the user's own settings, as in the client.
        let of_rules = project.join(".claude/settings.json");
        let mut pieces = Vec::new();
        let mut sources = Vec::new();
        for (kind, path) in files.filter(|file| !is_double(file)) {
            let base = Base { file: &of_rules, home: home.as_deref() };
            let (standing, hooks, text) = match read_text(&path) {
                Ok(None) => (Standing::Missing, Hooks::default(), None),
                Ok(Some(text)) => (Standing::On, Hooks::parse(&text, Dialect::Claude, base), Some(text)),
                Err(error) => (Standing::Broken, Hooks::unreadable(error.to_string()), None),
            };
            let standing = match standing {
                Standing::On if hooks.broken().is_some() => Standing::Broken,
                Standing::On if !on.contains(&kind) => Standing::Off,
                other => other,
            };
            if let Some(part) = text.filter(|_| kind.needs_trust()).and_then(|text| snapshot::of_settings(&text)) {
                pieces.push(Piece { name: name_below(&project, &path), content: part.into_bytes() });
            }
            sources.push(Source { kind, path, standing, hooks });
        }
        let snapshot = (!pieces.is_empty()).then(|| complete(pieces, &sources, &project, home.as_deref()));
        let trusted = trusted(&state_dir, &project, snapshot.as_ref());
        for source in sources.iter_mut().filter(|source| source.kind.needs_trust() && source.standing == Standing::On) {
            source.standing = trusted;
        }
        let log = RejectionLog::of(table)?;
        Ok(Self { lang: table.lang()?, project, home, sources, snapshot, state_dir, log })
    }

    /// Returns the sources of the project that are there, but not switched on.
    pub(super) fn off(&self) -> impl Iterator<Item = SettingsFile> {
        let is_off = |source: &&Source| source.kind.needs_trust() && source.standing == Standing::Off;
        self.sources.iter().filter(is_off).map(|source| source.kind)
    }

    /// Returns what paths in commands refer to.
    pub(super) fn roots(&self) -> Roots<'_> {
        Roots { project: &self.project, home: self.home.as_deref() }
    }
}

/// Returns the names of the sources that are switched on, and whether the environment says so, which comes before the file.
pub(crate) fn sources() -> anyhow::Result<(Vec<String>, bool)> {
    let on = switched_on(&Table::load(&environment)?)?;
    Ok((on.into_iter().map(|kind| kind.name().to_owned()).collect(), environment(SOURCES).is_some()))
}

/// Returns the sources that the setting names.
fn switched_on(table: &Table) -> Result<BTreeSet<SettingsFile>, SettingsError> {
    let names = table.list(SOURCES)?;
    let kinds = names.iter().map(|name| {
        SettingsFile::named(name).ok_or_else(|| {
            SettingsError::bad(
                SOURCES,
                name,
                ["쉼표로 나눈 user, project, local", "user, project and local, between commas"],
            )
        })
    });
    kinds.collect()
}

/// Returns the standing of the project's sources. In doubt they are not trusted.
fn trusted(state_dir: &Path, project: &Path, snapshot: Option<&Snapshot>) -> Standing {
    // Without hooks in any of the files there is nothing to trust, and nothing that runs.
    let Some(snapshot) = snapshot else { return Standing::On };
    let Ok(text) = snapshot else { return Standing::Untrusted };
    let state = trouble::report(StateDir::find(state_dir)).flatten();
    let standing = state.and_then(|state| trouble::report(HookTrust::of(&state).standing(project, text)));
    match standing {
        Some(Trusted::Trusted) => Standing::On,
        Some(Trusted::Changed) => Standing::Changed,
        Some(Trusted::Unknown) | None => Standing::Untrusted,
    }
}

/// Adds the files that the project's hooks are likely to run.
fn complete(mut pieces: Vec<Piece>, sources: &[Source], project: &Path, home: Option<&Path>) -> Snapshot {
    let roots = Roots { project, home };
    let commands = sources
        .iter()
        .filter(|source| source.kind.needs_trust())
        .flat_map(|source| source.hooks.handlers())
        .filter_map(|(_, handler)| handler.command.as_ref());
    let mut files: BTreeSet<PathBuf> = commands.flat_map(|command| project_files(command, roots)).collect();
    let scripts =
        disk::files_below(&project.join(".claude/hooks")).map_err(|error| format!(".claude/hooks: {error}"))?;
    files.extend(scripts.iter().filter_map(|path| Some(path.strip_prefix(project).ok()?.to_owned())));
    for file in files {
        let path = project.join(&file);
        if path.is_dir() {
            continue;
        }
        let content = disk::read(&path, disk::PROGRAM).map_err(|error| format!("{}: {error}", file.display()))?;
        let is_settings = |name: &str| matches!(name, ".claude/settings.json" | ".claude/settings.local.json");
        let name = name_below(project, &path);
        if let Some(content) = content.filter(|_| !is_settings(&name)) {
            pieces.push(Piece { name, content });
        }
    }
    Ok(snapshot::text(&pieces))
}

fn name_below(project: &Path, path: &Path) -> String {
    path.strip_prefix(project).unwrap_or(path).display().to_string()
}

/// Reads a settings file as text; `None` if there is none.
pub(super) fn read_text(path: &Path) -> std::io::Result<Option<String>> {
    let text = |bytes| String::from_utf8(bytes).map_err(|_| std::io::Error::other("it is not UTF-8"));
    disk::read(path, disk::SETTINGS)?.map(text).transpose()
}
