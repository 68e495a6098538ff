//! What people write and press about sessions, until it is handled. Strangers keep nobody out, and nobody waits for them.

use dmplz_core::approvers::Approvers;
use dmplz_core::messenger::{Chosen, Event};
use tokio::sync::{mpsc, oneshot};

/// How many events of people who may lead wait while one is handled.
const HEARD: usize = 1_024;
/// How many presses of other people wait to be turned away; further ones are told nothing.
const STRANGERS: usize = 16;

/// Where events are put in.
pub(super) struct Inbox {
    heard: mpsc::Sender<Heard>,
    strangers: mpsc::Sender<Chosen>,
}

/// Where they come out.
pub(super) struct Received {
    /// What people who may lead wrote and pressed.
    pub(super) heard: mpsc::Receiver<Heard>,
    /// Presses of other people.
    pub(super) strangers: mpsc::Receiver<Chosen>,
}

/// An event that concerns no request.
pub(super) struct Heard {
    pub(super) event: Event,
    /// Dropped once it is handled.
    pub(super) _done: oneshot::Sender<()>,
}

impl Inbox {
    pub(super) fn open() -> (Self, Received) {
        let (to_heard, heard) = mpsc::channel(HEARD);
        let (to_strangers, strangers) = mpsc::channel(STRANGERS);
        (Self { heard: to_heard, strangers: to_strangers }, Received { heard, strangers })
    }

    /// Puts an event in. The receiver completes once it is handled; for a stranger's press it has completed. Without room for an
    /// event of a person who may lead, there is none.
    pub(super) fn put(&self, event: &Event, approvers: &Approvers) -> Option<oneshot::Receiver<()>> {
        let (done, handled) = oneshot::channel();
        match event {
            Event::Chosen(press) if approvers.admit(&press.user).is_none() => {
                let _ = self.strangers.try_send(press.clone());
            }
            event => self.heard.try_send(Heard { event: event.clone(), _done: done }).ok()?,
        }
        Some(handled)
    }
}

#[cfg(test)]
mod tests {
    use dmplz_core::messenger::{MessageRef, OpenChat, User, Users};
    use tokio::sync::oneshot::error::TryRecvError;

    use super::*;

    fn press(by: &str) -> Event {
        let message = MessageRef { chat: "c".into(), id: "1".into(), sequence: 1 };
        let user = User { id: by.into(), name: by.into(), is_bot: false };
        Event::Chosen(Chosen { message, tag: None, choice: "x".into(), user, token: "k".into(), text: None })
    }

    #[test]
    fn however_often_strangers_press_a_person_who_may_lead_is_heard_next() {
        let chat = OpenChat { id: "c".into(), owner: None, users: Users::Identified };
        let approvers = Approvers::of("telegram", &chat, &["ann".to_owned()]);
        let (inbox, mut received) = Inbox::open();
        for _ in 0..2 * HEARD {
            let mut handled = inbox.put(&press("eve"), &approvers).unwrap();
            assert_eq!(handled.try_recv(), Err(TryRecvError::Closed), "nobody waits for a stranger");
        }
        let mut handled = inbox.put(&press("ann"), &approvers).unwrap();
        assert_eq!(handled.try_recv(), Err(TryRecvError::Empty));
        let heard = received.heard.try_recv().unwrap();
        assert_eq!(heard.event, press("ann"));
        drop(heard);
        assert_eq!(handled.try_recv(), Err(TryRecvError::Closed));
        let turned_away = std::iter::from_fn(|| received.strangers.try_recv().ok()).count();
        assert_eq!(turned_away, STRANGERS);
    }
}
