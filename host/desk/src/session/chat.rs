//! A messenger with its chat open: the reactions seen there, and notices, for any number of requests.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::time::Duration;

use dmplz_core::card::Style;
use dmplz_core::flow::Millis;
use dmplz_core::messenger::{Event, MessageRef, OpenChat, User, Watch};
use tokio::sync::{Semaphore, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::ledger::press::{place, standing};
use crate::ledger::{Ledger, Saved};
use crate::session::messenger::Messenger;
use crate::session::notices_sent::{News, NoticesSent};
use crate::session::present::Present;

/// How many reactions are remembered. Forgetting one costs at most a second notice.
const SEEN: usize = 10_000;
/// How many notices may be sent at a time, and how many more may wait: a gateway that comes back may find a press on
/// each forgotten card. Presses beyond that stay unanswered.
const WORDS: usize = 32;
const WAITING: usize = 1024;
/// How long the acknowledgement of a press waits for its effect to be stored. Messengers allow 3 s for it.
const KEEPING: Duration = Duration::from_millis(1500);

/// A messenger with its chat open, and its ledger. Calls run concurrently.
#[derive(Debug)]
pub(crate) struct ChatSession<M, L> {
    pub(crate) messenger: Rc<M>,
    /// The ledger, which is never borrowed across an await.
    pub(crate) ledger: RefCell<L>,
    pub(crate) chat: OpenChat,
    pub(crate) style: Style,
    /// The posted cards, if there are several.
    pub(crate) present: Present,
    /// Whether the messenger can be used.
    pub(crate) health: watch::Sender<Health>,
    /// When a request gives up whose card certainly did not reach the messenger; `None` for at its deadline.
    pub(crate) gives_up: Option<Instant>,
    started: Instant,
    /// Reactions that were handled. Polls report a reaction for as long as it is set.
    seen: RefCell<HashSet<String>>,
    words: RefCell<JoinSet<()>>,
    /// A permit for each notice that is being sent.
    turns: Rc<Semaphore>,
    notices_sent: RefCell<NoticesSent>,
    /// The last successful poll.
    polled: RefCell<Option<Polled>>,
}

/// A successful poll.
#[derive(Debug)]
struct Polled {
    /// By the wall clock, because a computer that sleeps stops the other one.
    unix_ms: u64,
    /// The cards that people could press.
    cards: Vec<MessageRef>,
}

/// Why polling or posting fails at present; `None` if it works.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Health {
    pub(crate) looking: Option<String>,
    pub(crate) posting: Option<String>,
}

/// An input whose effect is being stored.
pub(crate) struct Receipt {
    pub(crate) saved: Saved,
    /// Dropped once it is stored.
    pub(crate) _handled: Option<oneshot::Sender<()>>,
}

impl Receipt {
    /// Waits until it is stored. If storing fails or takes too long, the ledger reports that.
    pub(crate) async fn wait(self) {
        let _ = tokio::time::timeout(KEEPING, self.saved.settled()).await;
    }
}

impl<M: Messenger, L: Ledger> ChatSession<M, L> {
    pub(crate) fn new(
        messenger: Rc<M>,
        ledger: L,
        chat: OpenChat,
        style: Style,
        started: Instant,
        gives_up: Option<Instant>,
    ) -> Self {
        Self {
            messenger,
            ledger: RefCell::new(ledger),
            chat,
            style,
            present: Present::default(),
            health: watch::Sender::default(),
            gives_up,
            started,
            seen: RefCell::default(),
            words: RefCell::default(),
            turns: Rc::new(Semaphore::new(WORDS)),
            notices_sent: RefCell::default(),
            polled: RefCell::default(),
        }
    }

    pub(crate) fn now(&self) -> Millis {
        self.millis(Instant::now())
    }

    /// Returns a moment as the flow counts it.
    pub(crate) fn millis(&self, time: Instant) -> Millis {
        u64::try_from(time.saturating_duration_since(self.started).as_millis()).unwrap_or(Millis::MAX)
    }

