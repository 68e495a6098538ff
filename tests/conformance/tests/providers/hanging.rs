//! A platform that does not answer: each call comes back in its time, and the next one works.

use std::time::{Duration, Instant};

use dmplz_conformance::{Bench, Doing, Platform, Trouble, every_provider, question};
use dmplz_core::messenger::ProviderError;

use crate::failing::{DOINGS, Scene};

every_provider! {
    every_call_comes_back_in_its_time,
    a_call_that_is_dropped_leaves_no_trace,
    calls_run_side_by_side,
}

const WITHIN: Duration = Duration::from_millis(500);

async fn every_call_comes_back_in_its_time<P: Platform>(it: &Bench<P>) {
    let scene = Scene::of(it).await;
    for doing in DOINGS {
        assert!(it.platform.fail(doing, Trouble::Hangs, 1));
        let before = Instant::now();
        let late = scene.call(it, doing, WITHIN).await;
        let took = before.elapsed();
        assert_eq!(late, Err(ProviderError::Deadline), "{doing:?}");
        assert!(took < WITHIN * 2, "{doing:?} took {took:?}");
        it.platform.wire().release();
        assert_eq!(scene.call(it, doing, WITHIN * 8).await, Ok(()), "{doing:?} afterwards");
    }
}

async fn a_call_that_is_dropped_leaves_no_trace<P: Platform>(it: &Bench<P>) {
    let scene = Scene::of(it).await;
    for doing in DOINGS {
        let begun = Instant::now();
        assert!(it.platform.fail(doing, Trouble::Hangs, 1));
        tokio::select! {
            biased;
            done = scene.call(it, doing, WITHIN * 20) => panic!("{doing:?} ended: {done:?}"),
            () = arrived(it, doing, begun) => {}
        }
        it.platform.wire().release();
        assert_eq!(scene.call(it, doing, WITHIN * 8).await, Ok(()), "{doing:?} afterwards");
    }
}

/// Waits for a request of this kind that came since.
async fn arrived<P: Platform>(it: &Bench<P>, doing: Doing, since: Instant) {
    let is_new = |call: &dmplz_fakes::Call| call.name == P::request(doing) && call.at >= since;
    it.platform.wire().await_call(WITHIN * 20, is_new).await.unwrap();
}

async fn calls_run_side_by_side<P: Platform>(it: &Bench<P>) {
    let scene = Scene::of(it).await;
    let begun = Instant::now();
    assert!(it.platform.fail(Doing::ReceiveTexts, Trouble::Hangs, 1));
    let look = scene.call(it, Doing::ReceiveTexts, WITHIN * 20);
    let others = async {
        arrived(it, Doing::ReceiveTexts, begun).await;
        it.post(&scene.chat, &question("Meanwhile")).await.unwrap();
        scene.call(it, Doing::Revise, WITHIN * 8).await.unwrap();
        it.platform.wire().release();
    };
    assert_eq!(tokio::join!(look, others).0, Ok(()));
}
