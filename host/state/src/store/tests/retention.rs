//! The beginning of the trail is cut off, and the rest stays valid.

use proptest::prelude::*;

use super::*;

const DAY: u64 = 86_400_000;

/// Adds `many` requests, one a day from the first day on, each asked, approved and taken the same day.
fn days(many: u64) -> (TempDir, Store) {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    for day in 1..=many {
        live(&mut store, &format!("r{day}"), day * DAY, day * DAY + 3_000);
    }
    (temp, store)
}

fn ask(store: &mut Store, id: &str, created_ms: u64) {
    let request = NewRequest { created_ms, expires_ms: created_ms + 300_000, ..asked(id) };
    write(store, |writes| writes.add(&request, ASKED)).unwrap();
}

fn live(store: &mut Store, id: &str, created_ms: u64, ended_ms: u64) {
    ask(store, id, created_ms);
    let end = End { at_ms: ended_ms, ..ended(APPROVED) };
    write(store, |writes| writes.resolve(id, &end)).unwrap().unwrap();
    write(store, |writes| writes.take(id, true, ended_ms)).unwrap().unwrap();
}

fn until(before_ms: u64) -> Prunable {
    Prunable { before_ms, through: u64::MAX, ..Prunable::default() }
}

fn cut(store: &mut Store, prunable: &Prunable) -> Pruned {
    let mut all = Pruned { entries: 0, requests: 0, is_all: false };
    while !all.is_all {
        let one = write(store, |writes| writes.cut(prunable, 1_000 * DAY)).unwrap();
        all = Pruned { entries: all.entries + one.entries, requests: all.requests + one.requests, is_all: one.is_all };
    }
    all
}

fn ids(store: &Store) -> Vec<String> {
    let rows = store.reads().requests_after(0, 10_000).unwrap();
    rows.into_iter().map(|row| row.unwrap().id).collect()
}

#[test]
fn what_is_old_goes_with_its_entries_and_the_rest_of_the_trail_holds() {
    let (temp, mut store) = days(10);
    assert_eq!(cut(&mut store, &until(5 * DAY)), Pruned { entries: 12, requests: 4, is_all: true });
    assert_eq!(ids(&store), ["r5", "r6", "r7", "r8", "r9", "r10"]);
    let Verdict::Verified { cut: base, last, head: Some(head) } = verdict(&temp) else { panic!("it holds") };
    assert_eq!((base.seq, last.seq, head), (12, 31, last));
    assert_eq!(cut(&mut store, &until(5 * DAY)), Pruned { entries: 0, requests: 0, is_all: true }, "once");
    cut(&mut store, &until(8 * DAY));
    drop(store);
    assert_eq!(ids(&open(&temp)), ["r8", "r9", "r10"]);
    assert!(matches!(verdict(&temp), Verdict::Verified { cut, .. } if cut.seq == 21));
}

#[test]
fn a_long_trail_is_cut_in_pieces_each_of_which_leaves_it_in_order() {
    let (temp, mut store) = days(200);
    let first = write(&mut store, |writes| writes.cut(&until(199 * DAY), 1_000 * DAY)).unwrap();
    assert_eq!((first.entries, first.is_all), (64, false));
    assert!(
        matches!(verdict(&temp), Verdict::Verified { cut, .. } if cut.seq == 64),
        "in the middle of a request's life"
    );
    cut(&mut store, &until(199 * DAY));
    assert_eq!(ids(&store), ["r199", "r200"]);
    assert!(matches!(verdict(&temp), Verdict::Verified { .. }));
}

#[test]
fn what_has_not_ended_or_is_waited_for_stays_with_all_that_came_after_it() {
    let (temp, mut store) = days(3);
    ask(&mut store, "waits", 4 * DAY);
    live(&mut store, "later", 5 * DAY, 5 * DAY);
    let living = Prunable { living: ["waits".to_owned()].into(), ..until(9 * DAY) };
    assert_eq!(cut(&mut store, &living).requests, 3);
    assert_eq!(ids(&store), ["waits", "later"]);
    // The request has expired and nobody waits for it.
    cut(&mut store, &until(9 * DAY));
    assert_eq!(ids(&store), Vec::<String>::new());
    assert!(matches!(verdict(&temp), Verdict::Verified { .. }));
}

#[test]
fn nothing_is_cut_beyond_what_the_caller_allows_or_the_head_file_names() {
    let (temp, mut store) = days(3);
    assert_eq!(cut(&mut store, &Prunable { through: 4, ..until(9 * DAY) }).entries, 4);
    std::fs::remove_file(temp.path().join("audit.head")).unwrap();
    std::fs::create_dir(temp.path().join("audit.head")).unwrap();
    let unwritable = HeadFile::new(temp.path());
    let mut store = Store { connection: store.connection, head: unwritable };
    assert_eq!(cut(&mut store, &until(9 * DAY)).entries, 0);
}

#[test]
fn a_trail_that_was_touched_is_not_cut_since_that_would_hide_it() {
    let (temp, mut store) = days(3);
    plain(&temp).execute_batch("DROP TRIGGER audit_stays; UPDATE audit SET body = '{\"x\":1}' WHERE seq = 2").unwrap();
    let refused = write(&mut store, |writes| writes.cut(&until(9 * DAY), 10 * DAY));
    assert!(matches!(refused, Err(StoreError::Untrue(2))));
    assert_eq!(verdict(&temp), Verdict::Broken { seq: 2, what: Break::Edited });
}

