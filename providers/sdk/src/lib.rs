#![doc = include_str!("../README.md")]

pub mod emoji;
pub mod html;
pub mod http;
pub mod imports;
pub mod json;
pub mod markdown;
pub mod prelude;
pub mod settings;
pub mod socket;
pub mod store;
pub mod text;

#[cfg(not(target_family = "wasm"))]
pub mod testing;

mod answers;
mod card;
mod export;
mod heard;
mod host;
mod manifest;
mod payload;
mod people;
mod provider;
mod seen;
mod standing;
mod told;
mod watching;
mod words;

#[allow(unsafe_code, missing_docs, clippy::allow_attributes_without_reason, reason = "generated from wit/")]
#[doc(hidden)]
pub mod bindings {
    wit_bindgen::generate!({
        path: "wit",
        world: "messenger",
        pub_export_macro: true,
        export_macro_name: "export_component",
        default_bindings_module: "dmplz_provider_sdk::bindings",
        additional_derives: [PartialEq],
    });
}

pub use bindings::dmplz::messenger::log::Level;
pub use bindings::dmplz::messenger::types::{
    Attachment, Batch, Block, Card, Chat, Choice, Chosen, Command, Error, Event, MessageRef, OpenChat, Said, SentFile,
    Setting, Style, TextField, User, Watch,
};
pub use bindings::exports::dmplz::messenger::provider::{
    Answering, ChatKind, ChatSpec, Check, Diagnosis, Download, FrameKind, Greeting, Identity, Introduction, Lifetime,
    Limits, Manifest, Meeting, Renewal, SecretFrame, SecretHeader, SecretPlace, SecretSpec, SettingKind, SettingSpec,
    Subject, Transport, Users, Words,
};
pub use card::Line;
pub use heard::Heard;
pub use host::{CURSOR, Host, RESERVE};
pub use imports::Imports;
pub use payload::Payload;
pub use provider::Provider;
pub use seen::Seen;
pub use serde_json;
pub use standing::{Press, Standing};
pub use told::Told;
pub use watching::Watching;
pub use words::words;

/// What most functions of a provider return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[doc(hidden)]
pub use export::{connected, tell_panics};
