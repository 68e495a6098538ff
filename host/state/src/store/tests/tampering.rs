//! Changes of the trail that bypass the program, with all triggers and checks removed.

use std::fs;

use super::*;

const ENTRIES: u64 = 6;

/// Makes a trail of six entries, without triggers.
fn trail() -> TempDir {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    for id in ["one", "two"] {
        write(&mut store, |writes| writes.add(&asked(id), ASKED)).unwrap();
    }
    write(&mut store, |writes| writes.deny("one", "{}", 2_000, None)).unwrap().unwrap();
    write(&mut store, |writes| writes.resolve("one", &ended(REJECTED))).unwrap().unwrap();
    write(&mut store, |writes| writes.resolve("two", &ended(APPROVED))).unwrap().unwrap();
    write(&mut store, |writes| writes.take("two", true, 4_000)).unwrap().unwrap();
    drop(store);
    let fences = "DROP TRIGGER audit_stays; DROP TRIGGER audit_is_kept; DROP TRIGGER audit_grows";
    plain(&temp).execute_batch(fences).unwrap();
    assert!(matches!(verdict(&temp), Verdict::Verified { last, .. } if last.seq == ENTRIES));
    temp
}

fn after(change: &str) -> Verdict {
    let temp = trail();
    plain(&temp).execute_batch(change).unwrap();
    verdict(&temp)
}

fn broken(seq: u64, what: Break) -> Verdict {
    Verdict::Broken { seq, what }
}

/// Recomputes the hashes of the entries from `from` until `until`.
fn rehash(temp: &TempDir, from: u64, until: u64) {
    let connection = plain(temp);
    for seq in from..=until {
        let prev: Hash = match seq {
            1 => Hash::default(),
            _ => connection.query_row("SELECT hash FROM audit WHERE seq = ?", [seq - 1], |row| row.get(0)).unwrap(),
        };
        let all = "SELECT seq, at_ms, kind, request_id, body, prev, hash FROM audit WHERE seq = ?";
        let entry = connection.query_row(all, [seq], Entry::of).unwrap();
        let hash = Entry { prev, ..entry }.computed();
        connection.execute("UPDATE audit SET prev = ?, hash = ? WHERE seq = ?", (prev, hash, seq)).unwrap();
    }
}

#[test]
fn every_column_of_every_entry_is_covered() {
    for seq in 1..=ENTRIES {
        for (column, value, what) in [
            ("at_ms", "at_ms + 1", Break::Edited),
            ("at_ms", "-1", Break::Unreadable),
            ("kind", "kind || ' '", Break::Edited),
            ("request_id", "'other'", Break::Edited),
            ("request_id", "NULL", Break::Edited),
            ("body", "body || ' '", Break::Edited),
            ("body", "cast(x'ff' AS TEXT)", Break::Unreadable),
            ("prev", "randomblob(32)", Break::Chain),
            ("prev", "x''", Break::Unreadable),
            ("hash", "randomblob(32)", Break::Edited),
            ("hash", "x'00'", Break::Unreadable),
            ("seq", "seq + 100", Break::Missing),
        ] {
            let change = format!("UPDATE audit SET {column} = {value} WHERE seq = {seq}");
            assert_eq!(after(&change), broken(seq, what), "{change}");
        }
    }
}

#[test]
fn no_text_can_move_from_one_column_to_the_next() {
    let moved = "UPDATE audit SET kind = kind || substr(request_id, 1, 1), request_id = substr(request_id, 2)";
    assert_eq!(after(&format!("{moved} WHERE seq = 2")), broken(2, Break::Edited));
    let none = "UPDATE audit SET request_id = ''";
    assert_eq!(after(&format!("{none} WHERE seq = 2")), broken(2, Break::Edited));
}

#[test]
fn every_entry_is_missed() {
    for seq in 1..=ENTRIES {
        let what = if seq == ENTRIES { Break::Removed } else { Break::Missing };
        assert_eq!(after(&format!("DELETE FROM audit WHERE seq = {seq}")), broken(seq, what));
        let renumbered =
            format!("DELETE FROM audit WHERE seq = {seq}; UPDATE audit SET seq = seq - 1 WHERE seq > {seq}");
        let what = if seq == ENTRIES { Break::Removed } else { Break::Chain };
        assert_eq!(after(&renumbered), broken(seq, what));
        assert_eq!(after(&format!("DELETE FROM audit WHERE seq >= {seq}")), broken(seq, Break::Removed));
    }
    assert_eq!(after("DELETE FROM audit"), broken(1, Break::Removed));
}

