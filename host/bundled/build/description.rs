//! Writes the manifest of a component as a constant of the program.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use dmplz_core::described::Messenger;
use dmplz_core::messenger::Manifest;
use dmplz_plugin::{Component, Described, Digest, Engine, Host, LogLevel};

/// Starts the component on the machine that builds, and asks it.
pub(crate) fn of(wasm: &[u8]) -> Result<Manifest, Box<dyn Error>> {
    let component = Component::from_wasm(&Engine::new()?, wasm)?;
    let host = Host::new(Arc::new(|_: &str, _: LogLevel, line: &str| println!("cargo:warning={line}")));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(Described::new(&component, host))?.manifest().clone())
}

/// Returns the Rust expression for a `Messenger`, and a comma, where the names of all kinds of values are imported.
pub(crate) fn written(manifest: &Manifest) -> String {
    let Messenger { name, settings, transport, allowed_users, transports, users, origins } = Messenger::of(manifest);
    format!(
        "Messenger {{ name: {name:?}, settings: &{settings:?}, transport: {transport:?}, allowed_users: {allowed_users:?}, \
         transports: &{transports:?}, users: Users::{users:?}, origins: &{origins:?} }},"
    )
}

/// Returns the Rust expression for an `Embedded`, and a comma.
pub(crate) fn embedded(name: &str, wasm: &[u8], native: &Path) -> String {
    format!(
        "Embedded {{ name: {name:?}, sha256: \"{}\", size: {}, \
         code: {{ static CODE: &OnAPage<[u8]> = &OnAPage(*include_bytes!({native:?})); &CODE.0 }} }},",
        Digest::of(wasm),
        wasm.len(),
    )
}
