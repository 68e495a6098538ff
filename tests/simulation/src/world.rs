//! The environment of the processes: the clocks, the messenger's server, the network to it, a disk. It also contains
//! the complete record for the [oracle](crate::oracle).

pub mod component;
pub mod connection;
pub mod disk;
pub mod line;
pub mod post;
pub mod store;
pub mod telegram;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::rc::Rc;

use dmplz_core::grant::Moment;
use dmplz_core::messenger::Chat;
use dmplz_core::request::Resolver;
use dmplz_desk::Progress;
use dmplz_state::{AccountKey, StateDir};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio::time::{Duration, Instant};

use crate::script::{Call, Fault, HookId, Script, Step};
use crate::server::{ANN, BOB, CHAT, ROBOT, Server};
use crate::truth::Truth;
use disk::Platters;
use post::Post;

/// The wall clock at the beginning of every run, in Unix milliseconds.
const EPOCH: u64 = 1_795_000_000_000;

/// The stored state of cards, with which the next gateway continues.
pub type Notes = Rc<RefCell<BTreeMap<String, Progress>>>;

/// A task of the environment, which continues while a process is frozen.
pub type Task = Pin<Box<dyn Future<Output = ()>>>;

thread_local! {
    /// The wall clock of the run on this thread, because the desk's files read it by a plain function.
    static WALL: Cell<Option<Wall>> = const { Cell::new(None) };
    /// The complaints of the desk's files.
    static COMPLAINTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

#[derive(Clone, Copy)]
struct Wall {
    began: Instant,
    set_by: i64,
}

/// The environment of the processes of one run.
pub struct World {
    /// The script of the run.
    pub script: Script,
    /// When the run began.
    pub began: Instant,
    /// The server of the messenger.
    pub server: RefCell<Server>,
    /// Notified when a person did something in the chat.
    pub news: Notify,
    /// The complete record so far.
    pub truth: RefCell<Truth>,
    /// The account's queue: one process at a time, first come, first served.
    pub queue: Semaphore,
    /// The address of the gateway.
    pub post: Post,
    /// The store of the gateway.
    pub disk: Platters,
    /// Notifies running hooks that nobody waits for them.
    pub signs: RefCell<BTreeMap<HookId, oneshot::Sender<Resolver>>>,
    /// The card records of gateways.
    pub notes: Notes,
    /// The directory of the processes' files.
    pub state: StateDir,
    /// The key of the bot's account.
    pub account: AccountKey,
    /// The time after which no more faults occur.
    pub fair_from: Cell<u64>,
    tasks: UnboundedSender<Task>,
    story: Option<RefCell<Vec<String>>>,
}

impl World {
    /// Creates the environment of a run. The caller runs `tasks`. With `told`, the run is narrated line by line.
    ///
    /// # Errors
    /// Returns an error if no state directory can be created in `dir`.
    pub fn new(script: Script, dir: &Path, tasks: UnboundedSender<Task>, told: bool) -> anyhow::Result<Rc<Self>> {
        let began = Instant::now();
        WALL.set(Some(Wall { began, set_by: 0 }));
        let state = StateDir::open(dir)?;
        let (disk, jobs) = Platters::new(script.frame.store.then_some(&state))?;
        COMPLAINTS.with_borrow_mut(Vec::clear);
        fastrand::seed(script.frame.seed);
        let world = Rc::new(Self {
            began,
            server: RefCell::new(Server::new(script.frame.way)),
            news: Notify::new(),
            truth: RefCell::default(),
            queue: Semaphore::new(1),
            post: Post::default(),
            disk,
            signs: RefCell::default(),
            notes: Notes::default(),
            state,
            account: AccountKey::new("simulated", "https://chat.example", "token")?,
            fair_from: Cell::new(u64::MAX),
            tasks,
            story: told.then(RefCell::default),
            script,
        });
        world.spawn(disk::write(Rc::clone(&world), jobs));
        Ok(world)
    }

    /// Returns the configured chat: with Ann, or a group if a component has to distinguish people by their ids.
    pub fn chat(&self) -> Chat {
        if self.script.frame.component { Chat::Room(CHAT.to_owned()) } else { Chat::Person(ANN.to_owned()) }
    }

    /// Returns the listed approvers. A group has no owner.
    pub fn listed(&self) -> Vec<String> {
        let owner = self.script.frame.component.then_some(ANN);
        owner.into_iter().chain([BOB, ROBOT]).map(str::to_owned).collect()
    }

    /// Returns the milliseconds since the run began.
    pub fn now(&self) -> u64 {
        self.millis(Instant::now())
    }

    /// Converts a moment to the script's time.
    pub fn millis(&self, at: Instant) -> u64 {
        u64::try_from(at.saturating_duration_since(self.began).as_millis()).unwrap_or(u64::MAX)
    }

    /// Converts the script's time to a moment.
    pub fn at(&self, time: u64) -> Instant {
        self.began + Duration::from_millis(time)
    }

    /// Starts a task that continues while a process is frozen.
    pub fn spawn(&self, task: impl Future<Output = ()> + 'static) {
        // No task runs once the run is over.
        let _ = self.tasks.send(Box::pin(task));
    }

    /// Adds a line to the narration.
    pub fn tell<T: Display>(&self, line: impl FnOnce() -> T) {
        if let Some(story) = &self.story {
            story.borrow_mut().push(format!("{:>7} {}", self.now(), line()));
        }
    }

    /// Returns the narration, line by line.
    pub fn story(&self) -> Vec<String> {
        self.story.as_ref().map(RefCell::take).unwrap_or_default()
    }

    /// Returns the faults of a call that begins now.
    pub fn fault(&self, call: Call) -> Option<Fault> {
        let now = self.now();
        if now >= self.fair_from.get() {
            return None;
        }
        self.script.steps.iter().find_map(|step| match step {
            Step::Net { call: hit, from, until, fault } if hit.includes(call) && (*from..*until).contains(&now) => {
                Some(*fault)
            }
            _ => None,
        })
    }

    /// Returns whether the disk accepts no writes now.
    pub fn is_disk_full(&self) -> bool {
        let now = self.now();
        let full = |step: &Step| matches!(step, Step::DiskFull { from, until, .. } if (*from..*until).contains(&now));
        now < self.fair_from.get() && self.script.steps.iter().any(full)
    }

    /// Sets the wall clock.
    pub fn set_clock(&self, by: i64) {
        WALL.set(WALL.get().map(|wall| Wall { set_by: wall.set_by.saturating_add(by), ..wall }));
    }
}

/// Returns the wall clock of the run on this thread, in Unix milliseconds.
pub fn wall_ms() -> u64 {
    let Some(Wall { began, set_by }) = WALL.get() else { return EPOCH };
    let since = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    EPOCH.saturating_add(since).saturating_add_signed(set_by)
}

/// Returns the present moment on both clocks that grants use.
pub fn moment() -> Moment {
    let up_ms = WALL.get().map_or(0, |wall| u64::try_from(wall.began.elapsed().as_millis()).unwrap_or(u64::MAX));
    Moment { wall_ms: wall_ms(), up_ms }
}

/// Returns the milliseconds by which the wall clock was advanced since the run began; negative if it was set back.
pub fn wall_set_by() -> i64 {
    WALL.get().map_or(0, |wall| wall.set_by)
}

/// Records a complaint of a process about its files.
pub fn complain(what: &str) {
    COMPLAINTS.with_borrow_mut(|complaints| complaints.push(what.to_owned()));
}
