//! The fakes, seen over HTTP by a client that knows nothing of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    unreachable_pub,
    reason = "tests should fail loudly"
)]

mod client;
mod faults;
mod hostile;

include!(concat!(env!("OUT_DIR"), "/tests.rs"));
