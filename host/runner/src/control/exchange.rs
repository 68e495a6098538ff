//! The state of one session's exchange of requests, as a pure machine.
//!
//! ```text
//!              asked                     answered by us
//! (unknown) ─────────▶ pending ─────────────────────────────▶ over
//!                         │  cancelled by the client
//!                         └─────────────────────────────────▶ over, and its card is retired
//! ```
//!
//! | the client | what comes of it |
//! |---|---|
//! | asks whether it may call a tool | [`Effect::Ask`], once an id: asked again while it is pending, or over, it is nothing new |
//! | asks anything else | [`Effect::Write`]: answered at once |
//! | asks to show a dialog | nothing: we declare no kinds, and an answer to an undeclared one would count as a person's |
//! | cancels | [`Effect::Retire`], where that request is pending |
//! | answers a request of ours | [`Effect::Answered`] |
//! | tells something | [`Effect::Tell`] |
//! | is another one: the one before has ended ([`Exchange::begins`]) | all that was pending is over |
//!
//! What another connection to the same client wrote is taken in by [`Exchange::wrote`], so that a gateway that comes back knows what
//! the one before has answered.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Value, json};

use super::command::{Command, UserMessage, line};
use super::incoming::{Incoming, Refusal, Response, read};
use super::message::Message;
use super::request::{CanUseTool, Request};

/// How many requests that are over are remembered.
const REMEMBERED: usize = 4096;

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Put it before a rule, a grant or a person, and answer it once.
    Ask {
        /// The client's id of the request.
        id: String,
        /// What is asked.
        call: Box<CanUseTool>,
    },
    /// Nobody has to answer it any more.
    Retire {
        /// The client's id of the request.
        id: String,
    },
    /// An answer of ours reached the client's pipe.
    Delivered {
        /// The client's id of the request.
        id: String,
    },
    /// Write this line to the client: it answers a request that needs nobody.
    Write {
        /// The client's id of the request.
        id: String,
        /// The line, with its end.
        line: String,
    },
    /// The client answered a request of ours.
    Answered {
        /// The id that [`Exchange::command`] gave it.
        id: String,
        /// What it says, JSON.
        result: Result<String, Refusal>,
    },
    /// A person's message reached the client's pipe.
    Sent(UserMessage),
    /// Show it.
    Tell(Box<Message>),
}

/// The state of an exchange.
#[derive(Debug)]
pub struct Exchange {
    /// Goes before the numbers of our requests: two connections never use one id.
    name: String,
    commands: u64,
    /// Requests of ours that the client has not answered.
    sent: HashSet<String>,
    requests: HashMap<String, Stage>,
    /// Those of `requests` that are over, oldest first.
    over: VecDeque<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Pending,
    /// An answer was given, and is on its way.
    Given,
    Over,
}

impl Effect {
    /// What is left to do of the past: neither what was answered since, nor what was cancelled. For a connection that is told
    /// again all that was said before it.
    /// Each comes with its place, which it keeps.
    pub fn left<T>(past: Vec<(T, Self)>) -> Vec<(T, Self)> {
        let over: HashSet<String> = past.iter().filter_map(|(_, effect)| effect.over()).map(str::to_owned).collect();
        let is_left = |(_, effect): &(T, Self)| match effect {
            Self::Ask { id, .. } | Self::Write { id, .. } => !over.contains(id),
            Self::Tell(_) | Self::Sent(_) => true,
            Self::Retire { .. } | Self::Delivered { .. } | Self::Answered { .. } => false,
        };
        past.into_iter().filter(is_left).collect()
    }

    /// Whether somebody has still to do something about it, rather than to look at it.
    pub fn is_to_do(&self) -> bool {
        !matches!(self, Self::Tell(_) | Self::Sent(_))
    }

    /// The request that is over with it.
    fn over(&self) -> Option<&str> {
        match self {
            Self::Retire { id } | Self::Delivered { id } => Some(id),
            _ => None,
        }
    }
}

impl Exchange {
    /// An exchange in which nothing was said. `name` must be new for every connection.
    pub fn new(name: impl Into<String>) -> Self {
        let (sent, requests, over) = (HashSet::new(), HashMap::new(), VecDeque::new());
        Self { name: name.into(), commands: 0, sent, requests, over }
    }

    /// Takes in a line of the client.
    pub fn received(&mut self, line: &[u8]) -> Vec<Effect> {
        match read(line) {
            Incoming::Request { id, request } => self.asked(id, request).into_iter().collect(),
            Incoming::Cancel { id } => self.cancelled(id).into_iter().collect(),
            Incoming::Response(response) => self.responded(response),
            Incoming::Message(message) => vec![Effect::Tell(message)],
        }
    }

