//! A backup of the database, and its restoration.

use std::path::PathBuf;

use super::*;
use crate::Instance;

fn kept() -> (TempDir, Store) {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    for id in ["one", "two"] {
        write(&mut store, |writes| writes.add(&asked(id), ASKED)).unwrap();
    }
    write(&mut store, |writes| writes.resolve("one", &ended(APPROVED))).unwrap().unwrap();
    (temp, store)
}

fn copied(temp: &TempDir) -> (TempDir, PathBuf) {
    let elsewhere = tempfile::tempdir().unwrap();
    let path = elsewhere.path().join("copy.db");
    backup(&reader(temp), &path).unwrap();
    (elsewhere, path)
}

fn put_back(temp: &TempDir, from: &Path, expected: Option<Head>) -> Result<Restored, RestoreError> {
    let only = Instance::claim(&dir(temp)).unwrap();
    restore(&dir(temp), &only, from, expected, 7_000)
}

#[test]
fn a_copy_is_made_while_somebody_writes_and_is_one_file_of_one_moment() {
    let (temp, mut store) = kept();
    let mut batch = store.batch().unwrap();
    batch.attempt(|writes| writes.add(&asked("three"), ASKED)).unwrap();
    let (elsewhere, path) = copied(&temp);
    batch.commit().unwrap();
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
    let copy = Reader::open_copy(&path).unwrap();
    assert!(matches!(copy.verify(None).unwrap(), Verdict::Verified { last, head: None, .. } if last.seq == 3));
    assert_eq!(copy.quick_check().unwrap(), Vec::<String>::new());
}

#[test]
fn a_copy_that_is_put_back_goes_on_and_the_trail_says_so() {
    let (temp, mut store) = kept();
    let (_elsewhere, copy) = copied(&temp);
    write(&mut store, |writes| writes.add(&asked("lost"), ASKED)).unwrap();
    drop(store);
    let restored = put_back(&temp, &copy, None).unwrap();
    assert_eq!(restored.head.seq, 3);
    let mut store = open(&temp);
    assert!(store.reads().request("lost").unwrap().is_none());
    let (entry, _) = store.reads().entries_after(3, 9).unwrap().remove(0).unwrap();
    assert_eq!(entry.kind, "store.restored");
    assert!(entry.body.contains(r#""replaced":"4:"#), "{}", entry.body);
    write(&mut store, |writes| writes.resolve("two", &ended(APPROVED))).unwrap().unwrap();
    assert!(
        matches!(verdict(&temp), Verdict::Verified { last, head: Some(head), .. } if last == head && last.seq == 5)
    );
    // The earlier database still exists, complete.
    let before = Reader::open_copy(&restored.replaced.unwrap()).unwrap();
    assert!(matches!(before.verify(None).unwrap(), Verdict::Verified { last, .. } if last.seq == 4));
}

#[test]
fn a_copy_is_put_back_where_the_database_is_destroyed_or_gone() {
    for destroyed in [true, false] {
        let (temp, store) = kept();
        let (_elsewhere, copy) = copied(&temp);
        drop(store);
        match destroyed {
            true => fs::write(temp.path().join(FILE), "this is no database".repeat(300)).unwrap(),
            false => fs::remove_file(temp.path().join(FILE)).unwrap(),
        }
        let restored = put_back(&temp, &copy, None).unwrap();
        assert_eq!(restored.replaced.is_some(), destroyed);
        drop(open(&temp));
        assert!(matches!(verdict(&temp), Verdict::Verified { .. }));
    }
}

#[test]
fn a_copy_that_is_not_as_it_was_recorded_is_not_put_back_and_nothing_changes() {
    let (temp, store) = kept();
    let (_elsewhere, copy) = copied(&temp);
    drop(store);
    let database = fs::read(temp.path().join(FILE)).unwrap();
    let refused = |expected: Option<Head>| {
        let error = put_back(&temp, &copy, expected).unwrap_err();
        assert_eq!(fs::read(temp.path().join(FILE)).unwrap(), database);
        assert!(!temp.path().join("state.db.restoring").exists());
        error
    };
    let other = Head { seq: 2, hash: Hash::default() };
    assert!(matches!(refused(Some(other)), RestoreError::Untrue { seq: 2, what: Break::Unexpected }));
    let file = Connection::open(&copy).unwrap();
    file.execute_batch("DROP TRIGGER audit_stays; UPDATE audit SET at_ms = 5 WHERE seq = 2").unwrap();
    assert!(matches!(refused(None), RestoreError::Untrue { seq: 2, what: Break::Edited }));
    file.pragma_update(None, "user_version", 9).unwrap();
    assert!(matches!(refused(None), RestoreError::Store(StoreError::Newer { found: 9, .. })));
    drop(file);
    fs::write(&copy, "no database".repeat(500)).unwrap();
    assert!(matches!(refused(None), RestoreError::Store(StoreError::Corrupt(_))));
    fs::remove_file(&copy).unwrap();
    assert!(matches!(refused(None), RestoreError::Missing));
}

#[test]
fn what_is_no_file_with_tables_is_not_put_back_and_nothing_changes() {
    let (temp, store) = kept();
    drop(store);
    let database = fs::read(temp.path().join(FILE)).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let empty = elsewhere.path().join("empty");
    fs::write(&empty, "").unwrap();
    let missing = elsewhere.path().join("no-folder/copy.db");
    for (from, why) in [
        (empty.as_path(), "it is empty: there are no tables in it"),
        (elsewhere.path(), "it is a directory"),
        (missing.as_path(), "it does not exist"),
        (Path::new("/dev/zero"), "it is not a plain file"),
    ] {
        assert_eq!(put_back(&temp, from, None).unwrap_err().to_string(), why);
        assert_eq!(fs::read(temp.path().join(FILE)).unwrap(), database, "{why}");
        assert!(!temp.path().join("state.db.restoring").exists(), "{why}");
    }
}

#[test]
fn what_takes_too_long_can_be_ended() {
    let (temp, mut store) = kept();
    for number in 0..200 {
        write(&mut store, |writes| writes.add(&asked(&number.to_string()), ASKED)).unwrap();
    }
    let reader = reader(&temp);
    let interrupt = reader.interrupt();
    let (done, is_done) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while is_done.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
                interrupt.interrupt();
            }
        });
        while !matches!(reader.quick_check(), Err(StoreError::Interrupted)) {}
        drop(done);
    });
}
