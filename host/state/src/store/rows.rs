//! How rows are read and changed. An unreadable row is named or left out, so that it does not hide the others.

use std::fmt;

use rusqlite::ffi::ErrorCode;
use rusqlite::{OptionalExtension, Params};

use super::{PAGE, Reads, StoreError, Writes};

/// A row that exists and cannot be read. It stays unchanged in the database.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Unreadable {
    /// The kind of row: `request`, `audit entry`, `note` or `invocation`.
    pub what: &'static str,
    /// Its number in its table: for a request, its number among all requests; for an audit entry, its `seq`.
    pub number: u64,
    /// Its id, if that can be read.
    pub id: Option<String>,
    /// What is wrong, without any content of the row.
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

/// Describes an error that concerns this row alone. `None` for an error that concerns the whole database.
pub(super) fn row_error(error: &rusqlite::Error) -> Option<String> {
    use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error};
    match error {
        // rusqlite's own messages may quote the value.
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

impl Unreadable {
    /// Describes an unreadable row. Passes on any other error.
    pub(super) fn of(
        what: &'static str,
        number: u64,
        id: Option<String>,
        error: rusqlite::Error,
    ) -> Result<Self, rusqlite::Error> {
        row_error(&error).map(|why| Self { what, number, id, why }).ok_or(error)
    }
}

/// Returns the rows of one page: fewer than there are if they are long, but at least one if there is one.
pub(super) fn page<T>(
    rows: impl Iterator<Item = Result<T, StoreError>>,
    length: impl Fn(&T) -> usize,
) -> Result<Vec<T>, StoreError> {
    let (mut page, mut size) = (Vec::new(), 0);
    for row in rows {
        let row = row?;
        size += length(&row);
        if size > PAGE && !page.is_empty() {
            break;
        }
        page.push(row);
    }
    Ok(page)
}

impl Reads<'_> {
    /// Returns the first row of a query; `None` if there is none.
    pub(super) fn first<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnOnce(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.connection.prepare_cached(sql)?.query_row(values, read).optional()?)
    }

    /// Returns the readable rows of a query.
    pub(super) fn readable<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map(values, read)?;
        let rows = rows.filter(|row| !matches!(row, Err(error) if row_error(error).is_some()));
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl Writes<'_> {
    /// Changes rows. Returns their number.
    pub(super) fn execute(&self, sql: &str, values: impl Params) -> Result<usize, StoreError> {
        Ok(self.connection.prepare_cached(sql)?.execute(values)?)
    }
}
