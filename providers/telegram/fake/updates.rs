//! The queue of updates, as `TQueue` of the public server implements it.

use super::params::Params;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// After a conflict, the next ones are reported only after this time, so that two competing bots do not poll in a tight
/// loop.
const CONFLICT_PAUSE: Duration = Duration::from_secs(3);
/// The types of updates that a bot receives only if it asks for them.
const ON_REQUEST: [&str; 3] = ["chat_member", "message_reaction", "message_reaction_count"];

/// The updates that are not confirmed yet, and the state of polling.
#[derive(Default)]
pub(crate) struct Updates {
    waiting: BTreeMap<i64, Value>,
    last: Option<i64>,
    allowed: Option<BTreeSet<String>>,
    /// The number of the newest poll that waits. It ends older ones.
    pub(crate) poll: u64,
    /// The offset and the time of the last poll.
    pub(crate) last_poll: Option<(i64, Instant)>,
    next_conflict: Option<Instant>,
    pub(crate) webhook: Option<String>,
}

impl Updates {
    /// Queues an update, if the bot asked for its type.
    pub(crate) fn push(&mut self, kind: &str, what: Value) -> Option<i64> {
        let wanted = match &self.allowed {
            Some(allowed) => allowed.contains(kind),
            None => !ON_REQUEST.contains(&kind),
        };
        if !wanted {
            return None;
        }
        let id = self.last.map_or(730_410_001, |last| last + 1);
        self.last = Some(id);
        self.waiting.insert(id, json!({"update_id": id, kind: what}));
        Some(id)
    }

    pub(crate) fn pending(&self) -> usize {
        self.waiting.len()
    }

    pub(crate) fn drop_pending(&mut self) {
        self.waiting.clear();
    }

    /// Stores the types of updates that the bot asks for. A request without them changes nothing.
    pub(crate) fn allow(&mut self, params: &Params) {
        if let Some(Value::Array(types)) = params.json("allowed_updates") {
            let types: BTreeSet<String> = types.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            self.allowed = (!types.is_empty()).then_some(types);
        }
    }

    pub(crate) fn allowed(&self) -> Option<&BTreeSet<String>> {
        self.allowed.as_ref()
    }

    /// Removes the updates that `offset` confirms, and returns the next ones.
    pub(crate) fn take(&mut self, offset: i64, limit: usize) -> Vec<Value> {
        if offset < 0 {
            let keep = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
            while self.waiting.len() > keep {
                self.waiting.pop_first();
            }
        }
        // An offset that is far ahead of the queue confirms nothing.
        let tail = self.last.map_or(0, |last| last + 1);
        if offset > 0 && offset <= tail + 10 {
            self.waiting = self.waiting.split_off(&offset);
        }
        self.waiting.values().take(limit).cloned().collect()
    }

    /// Returns the time to wait before a conflict is reported: zero, unless one was reported recently.
    pub(crate) fn conflict_pause(&mut self) -> Duration {
        let now = Instant::now();
        match self.next_conflict {
            Some(next) if now < next => CONFLICT_PAUSE,
            _ => {
                self.next_conflict = Some(now + CONFLICT_PAUSE);
                Duration::ZERO
            }
        }
    }
}
