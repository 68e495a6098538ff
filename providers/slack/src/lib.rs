//! Slack for dmplz: cards of Block Kit by the Web API (<https://docs.slack.dev/apis/web-api/>), and what people press and
//! write by Socket Mode (<https://docs.slack.dev/apis/events-api/using-socket-mode>), which needs no public address.
//!
//! | in the contract | on Slack |
//! |---|---|
//! | a card | a message of one `rich_text` block, which knows no markup, and `actions` blocks with its buttons |
//! | a press | a `block_actions` payload of Socket Mode |
//! | a choice that asks for words | a modal; its words arrive as `view_submission` |
//! | a reply | a message in the thread, which is shown in the channel too |
//! | a file | a message of its own before the card |
//! | a notice to the person who pressed | an ephemeral message |
//!
//! Slack has no idempotency key for `chat.postMessage`: a card that is posted again after a lost reply is there twice. The
//! tag in each button tells the host that both are one card.

use dmplz_provider_sdk::prelude::*;

use crate::socket::Listener;

mod api;
mod blocks;
mod buttons;
mod chat;
mod diagnose;
mod interactions;
mod limits;
mod manifest;
mod meeting;
mod posting;
mod socket;

/// The provider after it was connected.
#[derive(Debug)]
pub struct Slack {
    server: Server,
    listener: Listener,
}

impl Provider for Slack {
    fn describe() -> Manifest {
        manifest::manifest()
    }

    fn connect(settings: &[Setting], _transport: &str) -> Result<Self> {
        Ok(Self { server: api::server(settings)?, listener: Listener::default() })
    }

    fn open(&mut self, host: &dyn Host, chat: Chat) -> Result<OpenChat> {
        chat::open(self.server.on(host), &chat)
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

    /// A press has no progress indicator after Socket Mode's own acknowledgement.
    fn acknowledge(&mut self, host: &dyn Host, event: Chosen, notice: Option<String>) -> Result<()> {
        notice.map_or(Ok(()), |notice| posting::whisper(self.server.on(host), &event, &notice))
    }
}

export_provider!(Slack with sockets);
