//! A WebSocket whose peer is a script.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use crate::socket::{Closure, Socket, SocketError};

/// The script of one connection, played as frames are received. Pass it to
/// [`FakeHost::socket`](super::FakeHost::socket). After its last step nothing arrives.
///
/// Waiting advances the clock of its host, so a test of heartbeats takes no real time.
#[derive(Debug, Clone, Default)]
pub struct FakeSocket(VecDeque<Step>);

#[derive(Debug, Clone)]
enum Step {
    Frame(String),
    Quiet(u32),
    End(SocketError),
}

impl FakeSocket {
    /// Returns a connection on which nothing arrives.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a frame from the server.
    #[must_use]
    pub fn frame(self, text: impl ToString) -> Self {
        self.then(Step::Frame(text.to_string()))
    }

    /// Appends a pause of the given number of milliseconds.
    #[must_use]
    pub fn quiet(self, milliseconds: u32) -> Self {
        self.then(Step::Quiet(milliseconds))
    }

    /// Appends a close by the server, with a code and a reason.
    #[must_use]
    pub fn closed(self, code: u16, reason: &str) -> Self {
        self.ends(SocketError::Closed(Closure { code: Some(code), reason: reason.to_owned() }))
    }

    /// Appends the loss of the connection without a close frame.
    #[must_use]
    pub fn cut(self) -> Self {
        self.ends(SocketError::Closed(Closure { code: None, reason: String::new() }))
    }

    /// Appends the end of the connection.
    #[must_use]
    pub fn ends(self, why: SocketError) -> Self {
        self.then(Step::End(why))
    }

    fn then(mut self, step: Step) -> Self {
        self.0.push_back(step);
        self
    }
}

/// An open connection: the script, and the host whose clock it advances.
pub(super) struct OpenSocket {
    script: RefCell<VecDeque<Step>>,
    ended: RefCell<Option<SocketError>>,
    slept: Rc<Cell<u32>>,
    frames: Rc<RefCell<Vec<String>>>,
}

impl OpenSocket {
    pub(super) fn new(script: FakeSocket, slept: Rc<Cell<u32>>, frames: Rc<RefCell<Vec<String>>>) -> Self {
        Self { script: RefCell::new(script.0), ended: RefCell::default(), slept, frames }
    }

    fn remaining(&self) -> u32 {
        super::FakeHost::DEADLINE.saturating_sub(self.slept.get())
    }

    fn note(&self, line: String) {
        self.frames.borrow_mut().push(line);
    }
}

impl Socket for OpenSocket {
    fn send(&self, frame: &str) -> Result<(), SocketError> {
        if self.remaining() == 0 {
            return Err(SocketError::Deadline);
        }
        if let Some(ended) = self.ended.borrow().clone() {
            return Err(ended);
        }
        self.note(format!("send {}", super::in_order(frame)));
        Ok(())
    }

    fn receive(&self, wait: u32) -> Result<Option<String>, SocketError> {
        let mut left = wait;
        loop {
            if self.remaining() == 0 {
                return Err(SocketError::Deadline);
            }
            if let Some(ended) = self.ended.borrow().clone() {
                return Err(ended);
            }
            let step = self.script.borrow_mut().pop_front();
            let quiet = match step {
                Some(Step::Frame(text)) => return Ok(Some(text)),
                Some(Step::End(why)) => {
                    self.ended.replace(Some(why));
                    continue;
                }
                Some(Step::Quiet(quiet)) => quiet,
                None => u32::MAX,
            };
            let pass = quiet.min(left).min(self.remaining());
            self.slept.set(self.slept.get().saturating_add(pass));
            left -= pass;
            if quiet > pass {
                self.script.borrow_mut().push_front(Step::Quiet(quiet - pass));
                if left == 0 {
                    return Ok(None);
                }
            }
        }
    }

    fn close(&self, code: u16) {
        if self.ended.borrow().is_none() {
            self.note(format!("close {code}"));
            self.ended.replace(Some(SocketError::Closed(Closure { code: Some(code), reason: String::new() })));
        }
    }
}

