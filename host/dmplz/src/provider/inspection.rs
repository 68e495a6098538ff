//! What a component is and wants, and what is missing to run it here.

mod text;

use std::path::Path;

use anyhow::{Context, bail};
use dmplz_bundled::{Embedded, Messenger};
use dmplz_core::messenger::{Manifest, Users};
use dmplz_core::text::fill;
use dmplz_plugin::{Component, Digest, Engine, Outline, is_within, wanted};
use dmplz_state::{InstalledProvider, Providers};
use serde::Serialize;

use super::{Place, administrator, choice, described, installed, messenger};
use crate::settings::{Table, environment, messengers};
use crate::terminal::say;
use crate::trouble::chain;

/// The inspection of a component, which does not trust it.
#[derive(Debug, Serialize)]
pub(super) struct Inspection {
    name: String,
    version: String,
    source: Source,
    sha256: String,
    /// Bytes.
    size: u64,
    /// The contract that it was built for.
    contract: String,
    imports: Vec<String>,
    /// The origins that it wants independently of settings.
    wants: Vec<String>,
    /// The granted ones among them; `None` for a component that is not installed.
    #[serde(skip_serializing_if = "Option::is_none")]
    granted: Option<Vec<String>>,
    /// The variables of what the operator sets.
    variables: Vec<Variable>,
    manifest: Manifest,
    /// The reasons that keep it from running here.
    missing: Vec<String>,
}

/// The source of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Source {
    Bundled,
    Installed,
    File,
}

/// A variable that the operator may set.
#[derive(Debug, Serialize)]
struct Variable {
    /// Its name in the manifest.
    setting: String,
    variable: &'static str,
    is_set: bool,
}

impl Inspection {
    /// Looks at what a name or a path means.
    pub(super) fn of(name: &str, place: &mut Place) -> anyhow::Result<Self> {
        if name.contains('/') || name.ends_with(".wasm") {
            return Self::of_file(Path::new(name), place);
        }
        if let Some(embedded) = dmplz_bundled::embedded(name) {
            return Self::of_bundled(embedded, place);
        }
        match Providers::of(&place.state).find(name)? {
            Some(provider) => Self::of_installed(provider, place),
            None => bail!("{name} is neither a bundled messenger, nor an installed provider, nor a .wasm file"),
        }
    }

    fn of_file(path: &Path, place: &mut Place) -> anyhow::Result<Self> {
        let shown = || format!("{} cannot be used as a provider", path.display());
        let wasm = dmplz_plugin::read(path).with_context(shown)?;
        // Nothing is kept of what nobody agreed to.
        let component = Component::from_wasm(&Engine::new()?, &wasm);
        Self::of_wasm(&wasm, &component.with_context(shown)?, place).with_context(shown)
    }

    /// Inspects a component that was read and compiled.
    pub(super) fn of_wasm(wasm: &[u8], component: &Component, place: &mut Place) -> anyhow::Result<Self> {
        let outline = Outline::of(wasm)?;
        let seen = InstalledProvider {
            manifest: described::ask(component)?,
            sha256: Digest::of(wasm).to_string(),
            size: u64::try_from(wasm.len()).unwrap_or(u64::MAX),
            contract: outline.contract,
            imports: outline.imports,
            granted: Vec::new(),
        };
        Ok(Self::seen(seen, Source::File, place))
    }

    fn of_bundled(embedded: &Embedded, place: &mut Place) -> anyhow::Result<Self> {
        let component = embedded.component(&Engine::new()?)?;
        let manifest = described::ask(&component)?;
        let imports = component.imports();
        let contract = imports.iter().find_map(|import| import.strip_prefix("dmplz:messenger/")?.split_once('@'));
        let granted = wanted(&manifest);
        let seen = InstalledProvider {
            sha256: embedded.sha256.to_owned(),
            size: embedded.size,
            contract: contract.map(|(_, version)| version.to_owned()).unwrap_or_default(),
            imports,
            granted,
            manifest,
        };
        Ok(Self::seen(seen, Source::Bundled, place))
    }

