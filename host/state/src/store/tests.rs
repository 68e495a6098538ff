use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;

mod files;
mod history;
mod migration;
mod model;
mod notices;
mod retention;
mod room;
mod salvage;
mod tampering;
mod upkeep;

pub(super) const MASKED: &str = r#"{"token":"****"}"#;
pub(super) const ASKED: &str = r#"{"inputSha256":"d1","tool":"Bash"}"#;
pub(super) const APPROVED: &str = "approved";
pub(super) const REJECTED: &str = "rejected_with_reason";

pub(super) fn dir(temp: &TempDir) -> StateDir {
    StateDir::open(temp.path()).unwrap()
}

pub(super) fn open(temp: &TempDir) -> Store {
    Store::open(&dir(temp), StoreOptions::default(), 1).unwrap()
}

pub(super) fn reader(temp: &TempDir) -> Reader {
    Reader::open(&dir(temp), StoreOptions::default()).unwrap()
}

pub(super) fn verdict(temp: &TempDir) -> Verdict {
    reader(temp).verify(None).unwrap()
}

pub(super) fn asked(id: &str) -> NewRequest {
    NewRequest {
        id: id.to_owned(),
        source: "hook".to_owned(),
        session_id: Some("s1".to_owned()),
        agent_id: None,
        tool: "Bash".to_owned(),
        cwd: "/work".to_owned(),
        created_ms: 1_000,
        expires_ms: 301_000,
        digest: "d1".to_owned(),
        body: r#"{"token":"hunter2"}"#.to_owned(),
        masked: MASKED.to_owned(),
        masked_digest: digest(MASKED.as_bytes()),
        stamp: None,
    }
}

pub(super) fn ended(outcome: &str) -> End {
    End {
        outcome: outcome.to_owned(),
        surface: Some("web".to_owned()),
        resolution: format!(r#"{{"outcome":"{outcome}","by":{{"surface":"web"}}}}"#),
        at_ms: 3_000,
    }
}

/// Does one piece of work and commits it.
pub(super) fn write<T>(
    store: &mut Store,
    work: impl FnOnce(&Writes<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut batch = store.batch()?;
    let done = batch.attempt(work)?;
    batch.commit()?;
    Ok(done)
}

/// Opens the database as another program would.
pub(super) fn plain(temp: &TempDir) -> Connection {
    Connection::open(temp.path().join(FILE)).unwrap()
}

#[test]
fn a_piece_of_work_that_fails_takes_no_other_with_it() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    let mut batch = store.batch().unwrap();
    batch.attempt(|writes| writes.add(&asked("one"), ASKED)).unwrap();
    let failed = batch.attempt(|writes| {
        writes.add(&asked("two"), ASKED)?;
        writes.add(&asked("one"), ASKED)
    });
    assert!(matches!(failed, Err(StoreError::IdTaken(id)) if id == "one"));
    batch.attempt(|writes| writes.add(&asked("three"), ASKED)).unwrap();
    batch.commit().unwrap();
    let open = store.reads().open_requests().unwrap();
    assert_eq!(open.iter().map(|row| row.as_ref().unwrap().number).collect::<Vec<_>>(), [1, 2]);
    assert!(store.reads().request("two").unwrap().is_none());
    assert!(matches!(verdict(&temp), Verdict::Verified { last, .. } if last.seq == 2));
}

#[test]
fn what_was_masked_at_the_end_is_nowhere_in_the_files_once_the_store_is_closed() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    write(&mut store, |writes| writes.add(&asked("one"), ASKED)).unwrap();
    assert!(store.reads().request("one").unwrap().unwrap().body.contains("hunter2"));
    write(&mut store, |writes| writes.resolve("one", &ended(APPROVED))).unwrap().unwrap();
    drop(store);
    for file in fs::read_dir(temp.path()).unwrap() {
        let path = file.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        assert!(!bytes.windows(7).any(|window| window == b"hunter2"), "{}", path.display());
    }
}

