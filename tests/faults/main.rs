//! The gateway on its worst days, with the real binary: killed under load, a full disk, surfaces that never answer.

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
mod line;
mod load;
mod silent;
