//! The queues of notices.

use dmplz_state::store::{Attempt, ChannelRow, NewNotice, Next, NoticeRow, Queued};

use super::{Disk, DiskError};

/// A notice for a channel, owned. The fields are those of [`NewNotice`].
#[derive(Debug, Clone)]
pub(crate) struct Notice {
    pub(crate) channel: String,
    pub(crate) id: String,
    pub(crate) merge_key: Option<String>,
    pub(crate) uid: String,
    pub(crate) body: String,
    pub(crate) now_ms: u64,
    pub(crate) window_ms: u64,
}

/// How an attempt ended, owned. The cases are those of [`Attempt`].
#[derive(Debug, Clone)]
pub(crate) enum Attempted {
    Sent,
    Again(String, u64),
    Dead(String),
}

impl Disk {
    /// Puts notices into their queues, all of them or none.
    pub(crate) async fn add_notices(&self, notices: Vec<Notice>) -> Result<Vec<Queued>, DiskError> {
        let add = move |writes: &dmplz_state::store::Writes<'_>| {
            let add = |notice: &Notice| {
                writes.add_notice(&NewNotice {
                    channel: &notice.channel,
                    id: &notice.id,
                    merge_key: notice.merge_key.as_deref(),
                    uid: &notice.uid,
                    body: &notice.body,
                    now_ms: notice.now_ms,
                    window_ms: notice.window_ms,
                })
            };
            notices.iter().map(add).collect()
        };
        self.writer.write(add).await
    }

    /// Takes the next notice of a channel.
    pub(crate) async fn take_notice(&self, channel: &str, now_ms: u64, longest_ms: u64) -> Result<Next, DiskError> {
        let channel = channel.to_owned();
        self.writer.write(move |writes| writes.take_notice(&channel, now_ms, longest_ms)).await
    }

    /// Stores how an attempt ended.
    pub(crate) async fn attempted(
        &self,
        number: u64,
        channel: &str,
        attempt: Attempted,
        now_ms: u64,
    ) -> Result<(), DiskError> {
        let channel = channel.to_owned();
        let store = move |writes: &dmplz_state::store::Writes<'_>| {
            let attempt = match &attempt {
                Attempted::Sent => Attempt::Sent,
                Attempted::Again(why, until) => Attempt::Again(why, *until),
                Attempted::Dead(why) => Attempt::Dead(why),
            };
            writes.attempted(number, &channel, attempt, now_ms)
        };
        self.writer.write(store).await
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

    /// Returns how every channel does that has had a notice.
    pub(crate) async fn notice_channels(&self) -> Result<Vec<ChannelRow>, DiskError> {
        self.reader.ask(|reads| reads.notice_channels()).await
    }
}