impl Drop for OpenSocket {
    fn drop(&mut self) {
        if self.ended.borrow().is_none() {
            self.note("close 4000".to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::FakeSocket;
    use crate::socket::{Closure, SocketError};
    use crate::testing::FakeHost;
    use crate::{Error, Host, Imports};

    fn closed(code: Option<u16>, reason: &str) -> SocketError {
        SocketError::Closed(Closure { code, reason: reason.to_owned() })
    }

    #[test]
    fn waiting_moves_the_clock_and_no_further_than_the_next_frame() {
        let host = FakeHost::new().socket(FakeSocket::new().frame("a").quiet(5_000).frame("b"));
        let socket = host.connect_socket("wss://gateway.example/").unwrap();
        assert_eq!((socket.receive(1_000), host.slept()), (Ok(Some("a".to_owned())), 0));
        assert_eq!((socket.receive(1_000), host.slept()), (Ok(None), 1_000));
        assert_eq!((socket.receive(9_000), host.slept()), (Ok(Some("b".to_owned())), 5_000));
        assert_eq!((socket.receive(0), host.slept()), (Ok(None), 5_000));
        assert_eq!((socket.receive(u32::MAX), host.slept()), (Err(SocketError::Deadline), FakeHost::DEADLINE));
        assert_eq!(socket.send("late"), Err(SocketError::Deadline));
    }

    #[test]
    fn a_frame_that_is_no_json_is_null() {
        let host = FakeHost::new().socket(FakeSocket::new().frame(r#"{"a":1}"#).frame("hello"));
        let socket = host.connect_socket("wss://gateway.example/").unwrap();
        assert_eq!(socket.receive_json(0), Ok(Some(json!({ "a": 1 }))));
        assert_eq!(socket.receive_json(0), Ok(Some(Value::Null)));
        assert_eq!(socket.receive_json(0), Ok(None));
        socket.send_json(&json!({ "b": 2 })).unwrap();
        assert_eq!(host.frames().last().map(String::as_str), Some(r#"send {"b":2}"#));
    }

    #[test]
    fn an_end_is_told_every_time_and_what_was_done_is_kept_in_order() {
        let host = FakeHost::new()
            .socket(FakeSocket::new().frame("hello").closed(4004, "no"))
            .socket(FakeSocket::new().cut())
            .socket(FakeSocket::new())
            .no_socket(SocketError::Overflow);
        let first = host.connect_socket("wss://a.example/").unwrap();
        assert_eq!(first.send("{\"s\":1,\"op\":2}"), Ok(()));
        assert_eq!(first.receive(10), Ok(Some("hello".to_owned())));
        assert_eq!(first.receive(10), Err(closed(Some(4004), "no")));
        assert_eq!(first.send("x"), Err(closed(Some(4004), "no")));
        drop(first);
        assert_eq!(host.connect_socket("wss://b.example/").unwrap().receive(10), Err(closed(None, "")));
        let third = host.connect_socket("wss://c.example/").unwrap();
        third.close(1000);
        assert_eq!(third.receive(10), Err(closed(Some(1000), "")));
        assert_eq!(host.connect_socket("wss://d.example/").err(), Some(SocketError::Overflow));
        assert!(matches!(host.connect_socket("wss://e.example/").err(), Some(SocketError::Unreachable(_))));
        insta::assert_snapshot!(host.frames().join("\n"), @r#"
        connect wss://a.example/
        send {"op":2,"s":1}
        connect wss://b.example/
        connect wss://c.example/
        close 1000
        connect wss://d.example/
        connect wss://e.example/
        "#);
    }

    #[test]
    fn a_connection_that_is_dropped_is_closed_without_farewell() {
        let host = FakeHost::new().socket(FakeSocket::new());
        drop(host.connect_socket("wss://a.example/"));
        assert_eq!(host.frames(), ["connect wss://a.example/", "close 4000"]);
    }

    #[test]
    fn each_error_is_the_one_that_the_host_acts_on() {
        let error = |error: SocketError| Error::from(error);
        assert_eq!(error(SocketError::Deadline), Error::Deadline);
        assert_eq!(error(SocketError::Refused("x".to_owned())), Error::Refused("x".to_owned()));
        let told = Error::unavailable("the connection was closed with 4004 no");
        assert_eq!(error(closed(Some(4004), "no")), told);
        assert!(matches!(error(SocketError::Overflow), Error::Unavailable(Some(_))));
        assert!(matches!(Imports.connect_socket("wss://a.example/"), Err(SocketError::Refused(_))));
    }
}
