//! The exports of a component as a trait.

use crate::{
    Batch, Card, Chat, Chosen, Diagnosis, Error, Host, Introduction, Manifest, Meeting, MessageRef, OpenChat, Setting,
    Watch,
};

/// One messenger. The functions are those of `wit/provider.wit`, where each is described in full; here they take the
/// host as an argument, and what [`Provider::connect`] returns as `self`.
///
/// Whatever `self` learns after `connect` is lost whenever the host likes.
pub trait Provider: Sized {
    /// What the provider is and wants. Always the same.
    fn describe() -> Manifest;

    /// Takes the settings, of which each one of the manifest that has a default is there, and the name of one of the
    /// manifest's transports. No network.
    ///
    /// # Errors
    /// [`Error::BadSetting`] for a setting that cannot be used.
    fn connect(settings: &[Setting], transport: &str) -> Result<Self, Error>;

    /// Opens the configured chat.
    ///
    /// # Errors
    /// As the contract lists them; so for all that follow.
    fn open(&mut self, host: &dyn Host, chat: Chat) -> Result<OpenChat, Error>;

    /// Checks token, chat and rights, and posts nothing.
    ///
    /// # Errors
    /// When nothing could be checked.
    fn diagnose(&mut self, host: &dyn Host, chat: Chat) -> Result<Diagnosis, Error>;

    /// Says how a person who is given the code can write to the bot. Without this nobody can write to it first.
    ///
    /// # Errors
    /// See [`Error`].
    fn introduce(&mut self, _host: &dyn Host, _code: &str) -> Result<Option<Introduction>, Error> {
        Ok(None)
    }

    /// Brings what people wrote to the bot since the cursor, waiting up to `wait` milliseconds where the messenger can
    /// wait. Only called after an introduction.
    ///
    /// # Errors
    /// See [`Error`].
    fn meet(&mut self, _host: &dyn Host, cursor: &str, _wait: u32) -> Result<Meeting, Error> {
        Ok(Meeting { greetings: Vec::new(), cursor: cursor.to_owned() })
    }

    /// Posts a card and answers the message that carries its choices.
    ///
    /// # Errors
    /// See [`Error`].
    fn post(&mut self, host: &dyn Host, chat: OpenChat, card: Card) -> Result<MessageRef, Error>;

    /// Makes a posted message show another card.
    ///
    /// # Errors
    /// See [`Error`]. A card that the message shows already is none.
    fn revise(&mut self, host: &dyn Host, message: MessageRef, card: Card) -> Result<(), Error>;

    /// Brings what happened since the cursor, waiting up to `wait` milliseconds where the messenger can wait.
    ///
    /// # Errors
    /// See [`Error`].
    fn receive(&mut self, host: &dyn Host, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch, Error>;

    /// Ends the waiting sign of a press, and tells who pressed.
    ///
    /// # Errors
    /// See [`Error`]. A press too old to be acknowledged is none.
    fn acknowledge(&mut self, host: &dyn Host, event: Chosen, notice: Option<String>) -> Result<(), Error>;
}
