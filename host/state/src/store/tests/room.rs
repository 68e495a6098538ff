//! A disk that is full. A limit on the pages of the database gives SQLite what a full disk gives it.

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
        match write(&mut store, |writes| writes.add(&long(&kept.to_string(), 5_000), "{}")) {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StoreError::Full(_)), "{error:?}");
    assert!(kept > 3, "{kept}");
    assert_eq!(store.reads().open_requests().unwrap().len(), kept);
    assert!(matches!(verdict(&temp), Verdict::Verified { last, .. } if last.seq == kept as u64));
    // What makes room can still be done, and then there is room.
    write(&mut store, |writes| writes.resolve("0", &ended(REJECTED))).unwrap().unwrap();
    write(&mut store, |writes| writes.add(&long("another", 4_000), "{}")).unwrap();
}

#[test]
fn the_same_store_goes_on_once_there_is_room() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = limited(&temp, 40);
    let big = long("big", 1 << 20);
    assert!(matches!(write(&mut store, |writes| writes.add(&big, "{}")), Err(StoreError::Full(_))));
    store.connection.pragma_update(None, "max_page_count", 100_000).unwrap();
    write(&mut store, |writes| writes.add(&big, "{}")).unwrap();
    assert!(matches!(verdict(&temp), Verdict::Verified { last, .. } if last.seq == 1));
}

#[test]
fn what_has_no_room_leaves_the_work_beside_it_as_it_was_or_says_that_all_is_undone() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = limited(&temp, 40);
    let mut batch = store.batch().unwrap();
    batch.attempt(|writes| writes.add(&asked("small"), "{}")).unwrap();
    assert!(matches!(batch.attempt(|writes| writes.add(&long("big", 1 << 20), "{}")), Err(StoreError::Full(_))));
    let undone = batch.is_undone();
    if undone {
        drop(batch);
    } else {
        batch.commit().unwrap();
    }
    assert_eq!(store.reads().request("small").unwrap().is_some(), !undone);
    assert!(store.reads().request("big").unwrap().is_none());
}
