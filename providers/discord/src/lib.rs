//! Discord for dmplz, with two transports: its REST API v10 alone (<https://discord.com/developers/docs/reference>),
//! and its gateway (<https://discord.com/developers/docs/events/gateway>).
//!
//! | transport | a card | people answer by | texts arrive as |
//! |---|---|---|---|
//! | `reactions` | a message | reactions that the bot leaves as a menu; polled | messages; polled |
//! | `gateway` | an embed | buttons | forms |
//!
//! With both, Markdown in a card's texts is escaped so that it is shown literally, nobody is mentioned, and links are
//! not unfolded.
//!
//! | what the bot needs | `reactions` | `gateway` |
//! |---|---|---|
//! | in the developer portal | the message content intent, for reasons in a channel | nothing |
//! | in the channel | to view, send, attach files, read history, react | to view, send, embed links, attach files, read history |
//! | for sessions in threads | to create public threads, and to send in them | the same |

use dmplz_provider_sdk::prelude::*;

use crate::api::Rest;
use crate::gateway::Gateway;

mod api;
mod buttons;
mod card;
mod chat;
mod commands;
mod components;
mod cursor;
mod diagnose;
mod embed;
mod files;
mod gateway;
mod interactions;
mod limits;
mod manifest;
mod markdown;
mod meeting;
mod permissions;
mod posting;
mod presses;
mod reactions;
mod receive;
mod texts;
mod threads;
mod token;

/// The provider after it was connected.
#[derive(Debug)]
pub struct Discord {
    rest: Rest,
    /// The transport `gateway`, if that was chosen; otherwise people answer by reactions.
    gateway: Option<Gateway>,
}

impl Provider for Discord {
    fn describe() -> Manifest {
        manifest::manifest()
    }

    fn connect(settings: &[Setting], transport: &str) -> Result<Self> {
        let rest = Rest::new(settings)?;
        if transport != manifest::GATEWAY {
            return Ok(Self { rest, gateway: None });
        }
        Ok(Self { rest: rest.keeping_limits(), gateway: Some(Gateway::new(settings)?) })
    }

    fn open(&mut self, host: &dyn Host, chat: Chat) -> Result<OpenChat> {
        chat::open(self.rest.on(host), &chat)
    }

    fn diagnose(&mut self, host: &dyn Host, chat: Chat) -> Result<Diagnosis> {
        diagnose::diagnose(self.rest.on(host), self.gateway.as_ref(), &chat)
    }

    fn introduce(&mut self, host: &dyn Host, code: &str) -> Result<Option<Introduction>> {
        meeting::introduce(self.rest.on(host), self.gateway.as_ref(), code)
    }

    fn meet(&mut self, host: &dyn Host, cursor: &str, wait: u32) -> Result<Meeting> {
        match &mut self.gateway {
            Some(gateway) => gateway.meet(self.rest.on(host), cursor, wait),
            None => Ok(Meeting { greetings: Vec::new(), cursor: cursor.to_owned() }),
        }
    }

    fn post(&mut self, host: &dyn Host, chat: OpenChat, card: Card) -> Result<MessageRef> {
        match self.gateway {
            Some(_) => buttons::post(self.rest.on(host), &chat, &card),
            None => posting::post(self.rest.on(host), &chat, &card),
        }
    }

    fn revise(&mut self, host: &dyn Host, message: MessageRef, card: Card) -> Result<()> {
        match self.gateway {
            Some(_) => buttons::revise(self.rest.on(host), &message, &card),
            None => posting::revise(self.rest.on(host), &message, &card),
        }
    }

    fn receive(&mut self, host: &dyn Host, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch> {
        match &mut self.gateway {
            Some(gateway) => gateway.receive(self.rest.on(host), cursor, watching, wait),
            None => receive::receive(self.rest.on(host), cursor, watching),
        }
    }

    fn open_thread(&mut self, host: &dyn Host, chat: OpenChat, name: &str) -> Result<Option<OpenChat>> {
        threads::open(self.rest.on(host), &chat, name)
    }

    fn set_thread(&mut self, host: &dyn Host, thread: OpenChat, name: &str, closed: bool) -> Result<()> {
        threads::set(self.rest.on(host), &thread.id, name, closed)
    }

    fn set_commands(&mut self, host: &dyn Host, chat: OpenChat, commands: &[Command]) -> Result<()> {
        commands::set(self.rest.on(host), &chat, commands)
    }

    fn locate(&mut self, _host: &dyn Host, file: SentFile) -> Result<Download> {
        files::locate(file)
    }

    fn acknowledge(&mut self, host: &dyn Host, event: Chosen, notice: Option<String>) -> Result<()> {
        let Some(notice) = notice else { return Ok(()) };
        match self.gateway {
            Some(_) => interactions::whisper(self.rest.on(host), &event.token, &notice),
            None => posting::notify(self.rest.on(host), &event.message, &notice),
        }
    }
}

export_provider!(Discord with sockets);
