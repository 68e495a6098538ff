//! Removes what is too old or too much.
//!
//! | step | removes | keeps |
//! |---|---|---|
//! | [`Writes::drop_texts`] | what was asked, from requests that ended long ago | their outcomes, and the audit trail |
//! | [`Writes::drop_invocations`] | tool invocations that ended long ago | |
//! | [`Writes::cut`] | the oldest entries of the audit trail, and the requests that they opened | everything after them |
//!
//! The trail is cut at its beginning only. A cut is one transaction: it adds an entry `audit.cut` with the number and
//! the hash of the last entry to be removed, and then deletes. So the trail can be verified before and after, whenever
//! the process is killed. A request is removed with the entry that opened it; entries about its end may stay a little
//! longer.
//!
//! The cut ends before the first entry that
//!
//! * is too young, or that opened a request which has not ended or ended too recently;
//! * is newer than the caller allows, or than the entry that `audit.head` is known to name;
//! * is not as recorded. This is an error, because a cut would hide it.

use std::collections::HashSet;

use rusqlite::Row;

use super::audit::{CUT, Cut};
use super::{Entry, Happened, Head, Reads, StoreError, Writes};

/// The most requests or entries in one piece of work, so that an answer waits at most some milliseconds for it.
const AT_ONCE: u32 = 64;

/// The result of one piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dropped {
    /// How many requests lost their texts.
    pub requests: usize,
    /// Whether there is nothing more to drop.
    pub is_all: bool,
}

/// Limits on what may be cut off.
#[derive(Debug, Clone, Default)]
pub struct Prunable {
    /// Only requests that ended, and entries that were written, before this time in Unix milliseconds.
    pub before_ms: u64,
    /// Only entries up to this one.
    pub through: u64,
    /// The ids of requests that somebody waits for. They are kept, whatever their times are.
    pub living: HashSet<String>,
}

/// The result of one cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pruned {
    /// The number of entries that were removed.
    pub entries: u64,
    /// The number of requests that were removed.
    pub requests: usize,
    /// Whether there is nothing more to cut.
    pub is_all: bool,
}

