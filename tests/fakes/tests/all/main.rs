//! Tests of the fakes over HTTP.
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
