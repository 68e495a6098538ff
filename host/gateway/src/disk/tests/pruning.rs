//! Old or excess data is removed while all other work continues.

use std::collections::HashSet;
use std::time::Duration;

use dmplz_protocol::store::Pruned;

use super::*;

const DAY: u64 = 86_400_000;

/// Adds `many` requests, one a day, each approved the same day. Returns their ids, the oldest first.
async fn days(disk: &Disk, many: u64) -> Vec<RequestId> {
    let mut ids = Vec::new();
    for day in 1..=many {
        let request = Request { created_ms: day * DAY, expires_ms: day * DAY + 300_000, ..request("make") };
        disk.add(&request).await.unwrap();
        disk.resolve(request.id, &end(End::Approved), day * DAY + 1_000).await.unwrap().unwrap();
        ids.push(request.id);
    }
    ids
}

fn age(days: u64) -> Option<Duration> {
    Some(Duration::from_millis(days * DAY))
}

async fn prune(disk: &Disk, kept: Kept, today: u64) -> Pruned {
    disk.prune(kept, u64::MAX, HashSet::new(), today * DAY).await.unwrap()
}

async fn left(disk: &Disk) -> usize {
    disk.history(&Filter::default(), 10_000).await.unwrap().len()
}

#[tokio::test]
async fn by_default_everything_is_kept() {
    let temp = tempfile::tempdir().unwrap();
    let (disk, _) = disk(&temp).await;
    days(&disk, 3).await;
    assert_eq!(prune(&disk, Kept::default(), 10_000).await, Pruned::default());
}

#[tokio::test]
async fn what_is_old_goes_and_the_trail_is_still_in_order() {
    let temp = tempfile::tempdir().unwrap();
    let (disk, _) = disk(&temp).await;
    let ids = days(&disk, 10).await;
    let kept = Kept { texts: age(3), all: age(7), bytes: None };
    assert_eq!(prune(&disk, kept, 11).await, Pruned { texts: 7, requests: 3, entries: 6 });
    assert!(disk.get(ids[2]).await.unwrap().is_none());
    assert!(disk.get(ids[3]).await.unwrap().unwrap().request.input.is_empty(), "only that it was asked");
    assert!(!disk.get(ids[9]).await.unwrap().unwrap().request.input.is_empty());
    assert_eq!(
        disk.events_after(0, 99).await.unwrap()[0].event_id,
        Some(7),
        "and one who was away misses the rest only"
    );
    assert!(
        matches!(disk.verify(None).await.unwrap(), Verdict::Verified { cut, last, .. } if (cut.seq, last.seq) == (6, 21))
    );
}

#[tokio::test]
async fn what_is_too_much_goes_from_the_oldest_on_but_nothing_of_the_last_day() {
    let temp = tempfile::tempdir().unwrap();
    let (disk, _) = disk(&temp).await;
    days(&disk, 400).await;
    let used = disk.used_bytes().await.unwrap();
    let kept = Kept { bytes: Some(used / 2), ..Kept::default() };
    let pruned = prune(&disk, kept, 401).await;
    assert!(disk.used_bytes().await.unwrap() <= used / 2 && left(&disk).await > 100, "{pruned:?}");
    prune(&disk, Kept { bytes: Some(1), ..Kept::default() }, 401).await;
    assert_eq!(left(&disk).await, 1);
    let (young, too_young) = (Kept { all: age(0), ..Kept::default() }, 400);
    assert_eq!(prune(&disk, young, too_young).await, Pruned::default());
    assert!(matches!(disk.verify(None).await.unwrap(), Verdict::Verified { .. }));
}

#[tokio::test]
async fn answers_are_taken_while_a_long_history_is_pruned() {
    let temp = tempfile::tempdir().unwrap();
    let (disk, _) = disk(&temp).await;
    days(&disk, 300).await;
    let young = Request { created_ms: 400 * DAY, expires_ms: 400 * DAY + 1, ..request("now") };
    disk.add(&young).await.unwrap();
    let kept = Kept { all: age(1), ..Kept::default() };
    let pruning = disk.prune(kept, u64::MAX, HashSet::new(), 400 * DAY);
    let answering = async {
        // This runs while the first pieces are being removed.
        while left(&disk).await == 301 {
            tokio::task::yield_now().await;
        }
        disk.resolve(young.id, &end(End::Approved), 400 * DAY).await.unwrap().unwrap();
        left(&disk).await
    };
    let (pruned, left_then) = tokio::join!(pruning, answering);
    assert_eq!(pruned.unwrap().requests, 300);
    assert!(left_then > 1, "it was answered before everything was gone");
}

#[tokio::test]
async fn what_was_asked_long_ago_is_dropped_and_how_it_ended_stays() {
    let temp = tempfile::tempdir().unwrap();
    let (disk, _) = disk(&temp).await;
    let asked: Vec<_> = (0..70).map(|n| request(&format!("make step{n}"))).collect();
    for (n, request) in (0..).zip(&asked) {
        disk.add(request).await.unwrap();
        if n < 68 {
            disk.resolve(request.id, &end(End::Approved), 2_000 + n).await.unwrap();
        }
    }
    let runs = [Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4()];
    for (id, finished_ms) in runs.into_iter().zip([None, Some(2_066), Some(2_067)]) {
        disk.keep_invocation(id, finished_ms, &json!(1)).await.unwrap();
    }
    let figures = disk.figures(None, None).await.unwrap();
    assert_eq!(disk.drop_before(2_067).await.unwrap(), 67);
    assert_eq!(disk.drop_before(2_067).await.unwrap(), 0);
    let text = |n: usize| {
        let (disk, id) = (disk.clone(), asked[n].id);
        async move { disk.get(id).await.unwrap().unwrap().request }
    };
    assert_eq!(text(67).await.input["command"], "make step67");
    assert_eq!(text(68).await, asked[68], "one that has not ended stays whole, however old it is");
    let (kept, subject) = (text(66).await, Subject { parts: Vec::new(), ..asked[66].subject.clone() });
    assert_eq!(kept, Request { input: serde_json::Map::new(), subject, ..asked[66].clone() });
    assert_eq!(disk.figures(None, None).await.unwrap(), figures);
    assert_eq!(disk.events_after(0, 200).await.unwrap().len(), 138);
    assert!(matches!(disk.verify(None).await.unwrap(), Verdict::Verified { last, .. } if last.seq == 138));
    for (id, is_kept) in runs.into_iter().zip([true, false, true]) {
        assert_eq!(disk.invocation::<u8>(id).await.unwrap().is_some(), is_kept);
    }
}