#[test]
fn entries_that_changed_places_are_found_at_the_first() {
    for one in 1..ENTRIES {
        for other in one + 1..=ENTRIES {
            let change = format!(
                "UPDATE audit SET seq = -1 WHERE seq = {one}; UPDATE audit SET seq = {one} WHERE seq = {other}; \
                 UPDATE audit SET seq = {other} WHERE seq = -1"
            );
            assert_eq!(after(&change), broken(one, Break::Chain), "{one} and {other}");
        }
    }
}

#[test]
fn an_entry_too_many_is_found() {
    let copy = |seq: &str| {
        format!("INSERT INTO audit SELECT {seq}, at_ms, kind, request_id, body, prev, hash FROM audit WHERE seq = 3")
    };
    assert_eq!(after(&copy("0")), broken(1, Break::Inserted));
    assert_eq!(after(&copy("-5")), broken(1, Break::Inserted));
    assert_eq!(after(&copy("7")), broken(7, Break::Chain));
    assert_eq!(after(&copy("9")), broken(7, Break::Missing));
    for seq in 1..=ENTRIES {
        let room =
            format!("UPDATE audit SET seq = -seq - 1 WHERE seq >= {seq}; UPDATE audit SET seq = -seq WHERE seq < 0");
        let change = format!("{room}; {}", copy(&seq.to_string()).replace("seq = 3", "seq = 1 OR seq = 2 LIMIT 1"));
        assert!(matches!(after(&change), Verdict::Broken { seq: found, .. } if found <= seq + 1), "{seq}");
    }
}

#[test]
fn hashes_that_were_computed_anew_are_found_by_the_next_entry_or_the_head() {
    for seq in 1..=ENTRIES {
        for until in seq..=ENTRIES {
            let temp = trail();
            plain(&temp).execute("UPDATE audit SET body = '{\"x\":1}' WHERE seq = ?", [seq]).unwrap();
            rehash(&temp, seq, until);
            let found =
                if until == ENTRIES { broken(ENTRIES, Break::Rewritten) } else { broken(until + 1, Break::Chain) };
            assert_eq!(verdict(&temp), found, "{seq} to {until}");
        }
    }
}

#[test]
fn a_head_that_was_kept_elsewhere_finds_what_nothing_beside_the_trail_can() {
    let temp = trail();
    let Verdict::Verified { last: kept, .. } = verdict(&temp) else { panic!("it is in order") };
    let anew = "DROP TRIGGER requests_ended_stay; UPDATE audit SET at_ms = 7 WHERE seq = 4; \
                UPDATE requests SET ended_ms = 7 WHERE id = 'one'";
    plain(&temp).execute_batch(anew).unwrap();
    rehash(&temp, 3, ENTRIES);
    fs::remove_file(temp.path().join("audit.head")).unwrap();
    drop(open(&temp));
    assert!(matches!(verdict(&temp), Verdict::Verified { .. }), "as the module says");
    assert_eq!(reader(&temp).verify(Some(kept)).unwrap(), broken(ENTRIES, Break::Unexpected));
    let text = kept.to_string();
    assert_eq!(text.parse::<Head>().unwrap(), kept);
    assert_eq!(reader(&trail()).verify(Some(Head { seq: 99, hash: kept.hash })).unwrap(), broken(7, Break::Unexpected));
}

#[test]
fn a_head_that_names_another_entry_is_found() {
    let temp = trail();
    let other = Head { seq: 4, hash: Hash::default() };
    fs::write(temp.path().join("audit.head"), format!("{other}\n")).unwrap();
    assert_eq!(verdict(&temp), broken(4, Break::Rewritten));
    assert!(matches!(Store::open(&dir(&temp), StoreOptions::default(), 1), Err(StoreError::EndMissing { .. })));
}
