//! What the operator gives to a provider.

use std::collections::BTreeMap;

use dmplz_core::messenger::Tenure;

use crate::Secret;

/// A provider's settings: one bot.
#[derive(Debug, Clone, Default)]
pub struct Account {
    /// The settings that the operator wrote, by the manifest's names. What is not here takes the manifest's default. An
    /// origin that the manifest asks for as `{setting:NAME}` is granted by writing that setting.
    pub settings: BTreeMap<String, String>,
    /// The secrets, by the manifest's names. Every one that the manifest calls required is needed.
    pub secrets: BTreeMap<String, Secret>,
    /// What else it may reach.
    pub grants: Grants,
    /// The transport that the operator named, if any.
    pub transport: Option<String>,
    /// How long this process needs the messenger.
    pub tenure: Tenure,
}

/// Which of the origins that a manifest asks for are granted, besides those in settings that the operator wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grants {
    /// Its `https` and `wss` origins, defaults included: for components that come with the program.
    Manifest,
    /// These (`https://host[:port]`, `wss://host[:port]`, `wss://*.host`, or `http` and `ws` with a literal address or
    /// `localhost`) as far as it asks for them.
    Only(Vec<String>),
}

impl Default for Grants {
    /// None.
    fn default() -> Self {
        Self::Only(Vec::new())
    }
}
