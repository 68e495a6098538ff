//! The contract as wasmtime's types, generated from `wit/`.

#![allow(missing_docs, reason = "generated; the documentation is in wit/")]

wasmtime::component::bindgen!({
    path: "../../wit",
    world: "messenger",
    imports: { default: async | trappable },
    exports: { default: async },
});

pub(crate) use dmplz::messenger::{clock, http, log, socket, store, types};
pub(crate) use exports::dmplz::messenger::provider;
