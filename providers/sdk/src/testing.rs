//! A fake host for tests on the build machine.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use serde_json::Value;

use crate::http::{Header, HttpError, Request, Response};
use crate::socket::{Socket, SocketError};
use crate::store::StoreError;
use crate::{Block, Card, Choice, Host, Level, Style};

pub use socket::FakeSocket;
use socket::OpenSocket;

mod socket;

/// Returns a choice of the first row that asks for no text.
pub fn choice(id: &str, label: &str, emoji: &str) -> Choice {
    let (id, label, emoji) = (id.to_owned(), label.to_owned(), emoji.to_owned());
    Choice { id, label, emoji, style: Style::Secondary, row: 0, field: None }
}

/// Returns a card with the tag `tag1`, a title and a body, and nothing else.
pub fn card(title: &str, body: Vec<Block>) -> Card {
    let (tag, title, choices) = ("tag1".to_owned(), title.to_owned(), Vec::new());
    Card { tag, title, body, choices, reply_to: None, wants_text: false, silent: false }
}

/// Replies from a script, records requests, and has a clock that only waiting advances.
///
/// Its export ends after [`FakeHost::DEADLINE`] milliseconds. A request after the end of the script fails as
/// unreachable.
#[derive(Debug, Default)]
pub struct FakeHost {
    replies: RefCell<VecDeque<Result<Response, HttpError>>>,
    sent: RefCell<Vec<Request>>,
    lines: RefCell<Vec<String>>,
    slept: Rc<Cell<u32>>,
    sockets: RefCell<VecDeque<Result<FakeSocket, SocketError>>>,
    frames: Rc<RefCell<Vec<String>>>,
    stored: RefCell<BTreeMap<String, Vec<u8>>>,
}

impl FakeHost {
    /// The milliseconds that the export has when it starts.
    pub const DEADLINE: u32 = 60_000;

    /// Returns a host whose script is empty.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a reply to the script.
    #[must_use]
    pub fn reply(self, status: u16, body: impl ToString) -> Self {
        self.reply_with(status, &[], body)
    }

    /// Appends a reply with headers to the script.
    #[must_use]
    pub fn reply_with(self, status: u16, headers: &[(&str, &str)], body: impl ToString) -> Self {
        let headers = headers.iter().map(|(name, value)| Header { name: (*name).into(), value: (*value).into() });
        let reply = Response { status, headers: headers.collect(), body: body.to_string().into_bytes() };
        self.replies.borrow_mut().push_back(Ok(reply));
        self
    }

    /// Appends a request that fails without a reply to the script.
    #[must_use]
    pub fn fail(self, error: HttpError) -> Self {
        self.replies.borrow_mut().push_back(Err(error));
        self
    }

    /// Appends a connection to the script of [`Host::connect_socket`], which fails after the end of the script.
    #[must_use]
    pub fn socket(self, socket: FakeSocket) -> Self {
        self.sockets.borrow_mut().push_back(Ok(socket));
        self
    }

    /// Appends a connection that cannot be opened.
    #[must_use]
    pub fn no_socket(self, error: SocketError) -> Self {
        self.sockets.borrow_mut().push_back(Err(error));
        self
    }

    /// Returns all operations on sockets so far, in order: `connect URL`, `send FRAME` (JSON with its keys in
    /// alphabetical order) and `close CODE`.
    pub fn frames(&self) -> Vec<String> {
        self.frames.borrow().clone()
    }

    /// Returns every request so far, one per paragraph: method and URL, then the body. JSON is indented, and a
    /// multipart body has plain line ends.
    pub fn sent(&self) -> String {
        self.sent.borrow().iter().map(described).collect::<Vec<_>>().join("\n\n")
    }

    /// Returns every request so far, as it was sent.
    pub fn requests(&self) -> Vec<Request> {
        self.sent.borrow().clone()
    }

    /// Returns every logged line so far, with its level.
    pub fn lines(&self) -> Vec<String> {
        self.lines.borrow().clone()
    }

    /// Returns the milliseconds slept so far.
    pub fn slept(&self) -> u32 {
        self.slept.get()
    }

    /// Returns the number of replies in the script that were not used.
    pub fn left(&self) -> usize {
        self.replies.borrow().len()
    }
}

impl Host for FakeHost {
    fn send(&self, request: Request) -> Result<Response, HttpError> {
        self.sent.borrow_mut().push(request);
        let reply = self.replies.borrow_mut().pop_front();
        reply.unwrap_or_else(|| Err(HttpError::Unreachable("the script has no more replies".to_owned())))
    }

    fn now(&self) -> u64 {
        1_800_000_000_000 + u64::from(self.slept.get())
    }

    fn remaining(&self) -> u32 {
        Self::DEADLINE.saturating_sub(self.slept.get())
    }

    fn sleep(&self, milliseconds: u32) {
        self.slept.set(self.slept.get().saturating_add(milliseconds.min(self.remaining())));
    }

    fn log(&self, level: Level, message: &str) {
        self.lines.borrow_mut().push(format!("{level:?}: {message}").replacen("Level::", "", 1));
    }

    fn connect_socket(&self, url: &str) -> Result<Box<dyn Socket>, SocketError> {
        self.frames.borrow_mut().push(format!("connect {url}"));
        let script = self.sockets.borrow_mut().pop_front();
        let none = || Err(SocketError::Unreachable("the script has no more sockets".to_owned()));
        let script = script.unwrap_or_else(none)?;
        Ok(Box::new(OpenSocket::new(script, Rc::clone(&self.slept), Rc::clone(&self.frames))))
    }

    fn stored(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.stored.borrow().get(key).cloned())
    }

    fn store(&self, key: &str, value: Option<&[u8]>) -> Result<(), StoreError> {
        let mut stored = self.stored.borrow_mut();
        match value {
            Some(value) => drop(stored.insert(key.to_owned(), value.to_vec())),
            None => drop(stored.remove(key)),
        }
        Ok(())
    }
}

fn described(request: &Request) -> String {
    let line = format!("{:?} {}", request.method, request.url).replacen("Method::", "", 1);
    let body = match serde_json::from_slice::<Value>(&request.body) {
        Ok(json) => format!("{:#}", sorted(json)),
        Err(_) => {
            let text = String::from_utf8_lossy(&request.body).replace("\r\n", "\n");
            text.split('\n').map(in_order).collect::<Vec<_>>().join("\n")
        }
    };
    if body.is_empty() { line } else { format!("{line}\n{body}") }
}

/// Formats a line of a form; JSON in it has its keys in order.
fn in_order(line: &str) -> String {
    serde_json::from_str(line).ok().filter(Value::is_object).map_or(line.to_owned(), |json| sorted(json).to_string())
}

/// Formats JSON with its keys in alphabetical order, whatever features of serde_json the rest of the build enables.
fn sorted(json: Value) -> Value {
    match json {
        Value::Object(object) => {
            let ordered: BTreeMap<_, _> = object.into_iter().collect();
            ordered.into_iter().map(|(key, value)| (key, sorted(value))).collect()
        }
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        plain => plain,
    }
}
