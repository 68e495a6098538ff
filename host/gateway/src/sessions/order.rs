//! What the task of a session is told to do.

use dmplz_core::approvers::Approver;
use dmplz_runner::control::{Command, Refusal, UserMessage};
use tokio::sync::oneshot;

/// Hands what the client says to a request, JSON, to the caller that waits for it.
pub(super) type Asker = oneshot::Sender<Result<String, Refusal>>;

/// What a session is told to do.
#[derive(Debug)]
pub(super) enum Order {
    /// Sends a message, unless it was sent before. `written` is told once the keeper has it.
    Say {
        message: UserMessage,
        written: Option<oneshot::Sender<()>>,
    },
    /// Asks the client for something, and hands on what it says.
    Ask(Command, Asker),
    /// Stops the turn, and hands on what the client says.
    Interrupt(Interrupt, Asker),
    /// Tells the client what the session may do, and hands on what it says.
    Permit(Asker),
    /// Tells those who look on.
    Note(String),
    Quit,
}

/// A person's wish that the turn stops.
#[derive(Debug, Clone)]
pub struct Interrupt {
    /// The person who interrupts, and who denies what the session waits for.
    pub by: Approver,
    /// The person's words; none, or blank, where none are given.
    pub reason: Option<String>,
    /// Whether messages that wait are taken back as well.
    pub cancel_queued: bool,
}

/// An interrupt that the client has not answered yet.
#[derive(Debug)]
pub(super) struct Interrupting {
    /// The id of our request to the client.
    pub(super) command: String,
    pub(super) by: Approver,
    pub(super) reason: Option<String>,
}
