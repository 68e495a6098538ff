//! The state of a session's exchange of requests, as a pure state machine.
//!
//! ```text
//!              asked                     answered by us
//! (unknown) ─────────▶ pending ─────────────────────────────▶ over
//!                         │  cancelled by the client
//!                         └─────────────────────────────────▶ over, and its card is retired
//! ```
//!
//! | the client | effect |
//! |---|---|
//! | asks whether it may call a tool | [`Effect::Ask`], once per id: a repetition of the same id has no effect |
//! | asks to show a form or an address of an MCP server | [`Effect::Elicit`], once per id |
//! | asks anything else | [`Effect::Write`]: it is answered at once |
//! | asks to show a dialog | none: we declare no kinds of dialogs, and the client would take an answer to an undeclared one for a person's |
//! | cancels | [`Effect::Retire`], if that request is not over yet |
//! | answers a request of ours | [`Effect::Answered`] |
//! | answers that it put files back, whoever asked it to | [`Effect::Rewound`] |
//! | reports something | [`Effect::Tell`] |
//! | is a new process, after the previous one has ended ([`Exchange::begins`]) | all requests of the previous one are forgotten |
//!
//! [`Exchange::wrote`] takes the lines that other connections wrote to the same client, so that a gateway that
//! reconnects knows what its predecessor has answered.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Value, json};
use uuid::Uuid;

use super::command::{Command, UserMessage, line};
use super::incoming::{Incoming, Refusal, Response, read};
use super::message::Message;
use super::request::{CanUseTool, Elicitation, Request};

/// The number of ended requests that are remembered.
const REMEMBERED: usize = 4096;

/// An action that follows from a line.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Let a rule, a grant or a person decide the request, and answer it once.
    Ask {
        /// The client's id of the request.
        id: String,
        /// The call that is asked about.
        call: Box<CanUseTool>,
    },
    /// Let a person answer an MCP server, and answer it once.
    Elicit {
        /// The client's id of the request.
        id: String,
        /// What the server asks for.
        asked: Box<Elicitation>,
    },
    /// The request needs no answer any more.
    Retire {
        /// The client's id of the request.
        id: String,
    },
    /// Our answer reached the client's pipe.
    Delivered {
        /// The client's id of the request.
        id: String,
    },
    /// Write this line to the client. It answers a request that needs no decision.
    Write {
        /// The client's id of the request.
        id: String,
        /// The line, with the line feed.
        line: String,
    },
    /// The client answered a request of ours.
    Answered {
        /// The id that [`Exchange::command`] gave it.
        id: String,
        /// The result as JSON, or the client's refusal.
        result: Result<String, Refusal>,
    },
    /// The client put files back to where they were before a message.
    Rewound {
        /// The id that the message was sent with.
        message: Uuid,
        /// The client's answer, as JSON.
        answer: String,
        /// Its answer to the last dry run for that message, which says what changes; the other one need not.
        preview: Option<String>,
    },
    /// A person's message reached the client's pipe.
    Sent(UserMessage),
    /// Show this message.
    Tell(Box<Message>),
}

/// The state of an exchange.
#[derive(Debug, Default)]
pub struct Exchange {
    /// The prefix of the ids of our requests, so that two connections never use the same id.
    name: String,
    commands: u64,
    /// The ids of our requests that the client has not answered.
    sent: HashSet<String>,
    /// The requests of any connection to put files back, by their ids: the message, and whether it is a dry run.
    rewinds: HashMap<String, (Uuid, bool)>,
    /// The answer to the last dry run, and the message that it is about.
    preview: Option<(Uuid, String)>,
    requests: HashMap<String, Stage>,
    /// The ids in `requests` that are over, oldest first.
    over: VecDeque<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Pending,
    /// The answer was given, but has not reached the client's pipe.
    Given,
    Over,
}

