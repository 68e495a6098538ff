//! Tests of the database's files.

use std::fs;
use std::os::unix::fs::FileExt;

use super::*;

fn refused(temp: &TempDir) -> StoreError {
    Store::open(&dir(temp), StoreOptions::default(), 1).unwrap_err()
}

#[test]
fn nobody_else_may_read_any_of_the_files() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    write(&mut store, |writes| writes.add(&asked("one"), ASKED)).unwrap();
    let mut names: Vec<_> = fs::read_dir(temp.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["audit.head", "state.db", "state.db-shm", "state.db-wal"]);
    for name in names {
        assert_eq!(mode(&temp.path().join(&name)), 0o600, "{name:?}");
    }
}

#[test]
fn an_empty_file_is_version_zero_and_gets_every_step() {
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join(FILE), "").unwrap();
    let store = open(&temp);
    let version: i64 = store.connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, schema::VERSION);
    assert_eq!(store.reads().open_requests().unwrap(), []);
}

#[test]
fn what_is_in_a_file_of_this_version_stays_when_it_is_opened_again() {
    let temp = tempfile::tempdir().unwrap();
    for round in 0..3 {
        let mut store = open(&temp);
        assert_eq!(store.reads().open_requests().unwrap().len(), round);
        write(&mut store, |writes| writes.add(&asked(&round.to_string()), ASKED)).unwrap();
    }
    assert!(matches!(verdict(&temp), Verdict::Verified { last, .. } if last.seq == 3));
}

#[test]
fn a_file_of_a_newer_version_stays_as_it_is() {
    let temp = tempfile::tempdir().unwrap();
    drop(open(&temp));
    plain(&temp).pragma_update(None, "user_version", 7).unwrap();
    let before = fs::read(temp.path().join(FILE)).unwrap();
    assert!(matches!(refused(&temp), StoreError::Newer { found: 7, known: schema::VERSION }));
    assert!(matches!(Reader::open(&dir(&temp), StoreOptions::default()), Err(StoreError::Newer { .. })));
    assert_eq!(fs::read(temp.path().join(FILE)).unwrap(), before);
}

#[test]
fn a_database_of_something_else_stays_as_it_is() {
    let temp = tempfile::tempdir().unwrap();
    plain(&temp).execute_batch("CREATE TABLE theirs (x)").unwrap();
    let before = fs::read(temp.path().join(FILE)).unwrap();
    assert!(matches!(refused(&temp), StoreError::Foreign));
    assert_eq!(fs::read(temp.path().join(FILE)).unwrap(), before);
}

#[test]
fn a_damaged_file_stays_as_it_is() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join(FILE);
    fs::write(&path, "this is no database, however long it is".repeat(300)).unwrap();
    let before = fs::read(&path).unwrap();
    assert!(matches!(refused(&temp), StoreError::Corrupt(_)));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn damage_within_the_tables_is_told_and_not_read_as_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    for number in 0..200 {
        write(&mut store, |writes| writes.add(&asked(&number.to_string()), ASKED)).unwrap();
    }
    drop(store);
    let file = fs::OpenOptions::new().write(true).open(temp.path().join(FILE)).unwrap();
    let pages = file.metadata().unwrap().len() / 4096;
    for page in 1..pages {
        file.write_all_at(&[0xAA; 512], page * 4096).unwrap();
    }
    let opened = Store::open(&dir(&temp), StoreOptions::default(), 1);
    let error = opened.and_then(|store| store.reads().open_requests()).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt(_)), "{error:?}");
}

#[test]
fn a_link_in_the_place_of_the_database_is_not_followed() {
    let temp = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::NamedTempFile::new().unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), temp.path().join(FILE)).unwrap();
    assert!(matches!(refused(&temp), StoreError::Open { .. }));
    assert_eq!(fs::read(elsewhere.path()).unwrap(), b"");
}

