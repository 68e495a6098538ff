use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use super::*;

fn journal(dir: &Path, rotate_bytes: u64, max_files: u32) -> Journal {
    Journal::new(dir.join("a/b/x.jsonl"), Retention { rotate_bytes, max_files }, Duration::from_secs(20))
}

fn lines(journal: &Journal) -> Vec<String> {
    journal.lines().unwrap().map(|line| String::from_utf8(line.unwrap()).unwrap()).collect()
}

/// Returns the content of the current file and of the rotated ones, the newest first.
fn files(journal: &Journal) -> Vec<String> {
    let rotated = rotation::rotated(journal.path()).unwrap();
    [journal.path().to_owned()].iter().chain(&rotated).map(|path| fs::read_to_string(path).unwrap()).collect()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_record_is_one_line_in_a_file_of_ours() {
    let temp = tempfile::tempdir().unwrap();
    let journal = journal(temp.path(), 1000, 3);
    assert!(lines(&journal).is_empty());
    journal.append(&"line\nbreak \"quote\" 🙂").unwrap();
    journal.append(&2).unwrap();
    assert_eq!(lines(&journal), [r#""line\nbreak \"quote\" 🙂""#, "2"]);
    assert_eq!(mode(journal.path()), 0o600);
    assert_eq!(mode(&temp.path().join("a/b/x.jsonl.lock")), 0o600);
    assert_eq!(mode(&temp.path().join("a")), 0o700);
}

#[test]
fn a_file_is_rotated_before_a_record_would_make_it_too_large() {
    let temp = tempfile::tempdir().unwrap();
    // A record has four bytes and a file holds twelve, so the fourth record goes to a new file, not the third.
    let journal = journal(temp.path(), 12, 2);
    for record in 101..=103 {
        journal.append(&record).unwrap();
    }
    assert_eq!(files(&journal), ["101\n102\n103\n"]);
    for record in 104..=110 {
        journal.append(&record).unwrap();
    }
    assert_eq!(files(&journal), ["110\n", "107\n108\n109\n", "104\n105\n106\n"]);
    assert_eq!(lines(&journal), ["104", "105", "106", "107", "108", "109", "110"]);
}

#[test]
fn a_record_larger_than_the_limit_has_a_file_of_its_own() {
    let temp = tempfile::tempdir().unwrap();
    let journal = journal(temp.path(), 4, 9);
    for record in ["a", "much larger than a file may be", "b"] {
        journal.append(&record).unwrap();
    }
    assert_eq!(files(&journal), ["\"b\"\n", "\"much larger than a file may be\"\n", "\"a\"\n"]);
}

#[test]
fn without_rotated_files_the_old_ones_are_removed() {
    let temp = tempfile::tempdir().unwrap();
    let journal = journal(temp.path(), 4, 0);
    journal.append(&101).unwrap();
    journal.append(&102).unwrap();
    assert_eq!(files(&journal), ["102\n"]);
}

#[test]
fn a_line_that_a_crash_cut_stays_by_itself() {
    let temp = tempfile::tempdir().unwrap();
    let journal = journal(temp.path(), 1000, 3);
    journal.append(&1).unwrap();
    fs::write(journal.path(), "1\n{\"half\":").unwrap();
    journal.append(&2).unwrap();
    assert_eq!(lines(&journal), ["1", "{\"half\":", "2"]);
}

#[test]
fn a_cut_line_counts_for_the_limit_and_is_rotated_as_it_is() {
    let temp = tempfile::tempdir().unwrap();
    let journal = journal(temp.path(), 8, 3);
    journal.append(&1).unwrap();
    fs::write(journal.path(), "1\n{{{").unwrap();
    journal.append(&2).unwrap();
    assert_eq!(files(&journal), ["1\n{{{\n2\n"]);
    fs::write(journal.path(), "1\n{{{{").unwrap();
    journal.append(&2).unwrap();
    assert_eq!(files(&journal), ["2\n", "1\n{{{{"]);
}

#[test]
fn what_is_not_a_plain_file_is_an_error() {
    let temp = tempfile::tempdir().unwrap();
    let retention = Retention { rotate_bytes: 10, max_files: 1 };
    let at = |path: &Path| Journal::new(path, retention, Duration::ZERO).append(&1).unwrap_err();
    let link = temp.path().join("link");
    std::os::unix::fs::symlink(temp.path().join("target"), &link).unwrap();
    let directory = temp.path().join("directory");
    fs::create_dir(&directory).unwrap();
    let below_a_file = temp.path().join("file/x.jsonl");
    fs::write(temp.path().join("file"), "").unwrap();
    for path in [&link, &directory, &below_a_file] {
        let error = at(path);
        assert!(matches!(error, JournalError::File(FileError::Io { .. })), "{error}");
    }
    assert!(!temp.path().join("target").exists());
}

#[test]
fn a_journal_that_stays_locked_is_given_up_in_time() {
    let temp = tempfile::tempdir().unwrap();
    let journal = journal(temp.path(), 1000, 3);
    journal.append(&1).unwrap();
    let held = journal.lock().unwrap();
    let hasty = Journal { lock_wait: Duration::from_millis(5), ..journal.clone() };
    assert!(matches!(hasty.append(&2), Err(JournalError::File(FileError::Busy(_)))));
    assert!(matches!(hasty.lines(), Err(JournalError::File(FileError::Busy(_)))));
    drop(held);
    journal.append(&3).unwrap();
    assert_eq!(lines(&journal), ["1", "3"]);
}

#[test]
fn where_rotation_fails_the_record_is_kept_all_the_same() {
    let temp = tempfile::tempdir().unwrap();
    let journal = journal(temp.path(), 4, 1);
    journal.append(&101).unwrap();
    let in_the_way = temp.path().join("a/b/x.jsonl.1");
    fs::create_dir(&in_the_way).unwrap();
    fs::write(in_the_way.join("file"), "").unwrap();
    assert!(matches!(journal.append(&102), Err(JournalError::Rotate { .. })));
    assert_eq!(fs::read_to_string(journal.path()).unwrap(), "101\n102\n");
}

#[test]
fn reading_is_not_disturbed_by_what_comes_later() {
    let temp = tempfile::tempdir().unwrap();
    let journal = journal(temp.path(), 8, 2);
    for record in 101..=103 {
        journal.append(&record).unwrap();
    }
    let early = journal.lines().unwrap();
    for record in 104..=120 {
        journal.append(&record).unwrap();
    }
    let early: Vec<_> = early.map(|line| String::from_utf8(line.unwrap()).unwrap()).collect();
    assert_eq!(early, ["101", "102", "103"]);
}

#[test]
fn a_file_that_others_could_read_is_narrowed() {
    let temp = tempfile::tempdir().unwrap();
    let journal = journal(temp.path(), 1000, 3);
    journal.append(&1).unwrap();
    fs::set_permissions(journal.path(), Permissions::from_mode(0o644)).unwrap();
    journal.append(&2).unwrap();
    assert_eq!(mode(journal.path()), 0o600);
}

/// Writes records with these times in seconds since 1970, two per file.
fn timed(seconds: &[i64]) -> (tempfile::TempDir, Journal) {
    let temp = tempfile::tempdir().unwrap();
    let journal = journal(temp.path(), 80, 9);
    for second in seconds {
        let timestamp = Timestamp::from_second(*second).unwrap();
        journal.append(&serde_json::json!({ "timestamp": timestamp.to_string() })).unwrap();
    }
    (temp, journal)
}

fn left(journal: &Journal) -> Vec<String> {
    lines(journal).iter().map(|line| line.replace(r#"{"timestamp":"1970-01-01T00:00:"#, "")).collect()
}

#[test]
fn old_records_go_from_the_oldest_on_and_the_younger_ones_stay() {
    for (before, removed) in [(0, 0), (11, 1), (12, 2), (13, 3), (15, 5), (99, 5)] {
        let (_temp, journal) = timed(&[10, 11, 12, 13, 14]);
        assert!(files(&journal).len() > 2);
        assert_eq!(journal.prune(Timestamp::from_second(before).unwrap()).unwrap(), removed, "{before}");
        assert_eq!(lines(&journal).len(), 5 - removed);
        journal.append(&1).unwrap();
        assert_eq!(lines(&journal).len(), 6 - removed, "and it goes on");
        assert_eq!(mode(journal.path()), 0o600);
    }
}

#[test]
fn a_line_whose_time_cannot_be_read_goes_with_what_stands_behind_it() {
    let (_temp, journal) = timed(&[10]);
    fs::write(
        journal.path(),
        "torn\n{\"timestamp\":\"1970-01-01T00:00:10Z\"}\ntorn too\n{\"timestamp\":\"1970-01-01T00:00:20Z\"}\n",
    )
    .unwrap();
    assert_eq!(journal.prune(Timestamp::from_second(15).unwrap()).unwrap(), 2);
    assert_eq!(left(&journal), ["torn too", "20Z\"}"]);
    fs::write(journal.path(), "torn\n").unwrap();
    assert_eq!(journal.prune(Timestamp::from_second(15).unwrap()).unwrap(), 0, "nothing says that it is old");
}

#[test]
fn a_record_that_is_out_of_order_keeps_what_came_after_it() {
    let (_temp, journal) = timed(&[10, 30, 11]);
    assert_eq!(journal.prune(Timestamp::from_second(20).unwrap()).unwrap(), 1);
    assert_eq!(left(&journal), ["30Z\"}", "11Z\"}"]);
}

#[test]
fn where_there_is_no_journal_nothing_is_pruned_and_nothing_is_made() {
    let temp = tempfile::tempdir().unwrap();
    assert_eq!(journal(temp.path(), 80, 9).prune(Timestamp::MAX).unwrap(), 0);
    assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 0);
}

#[test]
fn who_may_only_read_reads_without_the_lock() {
    let temp = tempfile::tempdir().unwrap();
    let journal = journal(temp.path(), 1000, 3);
    journal.append(&1).unwrap();
    let folder = temp.path().join("a/b");
    fs::remove_file(folder.join("x.jsonl.lock")).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o500)).unwrap();
    // Root may write all the same, so with root only the other folder shows it: nobody can create a file there.
    assert_eq!(lines(&journal), ["1"]);
    assert_eq!(journal.append(&2).is_ok(), rustix::process::geteuid().is_root());
    fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
    let elsewhere = Journal::new("/sys/x.jsonl", journal.retention, journal.lock_wait);
    assert_eq!(lines(&elsewhere), Vec::<String>::new());
}
