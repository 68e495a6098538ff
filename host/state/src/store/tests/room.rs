//! A full disk. A limit on the pages of the database has the same effect on SQLite.

use super::*;

fn limited(temp: &TempDir, pages: u32) -> Store {
    let options = StoreOptions { max_pages: Some(pages), ..StoreOptions::default() };
    Store::open(&dir(temp), options, 1).unwrap()
}

fn long(id: &str, bytes: usize) -> NewRequest {
    NewRequest { body: "x".repeat(bytes), ..asked(id) }
}

#[test]
fn a_full_disk_is_told_and_keeps_what_was_committed() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = limited(&temp, 40);
    let mut kept = 0;
    let error = loop {
        match write(&mut store, |writes| writes.add(&long(&kept.to_string(), 5_000), ASKED)) {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StoreError::Full(_)), "{error:?}");
    assert!(kept > 3, "{kept}");
    assert_eq!(store.reads().open_requests().unwrap().len(), kept);
    assert!(matches!(verdict(&temp), Verdict::Verified { last, .. } if last.seq == kept as u64));
    // Work that frees space can still be done, and then there is space.
    write(&mut store, |writes| writes.resolve("0", &ended(REJECTED))).unwrap().unwrap();
    write(&mut store, |writes| writes.add(&long("another", 4_000), ASKED)).unwrap();
}

#[test]
fn the_same_store_goes_on_once_there_is_room() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = limited(&temp, 40);
    let big = long("big", 1 << 20);
    assert!(matches!(write(&mut store, |writes| writes.add(&big, ASKED)), Err(StoreError::Full(_))));
    store.connection.pragma_update(None, "max_page_count", 100_000).unwrap();
    write(&mut store, |writes| writes.add(&big, ASKED)).unwrap();
    assert!(matches!(verdict(&temp), Verdict::Verified { last, .. } if last.seq == 1));
}

#[test]
fn what_has_no_room_leaves_the_work_beside_it_as_it_was_or_says_that_all_is_undone() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = limited(&temp, 40);
    let mut batch = store.batch().unwrap();
    batch.attempt(|writes| writes.add(&asked("small"), ASKED)).unwrap();
    assert!(matches!(batch.attempt(|writes| writes.add(&long("big", 1 << 20), ASKED)), Err(StoreError::Full(_))));
    let undone = batch.is_undone();
    if undone {
        drop(batch);
    } else {
        batch.commit().unwrap();
    }
    assert_eq!(store.reads().request("small").unwrap().is_some(), !undone);
    assert!(store.reads().request("big").unwrap().is_none());
}

#[test]
fn room_that_is_made_ahead_lets_no_commit_lengthen_the_log() {
    let temp = tempfile::tempdir().unwrap();
    let options = StoreOptions { room_ahead: true, ..StoreOptions::default() };
    let length = || std::fs::metadata(temp.path().join("state.db-wal")).unwrap().len();
    for round in 0..2 {
        let mut store = Store::open(&dir(&temp), options, 1).unwrap();
        let made = length();
        assert!(made >= 1000 * 4096);
        for number in 0..300 {
            write(&mut store, |writes| writes.add(&asked(&format!("{round} {number}")), ASKED)).unwrap();
        }
        assert_eq!(length(), made);
        let setting = |name| store.connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!((setting("secure_delete"), setting("synchronous")), (1, 2));
        assert!(store.connection.prepare("SELECT * FROM room").is_err());
    }
}

#[test]
fn where_there_is_no_room_to_make_ahead_the_store_works_as_well() {
    let temp = tempfile::tempdir().unwrap();
    let options = StoreOptions { room_ahead: true, max_pages: Some(40), ..StoreOptions::default() };
    let mut store = Store::open(&dir(&temp), options, 1).unwrap();
    write(&mut store, |writes| writes.add(&asked("one"), ASKED)).unwrap();
    assert_eq!(store.connection.pragma_query_value(None, "secure_delete", |row| row.get::<_, i64>(0)).unwrap(), 1);
    assert!(store.connection.prepare("SELECT * FROM room").is_err());
}
