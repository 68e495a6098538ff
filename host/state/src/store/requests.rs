//! What was asked, and what came of it.

use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::rows::{readable, row_error};
use super::{Happened, PAGE, Reads, Row as Kept, Stamp, StoreError, Unreadable, Writes};

/// A request that came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRequest {
    /// Names the request, by a UUID.
    pub id: String,
    /// Who asked: `hook` or `tool`.
    pub source: String,
    /// The client's session, where there is one.
    pub session_id: Option<String>,
    /// The subagent in it.
    pub agent_id: Option<String>,
    /// The tool that is to be called.
    pub tool: String,
    /// Where the agent works.
    pub cwd: String,
    /// When it came in, Unix milliseconds.
    pub created_ms: u64,
    /// When it expires, Unix milliseconds.
    pub expires_ms: u64,
    /// The SHA-256 of its exact input, hex.
    pub digest: String,
    /// All of it, JSON.
    pub body: String,
    /// The same masked: what is kept once it ended.
    pub masked: String,
    /// The SHA-256 of that, hex.
    pub masked_digest: String,
    /// When it came in, on the clock since the machine's start; none where that cannot be known.
    pub stamp: Option<Stamp>,
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// The final state, such as `approved`.
    pub outcome: String,
    /// Where it was answered, if a person did.
    pub surface: Option<String>,
    /// All of it, JSON without secrets.
    pub resolution: String,
    /// When it happened, in Unix milliseconds.
    pub at_ms: u64,
}

/// A request and how it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestRow {
    /// Its place among all requests, from 1.
    pub number: u64,
    /// Names the request, by a UUID.
    pub id: String,
    /// All of it, JSON; once it ended, masked.
    pub body: String,
    /// `open`, `denied` or `ended`.
    pub status: String,
    /// Who denied, and until when a reason is waited for; JSON.
    pub denial: Option<String>,
    /// How it ended, JSON.
    pub resolution: Option<String>,
    /// When it came in, Unix milliseconds.
    pub created_ms: u64,
    /// When a person answered, Unix milliseconds.
    pub answered_ms: Option<u64>,
    /// When it ended, Unix milliseconds.
    pub ended_ms: Option<u64>,
    /// Whether whoever asked took the decision.
    pub taken: Option<bool>,
}

/// How a request ended, for the figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedRow {
    /// Names the request, by a UUID.
    pub id: String,
    /// The client's session, where there is one.
    pub session_id: Option<String>,
    /// The tool that is to be called.
    pub tool: String,
    /// Where the agent works.
    pub cwd: String,
    /// How it ended, JSON.
    pub resolution: String,
    /// Milliseconds from when it came in until a person answered.
    pub asked_ms: Option<u64>,
    /// When it ended, Unix milliseconds.
    pub ended_ms: u64,
}

/// Which requests are looked for. What is none does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// By how they stand.
    pub which: Which,
    /// Only requests to call this tool.
    pub tool: Option<String>,
    /// Only requests that were answered on this surface.
    pub surface: Option<String>,
    /// Only requests that ended with this outcome.
    pub outcome: Option<String>,
    /// With this somewhere in what was asked; ASCII letters in either case.
    pub text: Option<String>,
    /// That came in before the request with this id. None come before one that there is not.
    pub before: Option<String>,
    /// With a smaller number than this.
    pub below: Option<u64>,
}

