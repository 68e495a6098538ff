//! Where the host keeps the values that a component stores.

use std::fmt;
use std::io;
use std::sync::{Mutex, PoisonError};

/// Keeps the store of one account, as a text. Whoever starts the provider supplies it.
pub trait Storage: fmt::Debug + Send + Sync {
    /// Returns what was kept last; empty if nothing was.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    fn read(&self) -> io::Result<String>;

    /// Replaces what is kept by what `change` makes of it, and nothing in between. `None` changes nothing. No other process
    /// changes it meanwhile.
    ///
    /// # Errors
    /// Fails if it cannot be read or written; it is then as before.
    fn update(&self, change: &mut dyn FnMut(&str) -> Option<String>) -> io::Result<()>;
}

/// Keeps the store of an account in memory, for tests of providers.
#[derive(Debug, Default)]
pub struct MemoryStorage(Mutex<String>);

impl Storage for MemoryStorage {
    fn read(&self) -> io::Result<String> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    fn update(&self, change: &mut dyn FnMut(&str) -> Option<String>) -> io::Result<()> {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(changed) = change(&text) {
            *text = changed;
        }
        Ok(())
    }
}
