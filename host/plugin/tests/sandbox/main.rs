//! Hostile components, and what becomes of them: a typed error, a living process, a fresh instance, and no secret seen.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod bench;
mod breaking;
mod cache;
mod carried;
mod egress;
mod importing;
mod leaking;
mod manifest;
mod sockets;
mod transport;
mod working;
