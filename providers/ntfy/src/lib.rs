//! ntfy for dmplz (<https://docs.ntfy.sh>): cards are published to a topic, and each button publishes the answer to a
//! second one, `TOPIC-answers`, which is polled every few seconds. A text that a person publishes there is the
//! reason.
//!
//! | in ntfy | meaning |
//! |---|---|
//! | the name of the topic | the password: who knows it sees the cards and can answer them |
//! | a button | a request of the person's phone with the card's tag, which only the card contains |
//! | an access token | optional; it grants access to a topic that the server protects |
//! | a sequence id | the card's tag: a message published under it replaces the card, on servers from 2.16 on |

use std::collections::BTreeSet;

use dmplz_provider_sdk::prelude::*;

use looking::Pace;
use posting::SentFiles;

mod card;
mod diagnose;
mod limits;
mod looking;
mod manifest;
mod posting;
mod server;
mod topic;

/// The provider after it was connected.
#[derive(Debug)]
pub struct Ntfy {
    server: Server,
    pace: Pace,
    sent: SentFiles,
    /// The topic that was opened, for polls without a card. An instance that does not know it only reports events of
    /// cards.
    opened: Option<String>,
}

impl Provider for Ntfy {
    fn describe() -> Manifest {
        manifest::manifest()
    }

    fn connect(settings: &[Setting], _transport: &str) -> Result<Self> {
        let (server, pace) = (server::server(settings)?, Pace::new(settings)?);
        Ok(Self { server, pace, sent: SentFiles::default(), opened: None })
    }

    fn open(&mut self, _host: &dyn Host, chat: Chat) -> Result<OpenChat> {
        let id = topic::of(&chat)?;
        // Further chats are only posted to.
        self.opened.get_or_insert_with(|| id.clone());
        Ok(OpenChat { id, owner: None })
    }

    fn diagnose(&mut self, host: &dyn Host, chat: Chat) -> Result<Diagnosis> {
        diagnose::diagnose(self.server.on(host), &chat)
    }

    fn post(&mut self, host: &dyn Host, chat: OpenChat, card: Card) -> Result<MessageRef> {
        posting::post(self.server.on(host), &mut self.sent, &chat, &card)
    }

    fn revise(&mut self, host: &dyn Host, message: MessageRef, card: Card) -> Result<()> {
        posting::revise(self.server.on(host), &message, &card)
    }

    fn receive(&mut self, host: &dyn Host, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch> {
        let mut topics: BTreeSet<String> = watching.iter().map(|watch| watch.message.chat.clone()).collect();
        if topics.is_empty() {
            topics.extend(self.opened.clone());
        }
        looking::receive(self.server.on(host), &mut self.pace, &topics, cursor, watching, wait)
    }

    /// Posts the notice. Without one there is nothing to do, because a press has no progress indicator.
    fn acknowledge(&mut self, host: &dyn Host, event: Chosen, notice: Option<String>) -> Result<()> {
        notice.map_or(Ok(()), |notice| posting::say(self.server.on(host), &event.message.chat, &notice))
    }
}

export_provider!(Ntfy);

/// The author guide's examples compile, or this documentation test does not.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct AuthorGuide;
