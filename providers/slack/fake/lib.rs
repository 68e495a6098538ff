//! Slack's Web API and Socket Mode, as <https://docs.slack.dev> describes them, for one app in one workspace.
#![allow(
    clippy::indexing_slicing,
    reason = "a missing member of a JSON value reads as null, and only objects that the fake made are written"
)]

use crate::fake::{Start, fake};
use std::io;
use std::time::Duration;

mod endpoint;
mod human;
mod kit;
mod methods;
mod model;
mod refusal;
mod sockets;
mod world;

pub use human::Place;
pub use model::{Button, Message, Revision, Screen, User};
pub use world::{Press, Whisper};

use world::World;

/// The tokens of the app.
pub(crate) const BOT_TOKEN: &str = "xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcBrzbqgy";
pub(crate) const APP_TOKEN: &str = "xapp-1-A0DMPLZAPP-5120-d6f4b1c8e0a2947bb35f6d10c4e7a98f";

fake! {
    /// A workspace with one app, and everybody who talks to it.
    ///
    /// A cheap handle; the server stops when the last clone is dropped.
    ///
    /// ```no_run
    /// # async fn example() -> Option<()> {
    /// use dmplz_fakes::slack::{FakeSlack, User};
    /// use std::time::Duration;
    /// let slack = FakeSlack::start().await;
    /// let channel = slack.channel("approvals");
    /// // ... a client of slack.base_url() posts a card to the channel and connects ...
    /// let soon = Duration::from_secs(5);
    /// let card = slack.watch(&channel, soon, |messages| messages.first().cloned()).await?;
    /// slack.press((&channel, &card.ts), "❌ Deny", &User::person("U012345678", "jin"));
    /// # Some(()) }
    /// ```
    FakeSlack, chat: &str, base: "/api"
}

impl FakeSlack {
    fn usual(start: Start<World>) -> io::Result<Self> {
        let fake = Self::serve(World::new(), 0, start)?;
        fake.world.change(|world| world.address = fake.server.address().to_string());
        Ok(fake)
    }

    /// The token of the app's bot.
    pub fn token(&self) -> &'static str {
        BOT_TOKEN
    }

    /// The app-level token for Socket Mode.
    pub fn app_token(&self) -> &'static str {
        APP_TOKEN
    }

    /// The app's own user.
    pub fn bot(&self) -> User {
        self.world.read(|world| world.bot.clone())
    }

    /// Lets a channel take five messages at once and one more each second, from now on.
    pub fn limit_messages(&self) {
        self.world.change(|world| world.is_strict = true);
    }

    /// Waits for at most `wait` until a client would be told of a press.
    pub async fn await_ready(&self, wait: Duration) -> bool {
        self.world.within(wait, |world| world.sockets.is_ready().then_some(())).await.is_some()
    }

    /// As [`FakeSlack::await_ready`], for a thread without a runtime.
    pub fn await_ready_blocking(&self, wait: Duration) -> bool {
        self.world.within_blocking(wait, |world| world.sockets.is_ready().then_some(())).is_some()
    }

    /// How many clients are connected now, and how many connections there have been.
    pub fn connections(&self) -> (usize, u64) {
        self.world.read(|world| (world.sockets.count(), world.sockets.opened))
    }

    /// Breaks every connection now, without a closing frame.
    pub fn cut(&self) {
        self.world.change(|world| world.sockets.end(None));
    }

    /// Closes every connection with this code.
    pub fn close(&self, code: u16) {
        self.world.change(|world| world.sockets.end(Some(code)));
    }

    /// Asks every client for a new connection; the old ones stay open.
    pub fn refresh(&self) {
        self.world.change(|world| world.sockets.refresh("refresh_requested"));
    }

    /// Sends every client this frame, whatever it is.
    pub fn send(&self, frame: &str) {
        self.world.change(|world| world.sockets.send(frame));
    }

    /// The HTTP status with which new connections are refused; none to take them again.
    pub fn refuse(&self, status: Option<u16>) {
        self.world.change(|world| world.sockets.refused = status);
    }

    /// Whether every connection stalls: what is sent waits, and arrives at once afterwards.
    pub fn stall(&self, stalled: bool) {
        self.world.change(|world| world.sockets.stalled = stalled);
    }

    /// Whether every envelope is sent twice from now on.
    pub fn double_envelopes(&self, doubles: bool) {
        self.world.change(|world| world.sockets.doubles = doubles);
    }

    /// Tells so many of the next connections that somebody else has one, too.
    pub fn share_connections(&self, times: usize) {
        self.world.change(|world| world.sockets.others = times);
    }

    /// How long an envelope waits for its acknowledgement; 3 s without this.
    pub fn set_patience(&self, patience: Duration) {
        self.world.change(|world| world.sockets.patience = patience);
    }
}
