//! A provider of dmplz for Signal, over signal-cli-rest-api (<https://github.com/bbernhard/signal-cli-rest-api>), in its mode
//! `normal` or `native`: an example of typed answers. It sends texts and reports texts, and the host does the rest.
//!
//! | request | what it does |
//! |---|---|
//! | `POST /v2/send` | sends a text to a person, and answers its timestamp, which is its id |
//! | `GET /v1/receive/NUMBER` | brings what people wrote, each message once |
//! | `GET /v1/about` | says that the server is there |

use dmplz_provider_sdk::http::{Method, Request, Response, incomplete, percent_encode};
use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::text::{code_span, units};
use dmplz_provider_sdk::{
    Batch, Block, Card, Chat, Check, Chosen, Diagnosis, Error, Event, Host, Identity, Manifest, MessageRef, OpenChat,
    Provider, Said, Setting, Subject, User, Watch, export_provider, settings,
};

mod manifest;

/// The provider once it is connected.
#[derive(Debug)]
pub struct Signal {
    server: String,
    /// The bot's own number.
    number: String,
}

impl Provider for Signal {
    fn describe() -> Manifest {
        manifest::manifest()
    }

    fn connect(settings: &[Setting], _transport: &str) -> Result<Self, Error> {
        let server = settings::server(settings, "server", "http://127.0.0.1:8080")?;
        let number = settings.iter().find(|setting| setting.name == "number").map(|it| it.value.trim().to_owned());
        let number = number.filter(|number| is_number(number)).ok_or_else(|| not_a_number("number"))?;
        Ok(Self { server, number })
    }

    fn open(&mut self, _host: &dyn Host, chat: Chat) -> Result<OpenChat, Error> {
        let (Chat::Room(id) | Chat::Person(id)) = chat;
        // Nobody else reads the chat with a person.
        if is_number(id.trim()) { Ok(opened(id.trim())) } else { Err(not_a_number("person")) }
    }

    fn diagnose(&mut self, host: &dyn Host, _chat: Chat) -> Result<Diagnosis, Error> {
        self.call(host, Method::Get, "/v1/about", None)?;
        let check = Check { subject: Subject::Events, ok: true, detail: "the server answers".to_owned() };
        Ok(Diagnosis { bot: Identity { id: self.number.clone(), name: self.number.clone() }, checks: vec![check] })
    }

    fn post(&mut self, host: &dyn Host, chat: OpenChat, card: Card) -> Result<MessageRef, Error> {
        self.send(host, &chat.id, &text(&card)?)
    }

    /// Sends the new text below the old one, as people expect it of a chat without edits.
    fn revise(&mut self, host: &dyn Host, message: MessageRef, card: Card) -> Result<(), Error> {
        self.send(host, &message.chat, &text(&card)?).map(drop)
    }

    fn receive(&mut self, host: &dyn Host, cursor: &str, _watching: &[Watch], wait: u32) -> Result<Batch, Error> {
        let path = format!("/v1/receive/{}?timeout={}", percent_encode(&self.number), (wait / 1_000).clamp(1, 20));
        let received = self.call(host, Method::Get, &path, None)?;
        // An unreadable message is skipped, so that it does not hide the ones after it.
        let events = received.as_array().into_iter().flatten().filter_map(said).map(Event::Said).collect();
        Ok(Batch { events, cursor: cursor.to_owned() })
    }

    fn acknowledge(&mut self, host: &dyn Host, event: Chosen, notice: Option<String>) -> Result<(), Error> {
        notice.map_or(Ok(()), |notice| self.send(host, &event.message.chat, &notice).map(drop))
    }
}

impl Signal {
    fn send(&self, host: &dyn Host, to: &str, text: &str) -> Result<MessageRef, Error> {
        let message = json!({ "number": self.number, "recipients": [to], "message": text, "text_mode": "normal" });
        let sent = self.call(host, Method::Post, "/v2/send", Some(message))?;
        let id = sent.text("timestamp").ok_or_else(|| incomplete("a message without timestamp"))?.to_owned();
        let sequence = id.parse().map_err(|_| incomplete("a timestamp that is no number"))?;
        Ok(MessageRef { chat: to.to_owned(), id, sequence })
    }

    fn call(&self, host: &dyn Host, method: Method, path: &str, body: Option<Value>) -> Result<Value, Error> {
        let request = Request::new(method, format!("{}{path}", self.server));
        let reply = host.send(body.iter().fold(request, Request::json))?;
        if reply.is_success() { reply.json() } else { Err(refusal(&reply)) }
    }
}

/// Returns the text of a card. The codes of its choices are in its body already.
fn text(card: &Card) -> Result<String, Error> {
    let mut lines = vec![card.title.clone()];
    for block in &card.body {
        lines.push(match block {
            Block::Text(text) | Block::Code(text) => text.clone(),
            Block::Hint(hint) => {
                code_span(hint).map_or(hint.clone(), |(before, code, after)| format!("{before}{code}{after}"))
            }
            // The manifest says that there are no files.
            Block::File(_) => return Err(Error::TooLarge),
        });
    }
    let text = lines.join("\n");
    if units(&text) > manifest::TEXT as usize { Err(Error::TooLarge) } else { Ok(text.trim_start().to_owned()) }
}

/// Returns what a person wrote to the bot itself. Groups, receipts and messages of the bot's own devices are none of it.
fn said(received: &Value) -> Option<Said> {
    let envelope = received.get("envelope")?;
    let message = envelope.get("dataMessage").filter(|message| message.get("groupInfo").is_none_or(Value::is_null))?;
    let person = envelope.text("sourceNumber")?;
    let at = u64::try_from(message.int("timestamp")?).ok()?;
    let name = envelope.text("sourceName").unwrap_or(person).to_owned();
    Some(Said {
        message: MessageRef { chat: person.to_owned(), id: at.to_string(), sequence: at },
        reply_to: None,
        user: User { id: person.to_owned(), name, is_bot: false },
        text: message.text("message")?.to_owned(),
        files: Vec::new(),
    })
}

/// Converts an error of the server: `{"error": "..."}`.
fn refusal(reply: &Response) -> Error {
    let said = reply.json().ok().and_then(|body| body.text("error").map(str::to_owned));
    match reply.status {
        404 => Error::NotFound,
        429 => Error::RateLimited(None),
        400 => Error::Rejected(said),
        status => Error::Unavailable(said.or_else(|| Some(format!("status {status}")))),
    }
}

fn opened(person: &str) -> OpenChat {
    OpenChat { id: person.to_owned(), owner: Some(person.to_owned()) }
}

fn is_number(text: &str) -> bool {
    text.strip_prefix('+')
        .is_some_and(|digits| (5..=15).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_digit()))
}

fn not_a_number(setting: &str) -> Error {
    Error::bad_setting(setting, "a number in international form, such as +821012345678")
}

export_provider!(Signal);
