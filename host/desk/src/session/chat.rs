//! A messenger with its chat open: what was seen there, and words to people, whatever the number of requests.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::time::Duration;

use dmplz_core::card::Style;
use dmplz_core::flow::Millis;
use dmplz_core::messenger::{Event, OpenChat, User, Watch};
use tokio::sync::{Semaphore, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::ledger::press::{place, standing};
use crate::ledger::{Ledger, Saved};
use crate::session::messenger::Messenger;
use crate::session::notices_sent::{News, NoticesSent};
use crate::session::present::Present;

/// Standing reactions that are remembered. Forgetting one costs a second word to somebody, no more.
const SEEN: usize = 10_000;
/// Words to people that may be on their way at a time, and how many more wait for their turn: a gateway that comes back
/// may find a press on each card that nobody remembers. What a flood of presses brings beyond that goes unanswered.
const WORDS: usize = 32;
const WAITING: usize = 1024;
/// How long a press waits for what it changed to be written down: messengers give 3 s to acknowledge it.
const KEEPING: Duration = Duration::from_millis(1500);

/// A messenger with its chat open, and what is written down about it. Calls run side by side.
#[derive(Debug)]
pub(crate) struct ChatSession<M, L> {
    pub(crate) messenger: M,
    /// Never borrowed across an await.
    pub(crate) ledger: RefCell<L>,
    pub(crate) chat: OpenChat,
    pub(crate) style: Style,
    /// Cards that are up, where there are several.
    pub(crate) present: Present,
    /// Whether the messenger can be used.
    pub(crate) health: watch::Sender<Health>,
    started: Instant,
    /// Reactions stand and are reported at every look: what was dealt with already.
    seen: RefCell<HashSet<String>>,
    words: RefCell<JoinSet<()>>,
    /// A permit for each word that may be on its way.
    turns: Rc<Semaphore>,
    notices_sent: RefCell<NoticesSent>,
}

/// Why looking or posting fails at present; none where it works.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Health {
    pub(crate) looking: Option<String>,
    pub(crate) posting: Option<String>,
}

/// Something that somebody did and that is being written down.
pub(crate) struct Receipt {
    pub(crate) saved: Saved,
    /// Dropped once it is.
    pub(crate) _handled: Option<oneshot::Sender<()>>,
}

impl Receipt {
    /// Waits until it is written down; where that fails or takes too long, the disk's keeper says so.
    pub(crate) async fn wait(self) {
        let _ = tokio::time::timeout(KEEPING, self.saved.settled()).await;
    }
}

impl<M: Messenger, L: Ledger> ChatSession<M, L> {
    pub(crate) fn new(messenger: M, ledger: L, chat: OpenChat, style: Style, started: Instant) -> Self {
        Self {
            messenger,
            ledger: RefCell::new(ledger),
            chat,
            style,
            present: Present::default(),
            health: watch::Sender::default(),
            started,
            seen: RefCell::default(),
            words: RefCell::default(),
            turns: Rc::new(Semaphore::new(WORDS)),
            notices_sent: RefCell::default(),
        }
    }

    pub(crate) fn now(&self) -> Millis {
        self.millis(Instant::now())
    }

    /// A moment as the flow counts it.
    pub(crate) fn millis(&self, time: Instant) -> Millis {
        u64::try_from(time.saturating_duration_since(self.started).as_millis()).unwrap_or(Millis::MAX)
    }

    pub(crate) fn at(&self, time: Millis) -> Instant {
        self.started + Duration::from_millis(time)
    }

    /// Remembers a standing reaction. Whether it is new.
    pub(crate) fn see(&self, key: &str) -> bool {
        let mut seen = self.seen.borrow_mut();
        if seen.len() >= SEEN {
            seen.clear();
        }
        seen.insert(key.to_owned())
    }

    /// Notes that somebody is told something about a card. Whether that is new to them.
    pub(crate) fn is_news(&self, card: &str, to: &User, news: News) -> bool {
        self.notices_sent.borrow_mut().first(card, &to.id, news)
    }

    /// Forgets reactions that were taken back: left again, they count again. A look tells all that stand on what it
    /// looks at.
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

    /// Why posting fails at present; none where it works.
    pub(crate) fn posting(&self, trouble: Option<String>) {
        self.health.send_if_modified(|health| {
            let changed = health.posting.is_some() != trouble.is_some();
            health.posting = trouble;
            changed
        });
    }

    /// Why looking fails at present; none where it works.
    pub(crate) fn looking(&self, trouble: Option<String>) {
        self.health.send_if_modified(|health| {
            let changed = health.looking.is_some() != trouble.is_some();
            health.looking = trouble;
            changed
        });
    }

    /// Says or does something in the chat while the desk goes on: nothing that decides a request waits for it. Needs a
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

    /// Waits until everything in the background is done.
    pub(crate) async fn background_done(&self) {
        let mut words = std::mem::take(&mut *self.words.borrow_mut());
        while words.join_next().await.is_some() {}
    }
}
