//! A fake of the Discord API, version 10, as <https://docs.discord.com/developers/reference> describes it: REST, the
//! gateway, interactions.

use crate::fake::{Start, fake};
use crate::server::Server;
use std::io;
use std::sync::Arc;
use std::time::Duration;

mod access;
mod account;
mod ask;
mod components;
mod create;
mod embeds;
mod endpoint;
mod fields;
mod gateway;
mod human;
mod interactions;
mod json;
mod limits;
mod mentions;
mod messages;
mod modal;
mod model;
mod reactions;
mod refusal;
mod routes;
mod snowflake;
pub(crate) mod spec;
mod threads;
mod world;

pub use components::Button;
pub use gateway::FakeGateway;
pub use interactions::PressError;
pub use modal::{Modal, TextInput};
pub use model::{Attachment, Message, MessageRef, Permissions, Reaction, Revision, Thread, User};
pub use world::gateway::{Acks, Frame, Origin, SessionState};
pub use world::interactions::{Interaction, Response};

use endpoint::BASE;
use world::World;

/// The options of a [`FakeDiscord`].
#[derive(Clone, Debug)]
pub struct DiscordSetup {
    token: String,
    port: u16,
    limits: bool,
}

impl DiscordSetup {
    /// Sets the token of the bot.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = token.into();
        self
    }

    /// Sets the port on 127.0.0.1. With 0, the default, a free one is chosen.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Sets whether Discord's rate limits apply: one reaction in 250 ms, five messages in 5 s, 50 requests per second
    /// in total, one IDENTIFY in 5 s, and so on. By default only limits that a test sets apply.
    pub fn limits(mut self, limits: bool) -> Self {
        self.limits = limits;
        self
    }

    /// Serves on the caller's tokio runtime.
    ///
    /// # Errors
    /// The port cannot be bound.
    pub fn start(self) -> io::Result<FakeDiscord> {
        self.serve(Server::on_runtime)
    }

    /// Serves on a thread of its own.
    ///
    /// # Errors
    /// The port cannot be bound, or no thread started.
    pub fn spawn_thread(self) -> io::Result<FakeDiscord> {
        self.serve(Server::on_thread)
    }

    fn serve(self, start: Start<World>) -> io::Result<FakeDiscord> {
        let fake = FakeDiscord::serve(World::new(&self.token), self.port, start, self.token.into())?;
        fake.world.change(|world| {
            world.base_url = format!("http://{}", fake.server.address());
            world.limits.strict = self.limits;
            if self.limits {
                world.gateway.identify_window = Duration::from_secs(5);
            }
        });
        Ok(fake)
    }
}

fake! {
    /// A Discord server with one bot, and the people who talk to it.
    ///
    /// A cheap handle; the server stops when the last clone is dropped.
    ///
    /// ```no_run
    /// # async fn example() -> Option<()> {
    /// use dmplz_fakes::discord::{FakeDiscord, User};
    /// use std::time::Duration;
    /// let discord = FakeDiscord::start().await;
    /// let jin = User::person(7, "jin");
    /// let channel = discord.channel(discord.guild("office"), "approvals");
    /// // ... a client of discord.base_url() posts a card to the channel ...
    /// let card = discord.await_message(Duration::from_secs(5), |message| message.channel == channel).await?;
    /// discord.react(&card, "❌", &jin);
    /// # Some(()) }
    /// ```
    FakeDiscord { token: Arc<str> }, chat: u64, base: BASE
}

impl FakeDiscord {
    fn usual(start: Start<World>) -> io::Result<Self> {
        Self::setup().serve(start)
    }

    /// Returns the options, to start a fake with a chosen token or port.
    pub fn setup() -> DiscordSetup {
        DiscordSetup { token: "MTE3Mw.G-fake.dm-plz_loopback_token".to_owned(), port: 0, limits: false }
    }

    /// Returns the bot's token, which follows `Bot ` in the header `Authorization`.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Returns the bot's own account.
    pub fn bot(&self) -> User {
        self.world.read(|world| world.bot.clone())
    }

    /// Sets the limit of a route: the number of requests per window, for each channel, server or webhook. It always
    /// applies. The route is a [`Call::name`](crate::Call::name).
    pub fn set_limit(&self, route: &str, requests: u64, window: Duration) {
        self.world.change(|world| world.limits.set(route, requests, window));
    }

    /// Returns the number of requests that were answered by 401, 403 or 429. Discord bans an address that sends 10,000
    /// of them in 10 minutes:
    /// <https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans>.
    pub fn invalid_requests(&self) -> usize {
        let statuses = self.wire.calls().into_iter().filter_map(|call| call.status);
        statuses.filter(|status| matches!(status, 401 | 403 | 429)).count()
    }
}
