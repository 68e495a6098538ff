//! A fake of ntfy's HTTP API, as <https://docs.ntfy.sh/publish/> and <https://docs.ntfy.sh/subscribe/api/> describe it.
//! Where they are silent, it follows the source of the server.

use crate::server::Server;
use crate::watched::Watched;
use crate::wire::Wire;
use std::fmt;
use std::sync::Arc;

mod endpoint;
mod human;
mod model;
mod publishing;
mod refusal;
mod world;

pub use model::{Action, Message, Published};

use endpoint::Endpoint;
use world::World;

/// An ntfy server, and the phones of the people who subscribe to its topics.
///
/// Its clock advances by at least a second with every message, so that the times of messages show their order. A cheap
/// handle; the server stops when the last clone is dropped.
#[derive(Clone)]
pub struct FakeNtfy {
    world: Arc<Watched<World>>,
    wire: Wire,
    server: Arc<Server>,
}

impl FakeNtfy {
    /// Starts a fake on a free port, on the caller's runtime.
    ///
    /// # Panics
    /// Loopback has no free port.
    #[allow(clippy::expect_used, reason = "tests want a fake, not a result")]
    pub async fn start() -> Self {
        Self::serve(Server::on_runtime).expect("a free port on loopback")
    }

    /// As [`FakeNtfy::start`], on a thread of its own.
    ///
    /// # Panics
    /// If loopback has no free port, or no thread can be started.
    #[allow(clippy::expect_used, reason = "tests want a fake, not a result")]
    pub fn spawn_thread() -> Self {
        Self::serve(Server::on_thread).expect("a free port on loopback")
    }

    fn serve(start: fn(u16, Arc<Endpoint>) -> std::io::Result<Server>) -> std::io::Result<Self> {
        let world = Arc::new(Watched::new(World::default()));
        let wire = Wire::new();
        let server = start(0, Arc::new(Endpoint { world: Arc::clone(&world), wire: wire.clone() }))?;
        Ok(Self { world, wire, server: Arc::new(server) })
    }

    /// Returns the address of the server: `http://127.0.0.1:PORT`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.server.address())
    }

    /// Returns the only access token that the server knows.
    pub fn token(&self) -> &'static str {
        world::TOKEN
    }

    /// Returns the record of the bot's requests, faults and violations. It does not contain the requests of people.
    pub fn wire(&self) -> &Wire {
        &self.wire
    }

    /// From now on, limits a visitor to 60 requests at once and one more each 5 seconds.
    pub fn limit_visitors(&self) {
        self.world.change(World::limit_visitors);
    }

    /// From now on, ignores sequences, as servers before 2.16 do.
    pub fn forget_sequences(&self) {
        self.world.change(|world| world.knows_sequences = false);
    }

    /// From now on, refuses files, as servers do if the operator has not configured a directory for them.
    pub fn refuse_attachments(&self) {
        self.world.change(|world| world.takes_attachments = false);
    }

    /// From now on, denies access to a topic.
    pub fn protect(&self, topic: &str) {
        self.world.change(|world| world.protected.insert(topic.to_owned()));
    }
}

impl fmt::Debug for FakeNtfy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "FakeNtfy({})", self.server.address())
    }
}
