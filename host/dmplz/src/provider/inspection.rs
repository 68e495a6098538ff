//! What a component is and wants, and what is missing to run it here.

mod text;

use dmplz_bundled::Embedded;
use dmplz_core::messenger::{Manifest, Users};
use dmplz_core::text::fill;
use dmplz_plugin::{Component, Digest, Engine, Outline, is_within, wanted};
use dmplz_state::{InstalledProvider, Providers, SignedBy};
use serde::Serialize;

use super::Place;
use super::location::{Location, is_location};
use crate::component::administrator::{self, Candidate, Held};
use crate::component::choice;
use crate::component::signature::{self, Fetched, Signed, Signer};
use crate::settings::{environment, messengers, third_party};
use crate::terminal::say;
use crate::told::Tell;
use crate::trouble::chain;

/// The inspection of a component, which does not trust it.
#[derive(Debug, Serialize)]
pub(super) struct Inspection {
    name: String,
    version: String,
    source: Source,
    pub(super) sha256: String,
    /// Bytes.
    size: u64,
    /// The contract that it was built for.
    contract: String,
    pub(super) imports: Vec<String>,
    /// The origins that it wants independently of settings.
    wants: Vec<String>,
    /// The granted ones among them; `None` for a component that is not installed.
    #[serde(skip_serializing_if = "Option::is_none")]
    granted: Option<Vec<String>>,
    /// What is known of its signature; `None` for a bundled messenger, which is a part of this program.
    #[serde(skip_serializing_if = "Option::is_none")]
    signed: Option<Signed>,
    /// The reference in a registry that it is or was fetched from.
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    /// The variables of what the operator sets.
    variables: Vec<Variable>,
    pub(super) manifest: Manifest,
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
    Registry,
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
    /// Looks at what a name or a path means. A signature counts if it is of one of the signers.
    pub(super) fn of(name: &str, signers: &[Signer], place: &mut Place) -> anyhow::Result<Self> {
        if is_location(name) {
            return Self::of_location(&name.parse()?, signers, place);
        }
        if let Some(embedded) = dmplz_bundled::embedded(name) {
            return Self::of_bundled(embedded, place);
        }
        match Providers::of(&place.state).find(name)? {
            Some(provider) => Self::of_installed(provider, place),
            None => match Location::named(name, place)? {
                Some(location) => Self::of_location(&location, signers, place),
                None => Err(choice::unknown(name).into()),
            },
        }
    }

    fn of_location(location: &Location, signers: &[Signer], place: &mut Place) -> anyhow::Result<Self> {
        let (ko, en) = ("프로바이더로 쓸 수 없습니다: {}", "{} cannot be used as a provider");
        let shown = location.to_string();
        let fetched = location.fetch(place).told(ko, en, &[&shown])?;
        // Nothing is kept of what nobody agreed to.
        let component = Component::from_wasm(&Engine::new()?, &fetched.wasm);
        let signed = Signed::of(&fetched.wasm, fetched.signature.as_deref(), signers);
        Self::of_fetched(location, &fetched, &component.told(ko, en, &[&shown])?, signed, place).told(ko, en, &[&shown])
    }

    /// Inspects a component that was read from where it is, and compiled.
    pub(super) fn of_fetched(
        location: &Location,
        fetched: &Fetched,
        component: &Component,
        signed: Signed,
        place: &mut Place,
    ) -> anyhow::Result<Self> {
        let Fetched { wasm, signature } = fetched;
        let outline = Outline::of(wasm)?;
        let seen = InstalledProvider {
            manifest: choice::described(component)?,
            sha256: Digest::of(wasm).to_string(),
            size: u64::try_from(wasm.len()).unwrap_or(u64::MAX),
            contract: outline.contract,
            imports: outline.imports,
            granted: Vec::new(),
            signed: None,
            reference: location.kept(),
        };
        let refused = third_party::installed(&place.state)
            .map_err(anyhow::Error::from)
            .and_then(|others| choice::is_free(third_party::of(&seen.manifest), &others))
            .and_then(|()| {
                let Manifest { name, .. } = &seen.manifest;
                let held = Held::Memory(wasm);
                let signature = signature.as_deref();
                let candidate = Candidate { provider: name, sha256: &seen.sha256, held, signature };
                administrator::of_this_machine().admits(candidate).map(drop)
            });
        let source = match location {
            Location::File(_) => Source::File,
            Location::Registry(_) | Location::Index(_) => Source::Registry,
        };
        Ok(Self::seen(seen, source, Some(signed), refused, place))
    }

