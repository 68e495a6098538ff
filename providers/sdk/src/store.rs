//! A small store of the account, for a provider exported with `export_provider!(Acme with store)`. `wit/store.wit` is the
//! reference.

use crate::Error;
use crate::bindings::dmplz::messenger::store;

pub use store::Error as StoreError;

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
