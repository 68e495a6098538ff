//! The chosen messenger, and the source of its component.
//!
//! | named as | its component | may reach |
//! |---|---|---|
//! | a bundled messenger | is a part of this program | what its manifest asks for |
//! | an installed provider | is the one whose digest was pinned when it was installed | what was granted then |
//! | the whole path of a `.wasm` file | is whatever the file holds | `DMPLZ_PROVIDER_ORIGINS` |
//!
//! For an installed provider the compiled form is loaded, which the cache stores under the pinned digest and verifies
//! by a checksum. The component itself is read, and must have the digest, only if it has to be compiled again. Both are
//! in the state directory (mode 0700), so the code that runs does not change by accident. A program of the same user
//! could change all of it, including the list of pinned digests and this program. Pins do not protect against that.
//!
//! The manifest of a component by path is known only when it runs, so it is loaded and described when it is chosen.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use dmplz_bundled::Messenger;
use dmplz_core::messenger::Manifest;
use dmplz_core::text::Lang;
use dmplz_plugin::{Cache, CacheError, Component, Described, Digest, Engine, Host};
use dmplz_state::{InstalledProvider, Providers, StoredFor};

use super::administrator::{self, Admission, Candidate, Held};
use crate::guard::{self, Guard};
use crate::settings::third_party::{self, clash};
use crate::settings::{SettingsError, Table, messengers};
use crate::told::{Phrase, Tell, Told};
use crate::trouble::ProviderLog;

/// A messenger, chosen but not started.
#[derive(Clone)]
pub(crate) enum Choice {
    /// One that comes with the program.
    Bundled(&'static Messenger),
    /// A component of the operator's, by path.
    File { path: String, sha256: String, messenger: &'static Messenger, component: Component, admission: Admission },
    /// A provider that was installed.
    Installed { provider: Box<InstalledProvider>, messenger: &'static Messenger, admission: Admission },
}

impl Choice {
    /// Returns the provider that a setting names. `holds` introduces its value in errors.
    pub(crate) fn named(name: &str, setting: &str, holds: &str, table: &Table) -> anyhow::Result<Self> {
        if let Some(messenger) = dmplz_bundled::messenger(name) {
            return Ok(Self::Bundled(messenger));
        }
        // A hook runs in the agent's folder, where the agent writes.
        if name.ends_with(".wasm") && !Path::new(name).is_absolute() {
            return Err(SettingsError::Provider(Phrase::fill(
                "{}에는 전체 경로를 /부터 적어 주세요. 에이전트가 일하는 곳마다 다른 파일이 됩니다: {}",
                &format!(
                    "{{}} cannot be used: {holds} {{}}, which is another file wherever the agent works; give its whole path, from / on"
                ),
                &[setting, &format!("{name:?}")],
            ))
            .into());
        }
        let state = table.state_dir()?;
        if name.ends_with(".wasm") {
            return Self::file(name, &state).told(
                "프로바이더를 불러올 수 없습니다: {}",
                "the provider {} cannot be loaded",
                &[name],
            );
        }
        let mut installed = Providers::of(&state).list()?;
        match installed.iter().position(|provider| provider.manifest.name == name) {
            Some(at) => {
                let provider = installed.swap_remove(at);
                let admission = admitted(&provider, &state)?;
                let messenger = third_party::of(&provider.manifest);
                // A later version of this program may have got a setting of that name.
                let others: Vec<_> = installed.iter().map(|other| third_party::of(&other.manifest)).collect();
                is_free(messenger, &others).told(
                    "프로바이더를 쓸 수 없습니다: {}",
                    "the provider {} cannot be used",
                    &[name],
                )?;
                Ok(Self::Installed { provider: Box::new(provider), messenger, admission })
            }
            None => {
                let [ko, en] = [Lang::Ko, Lang::En].map(messengers::what_a_provider_is);
                let both = [
                    format!("{setting}에 쓸 수 없는 값입니다: {name:?}. 쓸 수 있는 값: {ko}"),
                    format!("{setting} cannot be used: {holds} {name:?} and takes {en}"),
                ];
                Err(SettingsError::Provider(both.into()).into())
            }
        }
    }

    fn file(path: &str, state: &Path) -> anyhow::Result<Self> {
        not_of_others(Path::new(path))?;
        let wasm = dmplz_plugin::read(Path::new(path))?;
        let sha256 = Digest::of(&wasm).to_string();
        let candidate =
            Candidate { provider: path, sha256: &sha256, held: Held::File(Path::new(path)), signature: None };
        let admission = administrator::of_this_machine().admits(candidate)?;
        let component = Component::cached(&Engine::new()?, &wasm, &cache(state)?)?;
        let manifest = described(&component)?;
        let messenger = third_party::of(&manifest);
        let installed = third_party::installed(state)?;
        is_free(messenger, &installed)?;
        Ok(Self::File { path: path.to_owned(), sha256, messenger, component, admission })
    }

    /// Returns the description of its settings.
    pub(crate) fn messenger(&self) -> &'static Messenger {
        match self {
            Self::Bundled(messenger) | Self::File { messenger, .. } | Self::Installed { messenger, .. } => messenger,
        }
    }

    /// Returns whose store is this provider's.
    pub(crate) fn stores(&self) -> StoredFor {
        match self {
            Self::Bundled(messenger) => StoredFor::Bundled(messenger.name.to_owned()),
            Self::File { sha256, .. } => StoredFor::File(sha256.clone()),
            Self::Installed { messenger, .. } => StoredFor::Installed(messenger.name.to_owned()),
        }
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File { path, .. }, Self::File { path: other, .. }) => path == other,
            (Self::File { .. }, _) | (_, Self::File { .. }) => false,
            _ => self.messenger().name == other.messenger().name,
        }
    }

