//! What is dropped because it is old. How a request ended, and the audit trail, stay.

use super::{StoreError, Writes};

/// Requests whose text is dropped in one piece of work, so that nobody waits long for it.
const AT_ONCE: u32 = 64;

/// What one piece of work dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dropped {
    /// From how many requests.
    pub requests: usize,
    /// Whether there are no more.
    pub is_all: bool,
}

impl Writes<'_> {
    /// Drops what was asked from the texts of some requests that ended before then (Unix milliseconds), the oldest
    /// first. `without` makes the text that stays; one of which it makes none stays as it is.
    pub fn drop_texts(&self, before_ms: u64, without: impl Fn(&str) -> Option<String>) -> Result<Dropped, StoreError> {
        let sql = "SELECT number, body FROM requests WHERE status = 'ended' AND dropped = 0 AND ended_ms < ? \
                   ORDER BY ended_ms LIMIT ?";
        let mut statement = self.connection.prepare_cached(sql)?;
        let old = statement.query_map((before_ms, AT_ONCE), |row| Ok((row.get(0)?, row.get(1)?)))?;
        let old: Vec<(u64, String)> = old.collect::<Result<_, _>>()?;
        let sql = "UPDATE requests SET body = coalesce(?, body), dropped = 1 WHERE number = ?";
        let mut statement = self.connection.prepare_cached(sql)?;
        for (number, body) in &old {
            statement.execute((without(body), number))?;
        }
        Ok(Dropped { requests: old.len(), is_all: old.len() < AT_ONCE as usize })
    }

    /// Drops the invocations that ended before then, Unix milliseconds.
    pub fn drop_invocations(&self, before_ms: u64) -> Result<usize, StoreError> {
        let sql = "DELETE FROM invocations WHERE finished_ms < ?";
        Ok(self.connection.prepare_cached(sql)?.execute([before_ms])?)
    }
}