    pub(crate) fn at(&self, time: Millis) -> Instant {
        self.started + Duration::from_millis(time)
    }

    /// Notes a successful poll while people could press on these cards. Returns whether the messenger has dropped presses on
    /// some of them since the one before.
    pub(crate) fn has_lost_presses(&self, cards: &[Watch]) -> bool {
        let Some(kept) = self.messenger.transport().presses_kept else { return false };
        let unix_ms = self.ledger.borrow().now_ms();
        let cards: Vec<_> = cards.iter().filter(|it| !it.choices.is_empty()).map(|it| it.message.clone()).collect();
        let was_up = |before: &Polled| before.cards.iter().any(|card| cards.contains(card));
        let is_late = |before: &Polled| unix_ms.saturating_sub(before.unix_ms) > u64::from(kept) * 1_000;
        let has_lost = self.polled.borrow().as_ref().is_some_and(|before| is_late(before) && was_up(before));
        self.polled.replace(Some(Polled { unix_ms, cards }));
        has_lost
    }

    /// Remembers a reaction. Returns whether it is new.
    pub(crate) fn see(&self, key: &str) -> bool {
        let mut seen = self.seen.borrow_mut();
        if seen.len() >= SEEN {
            seen.clear();
        }
        seen.insert(key.to_owned())
    }

    /// Returns whether a reaction was handled.
    pub(crate) fn has_seen(&self, key: &str) -> bool {
        self.seen.borrow().contains(key)
    }

    /// Notes that a user gets news about a card. Returns whether it is new to the user.
    pub(crate) fn is_news(&self, card: &str, to: &User, news: News) -> bool {
        self.notices_sent.borrow_mut().first(card, &to.id, news)
    }

    /// Forgets reactions that were removed, so that they count when set again. A poll reports every reaction that is
    /// set on a watched message.
    pub(crate) fn forget_gone(&self, looked_at: &[Watch], events: &[Event]) {
        let key = |event: &Event| match event {
            Event::Chosen(press) => standing(press),
            Event::Said(_) => None,
        };
        let standing: HashSet<String> = events.iter().filter_map(key).collect();
        let looked_at = looked_at.iter().filter(|watch| !watch.choices.is_empty());
        let looked_at: Vec<String> = looked_at.map(|watch| place(&watch.message)).collect();
        let gone = |seen: &String| !standing.contains(seen) && looked_at.iter().any(|place| seen.starts_with(place));
        self.seen.borrow_mut().retain(|seen| !gone(seen));
    }

    /// Notes why posting fails at present; `None` if it works.
    pub(crate) fn posting(&self, trouble: Option<String>) {
        self.note_trouble(|health| &mut health.posting, trouble);
    }

    /// Notes why polling fails at present; `None` if it works.
    pub(crate) fn looking(&self, trouble: Option<String>) {
        self.note_trouble(|health| &mut health.looking, trouble);
    }

    fn note_trouble(&self, of: impl FnOnce(&mut Health) -> &mut Option<String>, trouble: Option<String>) {
        self.health.send_if_modified(|health| {
            let known = of(health);
            let changed = known.is_some() != trouble.is_some();
            *known = trouble;
            changed
        });
    }

    /// Runs a task in the chat in the background: nothing that decides a request waits for it. Must run within a
    /// [`LocalSet`](tokio::task::LocalSet).
    pub(crate) fn background(&self, word: impl Future<Output = ()> + 'static) {
        let mut words = self.words.borrow_mut();
        while words.try_join_next().is_some() {}
        if words.len() < WORDS + WAITING {
            let turns = Rc::clone(&self.turns);
            words.spawn_local(async move {
                let _turn = turns.acquire().await;
                word.await;
            });
        }
    }

    /// Waits until all background tasks are done.
    pub(crate) async fn background_done(&self) {
        let mut words = std::mem::take(&mut *self.words.borrow_mut());
        while words.join_next().await.is_some() {}
    }
}
