//! Paired pages. Of a page's secret only the hash is kept, so that whoever reads the database gets in nowhere.

use rusqlite::OptionalExtension;

use super::{Reads, StoreError, Writes};

/// A SHA-256.
type SecretHash = [u8; 32];

impl Writes<'_> {
    /// Keeps a page's session by the hash of its secret, until then (Unix milliseconds).
    pub fn add_session(&self, hash: &SecretHash, expires_ms: u64) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO sessions (hash, expires_ms) VALUES (?, ?)";
        self.connection.prepare_cached(sql)?.execute((hash, expires_ms))?;
        Ok(())
    }

    /// Ends a page's session.
    pub fn drop_session(&self, hash: &SecretHash) -> Result<(), StoreError> {
        self.connection.prepare_cached("DELETE FROM sessions WHERE hash = ?")?.execute([hash])?;
        Ok(())
    }

    /// Forgets the sessions that have ended by then, Unix milliseconds.
    pub fn drop_ended_sessions(&self, now_ms: u64) -> Result<(), StoreError> {
        self.connection.prepare_cached("DELETE FROM sessions WHERE expires_ms <= ?")?.execute([now_ms])?;
        Ok(())
    }
}

impl Reads<'_> {
    /// When a page's session ends, Unix milliseconds. None where there is no such session.
    pub fn session(&self, hash: &SecretHash) -> Result<Option<u64>, StoreError> {
        let sql = "SELECT expires_ms FROM sessions WHERE hash = ?";
        Ok(self.connection.prepare_cached(sql)?.query_row([hash], |row| row.get(0)).optional()?)
    }
}
