//! Mattermost's REST API and WebSocket, as <https://developers.mattermost.com/api-documentation/> describes them and the
//! server's source implements them, for one bot in one team.
#![allow(
    clippy::indexing_slicing,
    reason = "a missing member of a JSON value reads as null, and only objects that the fake made are written"
)]

use crate::fake::{Start, fake};
use std::io;
use std::time::Duration;

mod endpoint;
mod human;
mod model;
mod refusal;
mod routes;
mod sockets;
mod world;

pub use human::Place;
pub use model::{Message, Reaction, User};

use world::World;

/// The token of the bot.
pub(crate) const TOKEN: &str = "9xuqwrwgstrb3mzrxb83nb357a";
/// The id and name of the bot.
pub(crate) const BOT: &str = "bot00000000000000000000001";
pub(crate) const BOT_NAME: &str = "dmplz";

fake! {
    /// A server with one bot, and everybody who talks to it.
    ///
    /// A cheap handle; the server stops when the last clone is dropped.
    ///
    /// ```no_run
    /// # async fn example() -> Option<()> {
    /// use dmplz_fakes::mattermost::{FakeMattermost, User};
    /// use std::time::Duration;
    /// let mattermost = FakeMattermost::start().await;
    /// let jin = User::person("user0000000000000000000jin", "jin");
    /// let channel = mattermost.channel(&[jin.clone()]);
    /// // ... a client of mattermost.base_url() posts a card to the channel and connects ...
    /// let soon = Duration::from_secs(5);
    /// let card = mattermost.watch(&channel, soon, |messages| messages.first().cloned()).await?;
    /// mattermost.react((&channel, &card.id), &jin, "x");
    /// # Some(()) }
    /// ```
    FakeMattermost, chat: &str, base: ""
}

impl FakeMattermost {
    fn usual(start: Start<World>) -> io::Result<Self> {
        Self::serve(World::new(), 0, start)
    }

    /// The token of the bot.
    pub fn token(&self) -> &'static str {
        TOKEN
    }

    /// The id of the bot.
    pub fn bot(&self) -> &'static str {
        BOT
    }

    /// Lets the bot make ten requests at once and ten more each second, from now on.
    pub fn limit_requests(&self) {
        self.world.change(World::limit);
    }

    /// Waits for at most `wait` until a client would be told of a press.
    pub async fn await_ready(&self, wait: Duration) -> bool {
        self.world.within(wait, |world| world.sockets.is_ready().then_some(())).await.is_some()
    }

    /// As [`FakeMattermost::await_ready`], for a thread without a runtime.
    pub fn await_ready_blocking(&self, wait: Duration) -> bool {
        self.world.within_blocking(wait, |world| world.sockets.is_ready().then_some(())).is_some()
    }

    /// Waits until the client has logged in over its connection with this number, from 1. Returns whether it did in time.
    pub fn await_connection_blocking(&self, wait: Duration, number: u64) -> bool {
        self.world.within_blocking(wait, |world| world.sockets.is_ready_over(number).then_some(())).is_some()
    }

    /// Breaks every connection now, without a closing frame.
    pub fn cut(&self) {
        self.world.change(|world| world.sockets.end(None));
    }

    /// Closes every connection with this code.
    pub fn close(&self, code: u16) {
        self.world.change(|world| world.sockets.end(Some(code)));
    }

    /// Sends every client this frame, whatever it is.
    pub fn send(&self, frame: &str) {
        self.world.change(|world| world.sockets.send(frame));
    }

    /// The HTTP status with which new connections are refused; none to take them again.
    pub fn refuse(&self, status: Option<u16>) {
        self.world.change(|world| world.sockets.refused = status);
    }
}