/// Requests by how they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which {
    /// Requests that are open, and requests that have ended.
    #[default]
    All,
    /// That have not ended.
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
    /// Keeps a request, and records that somebody is asked. `body` is the entry's.
    pub fn add(&self, request: &NewRequest, body: &str) -> Result<u64, StoreError> {
        self.insert(request)?;
        let (at_ms, request_id) = (request.created_ms, Some(&*request.id));
        self.record(&Happened { at_ms, kind: "approval.requested", request_id, body })
    }

    /// Keeps a request that the policy decided, so that nobody was asked. `kind` begins with `policy.`.
    pub fn settle(&self, request: &NewRequest, end: &End, kind: &str) -> Result<u64, StoreError> {
        self.insert(request)?;
        Ok(self.end(&request.id, end, kind)?.unwrap_or_default())
    }

    /// Keeps that somebody denied and may say why, unless somebody was first: then none. `stamp` is the same moment as
    /// `at_ms`, on the clock since the machine's start.
    pub fn deny(&self, id: &str, denial: &str, at_ms: u64, stamp: Option<&Stamp>) -> Result<Option<u64>, StoreError> {
        let sql = "UPDATE requests SET status = 'denied', denial = ?, answered_ms = ?, boot_id = ?, up_ms = ? \
                   WHERE id = ? AND status = 'open'";
        let (boot_id, up_ms) = Stamp::columns(stamp);
        match self.connection.prepare_cached(sql)?.execute((denial, at_ms, boot_id, up_ms, id))? {
            0 => Ok(None),
            _ => {
                self.record(&Happened { at_ms, kind: "approval.denied", request_id: Some(id), body: denial }).map(Some)
            }
        }
    }

    /// Keeps how a request ended, unless somebody was first: then none. From then on only its masked text is kept.
    pub fn resolve(&self, id: &str, end: &End) -> Result<Option<u64>, StoreError> {
        self.end(id, end, "approval.resolved")
    }

    /// Keeps whether whoever asked took the decision, once.
    pub fn take(&self, id: &str, taken: bool, at_ms: u64) -> Result<Option<u64>, StoreError> {
        let sql = "UPDATE requests SET taken = ? WHERE id = ? AND status = 'ended' AND taken IS NULL";
        match self.connection.prepare_cached(sql)?.execute((taken, id))? {
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
            id,
            source,
            session_id,
            agent_id,
            tool,
            cwd,
            created_ms,
            expires_ms,
            digest,
            body,
            masked,
            masked_digest,
            boot_id,
            up_ms
        ];
        match self.connection.prepare_cached(sql)?.execute(values)? {
            0 => Err(StoreError::IdTaken(id.clone())),
            _ => Ok(()),
        }
    }

    /// Ends a request, unless it has ended. One that was denied ends as a rejection or not at all.
    fn end(&self, id: &str, end: &End, kind: &str) -> Result<Option<u64>, StoreError> {
        let sql = "UPDATE requests SET status = 'ended', outcome = ?1, surface = ?2, resolution = ?3, ended_ms = ?4, \
                   answered_ms = coalesce(answered_ms, iif(?2 IS NULL, NULL, ?4)), body = masked, masked = NULL \
                   WHERE id = ?5 AND (status = 'open' OR \
                   (status = 'denied' AND ?1 IN ('rejected_with_reason', 'rejected_no_reason'))) RETURNING digest, masked_digest";
        let End { outcome, surface, resolution, at_ms } = end;
        let mut statement = self.connection.prepare_cached(sql)?;
        let digests = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let ended = statement.query_row((outcome, surface, resolution, at_ms, id), digests).optional()?;
        let Some((input_sha256, masked_sha256)) = ended else { return Ok(None) };
        let body = serde_json::from_str(resolution)
            .and_then(|resolution| serde_json::to_string(&Ended { input_sha256, masked_sha256, resolution }))
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        self.record(&Happened { at_ms: *at_ms, kind, request_id: Some(id), body: &body }).map(Some)
    }
}

