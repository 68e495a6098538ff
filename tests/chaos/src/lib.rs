//! Runs the real binary many times. `cargo xtask chaos` starts thousands of hooks under adverse conditions and judges
//! each of them; `cargo xtask soak` keeps one gateway under load and checks whether it grows; `cargo xtask notices` sends
//! thousands of notices to services that fail. README.md explains them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "test support: a broken fixture should fail loudly"
)]

pub mod binary;
pub mod chaos;
mod gateway;
mod http;
pub mod notices;
mod person;
pub mod soak;
