//! The tool runtime's invocations.

use rusqlite::Row;

use super::{Reads, StoreError, Writes};

/// One invocation of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// The invocation's id, a UUID.
    pub id: String,
    /// When it ended, in Unix milliseconds.
    pub finished_ms: Option<u64>,
    /// The whole invocation, as the gateway's JSON.
    pub body: String,
}

impl Writes<'_> {
    /// Stores an invocation in its present state.
    pub fn keep_invocation(&self, invocation: &Invocation) -> Result<(), StoreError> {
        let Invocation { id, finished_ms, body } = invocation;
        let sql = "INSERT INTO invocations (id, finished_ms, body) VALUES (?, ?, ?) \
                   ON CONFLICT (id) DO UPDATE SET finished_ms = excluded.finished_ms, body = excluded.body";
        self.execute(sql, (id, finished_ms, body)).map(drop)
    }

    /// Removes an invocation from the store.
    pub fn drop_invocation(&self, id: &str) -> Result<(), StoreError> {
        self.execute("DELETE FROM invocations WHERE id = ?", [id]).map(drop)
    }
}

impl Reads<'_> {
    /// Returns an invocation; `None` if there is none with this id.
    pub fn invocation(&self, id: &str) -> Result<Option<Invocation>, StoreError> {
        let sql = "SELECT id, finished_ms, body FROM invocations WHERE id = ?";
        self.first(sql, [id], Invocation::of)
    }

    /// Returns the readable invocations that have not ended, oldest first.
    pub fn unfinished_invocations(&self) -> Result<Vec<Invocation>, StoreError> {
        let sql = "SELECT id, finished_ms, body FROM invocations WHERE finished_ms IS NULL ORDER BY rowid";
        self.readable(sql, [], Invocation::of)
    }
}

impl Invocation {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { id: row.get(0)?, finished_ms: row.get(1)?, body: row.get(2)? })
    }
}
