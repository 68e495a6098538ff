//! Room on the disk for the write-ahead log, made before it is needed.
//!
//! A commit waits for the disk. Where it made the log's file longer, most file systems have to write down the new length
//! too: on ext4 that doubles the wait. SQLite writes the log from its start again once it was moved into the database, and
//! does that after a thousand pages. So a log that was once that long is overwritten and never grows.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use rusqlite::Connection;

/// As long as SQLite lets the log grow before it moves it into the database: a thousand pages.
const LOG: u64 = 1000 * 4096;

/// Makes the log so long, where it is shorter. Without room for that everything works as well, only slower, so that an
/// error is none.
pub(super) fn make(connection: &Connection, database: &Path) {
    let run = |sql: &str| connection.execute_batch(sql).is_ok();
    let mut log = OsString::from(database);
    log.push("-wal");
    if fs::metadata(log).is_ok_and(|log| log.len() >= LOG) {
        // A process that was killed in the middle of this left its table behind.
        run("DROP TABLE IF EXISTS room");
        return;
    }
    // What is written are zeros, which need not be zeroed when they are dropped.
    run("PRAGMA secure_delete = OFF; DROP TABLE IF EXISTS room; CREATE TABLE room (zeros BLOB) STRICT");
    run(&format!("INSERT INTO room VALUES (zeroblob({LOG}))"));
    run("DROP TABLE IF EXISTS room");
    run("PRAGMA secure_delete = ON");
}
