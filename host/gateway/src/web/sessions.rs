//! Browsers that were let in. What a browser holds are two secrets of 256 bits each: one in a cookie, and one, the key, in
//! the storage of our page. A browser shows our cookie to every other port of this machine as well, so a cookie alone is
//! nobody; the storage belongs to our origin with its port. The store keeps one hash of both. A session ends after 30
//! days or by logging out.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::secret::{Secret, SecretHash};
use crate::approvals::Clock;

/// How long a session lasts, in seconds.
pub(super) const LIFE_SECONDS: u64 = 30 * 24 * 60 * 60;

/// What the store answers in its own time.
pub type Kept<'a, T> = Pin<Box<dyn Future<Output = io::Result<T>> + Send + 'a>>;

/// Where sessions outlive the process.
pub trait KeepSessions: Send + Sync {
    /// When a session ends, Unix milliseconds; none where there is no such session.
    fn find(&self, hash: SecretHash) -> Kept<'_, Option<u64>>;
    /// Keeps one: on disk when this returns.
    fn keep(&self, hash: SecretHash, expires_ms: u64) -> Kept<'_, ()>;
    /// Forgets one: gone from the disk when this returns.
    fn forget(&self, hash: SecretHash) -> Kept<'_, ()>;
}

/// Sessions that count. Cheap to clone.
#[derive(Clone)]
pub(super) struct Sessions {
    now_ms: Clock,
    keep: Arc<dyn KeepSessions>,
    seen: Arc<Mutex<HashMap<SecretHash, u64>>>,
    ended: watch::Sender<()>,
}

impl Sessions {
    pub(super) fn new(keep: Arc<dyn KeepSessions>, now_ms: Clock) -> Self {
        Self { now_ms, keep, seen: Arc::default(), ended: watch::Sender::new(()) }
    }

    /// Lets a browser in: the secret of its cookie, and the key of its page.
    pub(super) async fn begin(&self) -> io::Result<(Secret, Secret)> {
        let (cookie, key) = (Secret::random()?, Secret::random()?);
        let hash = of_both(cookie.expose(), key.expose());
        let expires_ms = (self.now_ms)().saturating_add(LIFE_SECONDS * 1_000);
        self.keep.keep(hash, expires_ms).await?;
        self.seen().insert(hash, expires_ms);
        Ok((cookie, key))
    }

    /// The session of a cookie and a key, if it counts. A hash cannot be guessed piece by piece, so that looking it up
    /// tells nothing.
    pub(super) async fn find(&self, cookie: &str, key: &str) -> io::Result<Option<SecretHash>> {
        let hash = of_both(cookie, key);
        if !self.seen().contains_key(&hash) {
            let Some(expires_ms) = self.keep.find(hash).await? else { return Ok(None) };
            self.seen().insert(hash, expires_ms);
        }
        Ok(self.counts(hash).then_some(hash))
    }

    /// Whether one that was found still counts.
    pub(super) fn counts(&self, session: SecretHash) -> bool {
        let now = (self.now_ms)();
        let mut seen = self.seen();
        seen.retain(|_, expires_ms| now < *expires_ms);
        seen.contains_key(&session)
    }

    /// Ends one.
    pub(super) async fn end(&self, session: SecretHash) -> io::Result<()> {
        self.keep.forget(session).await?;
        self.seen().remove(&session);
        self.ended.send_replace(());
        Ok(())
    }

    /// Changes whenever a session was ended.
    pub(super) fn ended(&self) -> watch::Receiver<()> {
        self.ended.subscribe()
    }

    fn seen(&self) -> MutexGuard<'_, HashMap<SecretHash, u64>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Neither secret holds a dot, so no two pairs read alike.
fn of_both(cookie: &str, key: &str) -> SecretHash {
    SecretHash::of(&format!("{cookie}.{key}"))
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}