#[test]
fn readers_see_what_is_committed_while_somebody_writes() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    write(&mut store, |writes| writes.add(&asked("before"), ASKED)).unwrap();
    let readers = [reader(&temp), reader(&temp)];
    let mut batch = store.batch().unwrap();
    batch.attempt(|writes| writes.add(&asked("while"), ASKED)).unwrap();
    for reader in &readers {
        assert_eq!(reader.reads().open_requests().unwrap().len(), 1);
        assert!(matches!(reader.verify(None).unwrap(), Verdict::Verified { last, .. } if last.seq == 1));
    }
    batch.commit().unwrap();
    for reader in &readers {
        assert_eq!(reader.reads().open_requests().unwrap().len(), 2);
        let refused = reader.connection.execute("DELETE FROM requests", []).map_err(StoreError::from);
        assert!(matches!(refused, Err(StoreError::Io(_))), "a reader only reads");
    }
}

#[test]
fn the_database_itself_refuses_to_change_what_is_final() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    for id in ["ended", "denied"] {
        write(&mut store, |writes| writes.add(&asked(id), ASKED)).unwrap();
    }
    write(&mut store, |writes| writes.resolve("ended", &ended(APPROVED))).unwrap().unwrap();
    write(&mut store, |writes| writes.deny("denied", "{}", 2_000, None)).unwrap().unwrap();
    for change in [
        "UPDATE audit SET body = '' WHERE seq = 1",
        "DELETE FROM audit WHERE seq = 1",
        "INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE seq = 1",
        "INSERT INTO audit SELECT seq + 10, at_ms, kind, request_id, body, prev, hash FROM audit WHERE seq = 1",
        "UPDATE requests SET outcome = 'rejected_with_reason' WHERE id = 'ended'",
        "UPDATE requests SET status = 'open', outcome = NULL WHERE id = 'ended'",
        "UPDATE requests SET status = 'ended', outcome = 'approved', resolution = '{}', ended_ms = 1 WHERE id = 'denied'",
        "UPDATE requests SET status = 'ended' WHERE id = 'denied'",
        "UPDATE requests SET status = 'perhaps' WHERE id = 'denied'",
    ] {
        assert!(store.connection.execute(change, []).is_err(), "{change}");
    }
    assert!(matches!(verdict(&temp), Verdict::Verified { last, .. } if last.seq == 4));
}

#[test]
fn a_note_lasts_until_it_is_dropped_and_is_of_a_request_that_there_is() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    for id in ["one", "two"] {
        write(&mut store, |writes| writes.add(&asked(id), ASKED)).unwrap();
    }
    for (id, surface, body) in [("two", "telegram", "2"), ("one", "telegram", "0"), ("one", "discord", "3")] {
        write(&mut store, |writes| writes.keep_note(id, surface, body)).unwrap();
    }
    write(&mut store, |writes| writes.keep_note("one", "telegram", "1")).unwrap();
    assert!(write(&mut store, |writes| writes.keep_note("none", "telegram", "1")).is_err());
    let notes = |store: &Store| -> Vec<String> {
        store.reads().notes("telegram").unwrap().into_iter().map(|note| note.body).collect()
    };
    assert_eq!(notes(&store), ["1", "2"]);
    write(&mut store, |writes| writes.drop_note("one", "telegram")).unwrap();
    assert_eq!(notes(&store), ["2"]);
    assert_eq!(store.reads().note("one", "discord").unwrap().as_deref(), Some("3"));
}

#[test]
fn an_invocation_is_kept_as_it_was_last_until_it_is_dropped() {
    let temp = tempfile::tempdir().unwrap();
    let mut store = open(&temp);
    let at = |id: &str, finished_ms, body: &str| Invocation { id: id.to_owned(), finished_ms, body: body.to_owned() };
    for invocation in [at("b", None, "1"), at("a", None, "1"), at("b", None, "2"), at("c", Some(1), "1")] {
        write(&mut store, |writes| writes.keep_invocation(&invocation)).unwrap();
    }
    assert_eq!(store.reads().unfinished_invocations().unwrap(), [at("b", None, "2"), at("a", None, "1")]);
    write(&mut store, |writes| writes.drop_invocation("b")).unwrap();
    assert_eq!(store.reads().unfinished_invocations().unwrap(), [at("a", None, "1")]);
    assert_eq!(store.reads().invocation("c").unwrap(), Some(at("c", Some(1), "1")));
    assert_eq!(store.reads().invocation("b").unwrap(), None);
}

pub(super) fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}
