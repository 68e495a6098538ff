//! A process: its tasks run only while it is neither frozen nor killed.
//!
//! The rest of the world continues meanwhile: a reply that arrives while it is frozen waits in its socket. A killed
//! process is dropped at its present await, with everything that it spawned.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use tokio::task::LocalSet;
use tokio::time::{Duration, Instant, Sleep, sleep_until};

use crate::script::When;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It ended normally.
    Done,
    /// The script killed it.
    Killed,
    /// The client killed it, because it did not heed a stop signal.
    Overdue,
}

/// A handle with which others control a process.
#[derive(Debug, Default)]
pub struct Handle {
    overdue: Cell<bool>,
    waker: RefCell<Option<std::task::Waker>>,
}

impl Handle {
    /// Kills it, as SIGKILL does.
    pub fn kill(&self) {
        self.overdue.set(true);
        if let Some(waker) = self.waker.borrow_mut().take() {
            waker.wake();
        }
    }
}

/// A process that runs.
pub struct Process {
    main: Option<Pin<Box<dyn Future<Output = ()>>>>,
    handle: Rc<Handle>,
    began: Instant,
    polls: u32,
    kills: Vec<When>,
    freezes: Vec<(When, Duration)>,
    frozen_until: Option<Instant>,
    alarm: Pin<Box<Sleep>>,
    on_freeze: Box<dyn Fn(Instant, Instant)>,
}

impl Process {
    /// Creates a process that runs `main`. Times count from `began`. `on_freeze` is called with the span in which it
    /// was frozen.
    pub fn new(
        main: impl Future<Output = ()> + 'static,
        began: Instant,
        kills: Vec<When>,
        freezes: Vec<(When, Duration)>,
        on_freeze: impl Fn(Instant, Instant) + 'static,
    ) -> (Self, Rc<Handle>) {
        let local = LocalSet::new();
        let main: Pin<Box<dyn Future<Output = ()>>> = Box::pin(async move { local.run_until(main).await });
        let handle = Rc::new(Handle::default());
        let alarm = Box::pin(sleep_until(began));
        let process = Self {
            main: Some(main),
            handle: Rc::clone(&handle),
            began,
            polls: 0,
            kills,
            freezes,
            frozen_until: None,
            alarm,
            on_freeze: Box::new(on_freeze),
        };
        (process, handle)
    }

    /// Returns whether a moment has come. Moments that depend on the time alone wake the process.
    fn has_come(&self, when: When) -> bool {
        match when {
            When::Time(at) => Instant::now() >= self.began + Duration::from_millis(at),
            When::Poll(poll) => self.polls >= poll,
        }
    }

    fn next_alarm(&self) -> Option<Instant> {
        let times = self.kills.iter().filter_map(|when| match when {
            When::Time(at) => Some(self.began + Duration::from_millis(*at)),
            When::Poll(_) => None,
        });
        times.filter(|at| *at > Instant::now()).chain(self.frozen_until).min()
    }

    fn freeze(&mut self) {
        let Some(at) = self.freezes.iter().position(|(when, _)| self.has_come(*when)) else { return };
        let (when, lasts) = self.freezes.remove(at);
        let from = match when {
            When::Time(at) => self.began + Duration::from_millis(at),
            When::Poll(_) => Instant::now(),
        };
        let until = from + lasts;
        if until > Instant::now() {
            (self.on_freeze)(from, until);
            self.frozen_until = Some(until);
        }
    }
}

impl Future for Process {
    type Output = Exit;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Exit> {
        let this = &mut *self;
        this.polls = this.polls.saturating_add(1);
        *this.handle.waker.borrow_mut() = Some(cx.waker().clone());
        if this.kills.iter().any(|when| this.has_come(*when)) {
            this.main = None;
            return Poll::Ready(Exit::Killed);
        }
        if this.handle.overdue.get() {
            this.main = None;
            return Poll::Ready(Exit::Overdue);
        }
        if this.frozen_until.is_some_and(|until| until <= Instant::now()) {
            this.frozen_until = None;
        }
        if this.frozen_until.is_none() {
            this.freeze();
        }
        if let Some(alarm) = this.next_alarm() {
            this.alarm.as_mut().reset(alarm);
            if this.alarm.as_mut().poll(cx).is_ready() {
                cx.waker().wake_by_ref();
            }
        }
        if this.frozen_until.is_some() {
            return Poll::Pending;
        }
        match &mut this.main {
            Some(main) => main.as_mut().poll(cx).map(|()| {
                this.main = None;
                Exit::Done
            }),
            None => Poll::Ready(Exit::Done),
        }
    }
}
