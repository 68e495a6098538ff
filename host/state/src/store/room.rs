//! Reserves space on the disk for the write-ahead log before it is needed.
//!
//! A commit waits for the disk. If it extends the log's file, most file systems must write the new length as well: on
//! ext4 that doubles the wait. SQLite moves the log into the database after a thousand pages, and then writes it from
//! its start again. So a log that once had that length is overwritten and never grows.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use rusqlite::Connection;

/// The length at which SQLite moves the log into the database: a thousand pages.
const LOG: u64 = 1000 * 4096;

/// Extends the log to that length if it is shorter. An error is ignored: without the reserved space everything works,
/// only slower.
pub(super) fn make(connection: &Connection, database: &Path) {
    let run = |sql: &str| connection.execute_batch(sql).is_ok();
    let mut log = OsString::from(database);
    log.push("-wal");
    if fs::metadata(log).is_ok_and(|log| log.len() >= LOG) {
        // A process that was killed in the middle of this left its table behind.
        run("DROP TABLE IF EXISTS room");
        return;
    }
    // The data is zeros, which need not be zeroed when it is dropped.
    run("PRAGMA secure_delete = OFF; DROP TABLE IF EXISTS room; CREATE TABLE room (zeros BLOB) STRICT");
    run(&format!("INSERT INTO room VALUES (zeroblob({LOG}))"));
    run("DROP TABLE IF EXISTS room");
    run("PRAGMA secure_delete = ON");
}
