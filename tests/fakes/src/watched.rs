use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// A value whose changes tasks and threads can wait for: every change wakes all of them, so none has to poll.
pub(crate) struct Watched<T> {
    value: Mutex<T>,
    for_threads: Condvar,
    for_tasks: watch::Sender<()>,
}

impl<T> Watched<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { value: Mutex::new(value), for_threads: Condvar::new(), for_tasks: watch::Sender::new(()) }
    }

    /// Reads the value without waking a waiter.
    pub(crate) fn read<R>(&self, look: impl FnOnce(&T) -> R) -> R {
        look(&self.lock())
    }

    /// Changes the value and wakes all waiters.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let answer = change(&mut self.lock());
        self.for_threads.notify_all();
        self.for_tasks.send_replace(());
        answer
    }

    /// Waits until `find` returns a result. It is called once at the start and after each change, under the lock.
    pub(crate) async fn until<R>(&self, mut find: impl FnMut(&mut T) -> Option<R>) -> R {
        let mut changes = self.for_tasks.subscribe();
        loop {
            if let Some(found) = find(&mut self.lock()) {
                return found;
            }
            // The sender lives in self, so it cannot be gone.
            let _ = changes.changed().await;
        }
    }

    /// As [`Watched::until`], for at most `wait`.
    pub(crate) async fn within<R>(&self, wait: Duration, find: impl FnMut(&mut T) -> Option<R>) -> Option<R> {
        tokio::time::timeout(wait, self.until(find)).await.ok()
    }

    /// As [`Watched::within`], for a thread without a runtime.
    pub(crate) fn within_blocking<R>(&self, wait: Duration, mut find: impl FnMut(&mut T) -> Option<R>) -> Option<R> {
        let end = Instant::now() + wait;
        let mut value = self.lock();
        loop {
            if let Some(found) = find(&mut value) {
                return Some(found);
            }
            let left = end.checked_duration_since(Instant::now())?;
            (value, _) = self.for_threads.wait_timeout(value, left).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Locks the value, even if a test failed while it held the lock, so that the others do not fail too.
    fn lock(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
