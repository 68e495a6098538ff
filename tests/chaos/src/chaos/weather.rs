//! The faults of a messenger: some of the requests fail, all the time.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use dmplz_e2e::Chat;
use dmplz_fakes::{Call, Fault, On};

/// The interval between periods in which every request fails.
const STORM_EVERY: Duration = Duration::from_secs(25);
const STORM: Duration = Duration::from_millis(900);

/// Starts the faults.
pub(super) fn begin(chat: &Chat, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    let began = Instant::now();
    let shift = Duration::from_millis(random.u64(..25_000));
    let is_storm = move |_: &Call| {
        let at = began.elapsed() + shift;
        at.as_millis() % STORM_EVERY.as_millis() < STORM.as_millis()
    };
    chat.fail(On::any().when(is_storm).always(), Fault::Html(502));
    let (posting, polling) = (chat.posting(), chat.polling());
    let anything: &[(u32, Fault)] = &[
        (8, Fault::Status(500)),
        (8, Fault::Html(503)),
        (10, Fault::CutBefore),
        (6, Fault::CutAfter),
        (5, Fault::CutInside),
        (6, Fault::Garbled),
        (10, Fault::Slow(Duration::from_millis(250))),
        (5, Fault::Slow(Duration::from_millis(1200))),
        (5, Fault::RateLimited { retry_after: Duration::from_millis(700), global: false }),
        (2, Fault::RateLimited { retry_after: Duration::from_millis(1500), global: true }),
        (1, Fault::Status(403)),
    ];
    for (often, fault) in anything {
        draws(chat, &mut random, *often, fault.clone(), |_| true);
    }
    for fault in [Fault::CutAfter, Fault::CutInside, Fault::Garbled] {
        draws(chat, &mut random, 20, fault, move |call| call.name == posting);
    }
    if chat.provider() == "telegram" {
        draws(chat, &mut random, 6, Fault::Status(409), move |call| call.name == polling);
        for fault in [Fault::Doubled, Fault::Reversed] {
            draws(chat, &mut random, 60, fault, move |call| call.name == polling);
        }
    }
}

/// Adds a fault that affects this number of a thousand requests.
fn draws(
    chat: &Chat,
    random: &mut fastrand::Rng,
    often: u32,
    fault: Fault,
    of: impl Fn(&Call) -> bool + Send + 'static,
) {
    let dice = Mutex::new(random.fork());
    let meets = move |call: &Call| of(call) && dice.lock().is_ok_and(|mut dice| dice.u32(..1000) < often);
    chat.fail(On::any().when(meets).always(), fault);
}
