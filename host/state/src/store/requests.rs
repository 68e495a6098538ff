//! The stored requests and their outcomes.

use dmplz_core::request::End as Outcome;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::rows::{page, row_error};
use super::{Happened, Reads, Row as Kept, Stamp, StoreError, Unreadable, Writes};

/// A request that came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRequest {
    /// The request's id, a UUID.
    pub id: String,
    /// The kind of the source: `hook` or `tool`.
    pub source: String,
    /// The client's session, if there is one.
    pub session_id: Option<String>,
    /// The subagent in that session.
    pub agent_id: Option<String>,
    /// The tool to be called.
    pub tool: String,
    /// The folder in which the agent works.
    pub cwd: String,
    /// When it came in, in Unix milliseconds.
    pub created_ms: u64,
    /// When it expires, in Unix milliseconds.
    pub expires_ms: u64,
    /// The SHA-256 of its exact input, in hex.
    pub digest: String,
    /// The whole request as JSON.
    pub body: String,
    /// The same, masked: this is kept once the request has ended.
    pub masked: String,
    /// The SHA-256 of the masked JSON, in hex.
    pub masked_digest: String,
    /// When it came in, on the clock since the machine's start; `None` if that is unknown.
    pub stamp: Option<Stamp>,
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// The final state, such as `approved`.
    pub outcome: String,
    /// The surface on which a person answered, if one did.
    pub surface: Option<String>,
    /// The whole resolution as JSON, without secrets.
    pub resolution: String,
    /// When it happened, in Unix milliseconds.
    pub at_ms: u64,
}

/// A request and its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRow {
    /// Its number among all requests, from 1.
    pub number: u64,
    /// The request's id, a UUID.
    pub id: String,
    /// The whole request as JSON; masked, if it has ended.
    pub body: String,
    /// `open`, `denied` or `ended`.
    pub status: String,
    /// The denier and the time limit for a reason, as JSON.
    pub denial: Option<String>,
    /// The resolution as JSON, if it has ended.
    pub resolution: Option<String>,
    /// When it came in, in Unix milliseconds.
    pub created_ms: u64,
    /// When a person answered, in Unix milliseconds.
    pub answered_ms: Option<u64>,
    /// When it ended, in Unix milliseconds.
    pub ended_ms: Option<u64>,
    /// Whether the asker took the decision.
    pub taken: Option<bool>,
}

/// How a request ended, for the figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedRow {
    /// The request's id, a UUID.
    pub id: String,
    /// The client's session, if there is one.
    pub session_id: Option<String>,
    /// The tool to be called.
    pub tool: String,
    /// The folder in which the agent works.
    pub cwd: String,
    /// The resolution as JSON.
    pub resolution: String,
    /// How long a person took to answer, in milliseconds.
    pub asked_ms: Option<u64>,
    /// When it ended, in Unix milliseconds.
    pub ended_ms: u64,
}

/// A filter for requests. A field that is `None` matches every request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Open requests, ended ones or all.
    pub which: Which,
    /// Only requests to call this tool.
    pub tool: Option<String>,
    /// Only requests that were answered on this surface.
    pub surface: Option<String>,
    /// Only requests that ended with this outcome.
    pub outcome: Option<Outcome>,
    /// Only requests with this text in their JSON, tool, folder or reason. ASCII letters match in either case.
    pub text: Option<String>,
    /// Only requests that came in at this time or later, in Unix milliseconds.
    pub since_ms: Option<u64>,
    /// Only requests that came in before this time, in Unix milliseconds.
    pub until_ms: Option<u64>,
    /// Only requests that came in before the one with this id. An unknown id matches none.
    pub before: Option<String>,
    /// Only requests with a smaller number.
    pub below: Option<u64>,
}

/// A filter by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which {
    /// Requests that are open, and requests that have ended.
    #[default]
    All,
    /// Requests that have not ended.
    Open,
    /// Only requests that have ended.
    Ended,
}

const COLUMNS: &str = "number, id, body, status, denial, resolution, created_ms, answered_ms, ended_ms, taken";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ended<'a> {
    input_sha256: String,
    masked_sha256: String,
    resolution: &'a RawValue,
}

