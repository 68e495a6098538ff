//! Removes what is too old or too much while all other work continues.
//!
//! Each piece of work is small and queues like an answer. After each piece, the writer is left free for three times as
//! long as the piece took. An answer therefore waits for one piece at most.

use std::collections::HashSet;
use std::time::Duration;

use dmplz_protocol::store::Pruned;
use dmplz_state::store::{Dropped, Prunable};
use tokio::time::Instant;

use super::{Disk, DiskError, rows};
use crate::clock::millis;

/// Nothing that ended less than this ago is removed to save room: its asker may come back for the answer.
const SETTLED: Duration = Duration::from_secs(24 * 60 * 60);

/// How long ended requests are kept, and how many bytes. `None` means for ever, or without a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kept {
    /// How long the texts of requests and the tool invocations are kept.
    pub texts: Option<Duration>,
    /// How long whole requests and their entries in the audit trail are kept.
    pub all: Option<Duration>,
    /// The most bytes that the database may use.
    pub bytes: Option<u64>,
}

impl Disk {
    /// Removes what is too old or too much. `through` is the last event that may go. `living` are the requests that are
    /// still open. Pieces removed before an error stay removed.
    pub async fn prune(
        &self,
        kept: Kept,
        through: u64,
        living: HashSet<String>,
        now_ms: u64,
    ) -> Result<Pruned, DiskError> {
        let mut pruned = Pruned::default();
        let before = |age: Duration| now_ms.saturating_sub(millis(age));
        if let Some(age) = kept.texts {
            pruned.texts = self.drop_before(before(age)).await?;
        }
        let mut prunable = Prunable { before_ms: 0, through, living };
        if let Some(age) = kept.all {
            prunable.before_ms = before(age.max(SETTLED));
            while self.cut(&prunable, now_ms, &mut pruned).await? {}
        }
        if let Some(bytes) = kept.bytes {
            prunable.before_ms = before(SETTLED);
            while self.used_bytes().await? > bytes && self.cut(&prunable, now_ms, &mut pruned).await? {}
        }
        Ok(pruned)
    }

    /// Returns the number of bytes in use in the database.
    pub async fn used_bytes(&self) -> Result<u64, DiskError> {
        self.reader.ask(|reads| reads.used_bytes()).await
    }

    /// Removes one piece. Returns whether there may be more.
    async fn cut(&self, prunable: &Prunable, now_ms: u64, pruned: &mut Pruned) -> Result<bool, DiskError> {
        let (began, prunable) = (Instant::now(), prunable.clone());
        let cut = self.writer.write(move |writes| writes.cut(&prunable, now_ms)).await?;
        pruned.entries += cut.entries;
        pruned.requests += cut.requests;
        self.leave_room(began).await;
        Ok(!cut.is_all)
    }

    /// Removes the texts of the requests that ended before `before_ms` (Unix milliseconds), and the tool invocations
    /// that ended before it. The requests' outcomes and the audit trail stay. Returns the number of requests.
    pub(super) async fn drop_before(&self, before_ms: u64) -> Result<usize, DiskError> {
        self.writer.write(move |writes| writes.drop_invocations(before_ms)).await?;
        let mut requests = 0;
        loop {
            let began = Instant::now();
            let Dropped { requests: some, is_all } =
                self.writer.write(move |writes| writes.drop_texts(before_ms, rows::without_text)).await?;
            requests += some;
            if is_all {
                return Ok(requests);
            }
            self.leave_room(began).await;
        }
    }

    async fn leave_room(&self, began: Instant) {
        tokio::time::sleep(began.elapsed() * 3).await;
    }
}
