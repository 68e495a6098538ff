//! The threads behind the handle: one writes, one reads.
//!
//! The writer takes all work that has come in while it was committing and does it in one transaction, each piece for
//! itself in a savepoint. So a sync of the disk is shared by all who wait for one, and nobody waits for a timer. Nobody is
//! told that his work is done before the commit is.

use std::io;
use std::{slice, thread};

use dmplz_state::store::{Batch, Reader, Reads, Store, StoreError, Writes};
use tokio::sync::{mpsc, oneshot};

use super::DiskError;

/// Pieces of work in one transaction at most, so that the first does not wait long for the last.
const TOGETHER: usize = 512;

/// Pieces of work that may wait for a thread. Whoever brings more waits to hand it in.
const WAITING: usize = 4096;

type Answer<T> = Result<T, StoreError>;
type Question = Box<dyn FnOnce(Reads<'_>) + Send>;

/// Hands work to the writer.
#[derive(Clone)]
pub(super) struct Writer {
    work: mpsc::Sender<Box<dyn Work>>,
}

/// Hands questions to the reader.
#[derive(Clone)]
pub(super) struct Questions {
    questions: mpsc::Sender<Question>,
}

trait Work: Send {
    /// Does it, again where the transaction of the first time failed.
    fn run(&mut self, batch: &mut Batch<'_>);
    /// Tells whoever waits, once it is known whether the transaction was committed.
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
        thread::Builder::new().name("dmplz-disk".into()).spawn(move || write(store, taken))?;
        Ok(Self { work })
    }

    /// Does it, perhaps more than once until it is committed.
    pub(super) async fn write<T, F>(&self, work: F) -> Result<T, DiskError>
    where
        T: Send + 'static,
        F: FnMut(&Writes<'_>) -> Answer<T> + Send + 'static,
    {
        self.write_telling(work, |_: &T| {}).await
    }

    /// The same. `told` is called on the writer's thread right after the commit, before that of any later work.
    pub(super) async fn write_telling<T, F, D>(&self, work: F, told: D) -> Result<T, DiskError>
    where
        T: Send + 'static,
        F: FnMut(&Writes<'_>) -> Answer<T> + Send + 'static,
        D: FnOnce(&T) + Send + 'static,
    {
        let (waits, done) = oneshot::channel();
        let task = Box::new(Task { work, done: None, told, waits });
        self.work.send(task).await.map_err(|_| DiskError::Gone)?;
        Ok(done.await.map_err(|_| DiskError::Gone)??)
    }
}

impl Questions {
    pub(super) fn start(reader: Reader) -> io::Result<Self> {
        let (questions, mut taken) = mpsc::channel::<Question>(WAITING);
        thread::Builder::new().name("dmplz-read".into()).spawn(move || {
            while let Some(question) = taken.blocking_recv() {
                question(reader.reads());
            }
        })?;
        Ok(Self { questions })
    }

    pub(super) async fn ask<T, F>(&self, question: F) -> Result<T, DiskError>
    where
        T: Send + 'static,
        F: FnOnce(Reads<'_>) -> Answer<T> + Send + 'static,
    {
        let (waits, told) = oneshot::channel();
        // Whoever does not wait any more needs no answer.
        let question = Box::new(move |reads: Reads<'_>| drop(waits.send(question(reads))));
        self.questions.send(question).await.map_err(|_| DiskError::Gone)?;
        Ok(told.await.map_err(|_| DiskError::Gone)??)
    }
}

impl<T: Send, F: FnMut(&Writes<'_>) -> Answer<T> + Send, D: FnOnce(&T) + Send> Work for Task<T, F, D> {
    fn run(&mut self, batch: &mut Batch<'_>) {
        self.done = Some(batch.attempt(&mut self.work));
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

fn write(mut store: Store, mut taken: mpsc::Receiver<Box<dyn Work>>) {
    while let Some(first) = taken.blocking_recv() {
        let mut all = vec![first];
        all.extend(std::iter::from_fn(|| taken.try_recv().ok()).take(TOGETHER - 1));
        match together(&mut store, &mut all) {
            // One that has no room on the disk must not take the others with it.
            Ok(false) | Err(StoreError::Full(_) | StoreError::Io(_)) if all.len() > 1 => {
                for mut one in all {
                    let committed = together(&mut store, slice::from_mut(&mut one)).map(drop);
                    one.tell(committed);
                }
            }
            committed => all.into_iter().for_each(|one| one.tell(committed.clone().map(drop))),
        }
    }
}

/// Whether it was committed. It was not where an error undid the whole transaction: then that piece of work knows why.
fn together(store: &mut Store, all: &mut [Box<dyn Work>]) -> Answer<bool> {
    let mut batch = store.batch()?;
    for one in all {
        one.run(&mut batch);
        if batch.is_undone() {
            return Ok(false);
        }
    }
    batch.commit()?;
    Ok(true)
}
