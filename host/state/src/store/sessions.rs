//! Paired pages. Of a page's secret only the hash is kept, so that whoever reads the database gets in nowhere.

use rusqlite::OptionalExtension;

use super::{Reads, StoreError, Writes};

/// A paired page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSession {
    /// What people call it.
    pub label: String,
    /// When it ends, Unix milliseconds.
    pub expires_ms: u64,
}

impl Writes<'_> {
    /// Keeps a page's session by the hash of its secret, and forgets those that ended before `now_ms`.
    pub fn add_session(&self, hash: &[u8; 32], session: &PageSession, now_ms: u64) -> Result<(), StoreError> {
        self.connection.prepare_cached("DELETE FROM sessions WHERE expires_ms <= ?")?.execute([now_ms])?;
        let sql = "INSERT OR REPLACE INTO sessions (hash, label, expires_ms) VALUES (?, ?, ?)";
        self.connection.prepare_cached(sql)?.execute((hash, &session.label, session.expires_ms))?;
        Ok(())
    }

    /// Ends a page's session.
    pub fn drop_session(&self, hash: &[u8; 32]) -> Result<(), StoreError> {
        self.connection.prepare_cached("DELETE FROM sessions WHERE hash = ?")?.execute([hash])?;
        Ok(())
    }
}

impl Reads<'_> {
    /// The session of a page that has not ended by `now_ms`.
    pub fn session(&self, hash: &[u8; 32], now_ms: u64) -> Result<Option<PageSession>, StoreError> {
        let sql = "SELECT label, expires_ms FROM sessions WHERE hash = ? AND expires_ms > ?";
        let mut statement = self.connection.prepare_cached(sql)?;
        let session = |row: &rusqlite::Row<'_>| Ok(PageSession { label: row.get(0)?, expires_ms: row.get(1)? });
        Ok(statement.query_row((hash, now_ms), session).optional()?)
    }
}
