//! What the tool runtime runs.

use rusqlite::{OptionalExtension, Row};

use super::rows::readable;
use super::{Reads, StoreError, Writes};

/// One run of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// Names the invocation, by a UUID.
    pub id: String,
    /// When it ended, Unix milliseconds.
    pub finished_ms: Option<u64>,
    /// All of it, JSON of the gateway.
    pub body: String,
}

impl Writes<'_> {
    /// Keeps an invocation as it is now.
    pub fn keep_invocation(&self, invocation: &Invocation) -> Result<(), StoreError> {
        let Invocation { id, finished_ms, body } = invocation;
        let sql = "INSERT INTO invocations (id, finished_ms, body) VALUES (?, ?, ?) \
                   ON CONFLICT (id) DO UPDATE SET finished_ms = excluded.finished_ms, body = excluded.body";
        self.connection.prepare_cached(sql)?.execute((id, finished_ms, body))?;
        Ok(())
    }

    /// Removes an invocation, which has ended.
    pub fn drop_invocation(&self, id: &str) -> Result<(), StoreError> {
        self.connection.prepare_cached("DELETE FROM invocations WHERE id = ?")?.execute([id])?;
        Ok(())
    }
}

impl Reads<'_> {
    /// Reads an invocation; none where there is none of that id.
    pub fn invocation(&self, id: &str) -> Result<Option<Invocation>, StoreError> {
        let sql = "SELECT id, finished_ms, body FROM invocations WHERE id = ?";
        Ok(self.connection.prepare_cached(sql)?.query_row([id], Invocation::of).optional()?)
    }

    /// Those that are not over and can be read, oldest first.
    pub fn unfinished_invocations(&self) -> Result<Vec<Invocation>, StoreError> {
        let sql = "SELECT id, finished_ms, body FROM invocations WHERE finished_ms IS NULL ORDER BY rowid";
        let mut statement = self.connection.prepare_cached(sql)?;
        let invocations = statement.query_map([], Invocation::of)?;
        readable(invocations)
    }
}

impl Invocation {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { id: row.get(0)?, finished_ms: row.get(1)?, body: row.get(2)? })
    }
}
