//! A surface's data for continuing with a request after a restart, such as where a messenger shows its card.

use super::{Reads, StoreError, Writes};

/// One surface's note on one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The id of the request that the note is about.
    pub request_id: String,
    /// The text of the note.
    pub body: String,
}

impl Writes<'_> {
    /// Stores a surface's note on a request, replacing its earlier one.
    pub fn keep_note(&self, request_id: &str, surface: &str, body: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO notes (request_id, surface, body) VALUES (?, ?, ?) \
                   ON CONFLICT (request_id, surface) DO UPDATE SET body = excluded.body";
        self.execute(sql, (request_id, surface, body)).map(drop)
    }

    /// Returns whether a surface's note on a request has a `card`.
    pub fn notes_a_card(&self, request_id: &str, surface: &str) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM notes WHERE request_id = ? AND surface = ? \
                   AND CASE WHEN json_valid(body) THEN json_extract(body, '$.card') IS NOT NULL END)";
        Ok(self.connection.prepare_cached(sql)?.query_row((request_id, surface), |row| row.get(0))?)
    }

    /// Removes a surface's note on a request.
    pub fn drop_note(&self, request_id: &str, surface: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM notes WHERE request_id = ? AND surface = ?";
        self.execute(sql, (request_id, surface)).map(drop)
    }
}

impl Reads<'_> {
    /// Returns all readable notes of a surface, in the order of their requests.
    pub fn notes(&self, surface: &str) -> Result<Vec<Note>, StoreError> {
        let sql = "SELECT request_id, notes.body FROM notes JOIN requests ON id = request_id \
                   WHERE notes.surface = ? ORDER BY number";
        self.readable(sql, [surface], |row| Ok(Note { request_id: row.get(0)?, body: row.get(1)? }))
    }

    /// Returns the readable notes of all surfaces on a request.
    pub fn notes_on(&self, request_id: &str) -> Result<Vec<String>, StoreError> {
        self.readable("SELECT body FROM notes WHERE request_id = ?", [request_id], |row| row.get(0))
    }

    /// Returns a surface's note on a request.
    pub fn note(&self, request_id: &str, surface: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT body FROM notes WHERE request_id = ? AND surface = ?";
        self.first(sql, (request_id, surface), |row| row.get(0))
    }
}
