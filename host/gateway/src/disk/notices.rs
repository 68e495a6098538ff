//! The queues of notices.

use dmplz_state::store::{Attempt, ChannelRow, Handling, Happened, NewNotice, Next, NoticeRow, Queued, Writes};

use super::{Disk, DiskError};

/// The entry of the audit trail about a notice of a request: that a service accepted it, that it is not tried any more, or
/// that it is sent because nobody answered in time.
#[derive(Debug, Clone)]
pub(crate) struct Receipt {
    pub(crate) kind: &'static str,
    pub(crate) request_id: String,
    /// The details, as JSON without secrets.
    pub(crate) body: String,
}

impl Receipt {
    fn entry(&self, at_ms: u64) -> Happened<'_> {
        Happened { at_ms, kind: self.kind, request_id: Some(&self.request_id), body: &self.body }
    }
}

impl Disk {
    /// Puts notices into their queues, all of them or none.
    pub(crate) async fn add_notices(&self, notices: Vec<NewNotice>) -> Result<Vec<Queued>, DiskError> {
        let add = move |writes: &Writes<'_>| notices.iter().map(|notice| writes.add_notice(notice)).collect();
        self.writer.write(add).await
    }

    /// Takes the next notice of a channel.
    pub(crate) async fn take_notice(&self, channel: &str, now_ms: u64, longest_ms: u64) -> Result<Next, DiskError> {
        let channel = channel.to_owned();
        self.writer.write(move |writes| writes.take_notice(&channel, now_ms, longest_ms)).await
    }

    /// Stores how an attempt ended, and its receipt where there is one.
    pub(crate) async fn attempted(
        &self,
        number: u64,
        channel: &str,
        attempt: Attempt,
        receipt: Option<Receipt>,
        now_ms: u64,
    ) -> Result<(), DiskError> {
        let channel = channel.to_owned();
        let store = move |writes: &Writes<'_>| {
            if let Some(receipt) = &receipt {
                writes.record(&receipt.entry(now_ms))?;
            }
            writes.attempted(number, &channel, &attempt, now_ms)
        };
        self.writer.write(store).await
    }

    /// Decides about a held notice, and stores the receipt if it was held. Returns whether it was held.
    pub(crate) async fn settle_notice(
        &self,
        number: u64,
        handling: Handling,
        receipt: Option<Receipt>,
        now_ms: u64,
    ) -> Result<bool, DiskError> {
        let settle = move |writes: &Writes<'_>| {
            let entry = receipt.as_ref().map(|receipt| receipt.entry(now_ms));
            writes.settle_notice(number, handling, entry.as_ref(), now_ms)
        };
        self.writer.write(settle).await
    }

    /// Returns at most `limit` held notices that are due, and when the next one is.
    pub(crate) async fn held_notices(
        &self,
        now_ms: u64,
        longest_ms: u64,
        limit: u32,
    ) -> Result<(Vec<NoticeRow>, Option<u64>), DiskError> {
        self.reader.ask(move |reads| reads.held_notices(now_ms, longest_ms, limit)).await
    }

    /// Returns the held notices that are merged under this key.
    pub(crate) async fn held_under(&self, merge_key: String) -> Result<Vec<NoticeRow>, DiskError> {
        self.reader.ask(move |reads| reads.held_under(&merge_key)).await
    }

    /// Puts notices that a dead gateway was sending back into their queues.
    pub(crate) async fn recover_notices(&self) -> Result<usize, DiskError> {
        self.writer.write(|writes| writes.recover_notices()).await
    }

    /// Puts dead notices back into their queues. Returns how many.
    pub(crate) async fn retry_notices(
        &self,
        number: Option<u64>,
        channel: Option<String>,
        now_ms: u64,
    ) -> Result<usize, DiskError> {
        self.writer.write(move |writes| writes.retry_notices(number, channel.as_deref(), now_ms)).await
    }

    /// Returns a notice.
    pub(crate) async fn notice(&self, number: u64) -> Result<Option<NoticeRow>, DiskError> {
        self.reader.ask(move |reads| reads.notice(number)).await
    }

    /// Returns at most `limit` notices, newest first, of a status or a channel where one is named.
    pub(crate) async fn notices(
        &self,
        status: Option<&'static str>,
        channel: Option<String>,
        limit: u32,
    ) -> Result<Vec<NoticeRow>, DiskError> {
        self.reader.ask(move |reads| reads.notices(status, channel.as_deref(), limit)).await
    }

    /// Returns how every channel does that has had a notice.
    pub(crate) async fn notice_channels(&self) -> Result<Vec<ChannelRow>, DiskError> {
        self.reader.ask(|reads| reads.notice_channels()).await
    }
}
