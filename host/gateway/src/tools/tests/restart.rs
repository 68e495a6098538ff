//! A gateway that ended, and the next one. The first runtime is dropped with all its tasks, as a kill does.

use super::*;

/// Runs one life of the gateway.
fn life<T>(lived: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(lived)
}

/// Invokes a call in the first life.
fn asked(call: impl FnOnce(&House) -> InvokeTool) -> (House, Uuid, Standing) {
    life(async {
        let house = House::new().await;
        house.script("tool", "#!/bin/sh\necho ran; touch ran\n");
        let (id, standing) = house.asked(call(&house)).await;
        (house, id, standing)
    })
}

/// Approves it in the second life, and waits for its end.
fn approved(house: &mut House, id: Uuid, standing: &Standing) -> Report {
    life(async {
        house.restart().await;
        house.answer(standing, Answer::APPROVE).await;
        house.tools.ended(id).await.unwrap().unwrap()
    })
}

#[test]
fn what_waited_runs_once_it_is_approved() {
    let (mut house, id, standing) = asked(|house| house.call(&["./tool"]));
    let report = approved(&mut house, id, &standing);
    assert_eq!((report.state, stdout(&report).as_str()), (State::Succeeded, "ran\n"));
}

#[tokio::test]
async fn what_waits_when_the_gateway_stops_stays_open_and_runs_once_with_the_next_one() {
    let mut house = House::new().await;
    let (id, standing) = house.asked(house.shell("echo x >> runs")).await;
    house.tools.shutdown().await;
    // The tasks of the first runtime go on as long as it, and must not withdraw the request.
    tokio::task::yield_now().await;
    assert_eq!(house.approvals.open_count(), 1);
    house.restart().await;
    house.answer(&standing, Answer::APPROVE).await;
    let report = house.tools.ended(id).await.unwrap().unwrap();
    assert_eq!(report.state, State::Succeeded);
    assert_eq!(std::fs::read_to_string(house.path().join("runs")).unwrap(), "x\n");
}

#[test]
fn what_waited_with_values_of_its_own_cannot_run_and_says_so() {
    let with =
        |house: &House| InvokeTool { env: BTreeMap::from([("A".into(), "b".into())]), ..house.call(&["./tool"]) };
    let (mut house, id, standing) = asked(with);
    let report = approved(&mut house, id, &standing);
    assert_eq!((report.state, code(&report)), (State::Failed, Some(Code::Environment)));
    assert!(!house.path().join("ran").exists());
}

#[test]
fn what_changed_meanwhile_is_refused() {
    let (mut house, id, standing) = asked(|house| house.call(&["./tool"]));
    house.script("tool", "#!/bin/sh\necho other; touch ran\n");
    let report = approved(&mut house, id, &standing);
    assert_eq!((report.state, code(&report)), (State::Forbidden, Some(Code::Mismatch)));
    assert!(!house.path().join("ran").exists());
}

#[test]
fn what_was_approved_just_before_the_end_runs_while_its_request_would_still_be_open() {
    for (later_ms, state) in [(299_999, State::Succeeded), (300_000, State::Expired)] {
        let (mut house, id, standing) = asked(|house| house.call(&["./tool"]));
        life(house.answer(&standing, Answer::APPROVE));
        house.now_ms.fetch_add(later_ms, Ordering::Relaxed);
        let report = life(async {
            house.restart().await;
            house.tools.ended(id).await.unwrap().unwrap()
        });
        assert_eq!(report.state, state, "{later_ms} ms later");
        assert_eq!(house.path().join("ran").exists(), state == State::Succeeded);
    }
}

#[test]
fn what_ran_is_not_run_again_and_is_recorded_as_interrupted() {
    let (mut house, id, standing) = asked(|house| house.shell("echo x >> runs; exec sleep 1000"));
    life(async {
        house.restart().await;
        house.answer(&standing, Answer::APPROVE).await;
        appears(&house.path().join("runs")).await;
    });
    let report = life(async {
        house.restart().await;
        house.tools.get(id).await.unwrap().unwrap()
    });
    assert_eq!((report.state, code(&report)), (State::Failed, Some(Code::Interrupted)));
    assert_eq!(std::fs::read_to_string(house.path().join("runs")).unwrap(), "x\n");
}

#[test]
fn what_somebody_followed_is_withdrawn() {
    let (mut house, id) = life(async {
        let house = House::new().await;
        let (invoked, _output) = house.tools.run(house.shell("touch ran")).await.unwrap();
        (house, invoked.invocation_id)
    });
    life(async {
        house.restart().await;
        let report = house.tools.ended(id).await.unwrap().unwrap();
        assert_eq!((report.state, code(&report)), (State::Failed, Some(Code::Cancelled)));
    });
    assert!(house.approvals.open().is_empty());
}
