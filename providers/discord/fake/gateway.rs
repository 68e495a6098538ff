//! The gateway, as its clients use it: <https://docs.discord.com/developers/events/gateway>. The world keeps its state.

mod control;
mod events;
mod identify;
mod intents;
mod receive;
mod resume;
mod routes;
mod socket;
mod zlib;

pub use control::FakeGateway;

pub(crate) use events::Event;
pub(crate) use routes::{gateway, gateway_bot};
pub(crate) use socket::converse;
