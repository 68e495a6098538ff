//! The decisions of dmplz, without I/O: what an agent asks, how it is shown, what people answer, and how the request
//! ends.
//!
//! This crate has no clock, file access, environment or runtime: time and input are arguments.

pub mod approvers;
pub mod card;
mod chain;
pub mod claude;
pub mod described;
pub mod flow;
pub mod grant;
pub mod lead;
pub mod messenger;
mod named;
pub mod notify;
pub mod present;
pub mod reason;
pub mod redact;
pub mod request;
pub mod stats;
pub mod text;
pub mod visible;
pub mod wildcard;

pub use chain::chain;