impl Effect {
    /// Returns the effects of the past that still matter: requests that were neither answered nor cancelled later, and
    /// messages to show. A new connection calls it after it has read the whole log. Each effect keeps its place.
    pub fn left<T>(past: Vec<(T, Self)>) -> Vec<(T, Self)> {
        let over: HashSet<String> = past.iter().filter_map(|(_, effect)| effect.over()).map(str::to_owned).collect();
        let is_left = |(_, effect): &(T, Self)| match effect {
            Self::Ask { id, .. } | Self::Elicit { id, .. } | Self::Write { id, .. } => !over.contains(id),
            Self::Tell(_) | Self::Sent(_) | Self::Rewound { .. } => true,
            Self::Retire { .. } | Self::Delivered { .. } | Self::Answered { .. } => false,
        };
        past.into_iter().filter(is_left).collect()
    }

    /// Returns whether it requires an action, and is not only to be shown.
    pub fn is_to_do(&self) -> bool {
        !matches!(self, Self::Tell(_) | Self::Sent(_) | Self::Rewound { .. })
    }

    /// Returns the id of the request that ends with this effect.
    fn over(&self) -> Option<&str> {
        match self {
            Self::Retire { id } | Self::Delivered { id } => Some(id),
            _ => None,
        }
    }
}

impl Exchange {
    /// Creates an empty exchange. `name` must be different for every connection.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Processes a line of the client.
    pub fn received(&mut self, line: &[u8]) -> Vec<Effect> {
        match read(line) {
            Incoming::Request { id, request } => self.asked(id, request).into_iter().collect(),
            Incoming::Cancel { id } => self.cancelled(id).into_iter().collect(),
            Incoming::Response(response) => self.responded(response),
            Incoming::Message(message) => vec![Effect::Tell(message)],
        }
    }

    /// Processes a line that reached the client's pipe, from this or another connection.
    pub fn wrote(&mut self, line: &[u8]) -> Option<Effect> {
        let id = match read(line) {
            Incoming::Response(Response { id, .. }) => id,
            Incoming::Message(message) => return UserMessage::of(&message).map(Effect::Sent),
            Incoming::Request { id, .. } => {
                self.rewinds.extend(Command::rewinds(line).map(|rewind| (id, rewind)));
                return None;
            }
            Incoming::Cancel { .. } => return None,
        };
        let stage = self.requests.get(&id).copied();
        self.end(id.clone());
        (stage != Some(Stage::Over)).then_some(Effect::Delivered { id })
    }

    /// Returns the line that answers a request with a response of `dmplz_core::claude`; `None` if the request was
    /// answered or cancelled before.
    pub fn answer(&mut self, id: &str, response: &Value) -> Option<String> {
        let stage = self.requests.get_mut(id).filter(|stage| **stage == Stage::Pending)?;
        *stage = Stage::Given;
        Some(success(id, response))
    }

    /// Returns the line of a request to the client, and the id of the request.
    pub fn command(&mut self, command: &Command) -> (String, String) {
        self.commands += 1;
        let id = format!("{}-{}", self.name, self.commands);
        self.sent.insert(id.clone());
        let request = json!({ "type": "control_request", "request_id": id, "request": command });
        (id, line(&request))
    }

    /// Forgets all requests, because a new client process has started.
    pub fn begins(&mut self) {
        self.sent.clear();
        self.rewinds.clear();
        self.requests.clear();
        self.over.clear();
    }

    /// Returns the ids of the requests that are not answered, in no particular order.
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
            Request::Elicitation(asked) => {
                self.requests.insert(id.clone(), Stage::Pending);
                return Some(Effect::Elicit { id, asked });
            }
            Request::Dialog { .. } => return None,
            Request::HookCallback { .. } => success(&id, &json!({})),
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
        let rewound = match (self.rewinds.remove(&id), &result) {
            (Some((message, true)), Ok(answer)) => {
                self.preview = Some((message, answer.clone()));
                None
            }
            (Some((message, false)), Ok(answer)) => {
                let preview = self.preview.take().filter(|(of, _)| *of == message).map(|(_, preview)| preview);
                Some(Effect::Rewound { message, answer: answer.clone(), preview })
            }
            _ => None,
        };
        let ours = self.sent.remove(&id).then_some(Effect::Answered { id, result });
        let asked = pending.into_iter().filter_map(|(id, request)| self.asked(id, request));
        rewound.into_iter().chain(ours).chain(asked.collect::<Vec<_>>()).collect()
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
