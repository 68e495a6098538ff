//! Notices: messages that ask nothing, sent over channels.
//!
//! ```text
//! hooks ─ socket ─┐                                    ┌▶ line (channel) ─▶ Deliver ─▶ service
//! hooks ─ spool ──┼▶ routes ─▶ queue on disk (merged) ─┤
//! bus ────────────┘                                    └▶ line (channel) ─▶ Deliver ─▶ service
//! ```
//!
//! [`Notices`] owns the queues. Each channel has one [`Line`], which sends one notice at a time, oldest first. How a notice
//! reaches its service is not in this crate: the binary runs each line with a [`Deliver`].
//!
//! | the service | what happens |
//! |---|---|
//! | accepts it | it is `sent` |
//! | limits the rate (429) | the channel pauses for as long as the service says, then tries the same notice again |
//! | fails, is slow or unreachable | the channel pauses longer with each failure in a row ([`dmplz_core::notify::backoff()`]); after a day the notice is `dead` |
//! | breaks its sender (a component) | the notice is tried once more, then it is `dead`, because it may have arrived |
//! | refuses it | the notice is `dead`, with the reason, until a person sends it again |
//!
//! Not every notice is sent at once (`held`): some wait for an answer or for the end of the quiet hours, and what is in front
//! of a person is not sent.
//!
//! A notice is on disk before its event's reporter gets a reply, and is sent at least once.

mod bus;
mod held;
mod line;
mod press;
mod spool;
pub mod webhook;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::notify::{
    Decision, Detail, EventKind, Facts, Front, Notice, Occurrence, Plan, Quiet, Routing, Template, WINDOW_MS, merge_key,
};
use dmplz_core::text::Lang;
use dmplz_protocol::notify::settings::LoggedNotice;
use dmplz_protocol::notify::{Delivery, SentNotice};
use dmplz_state::Spool;
use dmplz_state::store::{ChannelRow, Happened, NewNotice, NoticeRow, Queued, Writes};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use crate::clock::Clock;
use crate::disk::{Disk, DiskError};
use crate::presence::Presence;

pub use line::{Deliver, Line, Outgoing, Undelivered};
pub use press::{PATIENCE, Presses};

/// The longest text that `dmplz notify send` takes, in bytes.
const LONGEST_TEXT: usize = 64 << 10;

/// Returns a number from 0 to 1 that spreads attempts. The caller supplies it.
pub type Jitter = Arc<dyn Fn() -> f64 + Send + Sync>;

/// The configuration of a gateway's notices.
#[derive(Clone)]
pub struct Setup {
    /// Which events go to which channels.
    pub routing: Routing,
    /// The names of the channels.
    pub channels: Vec<String>,
    /// The time of day in which notices wait, and the zone that it is in.
    pub quiet: Option<(Quiet, TimeZone)>,
    /// The words of the channels that do not use the usual ones.
    pub templates: BTreeMap<String, Template>,
    /// The language of the notices.
    pub lang: Lang,
    /// Events that hooks left while no gateway was running.
    pub spool: Spool,
    /// Returns the wall clock, in Unix milliseconds.
    pub clock: Clock,
    /// Draws the jitter of a delay before the next attempt.
    pub jitter: Jitter,
}

/// The owner of the queues. Cheap to clone.
#[derive(Clone)]
pub struct Notices {
    shared: Arc<Shared>,
}

struct Shared {
    disk: Disk,
    setup: Setup,
    /// Wakes the line of each channel.
    wake: BTreeMap<String, Notify>,
    /// Wakes the tasks that wait for the end of an attempt.
    attempted: Notify,
    /// Wakes the task that decides about held notices.
    held: Notify,
    presence: Presence,
    presses: Presses,
}

/// The stored content of a notice.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Body {
    detail: Detail,
    occurrence: Occurrence,
}

/// The entry of the audit trail about a notice of a request: that a service accepted it, that it is not tried any more, or
/// that it is sent because nobody answered in time.
struct Receipt {
    kind: &'static str,
    request_id: String,
    /// The details, as JSON without secrets.
    body: String,
}

/// Why a notice was not queued.
#[derive(Debug, thiserror::Error)]
pub enum NoticeError {
    /// No channel has this name.
    #[error("the gateway has no channel {0:?}; it reads its settings when it starts, so start it again after a change")]
    NoChannel(String),
    /// The text is too long or empty.
    #[error("the text must have from 1 to {LONGEST_TEXT} bytes")]
    Text,
    /// The queue cannot be written.
    #[error("the notice cannot be recorded")]
    Disk(#[from] DiskError),
}

impl Notices {
    /// Takes over the queues. Notices that a dead gateway was sending are sent again.
    pub async fn open(disk: Disk, setup: Setup) -> Result<Self, DiskError> {
        disk.writer.write(|writes| writes.recover_notices()).await?;
        let wake = setup.channels.iter().map(|name| (name.clone(), Notify::new())).collect();
        let (attempted, held, presence) = (Notify::new(), Notify::new(), Presence::default());
        let presses = Presses::default();
        Ok(Self { shared: Arc::new(Shared { disk, setup, wake, attempted, held, presence, presses }) })
    }

