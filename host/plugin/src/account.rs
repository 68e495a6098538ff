//! The operator's settings, secrets and grants for a provider.

use std::collections::BTreeMap;
use std::sync::Arc;

use dmplz_core::messenger::{Manifest, Tenure};
use dmplz_core::text::Lang;

use crate::{Secret, Storage};

/// A provider with its settings: one bot.
#[derive(Debug, Clone, Default)]
pub struct Account {
    /// The settings that the operator wrote, by the manifest's names. A missing one takes the manifest's default.
    /// Writing a setting grants the origin that the manifest asks for as `{setting:NAME}`.
    pub settings: BTreeMap<String, String>,
    /// The secrets, by the manifest's names. Every secret that the manifest calls required must be present.
    pub secrets: BTreeMap<String, Secret>,
    /// The origins that are granted besides those of settings.
    pub grants: Grants,
    /// The transport that the operator chose, if any.
    pub transport: Option<String>,
    /// The language of what the host itself writes on cards: the codes of typed answers.
    pub lang: Lang,
    /// How long this process uses the messenger.
    pub tenure: Tenure,
    /// Where what the provider stores is kept; `None` where nothing is.
    pub storage: Option<Arc<dyn Storage>>,
    /// Where the tokens are kept that secrets were exchanged for; with `None` each process exchanges them anew. No component reads it.
    pub tokens: Option<Arc<dyn Storage>>,
}

impl Account {
    /// Returns what a setting is: what the operator wrote, or else the manifest's default.
    pub(crate) fn setting<'a>(&'a self, manifest: &'a Manifest, name: &str) -> Option<&'a str> {
        let default = || manifest.settings.iter().find(|spec| spec.name == name)?.default.as_ref();
        self.settings.get(name).or_else(default).map(String::as_str)
    }
}

/// The origins that are granted, besides those of settings that the operator wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grants {
    /// The manifest's `https` and `wss` origins, including default values of settings. For components that are
    /// bundled with the program.
    Manifest,
    /// The listed origins (`https://host[:port]`, `wss://host[:port]`, `wss://*.host`, or `http` and `ws` with a
    /// literal address or `localhost`), if the manifest asks for them.
    Only(Vec<String>),
}

impl Default for Grants {
    /// Grants no origins.
    fn default() -> Self {
        Self::Only(Vec::new())
    }
}
