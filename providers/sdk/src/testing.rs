//! A host for tests on the machine that builds a provider.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use serde_json::Value;

use crate::http::{Header, HttpError, Request, Response};
use crate::socket::{Socket, SocketError};
use crate::{Choice, Host, Level, Style};

pub use socket::FakeSocket;
use socket::OpenSocket;

mod socket;

/// A choice of the first row that asks for no words.
pub fn choice(id: &str, label: &str, emoji: &str) -> Choice {
    let (id, label, emoji) = (id.to_owned(), label.to_owned(), emoji.to_owned());
    Choice { id, label, emoji, style: Style::Secondary, row: 0, field: None }
}

/// Answers from a script, keeps what was asked, and has a clock that only waiting moves.
///
/// Its export ends after [`FakeHost::DEADLINE`] milliseconds. A request beyond the script is answered as unreachable.
#[derive(Debug, Default)]
pub struct FakeHost {
    replies: RefCell<VecDeque<Result<Response, HttpError>>>,
    sent: RefCell<Vec<Request>>,
    lines: RefCell<Vec<String>>,
    slept: Rc<Cell<u32>>,
    sockets: RefCell<VecDeque<Result<FakeSocket, SocketError>>>,
    frames: Rc<RefCell<Vec<String>>>,
}

impl FakeHost {
    /// Milliseconds that the running export has at its start.
    pub const DEADLINE: u32 = 60_000;

    /// A host with no reply in its script.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a reply to the end of the script.
    #[must_use]
    pub fn reply(self, status: u16, body: impl ToString) -> Self {
        self.reply_with(status, &[], body)
    }

    /// Adds a reply with headers to the end of the script.
    #[must_use]
    pub fn reply_with(self, status: u16, headers: &[(&str, &str)], body: impl ToString) -> Self {
        let headers = headers.iter().map(|(name, value)| Header { name: (*name).into(), value: (*value).into() });
        let reply = Response { status, headers: headers.collect(), body: body.to_string().into_bytes() };
        self.replies.borrow_mut().push_back(Ok(reply));
        self
    }

    /// Adds a request that gets no reply to the end of the script.
    #[must_use]
    pub fn fail(self, error: HttpError) -> Self {
        self.replies.borrow_mut().push_back(Err(error));
        self
    }

    /// Adds a connection to the end of the script of [`Host::connect_socket`]; beyond it none is reached.
    #[must_use]
    pub fn socket(self, socket: FakeSocket) -> Self {
        self.sockets.borrow_mut().push_back(Ok(socket));
        self
    }

    /// Adds one that does not come about.
    #[must_use]
    pub fn no_socket(self, error: SocketError) -> Self {
        self.sockets.borrow_mut().push_back(Err(error));
        self
    }

    /// What was done with sockets so far, in order: `connect URL`, `send FRAME` (the keys of JSON in alphabetical order)
    /// and `close CODE`.
    pub fn frames(&self) -> Vec<String> {
        self.frames.borrow().clone()
    }

    /// Every request so far, one a paragraph: method and URL, then the body. JSON is indented, a body of several
    /// parts has plain line ends.
    pub fn sent(&self) -> String {
        self.sent.borrow().iter().map(described).collect::<Vec<_>>().join("\n\n")
    }

    /// Every request so far as it left.
    pub fn requests(&self) -> Vec<Request> {
        self.sent.borrow().clone()
    }

    /// Every logged line so far, with its level.
    pub fn lines(&self) -> Vec<String> {
        self.lines.borrow().clone()
    }

    /// Milliseconds slept so far.
    pub fn slept(&self) -> u32 {
        self.slept.get()
    }

    /// How many replies of the script nobody asked for.
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

/// A line of a form: JSON in it with its keys in order.
fn in_order(line: &str) -> String {
    serde_json::from_str(line).ok().filter(Value::is_object).map_or(line.to_owned(), |json| sorted(json).to_string())
}

/// With keys in alphabetical order, whatever features of serde_json the rest of a build asks for.
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
