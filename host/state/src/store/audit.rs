//! The audit trail: the history of every request, in order. Each entry is chained to the one before it.
//!
//! ```text
//! hash = SHA-256("dmplz audit 1" | prev | seq | at_ms | kind | request_id | body)
//! ```
//!
//! `prev` is the hash of the previous entry, zeros for the first. Numbers have 8 bytes; texts are preceded by their
//! length in 8 bytes; both are big-endian. A request id is preceded by a byte that is 1 if there is one. So no two
//! entries have the same encoding.
//!
//! The beginning of the trail may be cut off (`retention.rs`). The entry `audit.cut`, which is itself in the chain,
//! then holds the number and the hash of the last entry that was cut off. The first remaining entry must follow that
//! one.

use rusqlite::{OptionalExtension, Row};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::hash::Hash;
use super::head::Head;
use super::rows::{page, row_error};
use super::{Reads, Row as Kept, StoreError, Unreadable, Writes};

/// The kind of the entry that records a cut at the beginning of the trail.
pub(super) const CUT: &str = "audit.cut";

/// The body of that entry.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Cut {
    /// The number of the last entry that was cut off.
    pub(super) through: u64,
    /// The hash of that entry.
    pub(super) hash: String,
    /// How many requests were removed with it.
    pub(super) requests: usize,
}

/// An event to record.
#[derive(Debug, Clone, Copy)]
pub struct Happened<'a> {
    /// When it happened, in Unix milliseconds.
    pub at_ms: u64,
    /// The type of the event, such as `approval.requested`.
    pub kind: &'a str,
    /// The request that the event concerns, if there is one.
    pub request_id: Option<&'a str>,
    /// The details, as the gateway's JSON without secrets.
    pub body: &'a str,
}

/// One entry of the audit trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The entry's number, from 1, without gaps.
    pub seq: u64,
    /// When it happened, in Unix milliseconds.
    pub at_ms: u64,
    /// The type of the event.
    pub kind: String,
    /// The request that the event concerns, if there is one.
    pub request_id: Option<String>,
    /// The details, as the gateway's JSON.
    pub body: String,
    /// The hash of the previous entry.
    pub prev: Hash,
    /// The hash of all these fields.
    pub hash: Hash,
}

impl Writes<'_> {
    /// Adds an entry to the audit trail, and returns its number.
    pub fn record(&self, happened: &Happened<'_>) -> Result<u64, StoreError> {
        let last = self.last()?;
        let Happened { at_ms, kind, request_id, body } = *happened;
        let seq = last.seq + 1;
        let hash = hash(last.hash, seq, happened);
        let sql = "INSERT INTO audit (seq, at_ms, kind, request_id, body, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?)";
        self.execute(sql, (seq, at_ms, kind, request_id, body, last.hash, hash))?;
        Ok(seq)
    }
}

impl Reads<'_> {
    /// Returns the end of the audit trail.
    pub fn last(&self) -> Result<Head, StoreError> {
        let sql = "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1";
        let head = |row: &Row<'_>| Ok(Head { seq: row.get(0)?, hash: row.get(1)? });
        Ok(self.first(sql, [], head)?.unwrap_or_default())
    }

    /// Returns the last entry that was cut off from the beginning of the trail; the default if none was. An unreadable
    /// `audit.cut` entry counts as none.
    pub fn base(&self) -> Result<Head, StoreError> {
        let sql = "SELECT body FROM audit WHERE kind = 'audit.cut' ORDER BY seq DESC LIMIT 1";
        let body = |row: &Row<'_>| row.get::<_, String>(0);
        let body = match self.connection.prepare_cached(sql)?.query_row([], body).optional() {
            Err(error) if row_error(&error).is_some() => None,
            body => body?,
        };
        let cut = body.and_then(|body| serde_json::from_str::<Cut>(&body).ok());
        let head = cut.and_then(|cut| Some(Head { seq: cut.through, hash: cut.hash.parse().ok()? }));
        Ok(head.unwrap_or_default())
    }

    /// Returns at most `limit` entries after `seq`, oldest first, each with the stored text of its request. It returns
    /// fewer if they are long, but at least one if there is one.
    #[expect(clippy::type_complexity, reason = "an entry, or why there is none, and the text that belongs to it")]
    pub fn entries_after(&self, seq: u64, limit: u32) -> Result<Vec<Kept<(Entry, Option<String>)>>, StoreError> {
        let sql = "SELECT seq, at_ms, kind, request_id, audit.body, prev, hash, requests.body \
                   FROM audit LEFT JOIN requests ON id = request_id WHERE seq > ? ORDER BY seq LIMIT ?";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map((seq, limit), |row| match Entry::of(row) {
            // An unreadable text counts as missing; the entry is valid without it.
            Ok(entry) => Ok(Ok((entry, row.get::<_, Option<String>>(7).unwrap_or_default()))),
            Err(error) => Unreadable::of("audit entry", row.get(0)?, None, error).map(Err),
        })?;
        let length = |(_, body): &(Entry, Option<String>)| body.as_ref().map_or(0, String::len);
        page(rows.map(|row| row.map_err(StoreError::from)), |row| row.as_ref().map_or(0, length))
    }

    /// Returns whether the trail holds the entry that a head names, or begins right after it.
    pub(super) fn agrees(&self, head: &Head) -> Result<bool, StoreError> {
        let cut = self.base()?;
        if head.seq == cut.seq {
            return Ok(*head == cut);
        }
        let sql = "SELECT hash FROM audit WHERE seq = ?";
        let hash: Option<Hash> = self.connection.query_row(sql, [head.seq], |row| row.get(0)).optional()?;
        Ok(hash == Some(head.hash))
    }
}

impl Entry {
    pub(super) fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            seq: row.get(0)?,
            at_ms: row.get(1)?,
            kind: row.get(2)?,
            request_id: row.get(3)?,
            body: row.get(4)?,
            prev: row.get(5)?,
            hash: row.get(6)?,
        })
    }

    /// Returns the hash that the entry must have.
    pub(super) fn computed(&self) -> Hash {
        let Self { at_ms, kind, request_id, body, .. } = self;
        hash(self.prev, self.seq, &Happened { at_ms: *at_ms, kind, request_id: request_id.as_deref(), body })
    }
}

fn hash(prev: Hash, seq: u64, happened: &Happened<'_>) -> Hash {
    let mut sha = Sha256::new_with_prefix("dmplz audit 1");
    let text = |sha: &mut Sha256, text: &str| {
        sha.update((text.len() as u64).to_be_bytes());
        sha.update(text);
    };
    sha.update(prev.bytes());
    sha.update(seq.to_be_bytes());
    sha.update(happened.at_ms.to_be_bytes());
    text(&mut sha, happened.kind);
    sha.update([u8::from(happened.request_id.is_some())]);
    text(&mut sha, happened.request_id.unwrap_or_default());
    text(&mut sha, happened.body);
    Hash::from(<[u8; 32]>::from(sha.finalize()))
}