    /// Queues the notices about an occurrence, one for each channel that a route leads to. Returns how many channels got
    /// it. When this returns they are on disk.
    pub async fn happened(&self, occurrence: Occurrence) -> Result<usize, DiskError> {
        let queued = self.queue(self.routed(occurrence)?).await?;
        Ok(queued.iter().filter(|queued| **queued != Queued::Known).count())
    }

    /// Returns the notices about an occurrence.
    fn routed(&self, occurrence: Occurrence) -> Result<Vec<NewNotice>, DiskError> {
        let occurrence = occurrence.masked();
        let routes = self.shared.setup.routing.channels(&occurrence);
        let fronts = self.shared.presence.fronts();
        let facts = self.facts(&fronts, false);
        routes.into_iter().map(|(channel, plan)| self.notice(channel, &plan, &occurrence, &facts)).collect()
    }

    /// Returns what is known now.
    fn facts<'a>(&self, fronts: &'a [Front], has_ended: bool) -> Facts<'a> {
        let now_ms = self.now_ms();
        let quiet = self.shared.setup.quiet.as_ref();
        Facts { now_ms, quiet_until_ms: quiet.and_then(|(quiet, zone)| quiet.until(now_ms, zone)), fronts, has_ended }
    }

    /// Returns which surfaces are in front of a person.
    pub fn presence(&self) -> &Presence {
        &self.shared.presence
    }

    /// Returns whether any route is for this event.
    pub fn wants(&self, event: EventKind) -> bool {
        self.shared.setup.routing.wants(event)
    }

    /// Sends a person's text over one channel, whatever the routes are. Waits up to `wait` for how that ended.
    pub async fn send(&self, channel: &str, text: &str, wait: Duration) -> Result<SentNotice, NoticeError> {
        if text.trim().is_empty() || text.len() > LONGEST_TEXT {
            return Err(NoticeError::Text);
        }
        self.send_occurrence(channel, &self.message(Uuid::new_v4().to_string(), text), wait).await
    }

    /// Sends a test over one channel, with a button to press where the channel has buttons. Waits up to `wait` for how the
    /// sending ended.
    pub async fn test(&self, channel: &str, text: &str, wait: Duration) -> Result<SentNotice, NoticeError> {
        let presses = self.presses();
        let id = presses.begin();
        let notice = NewNotice { merge_key: None, ..self.text(channel, &self.message(id.clone(), text))? };
        let number = self.queue_one(notice).await?;
        presses.queued(&id, number);
        Ok(self.outcome(number, wait).await?)
    }

    /// Returns the tests that ask for a press back.
    pub fn presses(&self) -> &Presses {
        &self.shared.presses
    }

    /// Returns the occurrence of a person's text.
    fn message(&self, id: String, text: &str) -> Occurrence {
        let summary = Some(text.to_owned());
        Occurrence { summary, ..Occurrence::new(EventKind::Message, id, self.now_ms()) }.masked()
    }

    /// Sends the notice about an occurrence over one channel. Waits up to `wait` for how that ended.
    pub(crate) async fn send_occurrence(
        &self,
        channel: &str,
        occurrence: &Occurrence,
        wait: Duration,
    ) -> Result<SentNotice, NoticeError> {
        let number = self.queue_one(self.text(channel, occurrence)?).await?;
        Ok(self.outcome(number, wait).await?)
    }

    /// Queues one notice. Returns its number.
    async fn queue_one(&self, notice: NewNotice) -> Result<u64, NoticeError> {
        let channel = notice.channel.clone();
        if !self.shared.wake.contains_key(&channel) {
            return Err(NoticeError::NoChannel(channel));
        }
        let queued = self.queue(vec![notice]).await?;
        let number = queued.iter().find_map(|queued| match queued {
            Queued::New(number) | Queued::Merged(number) => Some(*number),
            Queued::Known => None,
        });
        number.ok_or(NoticeError::NoChannel(channel))
    }

    /// Queues the notice about an occurrence for one channel, whatever the routes are. It is merged with no other.
    pub(crate) async fn queue_for(&self, channel: &str, occurrence: Occurrence) -> Result<(), DiskError> {
        let notice = self.text(channel, &occurrence.masked())?;
        self.queue(vec![NewNotice { merge_key: None, ..notice }]).await?;
        Ok(())
    }

    /// Puts dead notices back into their queues: one, or all of a channel, or all. Returns how many.
    pub async fn retry(&self, number: Option<u64>, channel: Option<String>) -> Result<usize, DiskError> {
        let now_ms = self.now_ms();
        let retry = move |writes: &Writes<'_>| writes.retry_notices(number, channel.as_deref(), now_ms);
        let retried = self.shared.disk.writer.write(retry).await?;
        self.shared.wake.values().for_each(Notify::notify_one);
        Ok(retried)
    }

    /// Returns at most `limit` notices, newest first: of one channel, or only those that are dead.
    pub async fn log(&self, channel: Option<String>, dead: bool, limit: u32) -> Result<Vec<LoggedNotice>, DiskError> {
        let status = dead.then_some("dead");
        let rows = self.shared.disk.reader.ask(move |reads| reads.notices(status, channel.as_deref(), limit)).await?;
        Ok(rows.into_iter().map(|row| logged(row, self.shared.setup.lang)).collect())
    }

    /// Returns how every channel does that has had a notice.
    pub async fn channels(&self) -> Result<Vec<ChannelRow>, DiskError> {
        self.shared.disk.reader.ask(|reads| reads.notice_channels()).await
    }

    /// Returns the line of a channel; `None` if no channel has this name.
    pub fn line(&self, channel: &str) -> Option<Line> {
        self.shared.wake.contains_key(channel).then(|| Line::new(self.clone(), channel.to_owned()))
    }

    /// Returns the time of the wall clock, in Unix milliseconds.
    fn now_ms(&self) -> u64 {
        (self.shared.setup.clock)()
    }

    /// Returns the notice with a person's own text.
    fn text(&self, channel: &str, occurrence: &Occurrence) -> Result<NewNotice, DiskError> {
        self.notice(channel, &Plan::at_once(Detail::Minimal), occurrence, &self.facts(&[], false))
    }

    fn notice(
        &self,
        channel: &str,
        plan: &Plan,
        occurrence: &Occurrence,
        facts: &Facts<'_>,
    ) -> Result<NewNotice, DiskError> {
        let body = Body { detail: plan.detail, occurrence: occurrence.clone().for_detail(plan.detail) };
        let first = plan.decide(occurrence, facts);
        let own_key = match first {
            Decision::Hold(..) => held::own_key(occurrence),
            Decision::Send | Decision::Skip(_) => None,
        };
        Ok(NewNotice {
            channel: channel.to_owned(),
            id: occurrence.id.clone(),
            merge_key: own_key.or_else(|| merge_key(occurrence)),
            uid: Uuid::new_v4().simple().to_string(),
            body: serde_json::to_string(&body).map_err(DiskError::json("a notice"))?,
            now_ms: facts.now_ms,
            window_ms: WINDOW_MS,
            first,
        })
    }

    /// Queues notices, all of them or none, and wakes their channels.
    async fn queue(&self, notices: Vec<NewNotice>) -> Result<Vec<Queued>, DiskError> {
        if notices.is_empty() {
            return Ok(Vec::new());
        }
        let names: BTreeSet<String> = notices.iter().map(|notice| notice.channel.clone()).collect();
        let is_held = notices.iter().any(|notice| matches!(notice.first, Decision::Hold(..)));
        let add = move |writes: &Writes<'_>| {
            notices.iter().map(|notice| writes.add_notice(notice)).collect::<Result<Vec<_>, _>>()
        };
        let queued = self.shared.disk.writer.write(add).await?;
        names.iter().for_each(|name| self.wake(name));
        if is_held {
            self.shared.held.notify_one();
        }
        Ok(queued)
    }

    /// Wakes the line of a channel.
    fn wake(&self, channel: &str) {
        if let Some(wake) = self.shared.wake.get(channel) {
            wake.notify_one();
        }
    }

    /// Waits until an attempt to send a notice has ended, or until the time is over. Returns the notice's delivery
    /// status.
    async fn outcome(&self, number: u64, wait: Duration) -> Result<SentNotice, DiskError> {
        let end = Instant::now() + wait;
        loop {
            let attempted = self.shared.attempted.notified();
            tokio::pin!(attempted);
            attempted.as_mut().enable();
            let row = self.shared.disk.reader.ask(move |reads| reads.notice(number)).await?;
            let (delivery, why) = row.map_or((Delivery::Waiting, None), |row| delivery(&row));
            let is_known = matches!(delivery, Delivery::Sent | Delivery::Dead) || why.is_some();
            if is_known || timeout_at(end, attempted).await.is_err() {
                return Ok(SentNotice { number, delivery, why });
            }
        }
    }
}

impl Receipt {
    fn entry(&self, at_ms: u64) -> Happened<'_> {
        Happened { at_ms, kind: self.kind, request_id: Some(&self.request_id), body: &self.body }
    }
}

/// Returns a stored notice as the log shows it.
pub fn logged(row: NoticeRow, lang: Lang) -> LoggedNotice {
    let read = serde_json::from_str(&row.body).ok().map(|Body { detail, occurrence }| {
        let notice = Notice::of(&occurrence, row.count, detail, lang, occurrence.at_ms);
        (occurrence.event, notice.title)
    });
    let (event, title) = read.unzip();
    let NoticeRow { number, channel, status, count, attempts, created_ms, ended_ms, why, .. } = row;
    LoggedNotice { number, channel, status, event, count, attempts, created_ms, ended_ms, title, why }
}

/// Returns the delivery status of a notice, and why it was not sent.
fn delivery(row: &NoticeRow) -> (Delivery, Option<String>) {
    let delivery = match row.status.as_str() {
        "sent" => Delivery::Sent,
        "dead" => Delivery::Dead,
        _ => Delivery::Waiting,
    };
    (delivery, row.why.clone())
}

#[cfg(test)]
mod tests;
