//! What the tool runtime runs.

use rusqlite::{OptionalExtension, Row};

use super::{Reads, StoreError, Writes};

/// One run of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// Its id.
    pub id: String,
    /// Whether it is over.
    pub finished: bool,
    /// All of it, JSON of the gateway.
    pub body: String,
}

impl Writes<'_> {
    /// Keeps an invocation as it is now.
    pub fn keep_invocation(&self, invocation: &Invocation) -> Result<(), StoreError> {
        let Invocation { id, finished, body } = invocation;
        let sql = "INSERT INTO invocations (id, finished, body) VALUES (?, ?, ?) \
                   ON CONFLICT (id) DO UPDATE SET finished = excluded.finished, body = excluded.body";
        self.connection.prepare_cached(sql)?.execute((id, finished, body))?;
        Ok(())
    }

    /// Forgets an invocation.
    pub fn drop_invocation(&self, id: &str) -> Result<(), StoreError> {
        self.connection.prepare_cached("DELETE FROM invocations WHERE id = ?")?.execute([id])?;
        Ok(())
    }
}

impl Reads<'_> {
    /// An invocation.
    pub fn invocation(&self, id: &str) -> Result<Option<Invocation>, StoreError> {
        let sql = "SELECT id, finished, body FROM invocations WHERE id = ?";
        Ok(self.connection.prepare_cached(sql)?.query_row([id], Invocation::of).optional()?)
    }

    /// Those that are not over, oldest first.
    pub fn unfinished_invocations(&self) -> Result<Vec<Invocation>, StoreError> {
        let sql = "SELECT id, finished, body FROM invocations WHERE finished = 0 ORDER BY rowid";
        let mut statement = self.connection.prepare_cached(sql)?;
        let invocations = statement.query_map([], Invocation::of)?;
        Ok(invocations.collect::<Result<_, _>>()?)
    }
}

impl Invocation {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { id: row.get(0)?, finished: row.get(1)?, body: row.get(2)? })
    }
}
