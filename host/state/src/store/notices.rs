//! The queues of notices, one per channel, and the outcome of each notice.
//!
//! | status | meaning | next |
//! |---|---|---|
//! | `waiting` | in the queue | `sending`, or another occurrence is merged into it |
//! | `sending` | handed to the service; its reply is not known | `sent`, `waiting` or `dead`; `waiting` when the store is opened again |
//! | `held` | not in the queue yet; `why` says what it waits for | `waiting` or `skipped`, as the gateway decides when it is due |
//! | `sent` | the service accepted it | |
//! | `skipped` | it was not to be sent; `why` says why | `waiting` if a person sends it |
//! | `dead` | the service refused it, or it grew too old; `why` says which | `waiting` if a person sends it again |
//!
//! A channel sends one notice at a time, the lowest number that is due. A notice is sent at least once: a process that
//! is killed between the service's reply and its record sends it again.

use dmplz_core::notify::Decision;
use rusqlite::Row;

use super::audit::Happened;
use super::{Reads, StoreError, Writes};

/// The most notices that are kept after they were sent, and after they died.
const KEPT: u32 = 2_000;
/// The number of new notices between two searches for old ones.
const FORGETTING: u64 = 64;
/// How long the ids of occurrences are kept, in milliseconds: two days.
const IDS_MS: u64 = 2 * 24 * 60 * 60 * 1_000;

/// A notice for a channel.
#[derive(Debug, Clone)]
pub struct NewNotice {
    /// The name of the channel in the settings.
    pub channel: String,
    /// Identifies the occurrence: the channel takes each id once.
    pub id: String,
    /// The key under which it is merged; `None` if it never is.
    pub merge_key: Option<String>,
    /// Identifies the notice at the service, if it becomes a new one.
    pub uid: String,
    /// The notice, as the gateway's JSON.
    pub body: String,
    /// Now, in Unix milliseconds.
    pub now_ms: u64,
    /// The minimum time between two notices of the same key, in milliseconds.
    pub window_ms: u64,
    /// What happens to it first.
    pub first: Decision,
}

/// The result of queueing a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queued {
    /// It is in the queue, under this number.
    New(u64),
    /// It was merged into the waiting notice of this number.
    Merged(u64),
    /// The channel has taken the occurrence before.
    Known,
}

/// A notice as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeRow {
    /// Its number among all notices.
    pub number: u64,
    /// The name of the channel in the settings.
    pub channel: String,
    /// Identifies the notice at the service.
    pub uid: String,
    /// The number of occurrences that are merged in it.
    pub count: u32,
    /// The status: `waiting`, `sending`, `held`, `sent`, `skipped` or `dead`.
    pub status: String,
    /// The number of attempts.
    pub attempts: u32,
    /// When it was put into the queue, in Unix milliseconds.
    pub created_ms: u64,
    /// When it was sent or given up, in Unix milliseconds.
    pub ended_ms: Option<u64>,
    /// The last occurrence in it, as the gateway's JSON.
    pub body: String,
    /// Why it was not sent.
    pub why: Option<String>,
}

/// The next notice of a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// This one, which is `sending` from now on.
    Notice(Box<NoticeRow>),
    /// The next notice is due at this time, in Unix milliseconds.
    At(u64),
    /// The queue is empty.
    Empty,
}

/// The state of a channel.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChannelRow {
    /// The name of the channel in the settings.
    pub channel: String,
    /// The number of consecutive failed attempts.
    pub failures: u32,
    /// When the first of them failed, in Unix milliseconds.
    pub failing_since_ms: Option<u64>,
    /// The end of the present pause, in Unix milliseconds.
    pub paused_until_ms: Option<u64>,
    /// Why the last attempt failed.
    pub why: Option<String>,
    /// When a notice was last sent, in Unix milliseconds.
    pub sent_ms: Option<u64>,
    /// The number of waiting notices.
    pub waiting: u64,
    /// The number of dead notices.
    pub dead: u64,
    /// The number of held notices.
    pub held: u64,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// The service accepted the notice.
    Sent,
    /// It is tried again, not before this moment (Unix milliseconds).
    Again(String, u64),
    /// It is never retried automatically.
    Dead(String),
}

