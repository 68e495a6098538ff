//! Tests of a messenger's channel that ask for a press back (`gateway/notices/press`), in the chat.
//!
//! The notice gets a button, and the press comes back the way that an answer does: only a person who may answer requests in the
//! chat counts. Nothing depends on the press but what the page shows. Once pressed, or after a while, the message loses its button.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use dmplz_core::approvers::Approvers;
use dmplz_core::messenger::{Block, ButtonStyle, Card, Choice, Chosen, Event, MessageRef, OpenChat, Watch};
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_desk::{Claim, Messenger};
use dmplz_gateway::notices::{PATIENCE, Presses};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use crate::terminal::say;
use crate::trouble;

/// The id of the button. No choice of a request or of a session has it.
const PRESS: &str = "press-test";
/// How long a call of the messenger may take.
const CALL: Duration = Duration::from_secs(10);
/// The most tests that wait in one chat, and the most presses that wait to be handled.
const MOST: usize = 8;

/// The tests that wait in one chat.
pub(super) struct Proofs<M> {
    messenger: Rc<M>,
    chat: OpenChat,
    approvers: Approvers,
    lang: Lang,
    presses: Option<Presses>,
    open: RefCell<Vec<Open>>,
    /// There is more to watch, or another end to wait for.
    grown: Notify,
    changed: Notify,
    inbox: mpsc::Sender<Heard>,
    received: RefCell<Option<mpsc::Receiver<Heard>>>,
}

/// A test that waits for its press.
struct Open {
    id: String,
    card: Card,
    /// There once it is posted.
    message: Option<MessageRef>,
    until: Instant,
}

struct Heard {
    press: Chosen,
    /// Dropped once it is handled.
    _done: oneshot::Sender<()>,
}

impl<M: Messenger> Proofs<M> {
    /// Without `presses`, as where no channel leads to the chat, nothing is tested.
    pub(super) fn new(
        messenger: Rc<M>,
        chat: OpenChat,
        approvers: Approvers,
        lang: Lang,
        presses: Option<Presses>,
    ) -> Self {
        let (inbox, received) = mpsc::channel(MOST);
        let (grown, changed) = (Notify::new(), Notify::new());
        let (open, received) = (RefCell::default(), RefCell::new(Some(received)));
        Self { messenger, chat, approvers, lang, presses, open, grown, changed, inbox, received }
    }

    /// Returns a test's card with its button, where the messenger has buttons or reactions. It waits from now on: the press may
    /// come before it is known that the card was posted.
    pub(super) fn asking(&self, id: &str, card: Card) -> Card {
        if self.messenger.transport().limits.choices == 0 {
            return card;
        }
        let asking = Card { choices: self.choices(), ..card.clone() };
        let mut open = self.open.borrow_mut();
        open.retain(|other| other.id != id);
        if open.len() >= MOST {
            open.remove(0);
        }
        open.push(Open { id: id.to_owned(), card, message: None, until: Instant::now() + PATIENCE });
        asking
    }

    /// Notes that a test's card was posted.
    pub(super) fn posted(&self, id: &str, message: MessageRef) {
        if let Some(open) = self.open.borrow_mut().iter_mut().find(|open| open.id == id) {
            open.message = Some(message);
            self.presses.iter().for_each(|presses| presses.posted(id));
        }
        self.grown.notify_one();
        self.changed.notify_one();
    }

    /// Returns the messages whose button is waited for.
    pub(super) fn watches(&self) -> Vec<Watch> {
        let watch = |open: &Open| {
            let message = open.message.clone()?;
            Some(Watch { message, tag: open.card.tag.clone(), choices: self.choices(), text: false })
        };
        self.open.borrow().iter().filter_map(watch).collect()
    }

    fn choices(&self) -> Vec<Choice> {
        let label = say(self.lang, "✅ 눌러서 확인", "✅ Press to confirm").to_owned();
        let (emoji, style) = ("✅".to_owned(), ButtonStyle::Primary);
        vec![Choice { id: PRESS.to_owned(), label, emoji, style, row: 0, field: None }]
    }

    /// Completes once there is more to watch.
    pub(super) async fn grown(&self) {
        self.grown.notified().await;
    }