    fn of_bundled(embedded: &Embedded, place: &mut Place) -> anyhow::Result<Self> {
        let component = embedded.component(&Engine::new()?)?;
        let manifest = choice::described(&component)?;
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
            signed: None,
            reference: None,
        };
        Ok(Self::seen(seen, Source::Bundled, None, Ok(()), place))
    }

    /// Inspects an installed provider by its entry in the list, after its component was checked against the pinned
    /// digest.
    fn of_installed(provider: InstalledProvider, place: &mut Place) -> anyhow::Result<Self> {
        let name = &provider.manifest.name;
        let loaded = choice::pinned(&provider, &place.state, &Engine::new()?);
        loaded.told(
            "설치한 프로바이더를 불러올 수 없습니다: {} (dmplz provider verify)",
            "the installed provider {} cannot be loaded (dmplz provider verify)",
            &[name],
        )?;
        let signed =
            signature::of_installed(&provider, &dmplz_plugin::read(&Providers::of(&place.state).component(&provider))?);
        let refused = choice::admitted(&provider, &place.state).and_then(|admission| {
            admission.lets_reach(third_party::of(&provider.manifest), &provider.granted, &place.table)
        });
        Ok(Self::seen(provider, Source::Installed, Some(signed), refused, place))
    }

    /// `refused` says whether it may run here at all.
    fn seen(
        seen: InstalledProvider,
        source: Source,
        signed: Option<Signed>,
        refused: anyhow::Result<()>,
        place: &mut Place,
    ) -> Self {
        let messenger = third_party::of(&seen.manifest);
        place.table.learn(messenger, &environment);
        let table = &place.table;
        let variable = |setting: &dmplz_bundled::Setting| Variable {
            setting: setting.name.to_owned(),
            variable: setting.variable,
            is_set: table.is_set(setting.variable),
        };
        let refused = refused.err().map(|error| chain(&error));
        let missing = refused.into_iter().chain(missing(&seen, source, place)).collect();
        Self {
            name: seen.manifest.name.clone(),
            version: seen.manifest.version.clone(),
            source,
            sha256: seen.sha256,
            size: seen.size,
            contract: format!("dmplz:messenger@{}", seen.contract),
            imports: seen.imports,
            wants: wanted(&seen.manifest),
            granted: matches!(source, Source::Bundled | Source::Installed).then_some(seen.granted),
            reference: seen.reference,
            signed,
            variables: messenger.settings.iter().map(variable).collect(),
            manifest: seen.manifest,
            missing,
        }
    }

    /// Returns the entry to install it with these origins granted, and with this signature, which was checked.
    pub(super) fn installed(self, granted: Vec<String>, signed: Option<SignedBy>) -> InstalledProvider {
        let contract = self.contract.rsplit_once('@').map(|(_, version)| version.to_owned()).unwrap_or_default();
        let Self { manifest, sha256, size, imports, reference, .. } = self;
        InstalledProvider { manifest, sha256, size, contract, imports, granted, signed, reference }
    }
}

/// Returns what keeps it from being useful here, each as a clause.
fn missing(seen: &InstalledProvider, source: Source, place: &Place) -> Vec<String> {
    let (table, manifest) = (&place.table, &seen.manifest);
    let messenger = third_party::of(manifest);
    let mut missing = Vec::new();
    let of = |ko, en, value: &str| fill(say(place.lang, ko, en), &[value]);
    let needed = messenger.settings.iter().filter(|setting| setting.required && setting.default.is_none());
    for setting in needed.filter(|setting| !messenger.is_met(setting, |variable| table.is_set(variable))) {
        missing.push(of("설정하지 않았습니다: {}", "{} is not set", setting.variable));
    }
    let chats: Vec<&str> = messenger.chats().map(|(chat, _)| chat.variable).collect();
    if !chats.iter().any(|chat| table.is_set(chat)) {
        let chats = messengers::listed(&chats, say(place.lang, "이나 ", " or "));
        missing.push(of("물어볼 채팅을 설정하지 않았습니다: {}", "no chat to ask in is set: {}", &chats));
    }
    let everybody = table.allowed_users(messenger).is_ok_and(|users| users.iter().any(|user| user == "*"));
    if seen.manifest.users == Users::Anonymous && !everybody {
        missing.push(of(
            "누가 답했는지 알 수 없어 아무도 답할 수 없습니다. 모두가 답하게 하려면: {}",
            "nobody may answer, because it does not tell who does: {} lets everybody",
            &format!("{}=*", messenger.allowed_users),
        ));
    }
    if source == Source::Installed {
        let not_granted = wanted(manifest).into_iter().filter(|origin| !is_within(origin, &seen.granted));
        missing.extend(not_granted.map(|origin| of("허락하지 않은 곳이 있습니다: {}", "{} is not granted", &origin)));
    }
    missing
}