impl Writes<'_> {
    /// Drops the text of what was asked from some requests that ended before `before_ms` (Unix milliseconds), the
    /// oldest first. `without` returns the text to keep; if it returns `None`, the text stays as it is.
    pub fn drop_texts(&self, before_ms: u64, without: impl Fn(&str) -> Option<String>) -> Result<Dropped, StoreError> {
        let sql = "SELECT number, CAST(body AS BLOB) FROM requests WHERE status = 'ended' AND dropped = 0 \
                   AND ended_ms < ? ORDER BY ended_ms LIMIT ?";
        let mut statement = self.connection.prepare_cached(sql)?;
        let old = statement.query_map((before_ms, AT_ONCE), |row| Ok((row.get(0)?, row.get(1)?)))?;
        let old: Vec<(u64, Vec<u8>)> = old.collect::<Result<_, _>>()?;
        let sql = "UPDATE requests SET body = coalesce(?, body), dropped = 1 WHERE number = ?";
        let mut statement = self.connection.prepare_cached(sql)?;
        for (number, body) in &old {
            statement.execute((str::from_utf8(body).ok().and_then(&without), number))?;
        }
        Ok(Dropped { requests: old.len(), is_all: old.len() < AT_ONCE as usize })
    }

    /// Drops the invocations that ended before `before_ms` (Unix milliseconds). Returns their number.
    pub fn drop_invocations(&self, before_ms: u64) -> Result<usize, StoreError> {
        let sql = "DELETE FROM invocations WHERE finished_ms < ?";
        self.execute(sql, [before_ms])
    }

    /// Cuts off some entries at the beginning of the audit trail, with the requests that they opened. `now_ms` (Unix
    /// milliseconds) is the time of the entry that records the cut.
    pub fn cut(&self, prunable: &Prunable, now_ms: u64) -> Result<Pruned, StoreError> {
        let found = self.prunable(prunable)?;
        let entries = found.end.seq - found.begin.seq;
        if entries == 0 || found.is_only_cuts {
            return Ok(Pruned { entries: 0, requests: 0, is_all: true });
        }
        let Head { seq: through, hash } = found.end;
        let cut = Cut { through, hash: hash.to_string(), requests: found.requests.len() };
        let body =
            serde_json::to_string(&cut).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        self.record(&Happened { at_ms: now_ms, kind: CUT, request_id: None, body: &body })?;
        self.execute("DELETE FROM audit WHERE seq <= ?", [through])?;
        for id in &found.requests {
            self.execute("DELETE FROM notes WHERE request_id = ?", [id])?;
            self.execute("DELETE FROM requests WHERE id = ?", [id])?;
        }
        Ok(Pruned { entries, requests: found.requests.len(), is_all: found.is_all })
    }

    /// Finds the entries at the beginning of the trail that may be removed.
    fn prunable(&self, prunable: &Prunable) -> Result<Found, StoreError> {
        let begin = self.base()?;
        let through = prunable.through.min(self.head);
        let sql =
            "SELECT seq, at_ms, kind, request_id, body, prev, hash FROM audit WHERE seq <= ? ORDER BY seq LIMIT ?";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query((through, AT_ONCE))?;
        let mut found = Found { begin, end: begin, requests: Vec::new(), is_only_cuts: true, is_all: true };
        let mut looked_at = 0;
        while let Some(row) = rows.next()? {
            let due = found.end.seq + 1;
            let entry = Entry::of(row).map_err(|_| StoreError::Untrue(due))?;
            if (entry.seq, entry.prev) != (due, found.end.hash) || entry.computed() != entry.hash {
                return Err(StoreError::Untrue(due));
            }
            if entry.at_ms >= prunable.before_ms {
                return Ok(found);
            }
            if let Some(id) = entry.opens() {
                if prunable.living.contains(id) || !self.is_over(id, prunable.before_ms)? {
                    return Ok(found);
                }
                found.requests.push(id.to_owned());
            }
            found.is_only_cuts &= entry.kind == CUT;
            found.end = Head { seq: entry.seq, hash: entry.hash };
            looked_at += 1;
        }
        found.is_all = looked_at < AT_ONCE;
        Ok(found)
    }

    /// Returns whether a request ended, or expired, before `before_ms`, or does not exist.
    fn is_over(&self, id: &str, before_ms: u64) -> Result<bool, StoreError> {
        let sql = "SELECT coalesce(ended_ms, expires_ms) < ? FROM requests WHERE id = ?";
        let is_over = self.first(sql, (before_ms, id), |row| row.get(0))?;
        Ok(is_over.unwrap_or(true))
    }
}

impl Reads<'_> {
    /// Returns the number of bytes in use in the database. The file may be larger: its free space is used again.
    pub fn used_bytes(&self) -> Result<u64, StoreError> {
        let of = |pragma: &str| self.connection.pragma_query_value(None, pragma, |row: &Row<'_>| row.get::<_, u64>(0));
        Ok((of("page_count")?.saturating_sub(of("freelist_count")?)).saturating_mul(of("page_size")?))
    }
}

/// The entries at the beginning that may be removed.
struct Found {
    /// The entry before them.
    begin: Head,
    /// The last of them.
    end: Head,
    /// The requests that they opened.
    requests: Vec<String>,
    /// Whether they only record earlier cuts.
    is_only_cuts: bool,
    /// Whether the entry after them must stay.
    is_all: bool,
}

impl Entry {
    /// Returns the request that this entry opens.
    fn opens(&self) -> Option<&str> {
        let opens = self.kind == "approval.requested" || self.kind.starts_with("policy.");
        self.request_id.as_deref().filter(|_| opens)
    }
}