impl Writes<'_> {
    /// Puts a notice into the queue of its channel, or merges it into one that waits.
    pub fn add_notice(&self, new: &NewNotice) -> Result<Queued, StoreError> {
        let NewNotice { channel, id, merge_key, uid, body, .. } = new;
        let NewNotice { now_ms, window_ms, first, .. } = *new;
        let sql = "INSERT INTO notice_ids (channel, id, at_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";
        if self.execute(sql, (channel, id, now_ms))? == 0 {
            return Ok(Queued::Known);
        }
        let mut due_ms = now_ms;
        if let Some(key) = merge_key
            && !matches!(first, Decision::Skip(_))
        {
            // A notice that was tried may have arrived, so its text must not change any more. One that is sent now does
            // not join one that is held.
            let sql = "UPDATE notices SET count = count + 1, body = ?1 WHERE number = (SELECT number FROM notices \
                       WHERE channel = ?2 AND merge_key = ?3 ORDER BY number DESC LIMIT 1) \
                       AND (status = 'waiting' AND attempts = 0 OR ?4 AND status = 'held') RETURNING number";
            let is_held = matches!(first, Decision::Hold(..));
            let values = (body, channel, key, is_held);
            if let Some(number) = self.first(sql, values, |row| row.get(0))? {
                return Ok(Queued::Merged(number));
            }
            let sql = "SELECT ended_ms FROM notices WHERE channel = ? AND merge_key = ? AND status = 'sent' \
                       ORDER BY number DESC LIMIT 1";
            let last = self.first(sql, (channel, key), |row| row.get::<_, u64>(0))?;
            let window = now_ms..=now_ms.saturating_add(window_ms);
            let end = last.map(|sent| sent.saturating_add(window_ms));
            // A clock that was set back delays nothing.
            due_ms = end.filter(|end| window.contains(end)).unwrap_or(now_ms);
        }
        let (status, why, due_ms, ended_ms) = columns(first, due_ms, now_ms);
        let sql = "INSERT INTO notices (channel, merge_key, uid, created_ms, due_ms, body, status, why, ended_ms) \
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
        let values = (channel, merge_key, uid, now_ms, due_ms, body, status, why, ended_ms);
        self.execute(sql, values)?;
        let sql = "SELECT max(number) FROM notices";
        let number: u64 = self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
        if number.is_multiple_of(FORGETTING) {
            self.forget_notices(now_ms)?;
        }
        Ok(Queued::New(number))
    }

    /// Takes the next notice of a channel, which is `sending` from now on. `longest_ms` bounds the wait for one that is not
    /// due, whatever the clock says.
    pub fn take_notice(&self, channel: &str, now_ms: u64, longest_ms: u64) -> Result<Next, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM notices WHERE channel = ? AND status IN ('waiting', 'sending') \
             AND (due_ms <= ? OR due_ms > ?) ORDER BY number LIMIT 1"
        );
        let limits = (channel, now_ms, now_ms.saturating_add(longest_ms));
        let found = self.first(&sql, limits, NoticeRow::of)?;
        if let Some(mut row) = found {
            let sql = "UPDATE notices SET status = 'sending', attempts = attempts + 1 WHERE number = ?";
            self.execute(sql, [row.number])?;
            row.attempts = row.attempts.saturating_add(1);
            "sending".clone_into(&mut row.status);
            return Ok(Next::Notice(Box::new(row)));
        }
        let sql = "SELECT min(due_ms) FROM notices WHERE channel = ? AND status = 'waiting'";
        let due: Option<u64> = self.connection.prepare_cached(sql)?.query_row([channel], |row| row.get(0))?;
        Ok(due.map_or(Next::Empty, Next::At))
    }

    /// Stores how an attempt ended, of a notice that is `sending`.
    pub fn attempted(&self, number: u64, channel: &str, attempt: &Attempt, now_ms: u64) -> Result<(), StoreError> {
        let (status, why, ended) = match attempt {
            Attempt::Sent => ("sent", None, Some(now_ms)),
            Attempt::Again(why, _) => ("waiting", Some(why), None),
            Attempt::Dead(why) => ("dead", Some(why), Some(now_ms)),
        };
        let sql = "UPDATE notices SET status = ?, why = ?, ended_ms = ? WHERE number = ? AND status = 'sending'";
        self.execute(sql, (status, why, ended, number))?;
        if *attempt == Attempt::Sent {
            let sql = "INSERT INTO notice_channels (channel, sent_ms) VALUES (?, ?) ON CONFLICT (channel) DO UPDATE SET \
                       failures = 0, failing_since_ms = NULL, paused_until_ms = NULL, why = NULL, sent_ms = excluded.sent_ms";
            self.execute(sql, (channel, now_ms))?;
            return Ok(());
        }
        let until = if let Attempt::Again(_, until) = attempt { Some(until) } else { None };
        let sql = "INSERT INTO notice_channels (channel, failures, failing_since_ms, paused_until_ms, why) \
                   VALUES (?, 1, ?, ?, ?) ON CONFLICT (channel) DO UPDATE SET failures = failures + 1, \
                   failing_since_ms = coalesce(failing_since_ms, excluded.failing_since_ms), \
                   paused_until_ms = excluded.paused_until_ms, why = excluded.why";
        self.execute(sql, (channel, now_ms, until, why)).map(drop)
    }

    /// Puts notices whose process ended while it sent them back into their queues.
    pub fn recover_notices(&self) -> Result<usize, StoreError> {
        let sql = "UPDATE notices SET status = 'waiting' WHERE status = 'sending'";
        self.execute(sql, [])
    }

    /// Decides about a held notice. Returns whether it was held; if so, the audit trail gets the entry, if there is one.
    pub fn settle_notice(
        &self,
        number: u64,
        decision: Decision,
        entry: Option<&Happened<'_>>,
        now_ms: u64,
    ) -> Result<bool, StoreError> {
        let (status, why, due_ms, ended_ms) = columns(decision, now_ms, now_ms);
        // A day counts from when it may be tried.
        let sql = "UPDATE notices SET status = ?1, why = ?2, due_ms = ?3, ended_ms = ?4, \
                   created_ms = iif(?1 = 'waiting', ?5, created_ms) WHERE number = ?6 AND status = 'held'";
        let values = (status, why, due_ms, ended_ms, now_ms, number);
        let was_held = self.execute(sql, values)? > 0;
        if let (true, Some(entry)) = (was_held, entry) {
            self.record(entry)?;
        }
        Ok(was_held)
    }

    /// Puts dead notices back into their queues: this one, or all of this channel, or all. One that is named may also be
    /// skipped or held. Returns how many.
    pub fn retry_notices(&self, number: Option<u64>, channel: Option<&str>, now_ms: u64) -> Result<usize, StoreError> {
        let sql = "UPDATE notices SET status = 'waiting', why = NULL, ended_ms = NULL, created_ms = ?1, due_ms = ?1 \
                   WHERE (status = 'dead' OR number = ?2 AND status IN ('skipped', 'held')) \
                   AND (?2 IS NULL OR number = ?2) AND (?3 IS NULL OR channel = ?3)";
        self.execute(sql, (now_ms, number, channel))
    }

    /// Removes the oldest notices that have ended, and the ids of old occurrences.
    fn forget_notices(&self, now_ms: u64) -> Result<(), StoreError> {
        for status in ["sent", "dead", "skipped"] {
            let sql = "DELETE FROM notices WHERE status = ?1 AND number <= (SELECT number FROM notices \
                       WHERE status = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)";
            self.execute(sql, (status, KEPT))?;
        }
        let sql = "DELETE FROM notice_ids WHERE at_ms < ?";
        self.execute(sql, [now_ms.saturating_sub(IDS_MS)]).map(drop)
    }
}

