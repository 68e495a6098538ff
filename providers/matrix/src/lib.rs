//! Matrix for dmplz, by the Client-Server API (<https://spec.matrix.org/v1.16/client-server-api/>), for rooms that are not
//! encrypted.
//!
//! | in the contract | on Matrix |
//! |---|---|
//! | a card | a message of text and HTML, sent under its tag as the transaction's id, so that it exists once |
//! | a choice | a reaction that the bot adds |
//! | a press | a reaction of a member with the same emoji, who is known by their Matrix id |
//! | a changed card | an edit (`m.replace`); reactions that are no choices any more are redacted |
//! | a reason | a message in the room, or a reply |
//! | a file | a message of its own before the card |
//! | a file of a person | a message with a file, got by authenticated media |
//! | an encrypted room | refused, before anything is sent there |
//!
//! By the transport `typed` cards have no choices, and so no reactions: the host writes codes into their texts. It is for rooms
//! that are bridged to a messenger which has no reactions, or whose people cannot send them.

use dmplz_provider_sdk::prelude::*;

use crate::receive::Listener;

mod api;
mod diagnose;
mod limits;
mod manifest;
mod meeting;
mod posting;
mod reactions;
mod receive;
mod room;
mod texts;

/// The provider after it was connected.
#[derive(Debug)]
pub struct Matrix {
    server: Server,
    listener: Listener,
    /// Whether cards have reactions.
    reacts: bool,
}

impl Provider for Matrix {
    fn describe() -> Manifest {
        manifest::manifest()
    }

    fn connect(settings: &[Setting], transport: &str) -> Result<Self> {
        let reacts = transport != manifest::TYPED;
        Ok(Self { server: api::server(settings)?, listener: Listener::default(), reacts })
    }

    fn open(&mut self, host: &dyn Host, chat: Chat) -> Result<OpenChat> {
        room::open(self.server.on(host), &chat)
    }

    fn diagnose(&mut self, host: &dyn Host, chat: Chat) -> Result<Diagnosis> {
        diagnose::diagnose(self.server.on(host), &chat, self.reacts)
    }

    fn introduce(&mut self, host: &dyn Host, code: &str) -> Result<Option<Introduction>> {
        meeting::introduce(self.server.on(host), code).map(Some)
    }

    fn meet(&mut self, host: &dyn Host, cursor: &str, wait: u32) -> Result<Meeting> {
        meeting::meet(self.server.on(host), cursor, wait)
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

    /// The id of a file is its address: server and media id
    /// (<https://spec.matrix.org/v1.16/client-server-api/#get_matrixclientv1mediadownloadservernamemediaid>).
    fn locate(&mut self, host: &dyn Host, file: SentFile) -> Result<Download> {
        let (server, media) = file.id.split_once('/').ok_or(Error::NotFound)?;
        let path = format!("client/v1/media/download/{}/{}", percent_encode(server), percent_encode(media));
        Ok(self.server.on(host).download(&path))
    }

    /// Replies to the card. Without a notice there is nothing to do, because a reaction has no progress indicator.
    fn acknowledge(&mut self, host: &dyn Host, event: Chosen, notice: Option<String>) -> Result<()> {
        notice.map_or(Ok(()), |notice| posting::notify(self.server.on(host), &event, &notice))
    }
}

export_provider!(Matrix);
