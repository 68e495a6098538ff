//! The line of one channel, which sends one notice after the other.

use std::time::Duration;

use dmplz_core::notify::{Notice, Occurrence, WINDOW_MS, backoff};
use dmplz_core::text::Lang;
use dmplz_state::store::{Attempt, Next, NoticeRow, Writes};
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::held::request_id;
use super::{Body, Notices, Presses, Receipt, press};
use crate::clock::millis;
use crate::disk::DiskError;

/// The time for which sending a notice is tried, in milliseconds: a day.
const TRIED_MS: u64 = 24 * 60 * 60 * 1_000;
/// The number of attempts that may break the sender.
const BREAKING: u32 = 2;
/// How long one attempt may take, whatever the deliverer does.
const ATTEMPT: Duration = Duration::from_secs(60);
/// The longest pause that is taken over from an earlier gateway, in milliseconds. No service asks for a longer one.
const LONGEST_PAUSE_MS: u64 = 3_960_000;
/// The pause after the database could not be used.
const DISK_AGAIN: Duration = Duration::from_secs(5);

/// A notice to send.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// Identifies the notice at the service: 32 hexadecimal digits, the same at every attempt.
    pub uid: String,
    /// The words, not yet cut to the service's length.
    pub notice: Notice,
    /// The last occurrence in it, masked.
    pub occurrence: Occurrence,
    /// The number of occurrences that are merged in it.
    pub count: u32,
    /// The language of the words.
    pub lang: Lang,
    /// Now, in Unix milliseconds.
    pub now_ms: u64,
}

impl Outgoing {
    /// Returns the id of a test that asks for a press back.
    pub fn press_test(&self) -> Option<&str> {
        Some(self.occurrence.id.as_str()).filter(|id| press::is_test(id))
    }
}

/// Why a notice was not sent. The text is in English, for the log and for `dmplz notify`, and holds no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undelivered {
    /// The service limits the rate, and may state how long to wait.
    Limited(Option<Duration>),
    /// The service cannot be reached, fails or is slow: it may work later.
    Down(String),
    /// The sender broke, and may have sent it before. Every further attempt may show people another copy.
    Broke(String),
    /// The service refuses it, and would again.
    Refused(String),
}

/// Sends notices to one service.
#[allow(async_fn_in_trait, reason = "used within this workspace; each implementation runs on one thread")]
pub trait Deliver {
    /// Sends one notice. May be dropped at any point.
    async fn deliver(&self, outgoing: &Outgoing) -> Result<(), Undelivered>;

    /// Returns whether success means that the service has the notice, which the audit trail then says.
    fn is_certain(&self) -> bool {
        true
    }
}

/// The queue of one channel, to be run by one task.
pub struct Line {
    notices: Notices,
    channel: String,
}

impl Line {
    pub(super) fn new(notices: Notices, channel: String) -> Self {
        Self { notices, channel }
    }

    /// Returns the name of the channel.
    pub fn channel(&self) -> &str {
        &self.channel
    }

    /// Returns the tests that ask for a press back.
    pub fn presses(&self) -> &Presses {
        self.notices.presses()
    }

    /// Sends what is in the queue, and what comes into it. Never returns. Dropped in the middle of an attempt, the notice
    /// is sent again by the next run.
    pub async fn run(&self, deliverer: &impl Deliver) {
        let mut failures = 0;
        // An attempt of an earlier run of this line may have been dropped.
        let mut pause = self.paused().await.map(|left| Instant::now() + left);
        loop {
            if let Some(until) = pause.take() {
                sleep_until(until).await;
            }
            match self.step(deliverer, &mut failures).await {
                Ok(wait) => pause = wait.map(|wait| Instant::now() + wait),
                Err(DiskError::Gone) => return std::future::pending().await,
                Err(_) => sleep(DISK_AGAIN).await,
            }
        }
    }

