//! Rows that cannot be read: they are named and left out, so that one of them does not hide all the others.

use std::fmt;

use rusqlite::ffi::ErrorCode;

use super::StoreError;

/// A row that is there and cannot be read. It stays in the database as it is.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Unreadable {
    /// What it is: `request`, `audit entry`, `note` or `invocation`.
    pub what: &'static str,
    /// Its number in its table: for a request its place among all, for an entry of the audit trail its `seq`.
    pub number: u64,
    /// Its id, where that can be read.
    pub id: Option<String>,
    /// What is wrong, without anything of what the row holds.
    pub why: String,
}

/// A row, or why it cannot be read.
pub type Row<T> = Result<T, Unreadable>;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, number, id, why } = self;
        match id {
            Some(id) => write!(f, "{what} {id} cannot be read: {why}"),
            None => write!(f, "{what} number {number} cannot be read: {why}"),
        }
    }
}

/// What is wrong with a row, where the error is about that row alone. None where nothing can be read.
pub(super) fn row_error(error: &rusqlite::Error) -> Option<String> {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    match error {
        // rusqlite's own texts may quote the value.
        FromSqlConversionFailure(column, ..) | IntegralValueOutOfRange(column, _) => {
            Some(format!("column {column} holds what does not belong there"))
        }
        InvalidColumnType(column, ..) | Utf8Error(column, _) => {
            Some(format!("column {column} holds what does not belong there"))
        }
        other if other.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => {
            Some("its page in the file is damaged".to_owned())
        }
        _ => None,
    }
}

/// The rows that can be read.
pub(super) fn readable<T>(rows: impl Iterator<Item = rusqlite::Result<T>>) -> Result<Vec<T>, StoreError> {
    let rows = rows.filter(|row| !matches!(row, Err(error) if row_error(error).is_some()));
    Ok(rows.collect::<Result<_, _>>()?)
}
