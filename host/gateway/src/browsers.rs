//! Browsers that were let in, by the public keys of their pages.
//!
//! A pairing ends after 30 days, when its browser is disconnected or revoked, and when the port was out of the gateway's
//! hands for too long. It is stored with the gateway's own key (`kept`), so it outlives a restart. Nothing that is
//! stored lets anybody in: a page's private key never leaves its browser.
//!
//! A program of another user that takes the port while the gateway is down may serve its own page and have it sign with
//! the browser's key, even later, if that page stays open. So pairings count for a later run only if
//!
//! | | |
//! |---|---|
//! | the port was free | the gateway found no other program at its port when it started; the binary calls [`Browsers::forget`] otherwise |
//! | and not for long | since the gateway last had the port, at most the gap has passed that the operator allows |
//!
//! Otherwise all are forgotten and the gateway has a new key, as if it had never run.

mod kept;
mod keys;
mod name;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use dmplz_protocol::browser::PairedBrowser;
use dmplz_protocol::push::SubscribePush;
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use self::kept::{Kept, Paired};
use crate::clock::{Clock, millis};
use crate::mutex::Mutex;

pub use kept::BrowsersError;

pub(crate) use keys::GatewayKey;
pub use keys::PageKey;
pub(crate) use name::of as name_of;

/// How long a pairing lasts, in milliseconds.
pub(crate) const LIFE_MS: u64 = 30 * 24 * 60 * 60 * 1_000;
/// The most browsers at a time. A further one replaces the pairing that would end first.
const BROWSERS: usize = 64;
/// How often it is noted that the gateway has the port.
const BEAT: Duration = Duration::from_secs(60);
/// How far a clock may be set back, as it is when it is corrected, in milliseconds.
const SLACK_MS: u64 = 60_000;
/// The bytes of a key's hash that are a browser's id.
const ID: usize = 8;

/// The paired browsers. Cheap to clone.
#[derive(Clone)]
pub struct Browsers(Arc<Shared>);

struct Shared {
    now_ms: Clock,
    key: GatewayKey,
    /// The file of the pairings; `None` keeps them for this run only.
    path: Option<PathBuf>,
    paired: Mutex<HashMap<PageKey, Paired>>,
    ended: watch::Sender<()>,
    /// Held while the file is written, so that the newest content is written last.
    writing: Mutex<()>,
}

impl Browsers {
    /// Opens the pairings of a state directory. They are forgotten if the gateway has been away for more than `gap`;
    /// if that is zero, always, and further ones are kept for this run only. Only the gateway that holds the
    /// directory's lock calls this.
    pub fn open(state: &Path, gap: Duration, now_ms: Clock) -> Result<Self, BrowsersError> {
        let path = kept::path(state);
        let now = now_ms();
        let gap_ms = millis(gap);
        // A clock that was set back says nothing about how long the gateway was away.
        let counts =
            |kept: &Kept| kept.held_ms <= now.saturating_add(SLACK_MS) && now.saturating_sub(kept.held_ms) <= gap_ms;
        let Some(kept) = kept::read(&path)?.filter(|kept| gap_ms > 0 && counts(kept)) else {
            kept::remove(&path)?;
            let path = (gap_ms > 0).then_some(path);
            let key = GatewayKey::generate().map_err(BrowsersError::Key)?;
            return Ok(Self::with(now_ms, key, path, HashMap::new()));
        };
        let key = GatewayKey::read(&kept.key).ok_or_else(|| BrowsersError::Malformed(path.clone()))?;
        let paired = kept.browsers.into_iter().map(|mut browser| {
            let key = PageKey::read(&browser.key).ok_or_else(|| BrowsersError::Malformed(path.clone()))?;
            // A clock that was set back makes no pairing longer.
            browser.ends_ms = browser.ends_ms.min(now.saturating_add(LIFE_MS));
            Ok((key, browser))
        });
        let paired = paired.collect::<Result<_, BrowsersError>>()?;
        Ok(Self::with(now_ms, key, Some(path), paired))
    }

    fn with(now_ms: Clock, key: GatewayKey, path: Option<PathBuf>, paired: HashMap<PageKey, Paired>) -> Self {
        let (paired, ended) = (Mutex::new(paired), watch::Sender::new(()));
        Self(Arc::new(Shared { now_ms, key, path, paired, ended, writing: Mutex::default() }))
    }

    /// Forgets all that outlived an earlier run, because another program has or had the port.
    pub fn forget(state: &Path) -> Result<(), BrowsersError> {
        kept::remove(&kept::path(state))
    }

    /// Returns the gateway's key.
    pub(crate) fn key(&self) -> &GatewayKey {
        &self.0.key
    }

    /// Pairs a browser.
    pub(crate) fn begin(&self, key: PageKey, name: &str) {
        let now = (self.0.now_ms)();
        let mut paired = self.0.paired.lock();
        while paired.len() >= BROWSERS && !paired.contains_key(&key) {
            let Some(first) = paired.iter().min_by_key(|(_, one)| one.ends_ms).map(|(key, _)| *key) else { break };
            paired.remove(&first);
        }
        let ends_ms = now.saturating_add(LIFE_MS);
        let (hex, name) = (key.hex(), name.to_owned());
        paired.insert(key, Paired { key: hex, name, paired_ms: now, seen_ms: now, ends_ms, push: None });
        self.0.ended.send_replace(());
    }