impl Writes<'_> {
    /// Stores a request, and adds its audit entry with this body. Returns the entry's number.
    pub fn add(&self, request: &NewRequest, body: &str) -> Result<u64, StoreError> {
        self.insert(request)?;
        let (at_ms, request_id) = (request.created_ms, Some(&*request.id));
        self.record(&Happened { at_ms, kind: "approval.requested", request_id, body })
    }

    /// Stores a request that the policy decided without asking anybody. `kind` begins with `policy.`.
    pub fn settle(&self, request: &NewRequest, end: &End, kind: &str) -> Result<u64, StoreError> {
        self.insert(request)?;
        Ok(self.end(&request.id, end, kind)?.unwrap_or_default())
    }

    /// Stores a denial whose reason may follow. `None` if the request is not open. `stamp` is `at_ms` on the clock
    /// since the machine's start.
    pub fn deny(&self, id: &str, denial: &str, at_ms: u64, stamp: Option<&Stamp>) -> Result<Option<u64>, StoreError> {
        let sql = "UPDATE requests SET status = 'denied', denial = ?, answered_ms = ?, boot_id = ?, up_ms = ? \
                   WHERE id = ? AND status = 'open'";
        let (boot_id, up_ms) = Stamp::columns(stamp);
        match self.execute(sql, (denial, at_ms, boot_id, up_ms, id))? {
            0 => Ok(None),
            _ => {
                self.record(&Happened { at_ms, kind: "approval.denied", request_id: Some(id), body: denial }).map(Some)
            }
        }
    }

    /// Stores how a request ended. `None` if it has ended already. From then on only its masked text is kept.
    pub fn resolve(&self, id: &str, end: &End) -> Result<Option<u64>, StoreError> {
        self.end(id, end, "approval.resolved")
    }

    /// Stores whether the asker took the decision. `None` if that is stored already, or the request has not ended.
    pub fn take(&self, id: &str, taken: bool, at_ms: u64) -> Result<Option<u64>, StoreError> {
        let sql = "UPDATE requests SET taken = ? WHERE id = ? AND status = 'ended' AND taken IS NULL";
        match self.execute(sql, (taken, id))? {
            0 => Ok(None),
            _ => {
                let body = if taken { r#"{"taken":true}"# } else { r#"{"taken":false}"# };
                self.record(&Happened { at_ms, kind: "approval.taken", request_id: Some(id), body }).map(Some)
            }
        }
    }

    fn insert(&self, request: &NewRequest) -> Result<(), StoreError> {
        let NewRequest { id, source, session_id, agent_id, tool, cwd, .. } = request;
        let NewRequest { created_ms, expires_ms, digest, body, masked, masked_digest, .. } = request;
        let (boot_id, up_ms) = Stamp::columns(request.stamp.as_ref());
        let sql = "INSERT INTO requests (id, source, session_id, agent_id, tool, cwd, created_ms, expires_ms, digest, \
                   body, masked, masked_digest, boot_id, up_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
                   ON CONFLICT (id) DO NOTHING";
        let values = params![
            id, source, session_id, agent_id, tool, cwd, created_ms, expires_ms, digest, body, masked, masked_digest,
            boot_id, up_ms
        ];
        match self.execute(sql, values)? {
            0 => Err(StoreError::IdTaken(id.clone())),
            _ => Ok(()),
        }
    }

    /// Ends a request that has not ended. A denied request can only end as a rejection.
    fn end(&self, id: &str, end: &End, kind: &str) -> Result<Option<u64>, StoreError> {
        let sql = "UPDATE requests SET status = 'ended', outcome = ?1, surface = ?2, resolution = ?3, ended_ms = ?4, \
                   answered_ms = coalesce(answered_ms, iif(?2 IS NULL, NULL, ?4)), body = masked, masked = NULL \
                   WHERE id = ?5 AND (status = 'open' OR \
                   (status = 'denied' AND ?1 IN ('rejected_with_reason', 'rejected_no_reason'))) RETURNING digest, masked_digest";
        let End { outcome, surface, resolution, at_ms } = end;
        let digests = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let ended = self.first(sql, (outcome, surface, resolution, at_ms, id), digests)?;
        let Some((input_sha256, masked_sha256)) = ended else { return Ok(None) };
        let body = serde_json::from_str(resolution)
            .and_then(|resolution| serde_json::to_string(&Ended { input_sha256, masked_sha256, resolution }))
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        self.record(&Happened { at_ms: *at_ms, kind, request_id: Some(id), body: &body }).map(Some)
    }
}