    /// Loads the component; compiles an installed one where this version of the program has not yet.
    pub(crate) fn component(&self, state: &Path, engine: &Engine) -> anyhow::Result<Component> {
        let name = self.messenger().name;
        match self {
            Self::Bundled(_) => dmplz_bundled::component(engine, name)
                .context("it is not a part of this program")
                .and_then(|component| Ok(component?))
                .with_context(|| format!("the bundled provider {name} cannot be loaded")),
            Self::File { component, .. } => Ok(component.clone()),
            Self::Installed { provider, .. } => pinned(provider, state, engine).told(
                "설치한 프로바이더를 불러올 수 없습니다: {} (dmplz provider verify)",
                "the installed provider {} cannot be loaded (dmplz provider verify)",
                &[name],
            ),
        }
    }

    /// Looks whether the instance that is about to get its secrets is what was looked at.
    pub(crate) fn still_says(&self, manifest: &Manifest) -> anyhow::Result<()> {
        let same = match self {
            Self::Bundled(_) => true,
            Self::File { messenger, .. } => std::ptr::eq(*messenger, third_party::of(manifest)),
            Self::Installed { provider, .. } => provider.manifest == *manifest,
        };
        if same {
            return Ok(());
        }
        Told::err(
            "살펴볼 때와 다르게 자신을 설명합니다",
            "it says other things of itself than when it was looked at",
            &[],
        )
    }
}

/// Says that an argument of a command names no provider and no component.
pub(crate) fn unknown(name: &str) -> Told {
    Told::new(
        "들어 있는 메신저도, 설치한 프로바이더도, .wasm 파일도 아닙니다: {} (dmplz provider list)",
        "{} is neither a bundled messenger, nor an installed provider (dmplz provider list), nor a .wasm file",
        &[name],
    )
}

const UNDESCRIBED: [&str; 2] = ["컴포넌트가 자신을 설명하지 못합니다", "it cannot be described"];

/// Runs `describe` in the sandbox, without a network, for at most 5 s. It uses a separate thread, so that it can be
/// called inside and outside of a runtime.
pub(crate) fn described(component: &Component) -> anyhow::Result<Manifest> {
    let asking = || {
        let described =
            crate::runtime::runtime()?.block_on(Described::new(component, Host::new(Arc::new(ProviderLog))));
        let [ko, en] = UNDESCRIBED;
        Ok(described.told(ko, en, &[])?.manifest().clone())
    };
    let asked = std::thread::scope(|scope| scope.spawn(asking).join());
    asked.unwrap_or_else(|_| Err(Told::from(Phrase::from(UNDESCRIBED)).into()))
}

/// Returns what the administrator lets an installed provider reach, or why it may not run.
pub(crate) fn admitted(provider: &InstalledProvider, state: &Path) -> anyhow::Result<Admission> {
    administrator::of_this_machine().admits(Candidate {
        provider: &provider.manifest.name,
        sha256: &provider.sha256,
        held: Held::File(&Providers::of(state).component(provider)),
        signature: provider.signed.as_ref().map(|signed| signed.signature.as_str()),
    })
}

/// Loads an installed component by its pinned digest.
pub(crate) fn pinned(provider: &InstalledProvider, state: &Path, engine: &Engine) -> anyhow::Result<Component> {
    let digest = Digest::parse(&provider.sha256).context("its digest cannot be read")?;
    let file = Providers::of(state).component(provider);
    Ok(Component::pinned(engine, &digest, &file, &cache(state)?)?)
}

/// Opens the cache of compiled components of a state directory. Those of installed providers are never removed from it.
pub(crate) fn cache(state: &Path) -> Result<Cache, CacheError> {
    let providers = Providers::of(state);
    Cache::open(&state.join("cache"), move || {
        let installed = providers.list().ok()?;
        Some(installed.iter().filter_map(|provider| Digest::parse(&provider.sha256)).collect())
    })
}

/// Rejects a component that another user could replace, because a component reports who pressed what.
fn not_of_others(path: &Path) -> anyhow::Result<()> {
    let guard = Guard::of_this_user();
    let is_there = std::fs::metadata(path).told("읽을 수 없습니다", "it cannot be read", &[])?;
    match guard.suspects_file(path, &is_there).or_else(|| guard.suspects(path.parent()?)) {
        Some(why) => Err(Told::from(guard::told(&why)).into()),
        None => Ok(()),
    }
}

/// Checks that no other messenger has this name or these variables.
pub(crate) fn is_free(messenger: &'static Messenger, others: &[&'static Messenger]) -> anyhow::Result<()> {
    let name = messenger.name;
    if dmplz_bundled::messenger(name).is_some() {
        bail!(Told::new(
            "dmplz에 들어 있는 메신저와 이름이 같습니다: {}. 설정이 서로 섞이게 됩니다",
            "it calls itself {}, as a messenger does that comes with dmplz: its settings would be those of the other",
            &[name],
        ));
    }
    if others.iter().any(|other| other.name == name) {
        bail!(Told::new(
            "설치한 프로바이더와 이름이 같습니다: {} (dmplz provider list). 그것을 쓰거나 업데이트해 주세요",
            "it calls itself {}, as an installed provider does (dmplz provider list): use that one, or update it",
            &[name],
        ));
    }
    match clash(messenger, others) {
        Some(variable) => Told::err(
            "다른 뜻으로 이미 쓰는 설정입니다: {}. 만든 사람이 이름을 바꿔야 합니다",
            "its setting {} means something else already; its author has to rename it",
            &[variable],
        ),
        None => Ok(()),
    }
}