    /// Takes the press on a test. The receiver completes once it is handled.
    pub(super) fn take(&self, event: &Event, claim: Claim) -> Option<oneshot::Receiver<()>> {
        let (Event::Chosen(press), Claim::First) = (event, claim) else { return None };
        self.at(press)?;
        let (done, handled) = oneshot::channel();
        // One that finds no place is not handled; the person presses again.
        let _ = self.inbox.try_send(Heard { press: press.clone(), _done: done });
        Some(handled)
    }

    /// Handles presses, and ends tests whose time is over. Never returns.
    pub(super) async fn run(&self) {
        let Some(mut received) = self.received.take() else { return std::future::pending().await };
        loop {
            let next = self.open.borrow().iter().map(|open| open.until).min();
            let over = async {
                match next {
                    Some(next) => sleep_until(next).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                Some(Heard { press, _done }) = received.recv() => self.pressed(&press).await,
                () = over => self.end_old().await,
                () = self.changed.notified() => {}
            }
        }
    }

    async fn pressed(&self, press: &Chosen) {
        let Some(at) = self.at(press) else { return };
        let Some(approver) = self.approvers.admit(&press.user) else {
            let words = say(self.lang, "이 채팅에서 답할 권한이 없습니다.", "You may not answer in this chat.");
            return self.acknowledge(press, words).await;
        };
        let open = self.open.borrow_mut().remove(at);
        let by = visible_line(approver.name());
        self.presses.iter().for_each(|presses| presses.pressed(&open.id, &by));
        self.acknowledge(press, say(self.lang, "확인했습니다.", "Confirmed.")).await;
        let ended = fill(say(self.lang, "✅ {} 님이 눌렀습니다.", "✅ Pressed by {}."), &[&by]);
        self.close(open, Some(press.message.clone()), ended).await;
    }

    async fn end_old(&self) {
        let now = Instant::now();
        let old: Vec<Open> = self.open.borrow_mut().extract_if(.., |open| open.until <= now).collect();
        for open in old {
            self.presses.iter().for_each(|presses| presses.over(&open.id));
            let ended = say(self.lang, "⌛ 제때 누르지 않았습니다.", "⌛ Nobody pressed it in time.");
            self.close(open, None, ended.to_owned()).await;
        }
    }

    /// Takes the button away, and says why.
    async fn close(&self, open: Open, message: Option<MessageRef>, ended: String) {
        let Open { mut card, message: posted, .. } = open;
        let Some(message) = posted.or(message) else { return };
        card.body.push(Block::Text(ended));
        if let Err(error) = self.messenger.revise(&message, &card, CALL).await {
            trouble::info(&format!("the message of a test keeps its button: {error}"));
        }
    }

    async fn acknowledge(&self, press: &Chosen, notice: &str) {
        // One that fails is shown by the message all the same.
        let _ = self.messenger.acknowledge(press, Some(notice), CALL).await;
    }

    /// The place of the test that was pressed.
    fn at(&self, press: &Chosen) -> Option<usize> {
        if press.choice != PRESS || press.message.chat != self.chat.id {
            return None;
        }
        let is_on = |open: &Open| {
            press.tag.as_deref() == Some(open.card.tag.as_str())
                || open.message.as_ref().is_some_and(|message| message.is_same(&press.message))
        };
        self.open.borrow().iter().position(is_on)
    }
}

#[cfg(test)]
mod tests {
    use dmplz_core::messenger::{Answering, Batch, Chat, Limits, ProviderError, Transport, User, Users};
    use tokio::task::yield_now;

    use super::*;

    /// A chat that shows cards, and remembers what is told to people.
    struct Fake {
        transport: Transport,
        revised: RefCell<Vec<Card>>,
        told: RefCell<Vec<String>>,
    }

    impl Messenger for Fake {
        fn transport(&self) -> &Transport {
            &self.transport
        }

        async fn open(&self, _: &Chat, _: Duration) -> Result<OpenChat, ProviderError> {
            Err(ProviderError::NotFound)
        }

        async fn post(&self, _: &OpenChat, _: &Card, _: Duration) -> Result<MessageRef, ProviderError> {
            Err(ProviderError::NotFound)
        }

        async fn revise(&self, _: &MessageRef, card: &Card, _: Duration) -> Result<(), ProviderError> {
            self.revised.borrow_mut().push(card.clone());
            Ok(())
        }

