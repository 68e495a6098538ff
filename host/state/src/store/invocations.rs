//! What the tool runtime runs, and what that wrote.

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

/// A piece of what it wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// `stdout` or `stderr`.
    pub stream: String,
    /// The text.
    pub text: String,
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

    /// Adds to what an invocation wrote.
    pub fn append_output(&self, id: &str, output: &[Output]) -> Result<(), StoreError> {
        let sql = "INSERT INTO output (invocation_id, number, stream, text) \
                   SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3 FROM output WHERE invocation_id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        for Output { stream, text } in output {
            statement.execute((id, stream, text))?;
        }
        Ok(())
    }
}

impl Reads<'_> {
    /// An invocation.
    pub fn invocation(&self, id: &str) -> Result<Option<Invocation>, StoreError> {
        let sql = "SELECT id, finished, body FROM invocations WHERE id = ?";
        Ok(self.connection.prepare_cached(sql)?.query_row([id], Invocation::of).optional()?)
    }

    /// Those that are not over.
    pub fn unfinished_invocations(&self) -> Result<Vec<Invocation>, StoreError> {
        let sql = "SELECT id, finished, body FROM invocations WHERE finished = 0";
        let mut statement = self.connection.prepare_cached(sql)?;
        let invocations = statement.query_map([], Invocation::of)?;
        Ok(invocations.collect::<Result<_, _>>()?)
    }

    /// What an invocation wrote, in order.
    pub fn output(&self, id: &str) -> Result<Vec<Output>, StoreError> {
        let sql = "SELECT stream, text FROM output WHERE invocation_id = ? ORDER BY number";
        let mut statement = self.connection.prepare_cached(sql)?;
        let output = statement.query_map([id], |row| Ok(Output { stream: row.get(0)?, text: row.get(1)? }))?;
        Ok(output.collect::<Result<_, _>>()?)
    }
}

impl Invocation {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { id: row.get(0)?, finished: row.get(1)?, body: row.get(2)? })
    }
}
