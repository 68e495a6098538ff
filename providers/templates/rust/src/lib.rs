//! A provider of dmplz for Acme, an imaginary messenger. Replace it with yours: `server` sends HTTP requests, `card`
//! formats cards, and `manifest` describes the provider.
//!
//! | request | what it does |
//! |---|---|
//! | `GET /me` | returns the bot's account |
//! | `POST /rooms/ROOM/messages` | posts a message |
//! | `PUT /messages/ID` | edits it |
//! | `GET /events?after=CURSOR` | returns what people pressed and wrote since |
//! | `POST /presses/PRESS` | shows a notice to the person who pressed |

use dmplz_provider_sdk::http::{Method, percent_encode};
use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::{
    Batch, Card, Chat, Check, Chosen, Diagnosis, Error, Event, Host, Identity, Manifest, MessageRef, OpenChat,
    Provider, Said, Setting, Subject, User, Watch, export_provider,
};

use server::Server;

mod card;
mod manifest;
mod server;

/// The provider once it is connected.
#[derive(Debug)]
pub struct Acme {
    server: Server,
}

impl Provider for Acme {
    fn describe() -> Manifest {
        manifest::manifest()
    }

    fn connect(settings: &[Setting], _transport: &str) -> Result<Self, Error> {
        Ok(Self { server: Server::new(settings)? })
    }

    fn open(&mut self, _host: &dyn Host, chat: Chat) -> Result<OpenChat, Error> {
        let (Chat::Room(id) | Chat::Person(id)) = chat;
        // Other people than the listed ones may be in a room.
        Ok(OpenChat { id, owner: None })
    }

    fn diagnose(&mut self, host: &dyn Host, _chat: Chat) -> Result<Diagnosis, Error> {
        let bot = self.server.call(host, Method::Get, "/me", None)?;
        let text = |key| bot.text(key).unwrap_or_default().to_owned();
        let logged_in = Check { subject: Subject::Events, ok: true, detail: "the server knows the token".to_owned() };
        Ok(Diagnosis { bot: Identity { id: text("id"), name: text("name") }, checks: vec![logged_in] })
    }

    fn post(&mut self, host: &dyn Host, chat: OpenChat, card: Card) -> Result<MessageRef, Error> {
        let path = format!("/rooms/{}/messages", percent_encode(&chat.id));
        let posted = self.server.call(host, Method::Post, &path, Some(card::shown(&card)?))?;
        message(&chat.id, &posted).ok_or_else(|| Error::unavailable("a message without id or number"))
    }

    fn revise(&mut self, host: &dyn Host, message: MessageRef, card: Card) -> Result<(), Error> {
        let path = format!("/messages/{}", percent_encode(&message.id));
        self.server.call(host, Method::Put, &path, Some(card::shown(&card)?)).map(drop)
    }

    fn receive(&mut self, host: &dyn Host, cursor: &str, _watching: &[Watch], _wait: u32) -> Result<Batch, Error> {
        let path = format!("/events?after={}", percent_encode(cursor));
        let happened = self.server.call(host, Method::Get, &path, None)?;
        // An unreadable event is skipped, so that it does not hide the events after it.
        let events = happened.items("events").iter().filter_map(event).collect();
        Ok(Batch { events, cursor: happened.text("next").unwrap_or(cursor).to_owned() })
    }

    fn acknowledge(&mut self, host: &dyn Host, event: Chosen, notice: Option<String>) -> Result<(), Error> {
        let path = format!("/presses/{}", percent_encode(&event.token));
        let said = json!({ "text": notice.unwrap_or_default() });
        self.server.call(host, Method::Post, &path, Some(said)).map(drop)
    }
}

/// Returns the reference of a message.
fn message(room: &str, message: &Value) -> Option<MessageRef> {
    let number = u64::try_from(message.int("number")?).ok()?;
    Some(MessageRef { chat: room.to_owned(), id: message.text("id")?.to_owned(), sequence: number })
}

/// Returns the event of a person's input. The host decides whether they may answer.
fn event(event: &Value) -> Option<Event> {
    let message = message(event.text("room")?, event.get("message")?)?;
    let user = event.get("user")?;
    let name = user.text("name").unwrap_or_default().to_owned();
    let user = User { id: user.text("id")?.to_owned(), name, is_bot: user.flag("bot") };
    match (event.text("button"), event.text("text")) {
        (Some(choice), _) => Some(Event::Chosen(Chosen {
            message,
            tag: event.text("nonce").map(str::to_owned),
            choice: choice.to_owned(),
            user,
            token: event.text("press")?.to_owned(),
            text: None,
        })),
        (None, Some(text)) => {
            Some(Event::Said(Said { message, reply_to: None, user, text: text.to_owned(), files: Vec::new() }))
        }
        (None, None) => None,
    }
}

export_provider!(Acme);
