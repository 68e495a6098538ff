//! The queues of notices.

use dmplz_core::notify::{Decision, Front, Held, Skipped};

use super::*;

fn new(id: &str, key: Option<&str>, now_ms: u64) -> NewNotice {
    NewNotice {
        channel: "phone".to_owned(),
        id: id.to_owned(),
        merge_key: key.map(str::to_owned),
        uid: id.to_owned(),
        body: id.to_owned(),
        now_ms,
        window_ms: 10,
        first: Decision::Send,
    }
}

fn add(store: &mut Store, notice: &NewNotice) -> Queued {
    write(store, |writes| writes.add_notice(notice)).unwrap()
}

fn take(store: &mut Store, now_ms: u64) -> Next {
    write(store, |writes| writes.take_notice("phone", now_ms, 10)).unwrap()
}

fn taken(store: &mut Store, now_ms: u64) -> NoticeRow {
    match take(store, now_ms) {
        Next::Notice(row) => *row,
        other => panic!("{other:?}"),
    }
}

fn ends(store: &mut Store, number: u64, attempt: &Attempt, now_ms: u64) {
    write(store, |writes| writes.attempted(number, "phone", attempt, now_ms)).unwrap();
}

#[test]
fn a_notice_that_was_tried_is_never_changed_and_one_that_waits_takes_the_next() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    assert_eq!(add(&mut store, &new("a", Some("k"), 1)), Queued::New(1));
    assert_eq!(add(&mut store, &new("b", Some("k"), 2)), Queued::Merged(1));
    assert_eq!(add(&mut store, &new("b", Some("k"), 2)), Queued::Known);
    let row = taken(&mut store, 3);
    assert_eq!((row.number, row.count, row.body.as_str(), row.attempts), (1, 2, "b", 1));
    assert_eq!(add(&mut store, &new("c", Some("k"), 4)), Queued::New(2));
    ends(&mut store, 1, &Attempt::Again("down".to_owned(), 9), 5);
    assert_eq!(add(&mut store, &new("d", Some("k"), 6)), Queued::Merged(2));
    // The one that failed stays the first.
    assert_eq!(taken(&mut store, 7).number, 1);
    ends(&mut store, 1, &Attempt::Sent, 8);
    assert_eq!(taken(&mut store, 8).number, 2);
}

#[test]
fn the_next_of_a_key_waits_for_the_window_and_a_clock_that_was_set_back_delays_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    add(&mut store, &new("a", Some("k"), 100));
    taken(&mut store, 100);
    ends(&mut store, 1, &Attempt::Sent, 100);
    add(&mut store, &new("b", Some("k"), 103));
    assert_eq!(take(&mut store, 104), Next::At(110));
    // Another key does not wait for it.
    add(&mut store, &new("c", Some("other"), 104));
    assert_eq!(taken(&mut store, 104).number, 3);
    assert_eq!(taken(&mut store, 50).number, 2);
}

#[test]
fn what_a_dead_process_was_sending_waits_again_and_channels_tell_how_they_do() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    let (dead, again) = (Attempt::Dead("gone".to_owned()), Attempt::Again("down".to_owned(), 9));
    for (id, attempt) in [("a", dead), ("b", again), ("c", Attempt::Sent)] {
        add(&mut store, &new(id, None, 1));
        let number = taken(&mut store, 1).number;
        ends(&mut store, number, &attempt, 2);
        if id == "b" {
            let row = store.reads().notice_channels().unwrap().remove(0);
            assert_eq!((row.failures, row.failing_since_ms, row.paused_until_ms), (2, Some(2), Some(9)));
            assert_eq!((row.waiting, row.dead, row.why.as_deref()), (1, 1, Some("down")));
        }
        if id == "c" {
            // The one before it is the one that was taken.
            assert_eq!(number, 2);
        }
    }
    taken(&mut store, 3);
    assert_eq!(write(&mut store, |writes| writes.recover_notices()).unwrap(), 1);
    assert_eq!(write(&mut store, |writes| writes.retry_notices(None, Some("team"), 5)).unwrap(), 0);
    assert_eq!(write(&mut store, |writes| writes.retry_notices(Some(1), None, 5)).unwrap(), 1);
    let row = store.reads().notice_channels().unwrap().remove(0);
    assert_eq!((row.failures, row.sent_ms, row.waiting, row.dead), (0, Some(2), 2, 0));
    let statuses: Vec<_> = store.reads().notices(None, None, 9).unwrap().into_iter().map(|row| row.status).collect();
    assert_eq!(statuses, ["waiting", "sent", "waiting"]);
}

