//! Telegram for dmplz, over the Bot API (<https://core.telegram.org/bots/api>, version 10.1).
//!
//! A card is one message: the title bold, code as `pre`, all by `entities`, never by a parse mode, so that no text can
//! break a send or turn into markup. Choices are an inline keyboard whose payload is `TAG:CHOICE`. Files go ahead of
//! the card, which answers them, so that the buttons are the last thing in the chat. Events come by long polling.

use dmplz_provider_sdk::prelude::*;

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
    server: Server,
    sent: SentFiles,
}

impl Provider for Telegram {
    fn describe() -> Manifest {
        manifest::manifest()
    }

    fn connect(settings: &[Setting], _way: &str) -> Result<Self> {
        Ok(Self { server: api::server(settings)?, sent: SentFiles::default() })
    }

    fn open(&mut self, host: &dyn Host, chat: Chat) -> Result<OpenChat> {
        chat::open(self.server.on(host), chat)
    }

    fn diagnose(&mut self, host: &dyn Host, chat: Chat) -> Result<Diagnosis> {
        diagnose::diagnose(self.server.on(host), chat)
    }

    fn introduce(&mut self, host: &dyn Host, code: &str) -> Result<Option<Introduction>> {
        meeting::introduce(self.server.on(host), code).map(Some)
    }

    fn meet(&mut self, host: &dyn Host, cursor: &str, wait: u32) -> Result<Meeting> {
        meeting::meet(self.server.on(host), cursor, wait)
    }

    fn post(&mut self, host: &dyn Host, chat: OpenChat, card: Card) -> Result<MessageRef> {
        posting::post(self.server.on(host), &mut self.sent, &chat, &card)
    }

    fn revise(&mut self, host: &dyn Host, message: MessageRef, card: Card) -> Result<()> {
        posting::revise(self.server.on(host), &message, &card)
    }

    fn receive(&mut self, host: &dyn Host, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch> {
        receive::receive(self.server.on(host), cursor, watching, wait)
    }

    fn open_thread(&mut self, host: &dyn Host, chat: OpenChat, name: &str) -> Result<Option<OpenChat>> {
        topics::open(self.server.on(host), &chat, name)
    }

    fn set_thread(&mut self, host: &dyn Host, thread: OpenChat, name: &str, closed: bool) -> Result<()> {
        topics::set(self.server.on(host), &thread, name, closed)
    }

    fn set_commands(&mut self, host: &dyn Host, chat: OpenChat, commands: &[Command]) -> Result<()> {
        commands::set(self.server.on(host), &chat, commands)
    }

    fn locate(&mut self, host: &dyn Host, file: SentFile) -> Result<Download> {
        files::locate(self.server.on(host), &file)
    }

    fn draft(&mut self, host: &dyn Host, chat: OpenChat, key: u32, text: &str) -> Result<()> {
        posting::draft(self.server.on(host), &chat, key, text)
    }

    fn acknowledge(&mut self, host: &dyn Host, event: Chosen, notice: Option<String>) -> Result<()> {
        acknowledge::acknowledge(self.server.on(host), &event, notice.as_deref())
    }
}

export_provider!(Telegram);
