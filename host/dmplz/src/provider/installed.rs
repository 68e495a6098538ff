//! The installed providers, as messengers.

use std::path::Path;

use dmplz_bundled::Messenger;
use dmplz_state::{Providers, ProvidersError};

use super::messenger;

/// Returns the messengers that are installed in a state directory, by name.
pub(crate) fn messengers(state: &Path) -> Result<Vec<&'static Messenger>, ProvidersError> {
    Ok(Providers::of(state).list()?.iter().map(|provider| messenger::of(&provider.manifest)).collect())
}