#[test]
fn what_is_held_joins_what_is_held_and_is_queued_held_again_or_skipped_once() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    let held = |id, key| NewNotice { first: Decision::Hold(Held::Quiet, 500), ..new(id, key, 100) };
    assert_eq!(add(&mut store, &held("1", Some("k"))), Queued::New(1));
    assert_eq!(add(&mut store, &held("2", Some("k"))), Queued::Merged(1));
    // One that is sent now must not wait with them.
    assert_eq!(add(&mut store, &new("3", Some("k"), 100)), Queued::New(2));
    assert_eq!(
        add(
            &mut store,
            &NewNotice { first: Decision::Skip(Skipped::InFront(Front::Page)), ..new("4", Some("k"), 100) }
        ),
        Queued::New(3)
    );
    assert_eq!(add(&mut store, &held("5", Some("other"))), Queued::New(4));
    assert_eq!(taken(&mut store, 100).number, 2);
    ends(&mut store, 2, &Attempt::Sent, 100);
    assert_eq!(take(&mut store, 600), Next::Empty);
    let due = |store: &Store, now_ms| {
        let (due, next) = store.reads().held_notices(now_ms, 1_000, 9).unwrap();
        (due.iter().map(|row| row.number).collect::<Vec<_>>(), next)
    };
    assert_eq!(due(&store, 100), (vec![], Some(500)));
    assert_eq!(due(&store, 500), (vec![1, 4], None));
    // The clock was set back by more than anything is held.
    assert_eq!(store.reads().held_notices(0, 400, 9).unwrap().0.len(), 2);
    let row = store.reads().notice_channels().unwrap().remove(0);
    assert_eq!((row.held, row.waiting, row.dead), (2, 0, 0));
    let settle = |store: &mut Store, number, decision, entry: Option<&Happened<'_>>, now_ms| {
        write(store, |writes| writes.settle_notice(number, decision, entry, now_ms)).unwrap()
    };
    assert!(settle(&mut store, 1, Decision::Hold(Held::Quiet, 700), None, 500));
    assert_eq!(due(&store, 500), (vec![4], Some(700)));
    assert_eq!(store.reads().held_under("other").unwrap().len(), 1);
    assert!(settle(&mut store, 4, Decision::Skip(Skipped::Ended), None, 500));
    assert_eq!(store.reads().held_under("other").unwrap(), []);
    let entry = Happened { at_ms: 700, kind: "notice.escalated", request_id: None, body: "{}" };
    assert!(settle(&mut store, 1, Decision::Send, Some(&entry), 700));
    assert!(!settle(&mut store, 1, Decision::Send, Some(&entry), 700), "it is queued, and in the trail, once");
    assert_eq!(store.reads().entries_after(0, 9).unwrap().len(), 1);
    let row = taken(&mut store, 700);
    assert_eq!((row.number, row.count, row.body.as_str(), row.why), (1, 2, "2", None));
    // A person may send what was skipped, and it is not sent again with all that is dead.
    assert_eq!(write(&mut store, |writes| writes.retry_notices(None, None, 800)).unwrap(), 0);
    assert_eq!(write(&mut store, |writes| writes.retry_notices(Some(3), None, 800)).unwrap(), 1);
    assert_eq!(write(&mut store, |writes| writes.retry_notices(Some(2), None, 800)).unwrap(), 0);
}