#[test]
fn a_beginning_that_was_removed_without_a_cut_is_found() {
    let (temp, mut store) = days(5);
    cut(&mut store, &until(3 * DAY));
    drop(store);
    let file = plain(&temp);
    file.execute_batch("DROP TRIGGER audit_is_kept; DROP TRIGGER audit_stays").unwrap();
    file.execute_batch("DELETE FROM audit WHERE seq = 7").unwrap();
    assert_eq!(verdict(&temp), Verdict::Broken { seq: 7, what: Break::Missing });
    file.execute_batch("DELETE FROM audit WHERE kind = 'audit.cut'").unwrap();
    assert_eq!(verdict(&temp), Verdict::Broken { seq: 1, what: Break::Missing }, "nothing says that it was cut");
}

#[test]
fn a_cut_that_says_something_else_is_found() {
    let (temp, mut store) = days(5);
    cut(&mut store, &until(3 * DAY));
    drop(store);
    let file = plain(&temp);
    file.execute_batch("DROP TRIGGER audit_stays").unwrap();
    for change in ["'{}'", "'no JSON'", "replace(body, '\"through\":6', '\"through\":5')", "cast(x'ff' AS TEXT)"] {
        let before: String =
            file.query_row("SELECT body FROM audit WHERE kind = 'audit.cut'", [], |row| row.get(0)).unwrap();
        file.execute_batch(&format!("UPDATE audit SET body = {change} WHERE kind = 'audit.cut'")).unwrap();
        assert!(matches!(verdict(&temp), Verdict::Broken { .. }), "{change}");
        file.execute("UPDATE audit SET body = ? WHERE kind = 'audit.cut'", [before]).unwrap();
    }
    assert!(matches!(verdict(&temp), Verdict::Verified { .. }));
}

#[test]
fn a_head_that_was_kept_elsewhere_is_compared_as_far_as_the_trail_is_there() {
    let (temp, mut store) = days(5);
    let at = |seq: u64| {
        let hash = plain(&temp).query_row("SELECT hash FROM audit WHERE seq = ?", [seq], |row| row.get(0)).unwrap();
        Head { seq, hash }
    };
    let (early, last, late) = (at(4), at(6), at(9));
    cut(&mut store, &until(3 * DAY));
    let verdict = |head| reader(&temp).verify(Some(head)).unwrap();
    assert_eq!(verdict(early), Verdict::Broken { seq: 4, what: Break::CutOff });
    for held in [last, late] {
        assert!(matches!(verdict(held), Verdict::Verified { .. }));
    }
    assert_eq!(verdict(Head { seq: 6, hash: Hash::default() }), Verdict::Broken { seq: 6, what: Break::Unexpected });
}

#[test]
fn without_a_cut_the_database_itself_keeps_the_trail() {
    let (temp, mut store) = days(5);
    cut(&mut store, &until(3 * DAY));
    for seq in [7, 15, 16] {
        assert!(store.connection.execute("DELETE FROM audit WHERE seq = ?", [seq]).is_err(), "{seq}");
    }
    drop(temp);
}

#[test]
fn room_that_was_freed_is_given_back_when_the_file_is_compacted() {
    let (temp, mut store) = days(300);
    let used = store.reads().used_bytes().unwrap();
    cut(&mut store, &until(290 * DAY));
    assert!(store.reads().used_bytes().unwrap() < used / 2);
    let size = || std::fs::metadata(temp.path().join(FILE)).unwrap().len();
    store.compact().unwrap();
    assert!(size() <= store.reads().used_bytes().unwrap() + 4096);
    assert!(matches!(verdict(&temp), Verdict::Verified { .. }));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_cut_the_trail_holds_and_nothing_young_or_open_is_gone(
        // For each request: the days until it ends (none while it is open), and the days until the next one.
        lives in proptest::collection::vec((proptest::option::of(0_u64..3), 0_u64..2), 1..40),
        cuts in proptest::collection::vec(0_u64..60, 1..4),
    ) {
        let temp = tempfile::tempdir().unwrap();
        let mut store = open(&temp);
        let (mut today, mut ends, mut made) = (1, Vec::new(), Vec::new());
        for (number, (life, later)) in lives.iter().enumerate() {
            let id = format!("r{number}");
            ask(&mut store, &id, today * DAY);
            made.push((id.clone(), life.map(|life| (today + life) * DAY)));
            if let Some(life) = life {
                ends.push(((today + life) * DAY, id));
            }
            today += later;
        }
        ends.sort();
        for (at_ms, id) in ends {
            write(&mut store, |writes| writes.resolve(&id, &End { at_ms, ..ended(APPROVED) })).unwrap().unwrap();
        }
        let living: std::collections::HashSet<String> =
            made.iter().filter(|(_, end)| end.is_none()).map(|(id, _)| id.clone()).collect();
        for before in cuts {
            cut(&mut store, &Prunable { living: living.clone(), ..until(before * DAY) });
            prop_assert!(matches!(verdict(&temp), Verdict::Verified { .. }), "{:?}", verdict(&temp));
            let left = ids(&store);
            for (id, end) in &made {
                if end.is_none_or(|end| end >= 60 * DAY) {
                    prop_assert!(left.contains(id), "{}", id);
                }
            }
        }
    }
}
