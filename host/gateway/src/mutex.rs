//! A mutex that no panic poisons.

use std::sync::{self, MutexGuard, PoisonError};

/// A mutex. What a panicking thread left in it is used as it is, so that one failed task does not stop all others.
#[derive(Debug, Default)]
pub(crate) struct Mutex<T>(sync::Mutex<T>);

impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(sync::Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