    /// Inspects an installed provider by its entry in the list, after its component was checked against the pinned
    /// digest.
    fn of_installed(provider: InstalledProvider, place: &mut Place) -> anyhow::Result<Self> {
        let name = &provider.manifest.name;
        let loaded = choice::pinned(&provider, &place.state, &Engine::new()?);
        loaded.with_context(|| format!("the installed provider {name} cannot be loaded (dmplz provider verify)"))?;
        Ok(Self::seen(provider, Source::Installed, place))
    }

    fn seen(seen: InstalledProvider, source: Source, place: &mut Place) -> Self {
        let messenger = messenger::of(&seen.manifest);
        place.table.learn(messenger, &environment);
        let table = &place.table;
        let variable = |setting: &dmplz_bundled::Setting| Variable {
            setting: setting.name.to_owned(),
            variable: setting.variable,
            is_set: table.is_set(setting.variable),
        };
        let missing = missing(&seen, source, place);
        Self {
            name: seen.manifest.name.clone(),
            version: seen.manifest.version.clone(),
            source,
            sha256: seen.sha256,
            size: seen.size,
            contract: format!("dmplz:messenger@{}", seen.contract),
            imports: seen.imports,
            wants: wanted(&seen.manifest),
            granted: (source != Source::File).then_some(seen.granted),
            variables: messenger.settings.iter().map(variable).collect(),
            manifest: seen.manifest,
            missing,
        }
    }

    pub(super) fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    pub(super) fn sha256(&self) -> &str {
        &self.sha256
    }

    pub(super) fn imports(&self) -> &[String] {
        &self.imports
    }

    /// Returns the entry to install it with these origins granted.
    pub(super) fn installed(self, granted: Vec<String>) -> InstalledProvider {
        let contract = self.contract.rsplit_once('@').map(|(_, version)| version.to_owned()).unwrap_or_default();
        let Self { manifest, sha256, size, imports, .. } = self;
        InstalledProvider { manifest, sha256, size, contract, imports, granted }
    }
}

/// Returns the reasons that keep it from running here, each as a clause.
fn missing(seen: &InstalledProvider, source: Source, place: &Place) -> Vec<String> {
    let (table, manifest) = (&place.table, &seen.manifest);
    let messenger = messenger::of(manifest);
    let mut missing = Vec::new();
    let refused = match source {
        Source::Bundled => Ok(()),
        Source::File => installed::messengers(&place.state)
            .map_err(anyhow::Error::from)
            .and_then(|others| choice::is_free(messenger, &others))
            .and_then(|()| administrator::of_this_machine().permits(&seen.sha256, &manifest.name)),
        Source::Installed => {
            administrator::of_this_machine().permits_reach(&seen.sha256, messenger, &seen.granted, table)
        }
    };
    missing.extend(refused.err().map(|error| chain(&error)));
    let of = |ko, en, value: &str| fill(say(place.lang, ko, en), &[value]);
    let needed = messenger.settings.iter().filter(|setting| setting.required && setting.default.is_none());
    for setting in needed.filter(|setting| !table.is_set(setting.variable)) {
        missing.push(of("{}을(를) 설정하지 않았습니다", "{} is not set", setting.variable));
    }
    let chats: Vec<&str> = messenger.chats().map(|(chat, _)| chat.variable).collect();
    if !chats.iter().any(|chat| table.is_set(chat)) {
        let chats = messengers::listed(&chats, say(place.lang, "이나 ", " or "));
        missing.push(of("물어볼 채팅을 설정하지 않았습니다: {}", "no chat to ask in is set: {}", &chats));
    }
    if seen.manifest.users == Users::Anonymous && !everybody_may_answer(table, messenger) {
        missing.push(of(
            "누가 답했는지 알 수 없어 아무도 답할 수 없습니다: {}이면 모두가 답할 수 있습니다",
            "nobody may answer, because it does not tell who does: {} lets everybody",
            &format!("{}=*", messenger.allowed_users),
        ));
    }
    if source == Source::Installed {
        let not_granted = wanted(manifest).into_iter().filter(|origin| !is_within(origin, &seen.granted));
        missing.extend(not_granted.map(|origin| of("{}은(는) 허락하지 않았습니다", "{} is not granted", &origin)));
    }
    missing
}

fn everybody_may_answer(table: &Table, messenger: &Messenger) -> bool {
    table.allowed_users(messenger).is_ok_and(|users| users.iter().any(|user| user == "*"))
}
