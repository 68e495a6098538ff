//! A session that is followed at the terminal: its events, and the person's messages.

use std::os::unix::net::UnixStream;

use dmplz_core::text::{Lang, fill};
use dmplz_protocol::Message;
use dmplz_protocol::client::GatewayError;
use dmplz_protocol::session::{InterruptSession, OneSession, SendToSession, State, StopSession};
use tokio::signal::unix::SignalKind;
use uuid::Uuid;

use super::feed::Feed;
use crate::approvals::card::Look;
use crate::approvals::happenings::{Lines, works_after};
use crate::terminal::say;
use crate::terminal::signals::signals;

/// A session at the terminal.
pub(super) struct Room {
    id: Uuid,
    lang: Lang,
    lines: Lines,
    works: bool,
    /// It is readable after Ctrl-C.
    pub(super) interrupts: UnixStream,
}

impl Room {
    /// Makes Ctrl-C interrupt the turn instead of ending this process.
    pub(super) fn open(id: Uuid, lang: Lang) -> anyhow::Result<Self> {
        Ok(Self { id, lang, lines: Lines::default(), works: true, interrupts: signals(&[SignalKind::interrupt()])? })
    }

    /// Returns the exit code, once the session is over.
    pub(super) fn is_over(&self) -> Option<u8> {
        self.lines.exit_code()
    }

    /// Processes a connection: shows what was not shown yet.
    pub(super) fn connected(&mut self, one: &OneSession) -> String {
        self.works = !matches!(one.session.state, State::Idle | State::Ended);
        let look = Look::of_stdout(self.lang);
        let mut lines: String = one.events.iter().filter_map(|event| self.lines.of(event, look)).collect();
        lines.extend(self.lines.writes(0, &one.partial, look));
        lines
    }

    pub(super) fn happened(&mut self, message: &Message, look: Look) -> Option<String> {
        match message {
            Message::SessionEvent { happened, .. } => {
                self.works = works_after(&happened.event, self.works);
                self.lines.of(happened, look)
            }
            Message::SessionPartial { from, text, .. } => self.lines.writes(*from, text, look),
            _ => None,
        }
    }

    /// Handles Ctrl-C.
    pub(super) fn interrupted(&mut self, feed: &mut Feed) -> String {
        let mut bytes = [0; 16];
        let _ = std::io::Read::read(&mut self.interrupts, &mut bytes);
        if !self.works {
            let hint = say(
                self.lang,
                "Ctrl-D는 세션을 둔 채 나가고, /stop은 세션을 끝냅니다.",
                "Ctrl-D leaves the session running, /stop ends it.",
            );
            return format!("\n{hint}\n");
        }
        let interrupted = feed.call(&InterruptSession { id: self.id, reason: None, cancel_queued: false });
        format!("\n{}", refusal(interrupted))
    }

    /// Handles a line, while nothing is asked. Returns the text to show; `None` if the person leaves and the session
    /// continues.
    pub(super) fn typed(&mut self, line: &str, feed: &mut Feed) -> Option<String> {
        match line.trim() {
            "" => Some(String::new()),
            "/detach" => None,
            "/stop" => Some(refusal(feed.call(&StopSession { id: self.id }))),
            text => {
                self.works = true;
                Some(refusal(feed.call(&SendToSession { id: self.id, text: text.to_owned() })))
            }
        }
    }

    /// Returns the text that is shown when the person leaves.
    pub(super) fn left(&self) -> String {
        let words = say(
            self.lang,
            "세션은 계속됩니다. 다시 보기: dmplz sessions attach {}\n",
            "The session goes on. Back to it: dmplz sessions attach {}\n",
        );
        fill(words, &[&self.id.to_string()])
    }
}

/// A request that the gateway refused is reported, and the session is followed anyway.
fn refusal<T>(done: Result<T, GatewayError>) -> String {
    done.err().map(|error| format!("❗ {error}\n")).unwrap_or_default()
}
