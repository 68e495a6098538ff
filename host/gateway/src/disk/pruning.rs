//! What goes because it is old, or because there is too much of it, while everything else goes on.
//!
//! Each piece of work is small and waits its turn like an answer; between two of them the writer is free for three times
//! as long as the last one took. So an answer waits for one piece at most.

use std::collections::HashSet;
use std::time::Duration;

use dmplz_protocol::store::Pruned;
use dmplz_state::store::{Dropped, Prunable};
use tokio::time::Instant;

use super::{Disk, DiskError, rows};

/// Nothing is removed to save room that ended less than this ago: whoever asked may come back for the answer.
const SETTLED: Duration = Duration::from_secs(24 * 60 * 60);

/// How long what ended is kept, and how much of it. None: for ever, and all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kept {
    /// What was asked, and the runs of tools.
    pub texts: Option<Duration>,
    /// All of a request, and its entries in the audit trail.
    pub all: Option<Duration>,
    /// Bytes of the database.
    pub bytes: Option<u64>,
}

impl Disk {
    /// Removes what is too old or too much. `through` is the last event that may go, and `living` are the requests that
    /// somebody waits for. What was removed stays removed where a later piece fails.
    pub async fn prune(
        &self,
        kept: Kept,
        through: u64,
        living: HashSet<String>,
        now_ms: u64,
    ) -> Result<Pruned, DiskError> {
        let mut pruned = Pruned::default();
        let before = |age: Duration| now_ms.saturating_sub(u64::try_from(age.as_millis()).unwrap_or(u64::MAX));
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

    /// Bytes of the database that hold something.
    pub async fn used_bytes(&self) -> Result<u64, DiskError> {
        self.reader.ask(|reads| reads.used_bytes()).await
    }

    /// Cuts off a piece. Whether there may be more.
    async fn cut(&self, prunable: &Prunable, now_ms: u64, pruned: &mut Pruned) -> Result<bool, DiskError> {
        let (began, prunable) = (Instant::now(), prunable.clone());
        let cut = self.writer.write(move |writes| writes.cut(&prunable, now_ms)).await?;
        pruned.entries += cut.entries;
        pruned.requests += cut.requests;
        self.leave_room(began).await;
        Ok(!cut.is_all)
    }

    /// Drops what was asked from the requests that ended before then (Unix milliseconds), and the runs of tools that
    /// did. That they were asked, and how they ended, stays, and so does the audit trail. How many requests it was.
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
