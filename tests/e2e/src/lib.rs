//! Drives the real `dmplz hook` as Claude Code 2.1.330 was observed to: in a process group of its own, with sockets
//! for stdin, stdout and stderr, and the event as one line of JSON followed by the end of the input. The messenger is
//! a fake on loopback.
//!
//! The tests are in `all/`. Cargo builds them as a test of the package `dmplz` (see its `Cargo.toml`), because only
//! then does Cargo always build the binary first and pass its path.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test support: a broken fixture should fail loudly"
)]

mod chat;
mod company;
mod fake;
mod gateway;
mod home;
mod hook;
mod message;
mod pipe;
/// Returns the text that Claude Code writes to a hook's stdin.
pub mod stdin;

pub use chat::{Chat, JIN, MIN, Person, Place, Press, Room};
pub use company::{Authority, Company};
pub use fake::Fake;
pub use gateway::{Gateway, Surface};
pub use home::Home;
pub use hook::{Ended, Hook};
pub use message::{Choice, Message};

use std::time::Duration;

include!(concat!(env!("OUT_DIR"), "/places.rs"));

/// The time limit for anything that must happen. It is far longer than necessary, because machines can be busy.
pub const SOON: Duration = Duration::from_secs(40);

/// Waits for a condition that no event reports, such as a file of another process.
///
/// # Panics
/// Panics if it is not true within [`SOON`].
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = std::time::Instant::now() + SOON;
    while !is_so() {
        assert!(std::time::Instant::now() < end, "{what}: not within {SOON:?}");
        std::thread::sleep(Duration::from_millis(3));
    }
}