impl Reads<'_> {
    /// Reads a request; none where there is none of that id.
    pub fn request(&self, id: &str) -> Result<Option<RequestRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM requests WHERE id = ?");
        Ok(self.connection.prepare_cached(&sql)?.query_row([id], RequestRow::of).optional()?)
    }

    /// The SHA-256 of a request's exact input, hex.
    pub fn digest(&self, id: &str) -> Result<Option<String>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT digest FROM requests WHERE id = ?")?;
        Ok(statement.query_row([id], |row| row.get(0)).optional()?)
    }

    /// Every request that has not ended, oldest first.
    pub fn open_requests(&self) -> Result<Vec<Kept<RequestRow>>, StoreError> {
        // The numbers alone stand in an index, so that a damaged row is met by itself.
        let numbers = self.numbers("SELECT number FROM requests WHERE status <> 'ended' ORDER BY number", [])?;
        numbers.into_iter().filter_map(|number| self.numbered(number).transpose()).collect()
    }

    /// When a request that has not ended came in, or was denied, on the clock since the machine's start.
    pub fn stamp(&self, id: &str) -> Result<Option<Stamp>, StoreError> {
        let sql = "SELECT boot_id, up_ms FROM requests WHERE id = ? AND boot_id IS NOT NULL AND up_ms IS NOT NULL";
        let stamp = |row: &Row<'_>| Ok(Stamp { boot: row.get(0)?, up_ms: row.get(1)? });
        match self.connection.prepare_cached(sql)?.query_row([id], stamp).optional() {
            Err(error) if row_error(&error).is_some() => Ok(None),
            stamp => Ok(stamp?),
        }
    }

    /// Up to `limit` requests, newest first; fewer where they are long, but at least one where there is one.
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
             AND (?5 IS NULL OR tool LIKE ?5 ESCAPE '\\' OR cwd LIKE ?5 ESCAPE '\\' OR body LIKE ?5 ESCAPE '\\') \
             AND (?6 IS NULL OR number < ?6) ORDER BY number DESC LIMIT ?7"
        );
        let Filter { tool, surface, outcome, before, text, below, .. } = filter;
        let text = text.as_deref().map(containing);
        self.page(self.numbers(&sql, (tool, surface, outcome, before, text, below, limit))?)
    }

    /// Up to `limit` requests with a greater number than `number`, oldest first; fewer where they are long, but at least
    /// one where there is one.
    pub fn requests_after(&self, number: u64, limit: u32) -> Result<Vec<Kept<RequestRow>>, StoreError> {
        let sql = "SELECT number FROM requests WHERE number > ? ORDER BY number LIMIT ?";
        self.page(self.numbers(sql, (number, limit))?)
    }

    /// The requests that ended from then until before then, Unix milliseconds, in the order of their ends.
    pub fn ended(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Result<Vec<Kept<EndedRow>>, StoreError> {
        let sql = "SELECT id, session_id, tool, cwd, resolution, answered_ms - created_ms, ended_ms, number FROM requests \
                   WHERE status = 'ended' AND ended_ms >= coalesce(?, 0) AND (?2 IS NULL OR ended_ms < ?2) \
                   ORDER BY ended_ms";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map((since_ms, until_ms), |row| {
            let number = row.get(7)?;
            EndedRow::of(row).map(Ok).or_else(|error| unreadable(number, None, error).map(Err))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn numbers(&self, sql: &str, values: impl rusqlite::Params) -> Result<Vec<u64>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        readable(statement.query_map(values, |row| row.get(0))?)
    }

    fn page(&self, numbers: Vec<u64>) -> Result<Vec<Kept<RequestRow>>, StoreError> {
        let (mut page, mut size) = (Vec::new(), 0);
        for number in numbers {
            let Some(row) = self.numbered(number)? else { continue };
            size += row.as_ref().map_or(0, |row| row.body.len());
            if size > PAGE && !page.is_empty() {
                break;
            }
            page.push(row);
        }
        Ok(page)
    }

    /// None where the request was removed meanwhile.
    fn numbered(&self, number: u64) -> Result<Option<Kept<RequestRow>>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM requests WHERE number = ?");
        match self.connection.prepare_cached(&sql)?.query_row([number], RequestRow::of) {
            Ok(row) => Ok(Some(Ok(row))),
            Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
            Err(error) => {
                let sql = "SELECT id FROM requests WHERE number = ?";
                let id = self.connection.prepare_cached(sql)?.query_row([number], |row| row.get(0)).ok();
                Ok(Some(Err(unreadable(number, id, error)?)))
            }
        }
    }
}

/// Names a request whose row cannot be read; another error is the caller's.
fn unreadable(number: u64, id: Option<String>, error: rusqlite::Error) -> Result<Unreadable, rusqlite::Error> {
    match row_error(&error) {
        Some(why) => Ok(Unreadable { what: "request", number, id, why }),
        None => Err(error),
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

/// The pattern of whatever contains a text.
fn containing(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

/// The SHA-256 of a text, hex.
pub fn digest(text: &[u8]) -> String {
    hex::encode(Sha256::digest(text))
}
