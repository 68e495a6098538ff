//! The journal between processes, and on a disk that is full.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use dmplz_state::{FileError, Journal, JournalError, Retention};
use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};

use crate::children::{Role, Started};

const PROCESSES: usize = 16;
const RECORDS: usize = 500;
const ROTATE_BYTES: u64 = 16 * 1024;

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Record {
    process: usize,
    record: usize,
    reason: String,
}

fn journal(dir: &Path, max_files: u32) -> Journal {
    let retention = Retention { rotate_bytes: ROTATE_BYTES, max_files };
    Journal::new(dir.join("log/rejections.jsonl"), retention, Duration::from_secs(60))
}

pub(crate) fn rejections(role: &Role) {
    let journal = journal(&role.dir, role.index as u32 / 1000);
    for record in 0..RECORDS {
        let reason = format!("because \"of\"\nthis {}", "…".repeat(record % 40));
        journal.append(&Record { process: role.index % 1000, record, reason }).unwrap();
    }
}

fn run_processes(dir: &Path, max_files: usize) -> Vec<Record> {
    let (sender, _said) = mpsc::channel();
    let start = |index| Started::new("journal", dir, max_files * 1000 + index, sender.clone());
    let mut processes: Vec<_> = (0..PROCESSES).map(start).collect();
    processes.iter_mut().for_each(Started::dismiss);
    let lines = journal(dir, 0).lines().unwrap();
    lines.map(|line| serde_json::from_slice(&line.unwrap()).expect("every line parses")).collect()
}

fn file_sizes(dir: &Path) -> Vec<u64> {
    let files = fs::read_dir(dir.join("log")).unwrap().map(Result::unwrap);
    files
        .filter(|file| !file.file_name().to_str().unwrap().ends_with(".lock"))
        .map(|file| file.metadata().unwrap().len())
        .collect()
}

#[test]
fn sixteen_processes_lose_no_record_and_double_none_while_files_rotate() {
    let temp = tempfile::tempdir().unwrap();
    let records = run_processes(temp.path(), 200);
    assert_eq!(records.len(), PROCESSES * RECORDS);
    let distinct: BTreeSet<_> = records.iter().map(|record| (record.process, record.record)).collect();
    assert_eq!(distinct.len(), PROCESSES * RECORDS);
    for process in 0..PROCESSES {
        let own = records.iter().filter(|record| record.process == process).map(|record| record.record);
        assert!(own.eq(0..RECORDS), "the records of one process stay in their order");
    }
    let sizes = file_sizes(temp.path());
    eprintln!("{} records in {} files", records.len(), sizes.len());
    assert!(sizes.len() > 20, "the files were rotated");
    assert!(sizes.iter().all(|size| *size <= ROTATE_BYTES), "{sizes:?}");
}

#[test]
fn sixteen_processes_keep_as_many_files_as_configured_and_the_newest_records() {
    let temp = tempfile::tempdir().unwrap();
    let records = run_processes(temp.path(), 5);
    assert_eq!(file_sizes(temp.path()).len(), 6, "the file that is written and five rotated ones");
    let distinct: BTreeSet<_> = records.iter().map(|record| (record.process, record.record)).collect();
    assert_eq!(distinct.len(), records.len());
    for process in 0..PROCESSES {
        let own: Vec<_> =
            records.iter().filter(|record| record.process == process).map(|record| record.record).collect();
        let oldest = own.first().copied().unwrap_or(RECORDS);
        assert!(own.into_iter().eq(oldest..RECORDS), "what is kept is the newest, without a gap");
    }
}

/// Bytes that fit on the "disk".
const DISK: u64 = 1000;

pub(crate) fn full_disk(role: &Role) {
    setrlimit(Resource::Fsize, Rlimit { current: Some(DISK), maximum: Some(DISK) }).unwrap();
    let journal = journal(&role.dir, 5);
    let record = |record| Record { process: 0, record, reason: "x".repeat(100) };
    let mut kept = 0;
    let error = loop {
        match journal.append(&record(kept)) {
            Ok(()) => kept += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, JournalError::File(FileError::Io { .. })), "{error}");
    let content = fs::read_to_string(journal.path()).unwrap();
    assert!(content.ends_with("}\n"), "the part that was written is cut off again");
    assert!(content.len() as u64 + 130 > DISK, "the disk is as good as full");
    let records: Vec<Record> = content.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), kept);
    // Where there is room for a smaller one, it fits.
    journal.append(&0).unwrap();
    assert_eq!(fs::read_to_string(journal.path()).unwrap(), content + "0\n");
}

#[test]
fn a_full_disk_is_an_error_and_leaves_whole_lines() {
    let temp = tempfile::tempdir().unwrap();
    Role::run_with_limited_files("journal-full", temp.path());
    assert!(temp.path().join("log/rejections.jsonl").exists());
}
