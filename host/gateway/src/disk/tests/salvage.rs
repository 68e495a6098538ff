//! An unreadable row hides no other row, and is never an allow.

use std::sync::atomic::AtomicBool;

use super::*;

/// Adds three requests, of which the first ended; then applies `change` directly to the database.
async fn spoiled(change: &str) -> (TempDir, [RequestId; 3]) {
    let temp = tempfile::tempdir().unwrap();
    let requests = ["ended", "spoilt", "open"].map(request);
    let (disk, _) = disk(&temp).await;
    for request in &requests {
        disk.add(request).await.unwrap();
    }
    disk.resolve(requests[0].id, &end(End::Approved), 2_000).await.unwrap();
    disk.keep_note(requests[1].id, "telegram", &1, 1).await.unwrap();
    disk.close().await;
    let file = rusqlite::Connection::open(temp.path().join("state.db")).unwrap();
    file.execute_batch("DROP TRIGGER requests_ended_stay; DROP TRIGGER audit_stays").unwrap();
    file.execute_batch(change).unwrap();
    (temp, requests.map(|request| request.id))
}

const BODIES: [&str; 4] = ["'no JSON'", "'{\"tool\":\"hunter2\"}'", "'null'", "cast(x'ff' AS TEXT)"];

#[tokio::test]
async fn one_open_request_that_cannot_be_read_is_named_and_the_others_go_on() {
    for body in BODIES {
        let (temp, [_, spoilt, open]) = spoiled(&format!("UPDATE requests SET body = {body} WHERE number = 2")).await;
        let (disk, recovered) = disk(&temp).await;
        assert_eq!(recovered.open.iter().map(|standing| standing.request.id).collect::<Vec<_>>(), [open], "{body}");
        let named = recovered.unreadable.iter().map(|row| row.id.clone()).collect::<Vec<_>>();
        assert_eq!(named, [Some(spoilt.to_string())], "{body}");
        assert!(!recovered.unreadable[0].to_string().contains("hunter2"), "{}", recovered.unreadable[0]);
        assert!(disk.get(spoilt).await.is_err(), "an error, and not nothing");
    }
}

#[tokio::test]
async fn a_page_of_history_leaves_out_what_cannot_be_read() {
    for (column, value) in BODIES.map(|body| ("body", body)).into_iter().chain([("resolution", "'no JSON'")]) {
        let (temp, [ended, spoilt, open]) =
            spoiled(&format!("UPDATE requests SET {column} = {value} WHERE number = 1")).await;
        let (disk, _) = disk(&temp).await;
        let ids = |page: Vec<Standing>| page.into_iter().map(|standing| standing.request.id).collect::<Vec<_>>();
        assert_eq!(ids(disk.history(&Filter::default(), 9).await.unwrap()), [open, spoilt]);
        let on = Filter { before: Some(spoilt.to_string()), ..Filter::default() };
        assert_eq!(ids(disk.history(&on, 1).await.unwrap()), []);
        assert_eq!(disk.figures(None, None).await.unwrap().unreadable_lines, u64::from(column == "resolution"));
        assert!(disk.get(ended).await.is_err());
    }
}

#[tokio::test]
async fn a_page_of_nothing_that_can_be_read_is_not_the_end_of_the_history() {
    let (temp, [ended, ..]) = spoiled("UPDATE requests SET body = 'x' WHERE number > 1").await;
    let (disk, _) = disk(&temp).await;
    let page = disk.history(&Filter::default(), 1).await.unwrap();
    assert_eq!(page.into_iter().map(|standing| standing.request.id).collect::<Vec<_>>(), [ended]);
}

#[tokio::test]
async fn events_notes_and_runs_that_cannot_be_read_stop_nobody() {
    let change = "UPDATE audit SET body = 'x' WHERE seq = 4; UPDATE notes SET body = 'x'; \
                  UPDATE requests SET body = 'x' WHERE number = 2; \
                  INSERT INTO invocations (id, body) VALUES ('x', '1'), ('c0de0001-6f3b-4c1e-9b1d-0a1b2c3d4e5f', '1')";
    let (temp, _) = spoiled(change).await;
    let (disk, _) = disk(&temp).await;
    let told = disk.events_after(0, 9).await.unwrap();
    assert_eq!(told.iter().map(|event| event.event_id.unwrap()).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(disk.events_after(3, 9).await.unwrap(), []);
    assert_eq!(disk.notes::<u8>("telegram").await.unwrap(), []);
    assert_eq!(disk.unfinished_invocations::<u8>().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_check_names_every_request_that_cannot_be_read() {
    let (temp, [_, spoilt, _]) = spoiled("UPDATE requests SET body = 'hunter2' WHERE number = 2").await;
    let (disk, _) = disk(&temp).await;
    let checked = disk.check(std::time::Duration::from_secs(600)).await.unwrap();
    assert!(!checked.is_well() && checked.is_complete);
    insta::assert_snapshot!(serde_json::to_string(&checked).unwrap().replace(&spoilt.to_string(), "ID"), @r#"{"damage":[],"requests":2,"unreadable":[{"what":"request","number":2,"id":"ID","why":"it is not JSON (line 1, column 1)"}],"isComplete":true}"#);
    disk.close().await;
    let closed = disk.check(std::time::Duration::from_secs(600)).await;
    assert!(!closed.unwrap().is_complete, "closing ends it");
}

#[test]
fn a_check_that_is_told_to_stop_says_that_it_is_not_complete() {
    let temp = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let (disk, _) = disk(&temp).await;
        disk.add(&request("one")).await.unwrap();
    });
    let dir = StateDir::open(temp.path()).unwrap();
    let reader = Reader::open(&dir, StoreOptions::default()).unwrap();
    let look = |stop| check(&reader, &AtomicBool::new(stop)).unwrap();
    assert_eq!((look(false).is_complete, look(true).is_complete), (true, false));
}
