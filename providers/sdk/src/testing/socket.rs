//! A WebSocket whose other side is a script.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use crate::socket::{Closure, Socket, SocketError};

/// The script of one connection, told step by step to whoever receives: hand it to
/// [`FakeHost::socket`](super::FakeHost::socket). After its last step nothing comes any more.
///
/// Waiting moves the clock of its host, so a test of heartbeats takes no time.
#[derive(Debug, Clone, Default)]
pub struct FakeSocket(VecDeque<Step>);

#[derive(Debug, Clone)]
enum Step {
    Frame(String),
    Quiet(u32),
    End(SocketError),
}

impl FakeSocket {
    /// A connection on which nothing comes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Then a frame comes.
    #[must_use]
    pub fn frame(self, text: impl ToString) -> Self {
        self.then(Step::Frame(text.to_string()))
    }

    /// Then nothing comes for so many milliseconds.
    #[must_use]
    pub fn quiet(self, milliseconds: u32) -> Self {
        self.then(Step::Quiet(milliseconds))
    }

    /// Then the server closes it with a code and a reason.
    #[must_use]
    pub fn closed(self, code: u16, reason: &str) -> Self {
        self.ends(SocketError::Closed(Closure { code: Some(code), reason: reason.to_owned() }))
    }

    /// Then the server goes away without a word.
    #[must_use]
    pub fn cut(self) -> Self {
        self.ends(SocketError::Closed(Closure { code: None, reason: String::new() }))
    }

    /// Then it ends.
    #[must_use]
    pub fn ends(self, why: SocketError) -> Self {
        self.then(Step::End(why))
    }

    fn then(mut self, step: Step) -> Self {
        self.0.push_back(step);
        self
    }
}

/// A connection that was opened: the script, and the host that it moves.
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
