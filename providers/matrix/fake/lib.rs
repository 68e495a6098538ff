//! A homeserver with the Client-Server API, as <https://spec.matrix.org/v1.16/client-server-api/> describes it. Where the
//! specification leaves a choice, it answers as Synapse 1.163 does.
#![allow(
    clippy::indexing_slicing,
    reason = "a missing member of a JSON value reads as null, and only objects that the fake made are written"
)]

use crate::fake::{Start, fake};
use std::io;

mod endpoint;
mod human;
mod model;
mod reading;
mod refusal;
mod rooms;
mod rules;
mod world;

pub use human::Place;
pub use model::{Message, User};

use world::World;

fake! {
    /// A homeserver with one bot, and everybody who is in a room with it.
    ///
    /// Every event has a later time than the one before. A cheap handle; the server stops when the last clone is dropped.
    FakeMatrix, chat: &str, base: ""
}

impl FakeMatrix {
    fn usual(start: Start<World>) -> io::Result<Self> {
        Self::serve(World::default(), 0, start)
    }

    /// Returns the access token of the bot.
    pub fn token(&self) -> &'static str {
        world::TOKEN
    }

    /// Returns a refresh token of the bot.
    pub fn refresh_token(&self) -> &'static str {
        world::REFRESH_TOKEN
    }

    /// Returns the id of the bot.
    pub fn bot(&self) -> &'static str {
        world::BOT
    }

    /// From now on, limits the bot to 10 events at once and one more each 5 seconds, as Synapse does by default.
    pub fn limit_events(&self) {
        self.world.change(World::limit_events);
    }
}
