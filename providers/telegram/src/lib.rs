//! Telegram for dmplz, over the Bot API (<https://core.telegram.org/bots/api>, version 10.1).
//!
//! A card is one message: the title bold, code as `pre`, all by `entities`, never by a parse mode, so that no text can
//! break a send or turn into markup. Choices are an inline keyboard whose payload is `TAG:CHOICE`. Files go ahead of
//! the card, which answers them, so that the buttons are the last thing in the chat. Events come by long polling.

use dmplz_provider_sdk::prelude::*;

use crate::api::Api;
use crate::posting::SentFiles;

mod acknowledge;
mod api;
mod card;
mod chat;
mod commands;
mod diagnose;
mod files;
mod keyboard;
mod limits;
mod manifest;
mod meeting;
mod posting;
mod receive;
mod topics;
mod updates;

/// The provider after it was connected.
#[derive(Debug)]
pub struct Telegram {
    api: Api,
    sent: SentFiles,
}

impl Provider for Telegram {
    fn describe() -> Manifest {
        manifest::manifest()
    }

    fn connect(settings: &[Setting], _way: &str) -> Result<Self, Error> {
        Ok(Self { api: Api::new(settings)?, sent: SentFiles::default() })
    }

    fn open(&mut self, host: &dyn Host, chat: Chat) -> Result<OpenChat, Error> {
        chat::open(&self.api, host, chat)
    }

    fn diagnose(&mut self, host: &dyn Host, chat: Chat) -> Result<Diagnosis, Error> {
        diagnose::diagnose(&self.api, host, chat)
    }

    fn introduce(&mut self, host: &dyn Host, code: &str) -> Result<Option<Introduction>, Error> {
        meeting::introduce(&self.api, host, code).map(Some)
    }

    fn meet(&mut self, host: &dyn Host, cursor: &str, wait: u32) -> Result<Meeting, Error> {
        meeting::meet(&self.api, host, cursor, wait)
    }

    fn post(&mut self, host: &dyn Host, chat: OpenChat, card: Card) -> Result<MessageRef, Error> {
        posting::post(&self.api, &mut self.sent, host, &chat, &card)
    }

    fn revise(&mut self, host: &dyn Host, message: MessageRef, card: Card) -> Result<(), Error> {
        posting::revise(&self.api, host, &message, &card)
    }

    fn receive(&mut self, host: &dyn Host, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch, Error> {
        receive::receive(&self.api, host, cursor, watching, wait)
    }

    fn open_thread(&mut self, host: &dyn Host, chat: OpenChat, name: &str) -> Result<Option<OpenChat>, Error> {
        topics::open(&self.api, host, &chat, name)
    }

    fn set_thread(&mut self, host: &dyn Host, thread: OpenChat, name: &str, closed: bool) -> Result<(), Error> {
        topics::set(&self.api, host, &thread, name, closed)
    }

    fn set_commands(&mut self, host: &dyn Host, chat: OpenChat, commands: &[Command]) -> Result<(), Error> {
        commands::set(&self.api, host, &chat, commands)
    }

    fn locate(&mut self, host: &dyn Host, file: SentFile) -> Result<Download, Error> {
        files::locate(&self.api, host, &file)
    }

    fn draft(&mut self, host: &dyn Host, chat: OpenChat, key: u32, text: &str) -> Result<(), Error> {
        posting::draft(&self.api, host, &chat, key, text)
    }

    fn acknowledge(&mut self, host: &dyn Host, event: Chosen, notice: Option<String>) -> Result<(), Error> {
        acknowledge::acknowledge(&self.api, host, &event, notice.as_deref())
    }
}

export_provider!(Telegram);
