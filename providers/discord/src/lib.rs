//! Discord for dmplz, over its REST API v10 (<https://discord.com/developers/docs/reference>), without its gateway.
//!
//! A card is one message; its choices are reactions that the bot leaves as a menu, in the order of the card. What people
//! press and write is polled. Markdown in a card's texts is escaped so that it shows literally, nobody is mentioned, and
//! links do not unfold.

use dmplz_provider_sdk::{
    Answering, Batch, Card, Chat, Chosen, Diagnosis, Error, Host, Limits, Manifest, MessageRef, OpenChat, Provider,
    SecretSpec, Setting, SettingSpec, Watch, Way, export_provider,
};

use crate::api::Api;

mod api;
mod card;
mod chat;
mod cursor;
mod diagnose;
mod limits;
mod markdown;
mod permissions;
mod posting;
mod presses;
mod reactions;
mod receive;
mod texts;

/// Name of the setting that holds the server's URL.
const API_BASE: &str = "api-base";

/// The one way in which it works.
const WAY: &str = "reactions";

/// A connected provider.
#[derive(Debug)]
pub struct Discord {
    api: Api,
}

impl Provider for Discord {
    fn describe() -> Manifest {
        let server = format!("{{setting:{API_BASE}}}");
        Manifest {
            name: "discord".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            settings: vec![SettingSpec {
                name: API_BASE.to_owned(),
                help: "URL of the REST API, with its version".to_owned(),
                required: false,
                default: Some("https://discord.com/api/v10".to_owned()),
            }],
            secrets: vec![SecretSpec {
                name: "bot-token".to_owned(),
                help: "the bot's token, from the page Bot of the application in the developer portal".to_owned(),
                origins: vec![server.clone()],
            }],
            origins: vec![server],
            ways: vec![Way {
                name: WAY.to_owned(),
                help: "the REST API alone: reactions as a menu, reasons as messages; looks for them every second"
                    .to_owned(),
                limits: Limits {
                    text: limits::CARD_TEXT,
                    choices: limits::REACTIONS,
                    attachment: limits::ATTACHMENT,
                    notice: limits::NOTICE,
                },
                answering: Answering::Reactions,
                poll_interval: limits::POLL_INTERVAL,
                standing: false,
            }],
        }
    }

    fn connect(settings: &[Setting], _way: &str) -> Result<Self, Error> {
        Ok(Self { api: Api::new(settings)? })
    }

    fn open(&mut self, host: &dyn Host, chat: Chat) -> Result<OpenChat, Error> {
        chat::open(&self.api, host, chat)
    }

    fn diagnose(&mut self, host: &dyn Host, chat: Chat) -> Result<Diagnosis, Error> {
        diagnose::diagnose(&self.api, host, chat)
    }

    fn post(&mut self, host: &dyn Host, chat: OpenChat, card: Card) -> Result<MessageRef, Error> {
        posting::post(&self.api, host, &chat, &card)
    }

    fn revise(&mut self, host: &dyn Host, message: MessageRef, card: Card) -> Result<(), Error> {
        posting::revise(&self.api, host, &message, &card)
    }

    fn receive(&mut self, host: &dyn Host, cursor: &str, watching: &[Watch], _wait: u32) -> Result<Batch, Error> {
        receive::receive(&self.api, host, cursor, watching)
    }

    fn acknowledge(&mut self, host: &dyn Host, event: Chosen, notice: Option<String>) -> Result<(), Error> {
        notice.map_or(Ok(()), |notice| posting::notify(&self.api, host, &event.message, &notice))
    }
}

export_provider!(Discord);