impl Reads<'_> {
    /// Returns a request; `None` if there is none with this id.
    pub fn request(&self, id: &str) -> Result<Option<RequestRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM requests WHERE id = ?");
        self.first(&sql, [id], RequestRow::of)
    }

    /// Returns the SHA-256 of a request's exact input, in hex.
    pub fn digest(&self, id: &str) -> Result<Option<String>, StoreError> {
        self.first("SELECT digest FROM requests WHERE id = ?", [id], |row| row.get(0))
    }

    /// Returns every request that has not ended, oldest first.
    pub fn open_requests(&self) -> Result<Vec<Kept<RequestRow>>, StoreError> {
        // The numbers are read from an index alone, so that each damaged row fails by itself.
        let numbers = self.numbers("SELECT number FROM requests WHERE status <> 'ended' ORDER BY number", [])?;
        numbers.into_iter().filter_map(|number| self.numbered(number).transpose()).collect()
    }

    /// Returns when an open request came in, or was denied, on the clock since the machine's start.
    pub fn stamp(&self, id: &str) -> Result<Option<Stamp>, StoreError> {
        let sql = "SELECT boot_id, up_ms FROM requests WHERE id = ? AND boot_id IS NOT NULL AND up_ms IS NOT NULL";
        let stamp = |row: &Row<'_>| Ok(Stamp { boot: row.get(0)?, up_ms: row.get(1)? });
        match self.connection.prepare_cached(sql)?.query_row([id], stamp).optional() {
            Err(error) if row_error(&error).is_some() => Ok(None),
            stamp => Ok(stamp?),
        }
    }

    /// Returns at most `limit` requests, newest first. It returns fewer if they are long, but at least one if any
    /// matches.
    pub fn history(&self, filter: &Filter, limit: u32) -> Result<Vec<Kept<RequestRow>>, StoreError> {
        let which = match filter.which {
            Which::All => "TRUE",
            Which::Open => "status <> 'ended'",
            Which::Ended => "status = 'ended'",
        };
        let sql = format!(
            "SELECT number FROM requests WHERE {which} AND (?1 IS NULL OR tool = ?1) \
             AND (?2 IS NULL OR surface = ?2) AND (?3 IS NULL OR outcome = ?3) \
             AND (?4 IS NULL OR number < (SELECT number FROM requests WHERE id = ?4)) \
             AND (?5 IS NULL OR tool LIKE ?5 ESCAPE '\\' OR cwd LIKE ?5 ESCAPE '\\' OR body LIKE ?5 ESCAPE '\\' \
             OR CASE WHEN json_valid(resolution) THEN json_extract(resolution, '$.reason') LIKE ?5 ESCAPE '\\' END) \
             AND (?6 IS NULL OR number < ?6) AND (?7 IS NULL OR created_ms >= ?7) AND (?8 IS NULL OR created_ms < ?8) \
             ORDER BY number DESC LIMIT ?9"
        );
        let Filter { tool, surface, outcome, before, text, below, since_ms, until_ms, .. } = filter;
        let (text, outcome) = (text.as_deref().map(containing), outcome.map(|outcome| outcome.to_string()));
        self.page(self.numbers(&sql, (tool, surface, outcome, before, text, below, since_ms, until_ms, limit))?)
    }

    /// Returns at most `limit` requests with a greater number than `number`, oldest first. It returns fewer if they are
    /// long, but at least one if there is one.
    pub fn requests_after(&self, number: u64, limit: u32) -> Result<Vec<Kept<RequestRow>>, StoreError> {
        let sql = "SELECT number FROM requests WHERE number > ? ORDER BY number LIMIT ?";
        self.page(self.numbers(sql, (number, limit))?)
    }

    /// Returns the requests that ended from `since_ms` until just before `until_ms` (Unix milliseconds), in the order
    /// of their ends.
    pub fn ended(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Result<Vec<Kept<EndedRow>>, StoreError> {
        let sql = "SELECT id, session_id, tool, cwd, resolution, answered_ms - created_ms, ended_ms, number FROM requests \
                   WHERE status = 'ended' AND ended_ms >= coalesce(?, 0) AND (?2 IS NULL OR ended_ms < ?2) \
                   ORDER BY ended_ms";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map((since_ms, until_ms), |row| {
            let number = row.get(7)?;
            EndedRow::of(row).map(Ok).or_else(|error| Unreadable::of("request", number, None, error).map(Err))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn numbers(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<u64>, StoreError> {
        self.readable(sql, values, |row| row.get(0))
    }

    fn page(&self, numbers: Vec<u64>) -> Result<Vec<Kept<RequestRow>>, StoreError> {
        let rows = numbers.into_iter().filter_map(|number| self.numbered(number).transpose());
        page(rows, |row| row.as_ref().map_or(0, |row| row.body.len()))
    }

    /// Returns a request by its number. `None` if it was removed meanwhile.
    fn numbered(&self, number: u64) -> Result<Option<Kept<RequestRow>>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM requests WHERE number = ?");
        match self.connection.prepare_cached(&sql)?.query_row([number], RequestRow::of) {
            Ok(row) => Ok(Some(Ok(row))),
            Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
            Err(error) => {
                let sql = "SELECT id FROM requests WHERE number = ?";
                let id = self.connection.prepare_cached(sql)?.query_row([number], |row| row.get(0)).ok();
                Ok(Some(Err(Unreadable::of("request", number, id, error)?)))
            }
        }
    }
}

impl EndedRow {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        let asked_ms: Option<i64> = row.get(5)?;
        Ok(Self {
            id: row.get(0)?,
            session_id: row.get(1)?,
            tool: row.get(2)?,
            cwd: row.get(3)?,
            resolution: row.get(4)?,
            // The clock may have been set back in between.
            asked_ms: asked_ms.map(|ms| u64::try_from(ms).unwrap_or(0)),
            ended_ms: row.get(6)?,
        })
    }
}

impl RequestRow {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: row.get(0)?,
            id: row.get(1)?,
            body: row.get(2)?,
            status: row.get(3)?,
            denial: row.get(4)?,
            resolution: row.get(5)?,
            created_ms: row.get(6)?,
            answered_ms: row.get(7)?,
            ended_ms: row.get(8)?,
            taken: row.get(9)?,
        })
    }
}

/// Returns the `LIKE` pattern for any text that contains `text`.
fn containing(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

/// Returns the SHA-256 of a text, in hex.
pub fn digest(text: &[u8]) -> String {
    hex::encode(Sha256::digest(text))
}