    /// Takes in a line that reached the client's pipe, from whichever connection.
    pub fn wrote(&mut self, line: &[u8]) -> Option<Effect> {
        let id = match read(line) {
            Incoming::Response(Response { id, .. }) => id,
            Incoming::Message(message) => return UserMessage::of(&message).map(Effect::Sent),
            Incoming::Request { .. } | Incoming::Cancel { .. } => return None,
        };
        let stage = self.requests.get(&id).copied();
        self.end(id.clone());
        (stage != Some(Stage::Over)).then_some(Effect::Delivered { id })
    }

    /// The line that answers a request with what `dmplz_core::claude` made for it. None where it has been answered or cancelled.
    pub fn answer(&mut self, id: &str, response: &Value) -> Option<String> {
        let stage = self.requests.get_mut(id).filter(|stage| **stage == Stage::Pending)?;
        *stage = Stage::Given;
        Some(success(id, response))
    }

    /// The line that asks the client for something, and the id of the request.
    pub fn command(&mut self, command: &Command) -> (String, String) {
        self.commands += 1;
        let id = format!("{}-{}", self.name, self.commands);
        self.sent.insert(id.clone());
        let request = json!({ "type": "control_request", "request_id": id, "request": command });
        (id, line(&request))
    }

    /// Another client begins where the one before has ended: its requests are its own.
    pub fn begins(&mut self) {
        self.sent.clear();
        self.requests.clear();
        self.over.clear();
    }

    /// The requests that nobody has answered, in no order.
    pub fn pending(&self) -> impl Iterator<Item = &str> {
        self.requests.iter().filter(|(_, stage)| **stage == Stage::Pending).map(|(id, _)| id.as_str())
    }

    fn asked(&mut self, id: String, request: Request) -> Option<Effect> {
        if self.requests.contains_key(&id) {
            return None;
        }
        let answer = match request {
            Request::CanUseTool(call) => {
                self.requests.insert(id.clone(), Stage::Pending);
                return Some(Effect::Ask { id, call });
            }
            Request::Dialog { .. } => return None,
            Request::HookCallback { .. } => success(&id, &json!({})),
            Request::Elicitation(_) => success(&id, &json!({ "action": "cancel" })),
            Request::McpMessage { server_name } => {
                refusal(&id, &format!("There is no MCP server {server_name:?} here"), None)
            }
            Request::Malformed { subtype, why } => {
                refusal(&id, &format!("The control request {subtype:?} cannot be read: {why}"), None)
            }
            Request::Unknown { subtype } => {
                refusal(&id, &format!("Unsupported control request subtype: {subtype}"), Some("unsupported_request"))
            }
        };
        self.requests.insert(id.clone(), Stage::Given);
        Some(Effect::Write { id, line: answer })
    }

    fn cancelled(&mut self, id: String) -> Option<Effect> {
        let was_open = self.requests.get(&id).is_some_and(|stage| *stage != Stage::Over);
        self.end(id.clone());
        was_open.then_some(Effect::Retire { id })
    }

    fn responded(&mut self, response: Response) -> Vec<Effect> {
        let Response { id, result, pending } = response;
        let ours = self.sent.remove(&id).then_some(Effect::Answered { id, result });
        let asked = pending.into_iter().filter_map(|(id, request)| self.asked(id, request));
        ours.into_iter().chain(asked.collect::<Vec<_>>()).collect()
    }

    fn end(&mut self, id: String) {
        if self.requests.insert(id.clone(), Stage::Over) == Some(Stage::Over) {
            return;
        }
        self.over.push_back(id);
        if self.over.len() > REMEMBERED
            && let Some(oldest) = self.over.pop_front()
        {
            self.requests.remove(&oldest);
        }
    }
}

fn success(id: &str, response: &Value) -> String {
    line(&json!({
        "type": "control_response",
        "response": { "subtype": "success", "request_id": id, "response": response },
    }))
}

fn refusal(id: &str, error: &str, code: Option<&str>) -> String {
    let mut response = json!({ "subtype": "error", "request_id": id, "error": error });
    if let (Some(code), Some(response)) = (code, response.as_object_mut()) {
        response.insert("error_code".to_owned(), code.into());
    }
    line(&json!({ "type": "control_response", "response": response }))
}

#[cfg(test)]
mod tests;
