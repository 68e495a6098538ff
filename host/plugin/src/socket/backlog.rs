//! Frames that arrived and wait to be fetched, and why no more will come.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::bindings::socket::Error;

const FRAMES: usize = 1_000;
const BYTES: usize = 8 << 20;

/// The frames that the carrier has received and the component has not taken yet.
#[derive(Default)]
pub(super) struct Backlog {
    kept: Mutex<Kept>,
    changed: Notify,
}

#[derive(Default)]
struct Kept {
    frames: VecDeque<String>,
    bytes: usize,
    ended: Option<Error>,
}

impl Backlog {
    /// Keeps a frame, when there is room.
    pub(super) fn put(&self, frame: &str) -> bool {
        let mut kept = self.kept();
        let room = kept.frames.len() < FRAMES && kept.bytes.saturating_add(frame.len()) <= BYTES;
        if room {
            kept.bytes += frame.len();
            kept.frames.push_back(frame.to_owned());
            self.changed.notify_one();
        }
        room
    }

    /// Records that no more frames will come. Stored frames can still be taken. The first reason remains.
    pub(super) fn end(&self, why: Error) {
        self.kept().ended.get_or_insert(why);
        self.changed.notify_one();
    }

    /// Drops the stored frames.
    pub(super) fn clear(&self) {
        let mut kept = self.kept();
        (kept.frames, kept.bytes) = Default::default();
    }

    /// Returns the next frame, or the reason why there will be none; `None` if it has not arrived yet.
    pub(super) fn next(&self) -> Option<Result<String, Error>> {
        let mut kept = self.kept();
        match kept.frames.pop_front() {
            Some(frame) => {
                kept.bytes -= frame.len();
                Some(Ok(frame))
            }
            None => kept.ended.clone().map(Err),
        }
    }

    /// Returns why no more frames will come, once that is so.
    pub(super) fn ended(&self) -> Option<Error> {
        self.kept().ended.clone()
    }

    /// Waits until a frame arrives, or the connection ends. Only one caller may wait at a time.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES, Backlog, Error, FRAMES};

    #[test]
    fn frames_and_bytes_have_ends_and_what_is_kept_outlives_the_end() {
        let backlog = Backlog::default();
        assert!((0..FRAMES).all(|_| backlog.put("")) && !backlog.put(""));
        assert!(backlog.next().is_some() && backlog.put("last"));
        backlog.end(Error::Overflow);
        backlog.end(Error::TooLarge);
        assert!((1..FRAMES).all(|_| matches!(backlog.next(), Some(Ok(frame)) if frame.is_empty())));
        assert!(matches!(backlog.next(), Some(Ok(frame)) if frame == "last"));
        assert!(matches!(backlog.next(), Some(Err(Error::Overflow))));
        assert!(matches!(backlog.next(), Some(Err(Error::Overflow))));

        let backlog = Backlog::default();
        let half = "x".repeat(BYTES / 2);
        assert!(backlog.put(&half) && backlog.put(&half) && !backlog.put("x") && backlog.put(""));
        assert!(backlog.next().is_some() && backlog.put("x"));
        backlog.clear();
        assert!(backlog.next().is_none() && backlog.put(&half) && backlog.put(&half));
    }
}
