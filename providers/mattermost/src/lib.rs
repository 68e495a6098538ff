//! Mattermost for dmplz, by its REST API and its WebSocket (<https://developers.mattermost.com/api-documentation/>).
//!
//! | in the contract | on Mattermost |
//! |---|---|
//! | a card | a post of escaped Markdown, with its files; `pending_post_id` is its tag, so that a retry makes no second one |
//! | a choice | a reaction that the bot adds. Buttons would need an address that the server reaches |
//! | a press | a reaction of a person with the same emoji |
//! | a changed card | the post is edited; the bot's reactions that are no choices any more are removed |
//! | a reason | a post in the channel, or in the thread of the prompt |
//! | a notice to the person who pressed | a post in the channel: only administrators may send ephemeral ones |
//!
//! Cards and prompts are not posted in threads, where people would not see them: with collapsed threads, only those who
//! follow a thread are told of its replies.

use dmplz_provider_sdk::prelude::*;

use crate::listener::Listener;

mod api;
mod channel;
mod connection;
mod diagnose;
mod limits;
mod listener;
mod manifest;
mod meeting;
mod posting;

/// The provider after it was connected.
#[derive(Debug)]
pub struct Mattermost {
    server: Server,
    listener: Listener,
}

impl Provider for Mattermost {
    fn describe() -> Manifest {
        manifest::manifest()
    }

    fn connect(settings: &[Setting], _transport: &str) -> Result<Self> {
        Ok(Self { server: api::server(settings)?, listener: Listener::default() })
    }

    fn open(&mut self, host: &dyn Host, chat: Chat) -> Result<OpenChat> {
        channel::open(self.server.on(host), &chat)
    }

    fn diagnose(&mut self, host: &dyn Host, chat: Chat) -> Result<Diagnosis> {
        diagnose::diagnose(self.server.on(host), &chat)
    }

    fn introduce(&mut self, host: &dyn Host, code: &str) -> Result<Option<Introduction>> {
        meeting::introduce(self.server.on(host), code).map(Some)
    }

    fn meet(&mut self, host: &dyn Host, cursor: &str, wait: u32) -> Result<Meeting> {
        self.listener.meet(self.server.on(host), cursor, wait)
    }

    fn post(&mut self, host: &dyn Host, chat: OpenChat, card: Card) -> Result<MessageRef> {
        posting::post(self.server.on(host), &chat, &card)
    }

    fn revise(&mut self, host: &dyn Host, message: MessageRef, card: Card) -> Result<()> {
        posting::revise(self.server.on(host), &message, &card)
    }

    fn receive(&mut self, host: &dyn Host, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch> {
        self.listener.receive(self.server.on(host), cursor, watching, wait)
    }

    /// A file is got by its id (<https://developers.mattermost.com/api-documentation/#/operations/GetFile>).
    fn locate(&mut self, host: &dyn Host, file: SentFile) -> Result<Download> {
        Ok(self.server.on(host).download(&format!("files/{}", percent_encode(&file.id))))
    }

    /// Posts the notice. Without one there is nothing to do, because a reaction has no progress indicator.
    fn acknowledge(&mut self, host: &dyn Host, event: Chosen, notice: Option<String>) -> Result<()> {
        notice.map_or(Ok(()), |notice| posting::notify(self.server.on(host), &event, &notice))
    }
}

export_provider!(Mattermost with sockets);