    /// Returns whether a key is that of a paired browser.
    pub(crate) fn counts(&self, key: PageKey) -> bool {
        self.live().contains_key(&key)
    }

    /// Notes that a paired browser is connected now.
    pub(crate) fn seen(&self, key: PageKey) {
        let now = (self.0.now_ms)();
        if let Some(one) = self.0.paired.lock().get_mut(&key) {
            one.seen_ms = now;
        }
    }

    /// Ends the pairing of a browser that leaves, and stores that, as [`Self::revoke`] does.
    pub(crate) async fn leave(&self, key: PageKey) -> Result<(), BrowsersError> {
        self.end(key);
        self.store(Self::write_ends).await
    }

    /// Ends a pairing for this run.
    fn end(&self, key: PageKey) {
        self.0.paired.lock().remove(&key);
        self.0.ended.send_replace(());
    }

    /// Lists the paired browsers, the latest pairing first.
    pub(crate) fn list(&self, own: Option<PageKey>) -> Vec<PairedBrowser> {
        let shown = |(key, one): (&PageKey, &Paired)| one.shown(*key, own);
        let mut all: Vec<PairedBrowser> = self.live().iter().map(shown).collect();
        all.sort_by(|a, b| b.paired_ms.cmp(&a.paired_ms).then_with(|| a.id.cmp(&b.id)));
        all
    }

    /// Ends the pairing with this id, or all of them, and stores that. Returns those that it ended. If they cannot be
    /// stored, they are over for this run all the same.
    pub(crate) async fn revoke(&self, id: Option<&str>) -> (Vec<PairedBrowser>, Result<(), BrowsersError>) {
        let is_meant = |key: &PageKey| id.is_none_or(|id| id_of(*key) == id);
        let ended: Vec<PairedBrowser> = {
            let mut paired = self.live();
            let ended =
                paired.iter().filter(|(key, _)| is_meant(key)).map(|(key, one)| one.shown(*key, None)).collect();
            paired.retain(|key, _| !is_meant(key));
            ended
        };
        self.0.ended.send_replace(());
        (ended, self.store(Self::write_ends).await)
    }

    /// Returns the subscription to web push of a browser.
    pub(crate) fn subscriptions(&self) -> Vec<(PageKey, SubscribePush)> {
        self.live().iter().filter_map(|(key, one)| one.push.clone().map(|push| (*key, push))).collect()
    }

    /// Replaces the subscription of a browser. [`Self::save`] makes it last.
    pub(crate) fn set_subscription(&self, key: PageKey, push: Option<SubscribePush>) {
        if let Some(one) = self.0.paired.lock().get_mut(&key) {
            one.push = push;
        }
    }

    /// Stores the pairings as they are now.
    pub(crate) async fn save(&self) -> Result<(), BrowsersError> {
        self.store(Self::write).await
    }

    /// Writes the file, even if the caller goes away: the end of a pairing ends the connection that asked for it.
    async fn store(&self, write: fn(&Self) -> Result<(), BrowsersError>) -> Result<(), BrowsersError> {
        let this = self.clone();
        match tokio::task::spawn_blocking(move || write(&this)).await {
            Ok(written) => written,
            Err(error) => Err(BrowsersError::Io(self.0.path.clone().unwrap_or_default(), io::Error::other(error))),
        }
    }

    fn write(&self) -> Result<(), BrowsersError> {
        let Some(path) = &self.0.path else { return Ok(()) };
        let _writing = self.0.writing.lock();
        let browsers: Vec<Paired> = self.live().values().cloned().collect();
        if browsers.is_empty() {
            return kept::remove(path);
        }
        let key = self.0.key.stored().to_owned();
        kept::write(path, &Kept::of(key, (self.0.now_ms)(), browsers))
    }

    /// Writes the file after pairings ended. Where that fails, removes it: without it the next run knows nobody.
    fn write_ends(&self) -> Result<(), BrowsersError> {
        self.write().or_else(|error| self.0.path.as_deref().map_or(Ok(()), kept::remove).map_err(|_| error))
    }

    /// Notes again and again that the gateway has the port. Never returns.
    pub(crate) async fn beat(&self) {
        loop {
            tokio::time::sleep(BEAT).await;
            // A disk that fails is told elsewhere. Then the next run may know nobody, which is safe.
            let _ = self.save().await;
        }
    }

    /// Returns a receiver that changes whenever a pairing may have ended.
    pub(crate) fn ended(&self) -> watch::Receiver<()> {
        self.0.ended.subscribe()
    }

    fn live(&self) -> MutexGuard<'_, HashMap<PageKey, Paired>> {
        let now = (self.0.now_ms)();
        let mut paired = self.0.paired.lock();
        paired.retain(|_, one| now < one.ends_ms);
        paired
    }
}

impl Paired {
    fn shown(&self, key: PageKey, own: Option<PageKey>) -> PairedBrowser {
        PairedBrowser {
            id: id_of(key),
            name: self.name.clone(),
            paired_ms: self.paired_ms,
            seen_ms: self.seen_ms,
            ends_ms: self.ends_ms,
            is_notified: self.push.is_some(),
            is_own: own == Some(key),
        }
    }
}

/// Returns the id by which people name a browser: the beginning of its key's hash.
fn id_of(key: PageKey) -> String {
    hex::encode(Sha256::digest(key.hex().as_bytes()).get(..ID).unwrap_or_default())
}

#[cfg(test)]
mod tests;
