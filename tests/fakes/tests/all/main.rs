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
mod discord_access;
mod discord_chat;
mod discord_gateway;
mod discord_limits;
mod discord_presses;
mod discord_reactions;
mod faults;
mod gateway_client;
mod hostile;
mod telegram_chat;
mod telegram_params;
mod telegram_updates;
