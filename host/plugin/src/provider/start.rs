//! How a component becomes a provider: it describes itself, its account is checked, and it is connected.

use std::sync::{Arc, Mutex};

use dmplz_core::messenger::{Answering, Manifest, ProviderError, SecretSpec, Transport, Users};

use super::Provider;
use crate::bindings::types;
use crate::egress::{Egress, is_usable};
use crate::instance::Instance;
use crate::manifest::{self, ManifestError};
use crate::network::Client;
use crate::renewal::Renewals;
use crate::state::Access;
use crate::{Account, Component, Fault, Host, limits, typed};

/// A component that was described, and waits for its settings.
pub struct Described {
    component: Component,
    host: Host,
    manifest: Manifest,
    instance: Instance,
}

/// Why a provider could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// It failed while it was described or connected.
    #[error("it broke")]
    Fault(#[source] Fault),
    /// Its manifest is not valid.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A required setting is missing.
    #[error("it needs the setting {0}")]
    MissingSetting(String),
    /// The operator wrote a setting that it does not have.
    #[error("it has no setting {0}")]
    UnknownSetting(String),
    /// The operator chose a transport that it does not have.
    #[error("it has no transport {0:?}: it takes {1}")]
    UnknownWay(String, String),
    /// A required secret is missing.
    #[error("it needs the secret {0}")]
    MissingSecret(String),
    /// A secret does not have the form of a token. The error does not contain the value.
    #[error("the secret {0} must be at least 8 visible ASCII characters without blanks")]
    MalformedSecret(String),
    /// It did not accept its settings.
    #[error(transparent)]
    Refused(#[from] ProviderError),
}

impl Described {
    /// Starts an instance and calls `describe`. Takes some tenths of a millisecond for a bundled component, and at
    /// most 5 s.
    ///
    /// # Errors
    /// Returns an error if the instance fails, or its manifest is not valid.
    pub async fn new(component: &Component, host: Host) -> Result<Self, StartError> {
        let started = Instance::start(component, host.clone(), "provider".into(), limits::START).await;
        let (instance, manifest) = started.map_err(StartError::Fault)?;
        manifest::validate(&manifest)?;
        Ok(Self { component: component.clone(), host, manifest, instance })
    }

    /// Returns the component's manifest, which was checked.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Connects an account.
    ///
    /// # Errors
    /// Returns an error if a setting or secret is missing, unknown or malformed, or if the provider does not accept
    /// its settings.
    pub async fn connect(self, account: Account) -> Result<Provider, StartError> {
        let Self { component, host, manifest, mut instance } = self;
        let (transport, lang) = (transport(&manifest, &account)?, account.lang);
        let settings = settings(&manifest, &account)?;
        check_secrets(&manifest, &account)?;
        let egress = Arc::new(Egress::new(&manifest, &account));
        let client = Arc::new(Client::new(Arc::clone(&host.network)));
        let clock = Arc::clone(&host.clock);
        let renewals = Renewals::new(&manifest, &account, Arc::clone(&egress), Arc::clone(&client), clock);
        let renewals = Arc::new(renewals);
        let shows_paths = manifest.users == Users::Identified;
        let (storage, opened, date) = (account.storage.clone(), Mutex::default(), Mutex::default());
        let access = Arc::new(Access { egress, renewals, client, shows_paths, storage, opened, date });
        let name: Arc<str> = manifest.name.as_str().into();
        instance.store.data_mut().name = Arc::clone(&name);
        let connected =
            instance.connect(&access, &settings, &transport.name, limits::START).await.map_err(StartError::Fault)?;
        let (idle, listener, typed) = (Mutex::default(), Mutex::default(), Mutex::default());
        let transport = match transport.answering {
            Answering::Typed => typed::with_room(transport, lang),
            Answering::Buttons | Answering::Reactions => transport,
        };
        let provider =
            Provider { component, host, name, manifest, transport, lang, settings, access, idle, listener, typed };
        connected.map_err(|error| provider.told(error))?;
        provider.keep(instance);
        Ok(provider)
    }
}

/// Returns the settings for `connect`: the operator's values, otherwise the defaults.
fn settings(manifest: &Manifest, account: &Account) -> Result<Vec<types::Setting>, StartError> {
    let known = |name: &String| manifest.settings.iter().any(|setting| &setting.name == name);
    if let Some(unknown) = account.settings.keys().find(|name| !known(name)) {
        return Err(StartError::UnknownSetting(unknown.clone()));
    }
    let mut settings = Vec::new();
    for spec in &manifest.settings {
        match account.settings.get(&spec.name).or(spec.default.as_ref()) {
            Some(value) => settings.push(types::Setting { name: spec.name.clone(), value: value.clone() }),
            None if spec.required => return Err(StartError::MissingSetting(spec.name.clone())),
            None => {}
        }
    }
    // A provider knows a secret by its placeholder, and needs to know of one only where it may be absent.
    let given = |spec: &&SecretSpec| !spec.required && account.secrets.contains_key(&spec.name);
    let placeholder =
        |spec: &SecretSpec| types::Setting { name: spec.name.clone(), value: format!("{{secret:{}}}", spec.name) };
    settings.extend(manifest.secrets.iter().filter(given).map(placeholder));
    Ok(settings)
}

fn transport(manifest: &Manifest, account: &Account) -> Result<Transport, StartError> {
    let named = account.transport.as_deref();
    let unknown = || {
        let names: Vec<_> = manifest.transports.iter().map(|transport| transport.name.as_str()).collect();
        StartError::UnknownWay(named.unwrap_or_default().to_owned(), names.join(" or "))
    };
    manifest.transport(named, account.tenure).cloned().ok_or_else(unknown)
}

fn check_secrets(manifest: &Manifest, account: &Account) -> Result<(), StartError> {
    if let Some((name, _)) = account.secrets.iter().find(|(_, secret)| !is_usable(secret.expose())) {
        return Err(StartError::MalformedSecret(name.clone()));
    }
    match manifest.missing_secret(|name| account.secrets.contains_key(name)) {
        Some(missing) => Err(StartError::MissingSecret(missing.name.clone())),
        None => Ok(()),
    }
}
