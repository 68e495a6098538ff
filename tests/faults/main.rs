//! Tests of the gateway's faults with the real binary: SIGKILL under load, a full disk, and surfaces that never answer.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests: what is not as it should be fails loudly"
)]

mod full_disk;
mod gateway;
mod kills;
mod load;
mod silent;
