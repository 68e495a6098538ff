//! A fake of ntfy's HTTP API, as <https://docs.ntfy.sh/publish/> and <https://docs.ntfy.sh/subscribe/api/> describe it.
//! Where they are silent, it follows the source of the server.

use crate::fake::{Start, fake};
use std::io;

mod endpoint;
mod human;
mod model;
mod publishing;
mod refusal;
mod world;

pub use model::{Action, Message, Published};

use world::World;

fake! {
    /// An ntfy server, and the phones of the people who subscribe to its topics.
    ///
    /// Its clock advances by at least a second with every message, so that the times of messages show their order. A cheap
    /// handle; the server stops when the last clone is dropped.
    FakeNtfy, chat: &str, base: ""
}

impl FakeNtfy {
    fn usual(start: Start<World>) -> io::Result<Self> {
        Self::serve(World::default(), 0, start)
    }

    /// Returns the only access token that the server knows.
    pub fn token(&self) -> &'static str {
        world::TOKEN
    }

    /// From now on, limits a visitor to 60 requests at once and one more each 5 seconds.
    pub fn limit_visitors(&self) {
        self.world.change(World::limit_visitors);
    }

    /// From now on, ignores sequences, as servers before 2.16 do.
    pub fn forget_sequences(&self) {
        self.world.change(|world| world.knows_sequences = false);
    }

    /// From now on, denies access to a topic.
    pub fn protect(&self, topic: &str) {
        self.world.change(|world| world.protected.insert(topic.to_owned()));
    }
}
