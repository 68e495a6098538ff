//! Files of every older version, made with that version's own tables.

use dmplz_core::notify::{Decision, Front, Held, Skipped};

use super::*;

/// The tables of version 1 as they were over time; only the last one was released.
const FIRST: [(&str, &str); 5] = [
    ("as first made", include_str!("schemas/1a.sql")),
    ("without output", include_str!("schemas/1b.sql")),
    ("with dropped texts", include_str!("schemas/1c.sql")),
    ("with sessions", include_str!("schemas/1d.sql")),
    ("as released", include_str!("../schema/1.sql")),
];

/// Makes a file of the first version: one ended request, one denied, one open, and two invocations.
fn first(tables: &str) -> TempDir {
    let temp = tempfile::tempdir().unwrap();
    let file = plain(&temp);
    file.execute_batch(tables).unwrap();
    file.execute_batch("PRAGMA journal_mode = WAL; PRAGMA user_version = 1").unwrap();
    let has_digest = tables.contains("masked_digest");
    let ended = r#"{"outcome":"approved","by":{"surface":"web"}}"#;
    for (id, status, denial, resolution) in
        [("ended", "ended", None, Some(ended)), ("denied", "denied", Some("{}"), None), ("open", "open", None, None)]
    {
        let is_ended = resolution.is_some();
        let sql = "INSERT INTO requests (id, source, tool, cwd, created_ms, expires_ms, digest, body, masked, status, \
                   denial, resolution, outcome, surface, ended_ms, answered_ms) \
                   VALUES (?, 'hook', 'Bash', '/', 1000, 301000, 'd1', ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        let sql = match has_digest {
            true => sql
                .replace("(id,", "(masked_digest, id,")
                .replace("(?, 'hook'", &format!("('{}', ?, 'hook'", digest(MASKED.as_bytes()))),
            false => sql.to_owned(),
        };
        let (body, masked) = if is_ended { (MASKED, None) } else { ("{}", Some(MASKED)) };
        let values = rusqlite::params![
            id,
            body,
            masked,
            status,
            denial,
            resolution,
            is_ended.then_some("approved"),
            is_ended.then_some("web"),
            is_ended.then_some(3_000),
            (status != "open").then_some(if is_ended { 3_000 } else { 2_000 }),
        ];
        file.execute(&sql, values).unwrap();
    }
    let masked = if has_digest { format!(r#""maskedSha256":"{}","#, digest(MASKED.as_bytes())) } else { String::new() };
    let end = format!(r#"{{"inputSha256":"d1",{masked}"resolution":{ended}}}"#);
    let mut prev = Hash::default();
    for (seq, at_ms, kind, id, body) in [
        (1, 1_000, "approval.requested", "ended", ASKED),
        (2, 1_000, "approval.requested", "denied", ASKED),
        (3, 1_000, "approval.requested", "open", ASKED),
        (4, 2_000, "approval.denied", "denied", "{}"),
        (5, 3_000, "approval.resolved", "ended", &end),
    ] {
        let (kind, body) = (kind.to_owned(), body.to_owned());
        let request_id = Some(id.to_owned());
        let hash =
            Entry { seq, at_ms, kind: kind.clone(), request_id, body: body.clone(), prev, hash: prev }.computed();
        let sql = "INSERT INTO audit (seq, at_ms, kind, request_id, body, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?)";
        file.execute(sql, (seq, at_ms, kind, id, body, prev, hash)).unwrap();
        prev = hash;
    }
    let runs = match tables.contains("finished_ms") {
        true => "INSERT INTO invocations (id, finished_ms, body) VALUES ('over', 5, 'b'), ('runs', NULL, 'b')",
        false => "INSERT INTO invocations (id, finished, body) VALUES ('over', 1, 'b'), ('runs', 0, 'b')",
    };
    file.execute_batch(runs).unwrap();
    std::fs::write(temp.path().join("audit.head"), format!("{:020}:{prev}\n", 5)).unwrap();
    temp
}

#[test]
fn every_older_version_is_brought_up_to_date_with_all_that_is_in_it() {
    for (name, tables) in FIRST {
        let temp = first(tables);
        let mut store = open(&temp);
        assert_eq!(schema::version(&store.connection).unwrap(), schema::VERSION, "{name}");
        let all = store.reads().requests_after(0, 9).unwrap();
        let statuses: Vec<_> = all.iter().map(|row| row.as_ref().unwrap().status.as_str()).collect();
        assert_eq!(statuses, ["ended", "denied", "open"], "{name}");
        let running = store.reads().unfinished_invocations().unwrap();
        assert_eq!(running.iter().map(|run| run.id.as_str()).collect::<Vec<_>>(), ["runs"], "{name}");
        assert_eq!(store.reads().stamp("open").unwrap(), None, "{name}");

        // The upgraded store can be written to.
        write(&mut store, |writes| writes.resolve("open", &ended(APPROVED))).unwrap().unwrap();
        write(&mut store, |writes| writes.resolve("denied", &ended(REJECTED))).unwrap().unwrap();
        write(&mut store, |writes| writes.add(&asked("new"), ASKED)).unwrap();
        write(&mut store, |writes| {
            writes.keep_invocation(&Invocation { id: "new".into(), finished_ms: None, body: "b".into() })
        })
        .unwrap();
        let verdict = verdict(&temp);
        assert!(matches!(verdict, Verdict::Verified { last, .. } if last.seq == 8), "{name}: {verdict:?}");
    }
}

#[test]
fn every_older_version_has_the_same_tables_afterwards_as_a_new_file() {
    let columns = |temp: &TempDir| {
        let sql = "SELECT m.name || '.' || c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c \
                   WHERE m.type = 'table' UNION SELECT type || ' ' || name FROM sqlite_schema ORDER BY 1";
        let (file, mut found) = (plain(temp), Vec::<String>::new());
        let mut statement = file.prepare(sql).unwrap();
        found.extend(statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap));
        found
    };
    let new = tempfile::tempdir().unwrap();
    drop(open(&new));
    for (name, tables) in FIRST {
        let temp = first(tables);
        drop(open(&temp));
        assert_eq!(columns(&temp), columns(&new), "{name}");
    }
}

#[test]
fn a_file_of_an_older_version_is_read_as_it_is_by_who_only_reads() {
    let temp = first(FIRST[4].1);
    let reader = reader(&temp);
    assert_eq!(reader.version().unwrap(), (1, schema::VERSION));
    assert!(matches!(reader.verify(None).unwrap(), Verdict::Verified { last, .. } if last.seq == 5));
    assert_eq!(reader.reads().history(&Filter::default(), 9).unwrap().len(), 3);
}

#[test]
fn a_newer_version_is_refused_in_words_that_say_what_to_do() {
    let temp = tempfile::tempdir().unwrap();
    drop(open(&temp));
    plain(&temp).pragma_update(None, "user_version", 99).unwrap();
    let error = Store::open(&dir(&temp), StoreOptions::default(), 1).unwrap_err();
    insta::assert_snapshot!(error, @"the database cannot be read: it has version 99, this program knows those up to 4; use a newer dmplz");
}

#[test]
fn a_file_of_version_2_gets_the_queues_of_notices_and_keeps_all_that_is_in_it() {
    let temp = first(FIRST[4].1);
    plain(&temp).execute_batch(include_str!("../schema/2.sql")).unwrap();
    plain(&temp).pragma_update(None, "user_version", 2).unwrap();
    // Who only reads finds no notices, and no error.
    assert_eq!(reader(&temp).reads().notices(None, None, 9).unwrap(), []);
    assert_eq!(reader(&temp).reads().notice_channels().unwrap(), []);
    let mut store = open(&temp);
    assert_eq!(schema::version(&store.connection).unwrap(), schema::VERSION);
    let new = notice("1", Decision::Send);
    assert_eq!(write(&mut store, |writes| writes.add_notice(&new)).unwrap(), Queued::New(1));
    assert_eq!(store.reads().requests_after(0, 9).unwrap().len(), 3);
    assert!(matches!(verdict(&temp), Verdict::Verified { last, .. } if last.seq == 5));
}

fn notice(id: &str, first: Decision) -> NewNotice {
    NewNotice {
        channel: "phone".to_owned(),
        id: id.to_owned(),
        merge_key: None,
        uid: "u".to_owned(),
        body: "{}".to_owned(),
        now_ms: 5,
        window_ms: 10,
        first,
    }
}

#[test]
fn a_file_of_version_3_keeps_its_notices_and_never_uses_a_number_again() {
    let temp = first(FIRST[4].1);
    plain(&temp).execute_batch(include_str!("../schema/2.sql")).unwrap();
    plain(&temp).execute_batch(include_str!("../schema/3.sql")).unwrap();
    let old = "INSERT INTO notices (channel, uid, status, attempts, created_ms, due_ms, body, why) VALUES \
               ('phone', 'a', 'sending', 1, 1, 1, '{}', NULL), ('phone', 'b', 'dead', 2, 1, 1, '{}', 'gone'), \
               ('phone', 'c', 'sent', 1, 1, 1, '{}', NULL); DELETE FROM notices WHERE uid = 'c'";
    plain(&temp).execute_batch(old).unwrap();
    plain(&temp).pragma_update(None, "user_version", 3).unwrap();
    let before = reader(&temp).reads().notices(None, None, 9).unwrap();
    let mut store = open(&temp);
    assert_eq!(store.reads().notices(None, None, 9).unwrap(), before);
    assert_eq!(
        write(&mut store, |writes| writes.add_notice(&notice("1", Decision::Skip(Skipped::InFront(Front::Page)))))
            .unwrap(),
        Queued::New(4)
    );
    drop(store);
    // The same where the table was empty.
    plain(&temp).execute_batch("DELETE FROM notices; DROP INDEX notices_held").unwrap();
    plain(&temp).pragma_update(None, "user_version", 3).unwrap();
    let mut store = open(&temp);
    let again = notice("2", Decision::Hold(Held::Quiet, 9));
    assert_eq!(write(&mut store, |writes| writes.add_notice(&again)).unwrap(), Queued::New(5));
    assert!(reader(&temp).quick_check().unwrap().is_empty());
}
