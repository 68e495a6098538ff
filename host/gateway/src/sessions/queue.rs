//! The messages that were sent to a session, and how far each has come.
//!
//! | what is heard of it | so |
//! |---|---|
//! | it was sent | it waits |
//! | the client repeats it, or says that it `started` | it is taken |
//! | the turn is over, or the client says `completed` | it is done |
//! | it was `cancelled`, `discarded` or `refused`; the client ended before it took it | it is dropped |
//!
//! Nothing goes back to waiting.

use std::collections::VecDeque;

use dmplz_core::visible::short;
use dmplz_protocol::session::{Queued, Stage};
use dmplz_runner::control::Lifecycle;
use uuid::Uuid;

use super::received::as_sent;

/// Messages that are remembered.
const MOST: usize = 20;
/// The longest text of a message, in characters.
const TEXT: usize = 200;

/// The messages, oldest first.
#[derive(Debug, Default)]
pub(super) struct Queue(VecDeque<Queued>);

impl Queue {
    /// One was sent. One that is known stays as it is.
    pub(super) fn sent(&mut self, id: Uuid, text: &str) {
        if self.0.iter().any(|queued| queued.id == id) {
            return;
        }
        self.0.push_back(Queued { id, text: short(&as_sent(text), TEXT), stage: Stage::Waiting });
        if self.0.len() > MOST {
            self.0.pop_front();
        }
    }

    /// The client repeated it.
    pub(super) fn taken(&mut self, id: &str) {
        self.comes_to(id, Stage::Taken);
    }

    pub(super) fn lived(&mut self, Lifecycle { uuid, state }: &Lifecycle) {
        match state.as_str() {
            "started" => self.comes_to(uuid, Stage::Taken),
            "completed" => self.comes_to(uuid, Stage::Done),
            "cancelled" | "discarded" | "refused" => self.comes_to(uuid, Stage::Dropped),
            _ => {}
        }
    }

    /// The turn is over.
    pub(super) fn turned(&mut self) {
        self.all(Stage::Taken, Stage::Done);
    }

    /// The client has ended.
    pub(super) fn ended(&mut self) {
        self.all(Stage::Waiting, Stage::Dropped);
        self.all(Stage::Taken, Stage::Done);
    }

    pub(super) fn dropped(&mut self, id: Uuid) {
        self.comes_to(&id.to_string(), Stage::Dropped);
    }

    /// The last message that the agent received.
    pub(super) fn last_received(&self) -> Option<Uuid> {
        let received = |queued: &&Queued| matches!(queued.stage, Stage::Taken | Stage::Done);
        self.0.iter().rfind(received).map(|queued| queued.id)
    }

    pub(super) fn all_of_it(&self) -> Vec<Queued> {
        self.0.iter().cloned().collect()
    }

    fn all(&mut self, from: Stage, to: Stage) {
        self.0.iter_mut().filter(|queued| queued.stage == from).for_each(|queued| queued.stage = to);
    }

    fn comes_to(&mut self, id: &str, stage: Stage) {
        let Ok(id) = Uuid::try_parse(id) else { return };
        let open = |queued: &&mut Queued| matches!(queued.stage, Stage::Waiting | Stage::Taken);
        if let Some(queued) = self.0.iter_mut().filter(open).find(|queued| queued.id == id) {
            queued.stage = stage;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stages(queue: &Queue) -> Vec<Stage> {
        queue.0.iter().map(|queued| queued.stage).collect()
    }

    #[test]
    fn a_message_waits_is_taken_and_is_done() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut queue = Queue::default();
        queue.sent(one, "a\nb");
        queue.sent(other, "c");
        queue.sent(one, "again");
        assert_eq!((queue.0.len(), queue.0[0].text.as_str()), (2, "a␊b"));
        queue.taken(&one.to_string());
        assert_eq!(stages(&queue), [Stage::Taken, Stage::Waiting]);
        queue.turned();
        assert_eq!(stages(&queue), [Stage::Done, Stage::Waiting]);
        queue.lived(&Lifecycle { uuid: one.to_string(), state: "started".into() });
        queue.lived(&Lifecycle { uuid: other.to_string(), state: "queued".into() });
        queue.lived(&Lifecycle { uuid: "no id".into(), state: "cancelled".into() });
        assert_eq!(stages(&queue), [Stage::Done, Stage::Waiting], "what is over stays so");
        queue.ended();
        assert_eq!(stages(&queue), [Stage::Done, Stage::Dropped]);
    }

    #[test]
    fn only_the_last_messages_are_remembered() {
        let mut queue = Queue::default();
        (0..100).for_each(|at| queue.sent(Uuid::from_u128(at), &"x".repeat(1_000)));
        assert_eq!(queue.0.len(), MOST);
        assert_eq!(queue.0[0].text.chars().count(), TEXT + 1, "and a mark that it goes on");
    }
}