        async fn receive(&self, _: &str, _: &[Watch], _: Duration, _: Duration) -> Result<Batch, ProviderError> {
            Err(ProviderError::NotFound)
        }

        async fn acknowledge(&self, _: &Chosen, notice: Option<&str>, _: Duration) -> Result<(), ProviderError> {
            self.told.borrow_mut().push(notice.unwrap_or_default().to_owned());
            Ok(())
        }
    }

    fn proofs(choices: usize) -> Proofs<Fake> {
        let limits = Limits { text: 4_096, choices, attachment: 0, notice: 200 };
        let transport = Transport {
            name: "polling".into(),
            help: "Polls.".into(),
            limits,
            answering: Answering::Buttons,
            poll_interval: 0,
            presses_kept: None,
            persistent: false,
            reads_chat: true,
            threads: false,
            commands: false,
            files: false,
            drafts: false,
        };
        let messenger = Fake { transport, revised: RefCell::default(), told: RefCell::default() };
        let chat = OpenChat { id: "c".into(), owner: None, users: Users::Identified };
        let approvers = Approvers::of("telegram", &chat, &["ann".to_owned()]);
        Proofs::new(Rc::new(messenger), chat, approvers, Lang::En, Some(Presses::default()))
    }

    fn card() -> Card {
        Card::new("t1", "dmplz".into(), vec![Block::Text("a test".into())])
    }

    fn message() -> MessageRef {
        MessageRef { chat: "c".into(), id: "1".into(), sequence: 1 }
    }

    fn press(by: &str, choice: &str, tag: Option<&str>) -> Event {
        let user = User { id: by.into(), name: by.into(), is_bot: false };
        let tag = tag.map(str::to_owned);
        Event::Chosen(Chosen { message: message(), tag, choice: choice.into(), user, token: "k".into(), text: None })
    }

    /// Runs the tests of a chat while something else happens.
    async fn beside(proofs: &Proofs<Fake>, other: impl Future<Output = ()>) {
        tokio::select! {
            () = proofs.run() => {}
            () = other => {}
        }
    }

    #[tokio::test(start_paused = true)]
    async fn only_the_press_of_a_person_who_may_answer_ends_a_test() {
        let proofs = proofs(8);
        let asking = proofs.asking("press-test:1", card());
        assert_eq!((asking.choices.len(), asking.choices[0].id.as_str()), (1, PRESS));
        beside(&proofs, async {
            proofs.posted("press-test:1", message());
            assert_eq!(proofs.watches().len(), 1);
            assert!(proofs.take(&press("ann", "approve", Some("t1")), Claim::First).is_none());
            assert!(proofs.take(&press("ann", PRESS, Some("t1")), Claim::Last).is_none());
            let _ = proofs.take(&press("eve", PRESS, Some("t1")), Claim::First).unwrap().await;
            assert_eq!(proofs.watches().len(), 1);
            assert_eq!(*proofs.messenger.told.borrow(), ["You may not answer in this chat."]);
            assert!(proofs.messenger.revised.borrow().is_empty());
            // A reaction carries no tag.
            let _ = proofs.take(&press("ann", PRESS, None), Claim::First).unwrap().await;
            yield_now().await;
        })
        .await;
        assert!(proofs.watches().is_empty() && proofs.take(&press("ann", PRESS, Some("t1")), Claim::First).is_none());
        let revised = proofs.messenger.revised.borrow();
        assert!(revised[0].choices.is_empty());
        assert_eq!(revised[0].body[1], Block::Text("✅ Pressed by ann.".into()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_test_that_nobody_presses_loses_its_button() {
        let proofs = proofs(8);
        proofs.asking("press-test:1", card());
        beside(&proofs, async {
            proofs.posted("press-test:1", message());
            tokio::time::sleep(PATIENCE + Duration::from_secs(1)).await;
        })
        .await;
        assert!(proofs.watches().is_empty());
        assert_eq!(proofs.messenger.revised.borrow()[0].body[1], Block::Text("⌛ Nobody pressed it in time.".into()));
    }

    #[test]
    fn where_there_are_no_buttons_nothing_is_asked_for() {
        let proofs = proofs(0);
        assert!(proofs.asking("press-test:1", card()).choices.is_empty() && proofs.watches().is_empty());
    }
}
