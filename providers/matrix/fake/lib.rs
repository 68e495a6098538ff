//! A homeserver with the Client-Server API, as <https://spec.matrix.org/v1.16/client-server-api/> describes it. Where the
//! specification leaves a choice, it answers as Synapse 1.163 does.
#![allow(
    clippy::indexing_slicing,
    reason = "a missing member of a JSON value reads as null, and only objects that the fake made are written"
)]

use crate::server::Server;
use crate::watched::Watched;
use crate::wire::Wire;
use std::fmt;
use std::io;
use std::sync::Arc;

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

use endpoint::Endpoint;
use world::World;

/// A homeserver with one bot, and everybody who is in a room with it.
///
/// Every event has a later time than the one before. A cheap handle; the server stops when the last clone is dropped.
#[derive(Clone)]
pub struct FakeMatrix {
    world: Arc<Watched<World>>,
    wire: Wire,
    server: Arc<Server>,
}

impl FakeMatrix {
    /// Starts a fake on a free port, on the caller's runtime.
    ///
    /// # Panics
    /// Loopback has no free port.
    #[allow(clippy::expect_used, reason = "tests want a fake, not a result")]
    pub async fn start() -> Self {
        Self::serve(Server::on_runtime).expect("a free port on loopback")
    }

    /// As [`FakeMatrix::start`], on a thread of its own.
    ///
    /// # Panics
    /// If loopback has no free port, or no thread can be started.
    #[allow(clippy::expect_used, reason = "tests want a fake, not a result")]
    pub fn spawn_thread() -> Self {
        Self::serve(Server::on_thread).expect("a free port on loopback")
    }

    fn serve(start: fn(u16, Arc<Endpoint>) -> io::Result<Server>) -> io::Result<Self> {
        let world = Arc::new(Watched::new(World::default()));
        let wire = Wire::new();
        let server = start(0, Arc::new(Endpoint { world: Arc::clone(&world), wire: wire.clone() }))?;
        Ok(Self { world, wire, server: Arc::new(server) })
    }

    /// Returns the URL of the homeserver: `http://127.0.0.1:PORT`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.server.address())
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

    /// Returns the record of the bot's requests, faults and violations. It does not contain the requests of people.
    pub fn wire(&self) -> &Wire {
        &self.wire
    }

    /// From now on, limits the bot to 10 events at once and one more each 5 seconds, as Synapse does by default.
    pub fn limit_events(&self) {
        self.world.change(World::limit_events);
    }

    /// From now on, does not say how large a file may be, as some homeservers do.
    pub fn forget_media_config(&self) {
        self.world.change(|world| world.has_media_config = false);
    }
}

impl fmt::Debug for FakeMatrix {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "FakeMatrix({})", self.server.address())
    }
}
