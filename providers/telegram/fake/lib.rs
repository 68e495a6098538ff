//! A fake of the Bot API, as <https://core.telegram.org/bots/api> (10.1) and the public server's source describe it.

use crate::fake::{Start, fake};
use crate::server::Server;
use std::io;
use std::sync::Arc;

mod chats;
mod edit;
mod endpoint;
mod files;
mod human;
mod json;
mod markup;
mod methods;
mod model;
mod params;
mod parse;
mod poll;
mod press;
mod refusal;
mod send;
pub(crate) mod spec;
mod text;
mod topics;
mod updates;
mod world;

pub use model::{Answer, Button, Chat, ChatKind, Document, Draft, Entity, Message, MessageRef, Revision, Topic, User};
pub use press::PressError;

use world::World;

/// The options of a [`FakeTelegram`].
#[derive(Clone, Debug)]
pub struct TelegramSetup {
    token: String,
    port: u16,
    privacy: bool,
}

impl TelegramSetup {
    /// Sets the bot's token, `ID:SECRET`. `ID` is the bot's user id.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = token.into();
        self
    }

    /// Sets the port on 127.0.0.1. With 0, the default, a free one is chosen.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Sets whether the bot sees only replies, mentions and commands in groups. The default is true, as for a new bot.
    pub fn privacy(mut self, privacy: bool) -> Self {
        self.privacy = privacy;
        self
    }

    /// Serves on the caller's tokio runtime.
    ///
    /// # Errors
    /// The port cannot be bound.
    pub fn start(self) -> io::Result<FakeTelegram> {
        self.serve(Server::on_runtime)
    }

    /// Serves on a thread of its own.
    ///
    /// # Errors
    /// The port cannot be bound, or no thread started.
    pub fn spawn_thread(self) -> io::Result<FakeTelegram> {
        self.serve(Server::on_thread)
    }

    fn serve(self, start: Start<World>) -> io::Result<FakeTelegram> {
        let world = World::new(&self.token, self.privacy);
        FakeTelegram::serve(world, self.port, start, self.token.into())
    }
}

fake! {
    /// A Telegram Bot API server with one bot, and the people who talk to it.
    ///
    /// Methods are at `/bot<TOKEN>/<METHOD>` below its URL. A cheap handle; the server stops when the last clone is dropped.
    ///
    /// ```no_run
    /// # async fn example() -> Option<()> {
    /// use dmplz_fakes::telegram::{FakeTelegram, User};
    /// use std::time::Duration;
    /// let telegram = FakeTelegram::start().await;
    /// let jin = User::person(7, "Jin");
    /// let chat = telegram.private_chat(&jin);
    /// // ... a client of telegram.base_url() posts a card with buttons to the chat ...
    /// let card = telegram.await_message(Duration::from_secs(5), |message| message.chat == chat).await?;
    /// telegram.press(&card, "❌ Deny", &jin).ok()?;
    /// # Some(()) }
    /// ```
    FakeTelegram { token: Arc<str> }, chat: i64, base: ""
}

impl FakeTelegram {
    fn usual(start: Start<World>) -> io::Result<Self> {
        Self::setup().serve(start)
    }

    /// Returns the options, to start a fake with a chosen token or port.
    pub fn setup() -> TelegramSetup {
        TelegramSetup { token: "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0".to_owned(), port: 0, privacy: true }
    }

    /// Returns the token of the bot.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Returns the bot's own account.
    pub fn bot(&self) -> User {
        self.world.read(|world| world.bot.clone())
    }
}
