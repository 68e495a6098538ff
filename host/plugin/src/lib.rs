//! Runs messenger providers: loads a component and gives it `http`, `socket`, `store`, `clock` and `log`, and nothing else.
//!
//! ```text
//! Engine ─ Component::{embedded, pinned, cached, from_wasm} ─ Described::new ─ connect(Account) ─ Provider ─ post, receive, ...
//! ```
//!
//! A [`Provider`] can be called from any number of tasks. Each call uses an instance exclusively. An instance is
//! discarded if it traps, exceeds a limit or its deadline, or if its call is dropped; the next call starts another
//! one.
//!
//! **Invariant:** no other crate names wasmtime. `egress` decides what a provider may reach, `imports` what it may
//! import, `limits` what it may use up; each module opens with its rules.

mod account;
mod answer;
mod bindings;
mod cache;
mod clock;
mod component;
mod contact;
mod convert;
mod deadline;
mod egress;
mod endpoint;
mod engine;
mod exchange;
mod fault;
mod host;
mod http;
mod imports;
mod instance;
mod limits;
mod log;
mod manifest;
mod native;
mod network;
mod outline;
mod output;
mod pace;
mod people;
mod provider;
mod renewal;
mod secret;
mod socket;
mod state;
mod storage;
mod store;
mod typed;

pub use account::{Account, Grants};
pub use cache::{Cache, CacheError, Digest};
pub use component::{Component, LoadError, read};
pub use egress::{is_within, origin_of, wanted};
pub use endpoint::{Endpoint, EndpointError, EndpointReply};
pub use engine::{CompileError, Engine, precompile};
pub use fault::Fault;
pub use host::{Clock, Host, Log, LogLevel, SystemClock};
pub use imports::ImportError;
pub use manifest::ManifestError;
pub use native::PAGE;
pub use network::{Addresses, Exchange, HttpBackend, Network, NetworkError, ProxyError, Resolver, SystemResolver};
pub use outline::{LARGEST, Outline, OutlineError};
pub use provider::{Described, Provider, StartError};
pub use secret::Secret;
pub use storage::{MemoryStorage, Storage};
