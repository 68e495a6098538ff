//! A small store of the account, for a provider exported with `export_provider!(Acme with store)`. `wit/store.wit` is the
//! reference.

use crate::Error;
use crate::bindings::dmplz::messenger::store;
use crate::host::{Host, forwards_to_imports};

pub use store::Error as StoreError;

/// The host's imports including the store. It is a type of its own so that a component without one does not import it.
#[derive(Debug, Clone, Copy, Default)]
pub struct StoreImports;

impl Host for StoreImports {
    forwards_to_imports!();

    fn stored(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        store::get(key)
    }

    fn store(&self, key: &str, value: Option<&[u8]>) -> Result<(), StoreError> {
        store::set(key, value)
    }
}

impl From<StoreError> for Error {
    /// Returns the error of the contract for a store that does not work.
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::BadKey => Error::other("the store takes no such key"),
            StoreError::Full => Error::other("the store is full"),
            StoreError::Unavailable(why) | StoreError::Other(why) => Error::Unavailable(why),
        }
    }
}
