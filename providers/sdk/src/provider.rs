//! The exports of a component, as a trait.

use crate::{
    Batch, Card, Chat, Chosen, Command, Diagnosis, Download, Error, Host, Introduction, Manifest, Meeting, MessageRef,
    OpenChat, SentFile, Setting, Watch,
};

/// One messenger. The functions are those of `wit/provider.wit`, which describes each in full. Here they take the
/// host as an argument, and `self` is the value that [`Provider::connect`] returned.
///
/// The host may drop the instance between any two calls, and with it everything that `self` learnt after `connect`.
pub trait Provider: Sized {
    /// Returns the manifest: what the provider is, and what it asks for. It is the same in every call.
    fn describe() -> Manifest;

    /// Takes the settings and the name of one of the manifest's transports. Every setting of the manifest that has a
    /// default is present. It sends nothing.
    ///
    /// # Errors
    /// Returns [`Error::BadSetting`] for a setting that cannot be used.
    fn connect(settings: &[Setting], transport: &str) -> Result<Self, Error>;

    /// Opens the configured chat.
    ///
    /// # Errors
    /// The contract lists the errors of this function and of all that follow.
    fn open(&mut self, host: &dyn Host, chat: Chat) -> Result<OpenChat, Error>;

    /// Checks token, chat and permissions, and posts nothing.
    ///
    /// # Errors
    /// Returns an error if nothing could be checked.
    fn diagnose(&mut self, host: &dyn Host, chat: Chat) -> Result<Diagnosis, Error>;

    /// Returns instructions for a person who received the code: how to send it to the bot. `None`, the default, if
    /// nobody can write to the bot first.
    ///
    /// # Errors
    /// See [`Error`].
    fn introduce(&mut self, _host: &dyn Host, _code: &str) -> Result<Option<Introduction>, Error> {
        Ok(None)
    }

    /// Returns the messages that people sent to the bot since the cursor, waiting up to `wait` milliseconds if the
    /// messenger supports waiting. The host calls it only after an introduction.
    ///
    /// # Errors
    /// See [`Error`].
    fn meet(&mut self, _host: &dyn Host, cursor: &str, _wait: u32) -> Result<Meeting, Error> {
        Ok(Meeting { greetings: Vec::new(), cursor: cursor.to_owned() })
    }

    /// Posts a card and returns a reference to the message that carries its choices.
    ///
    /// # Errors
    /// See [`Error`].
    fn post(&mut self, host: &dyn Host, chat: OpenChat, card: Card) -> Result<MessageRef, Error>;

    /// Replaces the card that a posted message shows.
    ///
    /// # Errors
    /// See [`Error`]. It is not an error if the message already shows the card.
    fn revise(&mut self, host: &dyn Host, message: MessageRef, card: Card) -> Result<(), Error>;

    /// Returns the events since the cursor, waiting up to `wait` milliseconds if the messenger supports waiting.
    ///
    /// # Errors
    /// See [`Error`].
    fn receive(&mut self, host: &dyn Host, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch, Error>;

    /// Opens a thread in the chat. `None`, the default, if this chat has no threads. The host calls it only if the
    /// transport has [`threads`](crate::Transport::threads).
    ///
    /// # Errors
    /// See [`Error`].
    fn open_thread(&mut self, _host: &dyn Host, _chat: OpenChat, _name: &str) -> Result<Option<OpenChat>, Error> {
        Ok(None)
    }

    /// Names a thread, and closes it or opens it again. By default there is none.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if there is no such thread. It is not an error if it is so already.
    fn set_thread(&mut self, _host: &dyn Host, _thread: OpenChat, _name: &str, _closed: bool) -> Result<(), Error> {
        Err(Error::NotFound)
    }

    /// Registers the commands of the chat, in place of those that were registered there. The host calls it only if the
    /// transport has [`commands`](crate::Transport::commands); by default it does nothing.
    ///
    /// # Errors
    /// See [`Error`].
    fn set_commands(&mut self, _host: &dyn Host, _chat: OpenChat, _commands: &[Command]) -> Result<(), Error> {
        Ok(())
    }

    /// Returns the request that gets a file of a [`Said`](crate::Said); the host sends it. The host calls it only if the
    /// transport has [`files`](crate::Transport::files); by default there is none.
    ///
    /// # Errors
    /// Returns [`Error::NotFound`] if the file is gone, and [`Error::TooLarge`] if the messenger does not hand it out.
    fn locate(&mut self, _host: &dyn Host, _file: SentFile) -> Result<Download, Error> {
        Err(Error::NotFound)
    }

    /// Shows in a private chat what is being written, as a preview that goes by itself. The host calls it only if the
    /// transport has [`drafts`](crate::Transport::drafts); by default it does nothing.
    ///
    /// # Errors
    /// See [`Error`].
    fn draft(&mut self, _host: &dyn Host, _chat: OpenChat, _key: u32, _text: &str) -> Result<(), Error> {
        Ok(())
    }

    /// Ends the progress indicator of a press and shows the notice to the person who pressed.
    ///
    /// # Errors
    /// See [`Error`]. It is not an error if the press is too old to be acknowledged.
    fn acknowledge(&mut self, host: &dyn Host, event: Chosen, notice: Option<String>) -> Result<(), Error>;
}
