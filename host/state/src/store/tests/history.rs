//! Changes of the history that bypass the trail, with all triggers and checks removed.

use super::*;

/// Stores three requests: one denied with a reason and not taken, one approved and taken, one open.
fn kept() -> TempDir {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    for id in ["one", "two", "open"] {
        write(&mut store, |writes| writes.add(&asked(id), ASKED)).unwrap();
    }
    write(&mut store, |writes| writes.deny("one", "{}", 2_000, None)).unwrap().unwrap();
    write(&mut store, |writes| writes.resolve("one", &ended(REJECTED))).unwrap().unwrap();
    write(&mut store, |writes| writes.resolve("two", &ended(APPROVED))).unwrap().unwrap();
    write(&mut store, |writes| writes.take("two", true, 4_000)).unwrap().unwrap();
    write(&mut store, |writes| writes.settle(&asked("rule"), &ended("denied_by_rule"), "policy.rejection")).unwrap();
    drop(store);
    plain(&temp).execute_batch("DROP TRIGGER requests_ended_stay").unwrap();
    assert!(matches!(verdict(&temp), Verdict::Verified { last, .. } if last.seq == 8));
    temp
}

#[test]
fn what_the_trail_does_not_tell_is_found_in_the_history() {
    use Break::{Differs, Untold};
    let one = "WHERE id = 'one'";
    let two = "WHERE id = 'two'";
    for (change, seq, what) in [
        (format!("UPDATE requests SET tool = 'Read' {one}"), 1, Differs),
        (format!("UPDATE requests SET digest = 'd2' {one}"), 1, Differs),
        (format!("UPDATE requests SET created_ms = 5 {two}"), 2, Differs),
        ("UPDATE requests SET tool = 'Read' WHERE id = 'open'".to_owned(), 3, Differs),
        ("UPDATE requests SET status = 'denied', denial = '{}' WHERE id = 'open'".to_owned(), 9, Untold),
        (format!("UPDATE requests SET denial = '{{\"by\":1}}' {one}"), 4, Differs),
        (format!("UPDATE requests SET denial = NULL {one}"), 4, Differs),
        (format!("UPDATE requests SET outcome = 'rejected_no_reason' {one}"), 5, Differs),
        (format!("UPDATE requests SET resolution = replace(resolution, 'web', 'cli') {two}"), 6, Differs),
        (format!("UPDATE requests SET surface = 'cli' {two}"), 6, Differs),
        (format!("UPDATE requests SET ended_ms = ended_ms + 1 {two}"), 6, Differs),
        (format!("UPDATE requests SET body = '{{}}' {two}"), 6, Differs),
        (format!("UPDATE requests SET body = '{{}}', masked_digest = '{}' {two}", digest(b"{}")), 6, Differs),
        (format!("UPDATE requests SET taken = 0 {two}"), 7, Differs),
        (format!("UPDATE requests SET taken = NULL {two}"), 7, Differs),
        (format!("UPDATE requests SET taken = 1 {one}"), 9, Untold),
        ("UPDATE requests SET body = '{}' WHERE id = 'rule'".to_owned(), 8, Differs),
        (format!("DELETE FROM requests {one}"), 1, Differs),
        ("DELETE FROM requests WHERE id = 'rule'".to_owned(), 8, Differs),
        (
            "INSERT INTO requests (id, source, tool, cwd, created_ms, expires_ms, digest, masked_digest, body) \
             VALUES ('new', '', '', '', 1, 2, '', '', '')"
                .to_owned(),
            9,
            Untold,
        ),
    ] {
        let temp = kept();
        plain(&temp).execute_batch(&change).unwrap();
        assert_eq!(verdict(&temp), Verdict::Broken { seq, what }, "{change}");
    }
}

#[test]
fn a_text_that_was_dropped_for_its_age_is_no_contradiction() {
    let temp = kept();
    let mut store = open(&temp);
    let dropped = write(&mut store, |writes| writes.drop_texts(9_000, |_| Some("{}".to_owned()))).unwrap();
    assert_eq!(dropped, Dropped { requests: 3, is_all: true });
    assert_eq!(store.reads().request("two").unwrap().unwrap().body, "{}");
    assert!(matches!(verdict(&temp), Verdict::Verified { .. }));
}
