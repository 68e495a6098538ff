//! Tests of the fake Discord over HTTP and its gateway.

mod access;
mod chat;
pub(crate) mod client;
mod gateway;
mod limits;
mod presses;
mod reactions;
