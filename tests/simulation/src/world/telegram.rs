//! The Bot API over the messenger's server: converts the component's requests to actions of the server, and the
//! server's state to JSON.
//!
//! It supports the methods that the component calls, with the fields that it sends and reads. The conformance suite
//! covers the rest of a real server's behaviour, with `tests/fakes`.

use std::rc::Rc;

use bytes::Bytes;
use dmplz_core::messenger::{ButtonStyle, Card, Choice, Event, User};
use http::{Request, Response};
use serde_json::{Value, json};
use tokio::time::{Duration, Instant, sleep_until};

use super::line::title;
use super::{World, wall_ms};
use crate::script::{Call, Refusal};
use crate::server::{CHAT, reference};

/// The token of the bot, which every path begins with.
pub const TOKEN: &str = "110201543:simulated-token-of-the-bot";

/// Longest text of a message, in UTF-16 units.
const TEXT: usize = 4096;

/// A request of the component.
pub struct Asked {
    method: Option<String>,
    params: Value,
}

/// Status, description and seconds to wait.
type Refused = (u16, &'static str, Option<u64>);

impl Asked {
    /// Reads a request. One without the bot's token has no method.
    pub fn read(request: &Request<Bytes>) -> Self {
        let path = request.uri().path();
        let method = path.strip_prefix("/bot").and_then(|rest| rest.strip_prefix(TOKEN)?.strip_prefix('/'));
        // A form with a file is not JSON. Its content does not matter here.
        let params = serde_json::from_slice(request.body()).unwrap_or_default();
        Self { method: method.map(str::to_owned), params }
    }

    /// Returns the call that it is in the script.
    pub fn call(&self) -> Option<Call> {
        Some(match self.method.as_deref()? {
            "sendMessage" | "sendDocument" => Call::Post,
            "editMessageText" => Call::Revise,
            "getUpdates" => Call::Look,
            "answerCallbackQuery" => Call::Acknowledge,
            _ => Call::Open,
        })
    }

    /// Does what it asks for: the reply, and the events in it. `sent` is when it was asked, and `is_awaited` whether its
    /// process still waits.
    pub async fn answer(&self, world: &Rc<World>, sent: u64, is_awaited: bool) -> (Response<Bytes>, Vec<Event>) {
        let mut events = Vec::new();
        let result = match self.method.as_deref() {
            Some("sendMessage") => self.send(world),
            Some("sendDocument") => {
                Ok(message(world.server.borrow_mut().post(card(String::new(), &Value::Null)).sequence, ""))
            }
            Some("editMessageText") => self.edit(world, sent, is_awaited),
            Some("getUpdates") => {
                let updates = self.updates(world).await;
                let found = updates.iter().map(|(id, event)| update(*id, event)).collect();
                events = updates.into_iter().map(|(_, event)| event).collect();
                Ok(Value::Array(found))
            }
            Some("answerCallbackQuery") => {
                world.tell(|| format!("{} is told: {}", self.text("callback_query_id"), self.text("text")));
                Ok(json!(true))
            }
            Some(_) => Err((404, "Not Found: method not found", None)),
            None => Err((401, "Unauthorized", None)),
        };
        (response(result), events)
    }

    fn send(&self, world: &World) -> Result<Value, Refused> {
        self.check()?;
        let mut server = world.server.borrow_mut();
        let answered = self.params.pointer("/reply_parameters/message_id").and_then(Value::as_u64);
        // Without buttons only the message that it replies to shows whose it is.
        let tag = answered.and_then(|id| Some(server.message(id)?.card.tag.clone())).unwrap_or_default();
        let card = card(tag, &self.params);
        let posted = server.post(card.clone()).sequence;
        drop(server);
        world.tell(|| format!("the chat shows {posted} ({}): {}", card.tag, title(&card)));
        Ok(message(posted, self.text("text")))
    }

    fn edit(&self, world: &World, sent: u64, is_awaited: bool) -> Result<Value, Refused> {
        self.check()?;
        let id = self.params.get("message_id").and_then(Value::as_u64).unwrap_or_default();
        let mut server = world.server.borrow_mut();
        let Some(shown) = server.message(id) else {
            return Err((400, "Bad Request: message to edit not found", None));
        };
        let card = card(shown.card.tag.clone(), &self.params);
        if card == shown.card {
            return Err((400, "Bad Request: message is not modified", None));
        }
        let line = title(&card);
        let _ = server.revise(&reference(id), card, sent, is_awaited);
        drop(server);
        world.tell(|| format!("the chat shows on {id}: {line}"));
        Ok(message(id, self.text("text")))
    }

    /// Waits for events as long as the request says.
    async fn updates(&self, world: &World) -> Vec<(u64, Event)> {
        let number = |name: &str| self.params.get(name).and_then(Value::as_u64).unwrap_or_default();
        let confirmed = number("offset").saturating_sub(1);
        let end = Instant::now() + Duration::from_secs(number("timeout"));
        loop {
            let found = world.server.borrow_mut().after(confirmed).to_vec();
            if !found.is_empty() {
                return found;
            }
            tokio::select! {
                biased;
                () = world.news.notified() => {}
                () = sleep_until(end) => return Vec::new(),
            }
        }
    }

    fn check(&self) -> Result<(), Refused> {
        let text = self.text("text");
        match self.params.get("chat_id").and_then(Value::as_i64).is_some_and(|chat| chat.to_string() == CHAT) {
            false => Err((400, "Bad Request: chat not found", None)),
            true if text.is_empty() => Err((400, "Bad Request: message text is empty", None)),
            true if text.encode_utf16().count() > TEXT => Err((400, "Bad Request: message is too long", None)),
            true => Ok(()),
        }
    }

    fn text(&self, name: &str) -> &str {
        self.params.get(name).and_then(Value::as_str).unwrap_or_default()
    }
}

impl Refusal {
    /// Returns the refusal as the Bot API words it.
    pub fn response(self) -> Response<Bytes> {
        response(Err(match self {
            Self::Broken => return page(200, "<html>not the Bot API</html>".into()),
            Self::Unavailable => (502, "Bad Gateway", None),
            Self::RateLimited(ms) => (429, "Too Many Requests: retry later", Some(u64::from(ms).div_ceil(1000))),
            Self::Conflict => (409, "Conflict: terminated by other getUpdates request", None),
            Self::Rejected => (400, "Bad Request: can't parse entities", None),
            Self::Unauthorized => (401, "Unauthorized", None),
            Self::TooLarge => (400, "Bad Request: message is too long", None),
        }))
    }
}

/// Wraps a result in the envelope of <https://core.telegram.org/bots/api#making-requests>.
fn response(result: Result<Value, Refused>) -> Response<Bytes> {
    match result {
        Ok(result) => page(200, json!({ "ok": true, "result": result }).to_string()),
        Err((status, description, wait)) => {
            let mut body = json!({ "ok": false, "error_code": status, "description": description });
            if let (Some(seconds), Some(body)) = (wait, body.as_object_mut()) {
                body.insert("parameters".into(), json!({ "retry_after": seconds }));
            }
            page(status, body.to_string())
        }
    }
}

fn page(status: u16, body: String) -> Response<Bytes> {
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() = http::StatusCode::from_u16(status).unwrap_or_default();
    response
}

/// Returns a card as far as a message shows it. Its buttons contain the tag; without buttons it is `tag`.
fn card(tag: String, params: &Value) -> Card {
    let rows = params.pointer("/reply_markup/inline_keyboard").and_then(Value::as_array);
    let buttons = rows.into_iter().flatten().filter_map(Value::as_array).flatten();
    let payloads: Vec<(&str, &str, &str)> = buttons
        .filter_map(|button| {
            let (tag, choice) = button.get("callback_data")?.as_str()?.split_once(':')?;
            Some((tag, choice, button.get("text")?.as_str()?))
        })
        .collect();
    let tag = payloads.first().map_or(tag, |(tag, ..)| (*tag).to_owned());
    let title = params.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
    let choices = payloads.iter().map(|(_, id, label)| Choice::new(id, label, ButtonStyle::Secondary)).collect();
    Card { choices, ..Card::new(&tag, title, Vec::new()) }
}

fn update(id: u64, event: &Event) -> Value {
    match event {
        Event::Chosen(press) => json!({ "update_id": id, "callback_query": {
            "id": press.token,
            "from": user(&press.user),
            "message": message(press.message.sequence, ""),
            "chat_instance": "1",
            "data": format!("{}:{}", press.tag.as_deref().unwrap_or_default(), press.choice),
        }}),
        Event::Said(said) => {
            let mut message = message(said.message.sequence, &said.text);
            if let Some(message) = message.as_object_mut() {
                message.insert("from".into(), user(&said.user));
            }
            json!({ "update_id": id, "message": message })
        }
    }
}

/// Returns a message. One without words stands for a picture, and has no text.
fn message(id: u64, text: &str) -> Value {
    let chat = json!({ "id": CHAT.parse::<i64>().unwrap_or_default(), "type": "supergroup", "title": "Chat" });
    let mut message = json!({ "message_id": id, "date": wall_ms() / 1000, "chat": chat });
    if let Some(message) = message.as_object_mut().filter(|_| !text.is_empty()) {
        message.insert("text".into(), json!(text));
    }
    message
}

fn user(user: &User) -> Value {
    let id = user.id.parse::<i64>().unwrap_or_default();
    json!({ "id": id, "is_bot": user.is_bot, "first_name": user.name })
}
