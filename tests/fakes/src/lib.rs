//! Servers on loopback that answer as messengers do, for tests, benchmarks and `dmplz demo`.
//!
//! They answer as the platforms do, play the people in the chat, break on demand, and check every request and every
//! reply against the published schemas; see [`FakeTelegram`] and README.md. What all of them share is here; each fake is a
//! module whose files are in its messenger's folder, `providers/<messenger>/fake`.

mod bucket;
mod call;
mod clock;
mod conversation;
mod exchange;
mod fake;
mod fault;
mod form;
mod reply;
mod server;
mod spec;
mod violation;
mod watched;
mod wire;

pub use call::Call;
pub use fake::Fake;
pub use fault::{Fault, On};
pub use violation::{Side, Violation};
pub use wire::Wire;

include!(concat!(env!("OUT_DIR"), "/fakes.rs"));
