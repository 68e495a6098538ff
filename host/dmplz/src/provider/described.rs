//! What a component says of itself.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use dmplz_core::messenger::Manifest;
use dmplz_plugin::{Component, Described, Host};

use crate::trouble;

/// Runs `describe` in the sandbox, without any network; at most 5 s. On a thread of its own, so that it can be called
/// whether or not a runtime is under way.
pub(crate) fn ask(component: &Component) -> anyhow::Result<Manifest> {
    let asking = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let described = runtime.block_on(Described::new(component, Host::new(Arc::new(trouble::of_provider))));
        Ok(described.context("it cannot be described")?.manifest().clone())
    };
    let asked = std::thread::scope(|scope| scope.spawn(asking).join());
    asked.unwrap_or_else(|_| Err(anyhow!("it cannot be described")))
}
