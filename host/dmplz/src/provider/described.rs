//! Asks a component for its manifest.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use dmplz_core::messenger::Manifest;
use dmplz_plugin::{Component, Described, Host};

use crate::trouble::ProviderLog;

/// Runs `describe` in the sandbox, without a network, for at most 5 s. It uses a separate thread, so that it can be
/// called inside and outside of a runtime.
pub(crate) fn ask(component: &Component) -> anyhow::Result<Manifest> {
    let asking = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let described = runtime.block_on(Described::new(component, Host::new(Arc::new(ProviderLog))));
        Ok(described.context("it cannot be described")?.manifest().clone())
    };
    let asked = std::thread::scope(|scope| scope.spawn(asking).join());
    asked.unwrap_or_else(|_| Err(anyhow!("it cannot be described")))
}