    /// Sends the next notice, or waits for one. Returns how long to pause.
    async fn step(&self, deliverer: &impl Deliver, failures: &mut u32) -> Result<Option<Duration>, DiskError> {
        let shared = &self.notices.shared;
        let now_ms = self.notices.now_ms();
        let channel = self.channel.clone();
        let take = move |writes: &Writes<'_>| writes.take_notice(&channel, now_ms, WINDOW_MS);
        let row = match shared.disk.writer.write(take).await? {
            Next::Notice(row) => row,
            Next::At(due_ms) => {
                let wait = Duration::from_millis(due_ms.saturating_sub(now_ms).clamp(1, WINDOW_MS));
                let _ = timeout(wait, self.woken()).await;
                return Ok(None);
            }
            Next::Empty => {
                self.woken().await;
                return Ok(None);
            }
        };
        let outgoing = self.outgoing(&row, now_ms);
        let result = match &outgoing {
            Ok(outgoing) => match timeout(ATTEMPT, deliverer.deliver(outgoing)).await {
                Ok(result) => result,
                Err(_) => Err(Undelivered::Down(format!("no reply within {} s", ATTEMPT.as_secs()))),
            },
            Err(error) => Err(Undelivered::Refused(error.to_string())),
        };
        let now_ms = self.notices.now_ms();
        let (attempted, pause) = self.judge(&row, result, now_ms, failures);
        let occurrence = outgoing.ok().map(|outgoing| outgoing.occurrence).filter(|_| deliverer.is_certain());
        let receipt = occurrence.and_then(|occurrence| self.receipt(&row, &occurrence, &attempted));
        let (number, channel) = (row.number, self.channel.clone());
        let store = move |writes: &Writes<'_>| {
            if let Some(receipt) = &receipt {
                writes.record(&receipt.entry(now_ms))?;
            }
            writes.attempted(number, &channel, &attempted, now_ms)
        };
        shared.disk.writer.write(store).await?;
        shared.attempted.notify_waiters();
        Ok(pause)
    }

    /// Returns the outcome of an attempt, and how long to pause after it.
    fn judge(
        &self,
        row: &NoticeRow,
        result: Result<(), Undelivered>,
        now_ms: u64,
        failures: &mut u32,
    ) -> (Attempt, Option<Duration>) {
        let (asked, why) = match result {
            Ok(()) => {
                *failures = 0;
                return (Attempt::Sent, None);
            }
            Err(Undelivered::Refused(why)) => return (Attempt::Dead(why), None),
            Err(Undelivered::Broke(why)) if row.attempts >= BREAKING => {
                return (Attempt::Dead(format!("it may have arrived: {why}")), None);
            }
            Err(Undelivered::Limited(asked)) => (asked, "the service takes no more messages for now".to_owned()),
            Err(Undelivered::Down(why) | Undelivered::Broke(why)) => (None, why),
        };
        *failures = failures.saturating_add(1);
        let pause = backoff(*failures, asked, (self.notices.shared.setup.jitter)());
        if now_ms.saturating_sub(row.created_ms) >= TRIED_MS {
            return (Attempt::Dead(format!("given up after a day: {why}")), Some(pause));
        }
        (Attempt::Again(why, now_ms.saturating_add(millis(pause))), Some(pause))
    }

    /// Returns what the audit trail says of a notice about a request, once it is sent or given up.
    fn receipt(&self, row: &NoticeRow, occurrence: &Occurrence, attempted: &Attempt) -> Option<Receipt> {
        let (kind, why) = match attempted {
            Attempt::Sent => ("notice.delivered", None),
            Attempt::Dead(why) => ("notice.undelivered", Some(why)),
            Attempt::Again(..) => return None,
        };
        let request_id = request_id(occurrence)?.to_string();
        let mut body =
            json!({ "channel": self.channel, "notice": row.number, "count": row.count, "attempts": row.attempts });
        if let (Some(body), Some(why)) = (body.as_object_mut(), why) {
            body.insert("why".to_owned(), why.as_str().into());
        }
        Some(Receipt { kind, request_id, body: body.to_string() })
    }

    fn outgoing(&self, row: &NoticeRow, now_ms: u64) -> Result<Outgoing, DiskError> {
        let Body { detail, occurrence } = serde_json::from_str(&row.body).map_err(DiskError::json("a notice"))?;
        let setup = &self.notices.shared.setup;
        let lang = setup.lang;
        let notice = match setup.templates.get(&self.channel) {
            Some(template) => Notice::by(template, &occurrence, row.count, detail, lang, now_ms),
            None => Notice::of(&occurrence, row.count, detail, lang, now_ms),
        };
        Ok(Outgoing { uid: row.uid.clone(), notice, occurrence, count: row.count, lang, now_ms })
    }

    /// Returns the rest of a pause that a service asked an earlier gateway for.
    async fn paused(&self) -> Option<Duration> {
        let channels = self.notices.channels().await.ok()?;
        let until = channels.into_iter().find(|row| row.channel == self.channel)?.paused_until_ms?;
        let left = until.saturating_sub(self.notices.now_ms()).min(LONGEST_PAUSE_MS);
        (left > 0).then(|| Duration::from_millis(left))
    }

    async fn woken(&self) {
        match self.notices.shared.wake.get(&self.channel).map(Notify::notified) {
            Some(woken) => woken.await,
            None => std::future::pending().await,
        }
    }
}