#[test]
fn there_is_nothing_to_read_where_nothing_was_written() {
    let temp = tempfile::tempdir().unwrap();
    assert!(matches!(Reader::open(&dir(&temp), StoreOptions::default()), Err(StoreError::Io(_))));
    assert!(!temp.path().join(FILE).exists());
}

#[test]
fn a_trail_whose_end_is_missing_is_not_gone_on_with() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    for id in ["one", "two"] {
        write(&mut store, |writes| writes.add(&asked(id), ASKED)).unwrap();
    }
    drop(store);
    plain(&temp).execute_batch("DROP TRIGGER audit_is_kept; DELETE FROM audit WHERE seq = 2").unwrap();
    let head = fs::read(temp.path().join("audit.head")).unwrap();
    assert!(matches!(refused(&temp), StoreError::EndMissing { head, last } if head.seq == 2 && last.seq == 1));
    assert_eq!(fs::read(temp.path().join("audit.head")).unwrap(), head, "what shows it stays");
}

#[test]
fn a_head_that_is_missing_is_said_in_the_trail() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    write(&mut store, |writes| writes.add(&asked("one"), ASKED)).unwrap();
    drop(store);
    fs::remove_file(temp.path().join("audit.head")).unwrap();
    assert!(matches!(verdict(&temp), Verdict::Verified { last, head: None, .. } if last.seq == 1));
    drop(open(&temp));
    let (entry, _) = reader(&temp).reads().entries_after(1, 10).unwrap().remove(0).unwrap();
    assert_eq!((&*entry.kind, entry.request_id), ("audit.head_missing", None));
    assert!(matches!(verdict(&temp), Verdict::Verified { last, head: Some(head), .. } if last == head));
}

#[test]
fn a_head_that_is_behind_is_brought_forward() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    write(&mut store, |writes| writes.add(&asked("one"), ASKED)).unwrap();
    let head = fs::read(temp.path().join("audit.head")).unwrap();
    write(&mut store, |writes| writes.add(&asked("two"), ASKED)).unwrap();
    drop(store);
    fs::write(temp.path().join("audit.head"), head).unwrap();
    assert!(
        matches!(verdict(&temp), Verdict::Verified { last, head: Some(head), .. } if last.seq == 2 && head.seq == 1)
    );
    drop(open(&temp));
    assert!(matches!(verdict(&temp), Verdict::Verified { last, head: Some(head), .. } if last == head));
}

#[test]
fn a_head_that_cannot_be_read_is_told() {
    let temp = tempfile::tempdir().unwrap();
    drop(open(&temp));
    for spoilt in ["x", "1:zz", &format!("+1:{}", "0".repeat(64)), &format!("1:{}é", "0".repeat(62))] {
        fs::write(temp.path().join("audit.head"), spoilt).unwrap();
        assert!(matches!(refused(&temp), StoreError::Head(InvalidHead)), "{spoilt}");
    }
}

#[test]
fn a_database_that_another_process_holds_is_waited_for_and_then_told() {
    let temp = tempfile::tempdir().unwrap();
    let options = StoreOptions { busy: Duration::from_millis(20), ..StoreOptions::default() };
    let mut store = Store::open(&dir(&temp), options, 1).unwrap();
    let other = plain(&temp);
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(matches!(store.batch(), Err(StoreError::Busy(_))));
    other.execute_batch("COMMIT").unwrap();
    write(&mut store, |writes| writes.add(&asked("one"), ASKED)).unwrap();
}

#[test]
fn files_that_others_could_read_are_narrowed() {
    let temp = tempfile::tempdir().unwrap();
    for name in [FILE, "audit.head"] {
        fs::write(temp.path().join(name), "").unwrap();
        fs::set_permissions(temp.path().join(name), fs::Permissions::from_mode(0o644)).unwrap();
    }
    let _store = open(&temp);
    for name in [FILE, "state.db-wal", "audit.head"] {
        assert_eq!(mode(&temp.path().join(name)), 0o600, "{name}");
    }
}
