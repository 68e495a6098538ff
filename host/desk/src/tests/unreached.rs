//! A messenger that is not reached: how long the desk tries, by what is certain.

use std::iter::{once, repeat_n};

use dmplz_core::request::{ExpiredCause, Trouble};

use super::bad_days::end_of;
use super::*;

fn unreached() -> ProviderError {
    ProviderError::Unreachable(NoConnection::other("no such name"))
}

fn failing(call: &'static str, errors: impl IntoIterator<Item = ProviderError>) -> World {
    World { errors: errors.into_iter().map(|error| (call, error)).collect(), ..World::default() }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_certainly_reached_nobody_ends_at_the_limit_and_any_other_goes_on() {
    let always = || repeat_n(unreached(), 5000);
    let limit = "= expired at 20000";
    let deadline = "= expired at 300000";
    let maybe = [
        ProviderError::Unavailable(None),
        ProviderError::Deadline,
        ProviderError::RateLimited(Some(1)),
        ProviderError::TooLarge,
    ];
    // A provider that breaks while it posts is tried once more.
    let broken = once(ProviderError::Broken("trap".into()));
    assert_eq!(end_of(failing("post", broken.chain(always())), None).await, deadline);
    assert_eq!(end_of(failing("post", always()), None).await, limit);
    for error in maybe {
        for before in [0, 3] {
            let errors = repeat_n(unreached(), before).chain(once(error.clone())).chain(always());
            assert_eq!(end_of(failing("post", errors), None).await, deadline, "{error:?} after {before}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_outcome_says_why_nobody_was_reached_and_nobody_was_asked() {
    let (outcome, world) = run(failing("post", repeat_n(unreached(), 5000)), "ls", None).await;
    let why = Trouble::Messenger(unreached());
    assert_eq!(outcome, Outcome::Expired(ExpiredCause::Failed(why)));
    assert!(world.shown.is_empty() && !log(&world).contains("revise"), "{}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn a_network_that_comes_back_within_the_limit_carries_the_card() {
    for failures in 1..7 {
        let world = World {
            events: [press(100_000, "approve", "ann", 10)].into(),
            ..failing("post", repeat_n(unreached(), failures))
        };
        assert_eq!(end_of(world, None).await, "= approved at 100000", "{failures}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_last_attempt_is_made_when_the_limit_is_reached() {
    let (_, world) = run(failing("post", repeat_n(unreached(), 5000)), "ls", None).await;
    let tries = world.log.iter().filter(|line| line.starts_with("post")).count();
    assert!((7..=9).contains(&tries), "{}", log(&world));
    assert!(log(&world).contains("= expired at 20000"), "{}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn a_denial_outlasts_a_network_that_fails_after_the_press() {
    let errors = repeat_n(("prompt", unreached()), 5000).collect();
    let world = World { errors, events: [press(1000, "deny", "ann", 10)].into(), ..World::default() };
    assert_eq!(end_of(world, None).await, "= rejected_no_reason at 61000");
}

#[tokio::test(start_paused = true)]
async fn a_chat_that_cannot_be_opened_is_given_up_at_the_limit_where_nothing_answers() {
    let opened = async |error: ProviderError, unreachable: Option<Duration>| {
        let errors = repeat_n(("open", error), 5000).collect();
        let world = Rc::new(RefCell::new(World { errors, ..World::default() }));
        let started = Instant::now();
        let fake = Fake { world: world.clone(), transport: transport(), started };
        let limits = TimeLimits { deadline: 300_000, unreachable };
        let chat = Chat::Room("c".into());
        let opened = Desk::open(Rc::new(fake), Memory(world), &chat, Lang::En, started, limits).await;
        assert!(opened.is_err());
        started.elapsed()
    };
    for error in [unreached(), ProviderError::Unavailable(None), ProviderError::Deadline] {
        assert_eq!(opened(error.clone(), Some(UNREACHABLE)).await, UNREACHABLE, "{error:?}");
        assert!(opened(error.clone(), None).await > Duration::from_secs(280), "{error:?}");
    }
    let busy = opened(ProviderError::RateLimited(Some(1000)), Some(UNREACHABLE)).await;
    assert!(busy > Duration::from_secs(280), "it answers, so that it is waited for");
}