impl Reads<'_> {
    /// Returns a notice; `None` if there is none of this number.
    pub fn notice(&self, number: u64) -> Result<Option<NoticeRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM notices WHERE number = ?");
        self.first(&sql, [number], NoticeRow::of)
    }

    /// Returns at most `limit` readable notices, newest first; of one status, and of one channel, if these are given.
    pub fn notices(
        &self,
        status: Option<&str>,
        channel: Option<&str>,
        limit: u32,
    ) -> Result<Vec<NoticeRow>, StoreError> {
        if !self.has_notices()? {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT {COLUMNS} FROM notices WHERE (?1 IS NULL OR status = ?1) AND (?2 IS NULL OR channel = ?2) \
             ORDER BY number DESC LIMIT ?3"
        );
        self.readable(&sql, (status, channel, limit), NoticeRow::of)
    }

    /// Returns at most `limit` held notices that are due, and when the next one is. `longest_ms` bounds the wait for one
    /// that is not due, whatever the clock says.
    pub fn held_notices(
        &self,
        now_ms: u64,
        longest_ms: u64,
        limit: u32,
    ) -> Result<(Vec<NoticeRow>, Option<u64>), StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM notices WHERE status = 'held' AND (due_ms <= ?1 OR due_ms > ?2) ORDER BY number LIMIT ?3"
        );
        let limits = (now_ms, now_ms.saturating_add(longest_ms), limit);
        let due = self.readable(&sql, limits, NoticeRow::of)?;
        let sql = "SELECT min(due_ms) FROM notices WHERE status = 'held' AND due_ms > ?";
        let next = self.connection.prepare_cached(sql)?.query_row([now_ms], |row| row.get(0))?;
        Ok((due, next))
    }

    /// Returns the held notices that are merged under this key, for whatever channel.
    pub fn held_under(&self, merge_key: &str) -> Result<Vec<NoticeRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM notices WHERE status = 'held' AND merge_key = ? ORDER BY number");
        self.readable(&sql, [merge_key], NoticeRow::of)
    }

    /// Returns how every channel does that has had a notice.
    pub fn notice_channels(&self) -> Result<Vec<ChannelRow>, StoreError> {
        if !self.has_notices()? {
            return Ok(Vec::new());
        }
        let sql = "SELECT names.channel, coalesce(failures, 0), failing_since_ms, paused_until_ms, why, sent_ms, \
                   (SELECT count(*) FROM notices AS open WHERE open.channel = names.channel \
                    AND status IN ('waiting', 'sending')), \
                   (SELECT count(*) FROM notices AS dead WHERE dead.channel = names.channel AND status = 'dead'), \
                   (SELECT count(*) FROM notices AS held WHERE held.channel = names.channel AND status = 'held') \
                   FROM (SELECT channel FROM notices UNION SELECT channel FROM notice_channels) AS names \
                   LEFT JOIN notice_channels ON notice_channels.channel = names.channel ORDER BY names.channel";
        let row = |row: &Row<'_>| {
            Ok(ChannelRow {
                channel: row.get(0)?,
                failures: row.get(1)?,
                failing_since_ms: row.get(2)?,
                paused_until_ms: row.get(3)?,
                why: row.get(4)?,
                sent_ms: row.get(5)?,
                waiting: row.get(6)?,
                dead: row.get(7)?,
                held: row.get(8)?,
            })
        };
        self.readable(sql, [], row)
    }

    /// Returns whether the file has the tables: a reader does not upgrade an older one.
    fn has_notices(&self) -> Result<bool, StoreError> {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'notice_channels'";
        Ok(self.connection.query_row(sql, [], |row| row.get::<_, u64>(0))? > 0)
    }
}

/// Returns the status, the reason, when the notice is due, and when it ended.
fn columns(decision: Decision, due_ms: u64, now_ms: u64) -> (&'static str, Option<&'static str>, u64, Option<u64>) {
    match decision {
        Decision::Send => ("waiting", None, due_ms, None),
        Decision::Hold(held, until_ms) => ("held", Some(held.why()), until_ms, None),
        Decision::Skip(skipped) => ("skipped", Some(skipped.why()), now_ms, Some(now_ms)),
    }
}

/// What [`NoticeRow::of`] reads.
const COLUMNS: &str = "number, channel, uid, count, status, attempts, created_ms, ended_ms, body, why";

impl NoticeRow {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: row.get(0)?,
            channel: row.get(1)?,
            uid: row.get(2)?,
            count: row.get(3)?,
            status: row.get(4)?,
            attempts: row.get(5)?,
            created_ms: row.get(6)?,
            ended_ms: row.get(7)?,
            body: row.get(8)?,
            why: row.get(9)?,
        })
    }
}
