//! One row is unreadable, and everything else works.

use super::*;

/// Stores three requests, of which one is open, and removes all triggers and checks.
fn kept() -> TempDir {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    for id in ["one", "two", "open"] {
        write(&mut store, |writes| writes.add(&asked(id), ASKED)).unwrap();
    }
    for id in ["one", "two"] {
        write(&mut store, |writes| writes.resolve(id, &ended(APPROVED))).unwrap().unwrap();
    }
    drop(store);
    plain(&temp).execute_batch("DROP TRIGGER requests_ended_stay; DROP TRIGGER audit_stays").unwrap();
    temp
}

fn ids(rows: &[Row<RequestRow>]) -> Vec<Result<&str, (u64, Option<&str>)>> {
    rows.iter()
        .map(|row| match row {
            Ok(row) => Ok(row.id.as_str()),
            Err(row) => Err((row.number, row.id.as_deref())),
        })
        .collect()
}

const SPOILERS: [&str; 2] = ["body = cast(x'ff' AS TEXT)", "created_ms = -1"];

#[test]
fn a_spoiled_row_is_named_and_left_out_wherever_rows_are_read() {
    for spoiler in SPOILERS {
        let temp = kept();
        plain(&temp).execute_batch(&format!("UPDATE requests SET {spoiler} WHERE id <> 'one'")).unwrap();
        let store = open(&temp);
        let reads = store.reads();
        assert_eq!(ids(&reads.open_requests().unwrap()), [Err((3, Some("open")))], "{spoiler}");
        let page = reads.history(&Filter::default(), 9).unwrap();
        assert_eq!(ids(&page), [Err((3, Some("open"))), Err((2, Some("two"))), Ok("one")], "{spoiler}");
        assert_eq!(reads.requests_after(1, 9).unwrap().len(), 2);
    }
}

#[test]
fn what_is_wrong_is_said_without_what_the_row_holds() {
    let temp = kept();
    plain(&temp)
        .execute_batch("UPDATE requests SET body = cast(x'68756e74657232ff' AS TEXT) WHERE id = 'open'")
        .unwrap();
    let mut rows = open(&temp).reads().open_requests().unwrap();
    let spoiled = rows.remove(0).unwrap_err();
    insta::assert_snapshot!(spoiled, @"request open cannot be read: column 2 holds what does not belong there");
}

#[test]
fn who_asks_again_under_the_id_of_a_spoiled_row_gets_an_error() {
    let temp = kept();
    plain(&temp).execute_batch("UPDATE requests SET body = cast(x'ff' AS TEXT) WHERE id = 'open'").unwrap();
    let mut store = open(&temp);
    let again = write(&mut store, |writes| writes.add(&asked("open"), ASKED));
    assert!(matches!(again, Err(StoreError::IdTaken(_))));
    assert!(store.reads().request("open").is_err());
}

#[test]
fn a_spoiled_entry_of_the_trail_is_left_out_of_what_is_told_again() {
    let temp = kept();
    plain(&temp).execute_batch("UPDATE audit SET body = cast(x'ff' AS TEXT) WHERE seq = 2").unwrap();
    let store = open(&temp);
    let page = store.reads().entries_after(0, 9).unwrap();
    let seqs: Vec<_> =
        page.iter().map(|row| row.as_ref().map(|(entry, _)| entry.seq).map_err(|row| row.number)).collect();
    assert_eq!(seqs, [Ok(1), Err(2), Ok(3), Ok(4), Ok(5)]);
    assert_eq!(verdict(&temp), Verdict::Broken { seq: 2, what: Break::Unreadable });
}

#[test]
fn a_spoiled_end_is_found_by_the_trail_and_hides_no_figure() {
    for spoiler in ["'no JSON'", "cast(x'ff' AS TEXT)"] {
        let temp = kept();
        plain(&temp).execute_batch(&format!("UPDATE requests SET resolution = {spoiler} WHERE id = 'one'")).unwrap();
        assert_eq!(open(&temp).reads().ended(None, None).unwrap().len(), 2);
        assert_eq!(verdict(&temp), Verdict::Broken { seq: 4, what: Break::Differs }, "{spoiler}");
    }
}

#[test]
fn a_spoiled_note_or_run_is_left_out() {
    let temp = kept();
    let mut store = open(&temp);
    write(&mut store, |writes| writes.keep_note("open", "telegram", "1")).unwrap();
    for id in ["a", "b"] {
        let run = Invocation { id: id.into(), finished_ms: None, body: "1".into() };
        write(&mut store, |writes| writes.keep_invocation(&run)).unwrap();
    }
    plain(&temp)
        .execute_batch("UPDATE notes SET body = cast(x'ff' AS TEXT); UPDATE invocations SET body = cast(x'ff' AS TEXT) WHERE id = 'a'")
        .unwrap();
    assert_eq!(store.reads().notes("telegram").unwrap(), []);
    let runs = store.reads().unfinished_invocations().unwrap();
    assert_eq!(runs.iter().map(|run| run.id.as_str()).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn a_damaged_page_of_one_row_hides_no_other() {
    use std::os::unix::fs::FileExt;

    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    let long = |id: &str| NewRequest { body: format!("{id}{}", "x".repeat(40_000)), ..asked(id) };
    for id in ["one", "two", "three"] {
        write(&mut store, |writes| writes.add(&long(id), ASKED)).unwrap();
    }
    drop(store);
    let path = temp.path().join(FILE);
    // A page of a row's text names the next page. This names one that does not exist.
    let bytes = std::fs::read(&path).unwrap();
    let start = bytes.windows(4).position(|window| window == b"twox").unwrap();
    let page = start / 4096;
    let cell = u32::try_from(page + 1).unwrap();
    let next = (cell + 1).to_be_bytes();
    let at = bytes.windows(4).enumerate().find(|(at, window)| *window == next && at / 4096 != page).map(|(at, _)| at);
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.write_all_at(&[0x7F, 0xFF, 0xFF, 0xFF], at.unwrap() as u64).unwrap();
    let store = open(&temp);
    let rows = store.reads().open_requests().unwrap();
    assert_eq!(rows.iter().filter(|row| row.is_ok()).count(), 2, "{:?}", ids(&rows));
    assert!(rows.iter().any(|row| matches!(row, Err(row) if row.why == "its page in the file is damaged")));
    assert!(!reader(&temp).quick_check().unwrap().is_empty());
}
