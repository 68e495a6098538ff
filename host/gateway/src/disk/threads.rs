//! The threads behind the handle: one writes, one reads.
//!
//! The writer takes all work that came in during a commit and does it in one transaction, each piece in a savepoint of
//! its own. All waiting callers share one sync of the disk, and no timer is involved. A caller learns that its work is
//! done only after the commit.

use std::io;
use std::time::Instant;
use std::{slice, thread};

use dmplz_state::store::{Batch, Reader, Reads, Store, StoreError, Writes};
use tokio::sync::{mpsc, oneshot};

use super::DiskError;
use super::commits::Counter;

/// The most pieces of work in one transaction, so that the first does not wait long for the last.
const TOGETHER: usize = 512;

/// The most pieces of work that may wait for a thread. A caller with another piece waits to queue it.
const WAITING: usize = 4096;

type Answer<T> = Result<T, StoreError>;
pub(super) type Question = Box<dyn FnOnce(Reads<'_>) + Send>;

/// The orders to a thread.
type Orders<T> = mpsc::Sender<Order<T>>;

/// A message to a thread.
pub(super) enum Order<T> {
    Do(T),
    /// Reports that the thread still takes orders.
    Answer(oneshot::Sender<()>),
    /// Closes the database and ends the thread. The sender fires once it is closed.
    End(oneshot::Sender<()>),
}

/// Hands work to the writer.
#[derive(Clone)]
pub(crate) struct Writer {
    pub(super) work: Orders<Box<dyn Work>>,
    /// How long commits took.
    pub(super) commits: Counter,
}

/// Hands questions to the reader.
#[derive(Clone)]
pub(crate) struct Questions {
    pub(super) questions: Orders<Question>,
}

pub(super) trait Work: Send {
    /// Does the work, and does it again if the first transaction failed. The result is told later.
    fn run(&mut self, batch: &mut Batch<'_>) -> Answer<()>;
    /// Tells the waiting caller the result, once the transaction was committed or has failed.
    fn tell(self: Box<Self>, committed: Answer<()>);
}

struct Task<T, F, D> {
    work: F,
    done: Option<Answer<T>>,
    told: D,
    waits: oneshot::Sender<Answer<T>>,
}

impl Writer {
    pub(super) fn start(store: Store) -> io::Result<Self> {
        let (work, taken) = mpsc::channel(WAITING);
        let commits = Counter::default();
        thread::Builder::new().name("dmplz-disk".into()).spawn({
            let commits = commits.clone();
            move || write(store, taken, &commits)
        })?;
        Ok(Self { work, commits })
    }

    /// Runs `work` on the writer's thread; possibly more than once, until it is committed.
    pub(crate) async fn write<T, F>(&self, work: F) -> Result<T, DiskError>
    where
        T: Send + 'static,
        F: FnMut(&Writes<'_>) -> Answer<T> + Send + 'static,
    {
        self.write_telling(work, |_: &T| {}).await
    }

    /// Does the same as [`Self::write`]. `told` is called on the writer's thread right after the commit, before that of
    /// any later work.
    pub(super) async fn write_telling<T, F, D>(&self, work: F, told: D) -> Result<T, DiskError>
    where
        T: Send + 'static,
        F: FnMut(&Writes<'_>) -> Answer<T> + Send + 'static,
        D: FnOnce(&T) + Send + 'static,
    {
        let (waits, done) = oneshot::channel();
        let task = Box::new(Task { work, done: None, told, waits });
        self.work.send(Order::Do(task)).await.map_err(|_| DiskError::Gone)?;
        Ok(done.await.map_err(|_| DiskError::Gone)??)
    }
}

impl Questions {
    pub(super) fn start(reader: Reader) -> io::Result<Self> {
        let (questions, taken) = mpsc::channel(WAITING);
        thread::Builder::new().name("dmplz-read".into()).spawn(move || read(reader, taken))?;
        Ok(Self { questions })
    }

    /// Runs `question` on the reader's thread.
    pub(crate) async fn ask<T, F>(&self, question: F) -> Result<T, DiskError>
    where
        T: Send + 'static,
        F: FnOnce(Reads<'_>) -> Answer<T> + Send + 'static,
    {
        let (waits, told) = oneshot::channel();
        // Sending fails if the caller has stopped waiting, which is fine.
        let question = Box::new(move |reads: Reads<'_>| drop(waits.send(question(reads))));
        self.questions.send(Order::Do(question)).await.map_err(|_| DiskError::Gone)?;
        Ok(told.await.map_err(|_| DiskError::Gone)??)
    }
}

impl<T: Send, F: FnMut(&Writes<'_>) -> Answer<T> + Send, D: FnOnce(&T) + Send> Work for Task<T, F, D> {
    fn run(&mut self, batch: &mut Batch<'_>) -> Answer<()> {
        let done = batch.attempt(&mut self.work);
        let how = done.as_ref().map(|_| ()).map_err(Clone::clone);
        self.done = Some(done);
        how
    }

    fn tell(self: Box<Self>, committed: Answer<()>) {
        let Self { done, told, waits, .. } = *self;
        if let Some(done) = committed.map_or_else(|error| Some(Err(error)), |()| done) {
            if let Ok(done) = &done {
                told(done);
            }
            drop(waits.send(done));
        }
    }
}

/// Returns whether a thread is running, after it has carried out all earlier orders.
pub(super) async fn answers<T>(orders: &Orders<T>) -> bool {
    let (waits, answered) = oneshot::channel();
    orders.send(Order::Answer(waits)).await.is_ok() && answered.await.is_ok()
}

/// Ends a thread after it has carried out all earlier orders.
pub(super) async fn end<T>(orders: &Orders<T>) {
    let (waits, ended) = oneshot::channel();
    if orders.send(Order::End(waits)).await.is_ok() {
        let _ = ended.await;
    }
}

fn write(mut store: Store, mut taken: mpsc::Receiver<Order<Box<dyn Work>>>, commits: &Counter) {
    let ended = loop {
        let (mut all, mut answers) = (Vec::new(), Vec::new());
        let ended = loop {
            let is_idle = all.is_empty() && answers.is_empty();
            match if is_idle { taken.blocking_recv() } else { taken.try_recv().ok() } {
                Some(Order::Do(one)) => all.push(one),
                Some(Order::Answer(waits)) => answers.push(waits),
                Some(Order::End(waits)) => break Some(waits),
                None if is_idle => return,
                None => break None,
            }
            if all.len() == TOGETHER {
                break None;
            }
        };
        if !all.is_empty() {
            commit(&mut store, all, commits);
        }
        // Sending fails if the caller has stopped waiting, which is fine.
        answers.into_iter().for_each(|waits| _ = waits.send(()));
        if let Some(ended) = ended {
            break ended;
        }
    };
    close(taken);
    drop(store);
    let _ = ended.send(());
}

fn read(reader: Reader, mut taken: mpsc::Receiver<Order<Question>>) {
    while let Some(order) = taken.blocking_recv() {
        match order {
            Order::Do(question) => question(reader.reads()),
            Order::Answer(waits) => _ = waits.send(()),
            Order::End(waits) => {
                close(taken);
                drop(reader);
                let _ = waits.send(());
                return;
            }
        }
    }
}

/// Takes no more orders. Those that come in at this moment are dropped, so that their callers learn that the thread is
/// gone: a receiver that is just dropped may leave one in its channel, whose caller would wait for ever.
fn close<T>(mut taken: mpsc::Receiver<Order<T>>) {
    taken.close();
    while taken.blocking_recv().is_some() {}
}

fn commit(store: &mut Store, mut all: Vec<Box<dyn Work>>, commits: &Counter) {
    match together(store, &mut all, commits) {
        // One piece that has no room on the disk must not fail the others, so each is retried alone. After a wait for
        // another process (`Busy`) they are not retried, because each would have to wait again.
        Err(error) if all.len() > 1 && !matches!(error, StoreError::Busy(_)) => {
            for mut one in all {
                let committed = together(store, slice::from_mut(&mut one), commits);
                one.tell(committed);
            }
        }
        committed => all.into_iter().for_each(|one| one.tell(committed.clone())),
    }
}

/// Does all work in one transaction. An error of a single piece is told to that piece's caller, and is no error here.
fn together(store: &mut Store, all: &mut [Box<dyn Work>], commits: &Counter) -> Answer<()> {
    let begun = Instant::now();
    let committed = transact(store, all);
    commits.count(begun.elapsed(), committed.is_ok());
    committed
}

fn transact(store: &mut Store, all: &mut [Box<dyn Work>]) -> Answer<()> {
    let mut batch = store.batch()?;
    for one in all {
        let done = one.run(&mut batch);
        if batch.is_undone() {
            done?;
        }
    }
    batch.commit()
}
