//! The cases, by the part of the contract that they keep to. Each is run over every provider.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "cases are tests, which a macro names"
)]

mod acknowledging;
mod answering;
mod connecting;
mod describing;
mod diagnosing;
mod failing;
mod hanging;
mod literal;
mod opening;
mod posting;
mod reading;
mod revising;

mod desk;
