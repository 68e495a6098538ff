//! Writes the manifest of a component as a constant of the program.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use dmplz_core::messenger::{ChatKind, Manifest, SettingKind, Users, Words};
use dmplz_plugin::{Component, Described, Digest, Engine, Host, LogLevel};

/// Starts the component on the machine that builds, and asks it.
pub(crate) fn of(wasm: &[u8]) -> Result<Manifest, Box<dyn Error>> {
    let component = Component::from_wasm(&Engine::new()?, wasm)?;
    let host = Host::new(Arc::new(|_: &str, _: LogLevel, line: &str| println!("cargo:warning={line}")));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(Described::new(&component, host))?.manifest().clone())
}

/// Returns the Rust expression for a `Messenger`, and a comma. Settings are in the order in which people set them.
pub(crate) fn written(manifest: &Manifest) -> String {
    let variable = |name: &str| format!("DMPLZ_{}_{name}", manifest.name).to_uppercase().replace('-', "_");
    let mut settings = String::new();
    let mut setting =
        |name: &str, takes: &str, required: bool, instead_of: Option<&str>, default: Option<&str>, help: &Words| {
            let variable = variable(name);
            let ko = if help.ko.is_empty() { &help.en } else { &help.ko };
            // Writing to a `String` does not fail.
            let _ = write!(
                settings,
                "Setting {{ name: {name:?}, variable: {variable:?}, takes: Takes::{takes}, required: {required}, \
             instead_of: {instead_of:?}, default: {default:?}, help: [{ko:?}, {:?}] }},",
                help.en
            );
        };
    for secret in &manifest.secrets {
        setting(&secret.name, "Secret", secret.required, secret.instead_of.as_deref(), None, &secret.help);
    }
    for chat in &manifest.chats {
        let takes = match chat.kind {
            ChatKind::Room => "Chat(ChatKind::Room)",
            ChatKind::Person => "Chat(ChatKind::Person)",
        };
        setting(&chat.name, takes, false, None, None, &chat.help);
    }
    for spec in &manifest.settings {
        let takes = match spec.kind {
            SettingKind::Text => "Text",
            SettingKind::Url => "Url",
            SettingKind::SocketUrl => "SocketUrl",
        };
        setting(&spec.name, takes, spec.required, None, spec.default.as_deref(), &spec.help);
    }
    let transports = manifest
        .transports
        .iter()
        .map(|transport| format!("Transport {{ name: {:?}, persistent: {} }},", transport.name, transport.persistent));
    let users = match manifest.users {
        Users::Identified => "Users::Identified",
        Users::Anonymous => "Users::Anonymous",
    };
    format!(
        "Messenger {{ name: {:?}, settings: &[{settings}], transport: {:?}, allowed_users: {:?}, transports: &[{}], users: {users}, origins: &{:?} }},",
        manifest.name,
        variable("transport"),
        variable("allowed-users"),
        transports.collect::<String>(),
        manifest.origins,
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
