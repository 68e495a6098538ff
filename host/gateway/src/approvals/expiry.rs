//! The one task that ends requests when their time is over. It waits on a monotonic clock.
//!
//! How a request's remaining time is computed when the gateway restarts:
//!
//! | the machine | source of the remaining time |
//! |---|---|
//! | has run since the request was asked or denied | the clock since the machine's start, which nobody can set: exact |
//! | was restarted, or reports no such clock | the wall clock; at most the original time, less if it was set forward |

use std::sync::{Arc, Weak};
use std::time::Duration;

use dmplz_protocol::{Standing, Status};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::Approvals;
use super::answer::Begun;
use super::entry::{Denial, Entry, Life, Moment};
use super::owner::{Shared, State};
use crate::disk::Recovered;

impl Approvals {
    /// Starts the task, once.
    pub(super) fn start(&self) {
        self.shared.started.call_once(|| {
            tokio::spawn(wait(Arc::downgrade(&self.shared), Arc::clone(&self.shared.sooner)));
        });
    }

    /// Continues with the requests that had not ended when the previous gateway stopped.
    pub(super) fn go_on(&self, recovered: Recovered) {
        let (now, now_ms) = (Instant::now(), self.now_ms());
        let rules = &self.shared.rules;
        let left = |until_ms: u64, most: Duration| Duration::from_millis(until_ms.saturating_sub(now_ms)).min(most);
        let mut state = self.state();
        state.last_event = recovered.last_event;
        for Standing { mut request, status } in recovered.open {
            let (id, life) = (request.id, request.expires_ms.saturating_sub(request.created_ms));
            // Converts recorded times, which surfaces also show, to the present wall clock.
            let drift_ms = recovered.drift_ms.get(&id).copied().unwrap_or_default();
            let today = |then_ms: u64| then_ms.saturating_add_signed(drift_ms);
            request.created_ms = today(request.created_ms);
            // A wall clock before 1970 must not make the request malformed.
            request.expires_ms = today(request.expires_ms).max(request.created_ms.saturating_add(1));
            let expires = now + left(request.expires_ms, Duration::from_millis(life).min(rules.expiry));
            let life = match status {
                Status::Denied { by, until_ms, instead } => {
                    let unix_ms = today(until_ms);
                    let until = Moment { at: now + left(unix_ms, rules.reason_timeout), unix_ms };
                    // A denial without a person is no record of ours. It is skipped, so it never becomes an open
                    // request.
                    let Some(denial) = Denial::recorded(&by, instead, until) else { continue };
                    Life::Denied(denial)
                }
                _ => Life::Open,
            };
            let was_shown = recovered.shown.contains(&id);
            let entry = Entry { was_shown, ..Entry::new(Arc::new(request), life, expires) };
            let wake = entry.due();
            state.insert(entry);
            state.wake(id, wake);
        }
        drop(state);
        self.start();
    }

    /// Checks every request whose time has come. Returns the moment of the next check.
    fn look(&self) -> Option<Instant> {
        let now = Instant::now();
        loop {
            let (id, again) = {
                let mut state = self.state();
                let (at, id) = *state.wakes.first()?;
                if at > now {
                    return Some(at);
                }
                state.wake(id, None);
                let State { requests, looks, .. } = &mut *state;
                let due = requests.get_mut(&id).filter(|entry| entry.due().is_some_and(|due| due <= now));
                if let Some(again) = due.and_then(|entry| entry.held(looks, now)) {
                    state.wake(id, Some(again));
                    continue;
                }
                match state.requests.get(&id).and_then(|entry| entry.ended()) {
                    Some(ended) if ended.recorded => {
                        state.forget(id);
                        continue;
                    }
                    ended => (id, ended.is_some()),
                }
            };
            if again {
                self.record_again(id);
            } else if let Ok(Begun::First(turn, step)) = self.begin(id, None) {
                drop(Self::carry_out(turn, step));
            }
        }
    }
}

async fn wait(shared: Weak<Shared>, sooner: Arc<Notify>) {
    while let Some(shared) = shared.upgrade() {
        let next = Approvals { shared }.look();
        match next {
            Some(at) => drop(timeout_at(at, sooner.notified()).await),
            None => sooner.notified().await,
        }
    }
}
