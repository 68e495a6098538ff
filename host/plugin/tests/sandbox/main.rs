//! Tests of hostile components. Each gives a typed error, while the process lives on with a new instance, and no secret
//! is visible.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod bench;
mod breaking;
mod cache;
mod carried;
mod egress;
mod files;
mod importing;
mod leaking;
mod manifest;
mod renewing;
mod sockets;
mod storing;
mod transport;
mod working;
