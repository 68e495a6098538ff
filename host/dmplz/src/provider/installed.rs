//! The installed providers, as messengers.

use std::path::Path;

use dmplz_bundled::Messenger;
use dmplz_state::{Providers, ProvidersError};

use super::messenger;

/// Those of a state directory, by name.
pub(crate) fn messengers(state: &Path) -> Result<Vec<&'static Messenger>, ProvidersError> {
    Ok(Providers::of(state).list()?.iter().map(|provider| messenger::of(&provider.manifest)).collect())
}

/// The one that a variable is a setting of.
pub(crate) fn owner(state: &Path, variable: &str) -> Result<Option<&'static Messenger>, ProvidersError> {
    let is_owner = |messenger: &&'static Messenger| messenger::variables(messenger).any(|name| name == variable);
    Ok(messengers(state)?.into_iter().find(is_owner))
}
