//! The limits of one session, while it runs: its cost is counted, and it is ended once it was idle for too long.

use dmplz_protocol::session::Happening;
use tokio::time::Instant;

use super::super::limits;
use super::super::link::Link;
use super::Live;

impl Live {
    /// Counts what it has cost.
    pub(super) fn spent(&self, is_past: bool) {
        let (cost_usd, now_ms) = (self.view.cost_usd(), self.approvals.now_ms());
        self.spending.count(self.dir.id(), cost_usd, now_ms, is_past);
    }

    /// When it has waited for a message as long as it may.
    pub(super) fn idle_ends(&self) -> Option<Instant> {
        Some(self.idle_since? + self.setup.limits.idle?)
    }

    /// Ends it, because it has waited for a message as long as it may.
    pub(super) async fn idled(&mut self, link: &mut Link) -> std::io::Result<()> {
        self.idle_since = None;
        let waited = limits::words(self.setup.limits.idle.unwrap_or_default());
        let text = format!("It waited {waited} for a message, so it was ended (DMPLZ_RUN_IDLE). It can be resumed.");
        self.tell(self.view.add(self.at, Happening::Notice { text }));
        link.quit().await
    }
}
