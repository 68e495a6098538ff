//! Tests of SIGKILL at random times under load.

use std::time::Duration;

use serde_json::Value;

use crate::gateway::Gateway;
use crate::load::{Book, Disk, Load};

/// The number of kills.
const KILLS: u32 = 200;
/// The maximum life of a gateway in milliseconds: sometimes too short for a complete start, sometimes long enough for
/// hundreds of answers.
const LIFE_MS: u64 = 120;

#[test]
fn a_gateway_killed_200_times_under_load_loses_no_answer_and_answers_nothing_twice() {
    let mut gateway = Gateway::start(&[]);
    let load = Load::start(gateway.socket(), Disk::Roomy, 24, 4);
    let seed = fastrand::u64(..);
    eprintln!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..KILLS {
        std::thread::sleep(Duration::from_millis(random.u64(..LIFE_MS)));
        gateway.kill();
        gateway.restart();
    }
    let book = load.finish();
    eprintln!("{} requests, {} answers acknowledged", book.told.len(), book.acknowledged.len());
    assert!(book.acknowledged.len() > 100, "too little happened to show anything");
    check(&book);
    gateway.check_audit();
}

/// Checks that each acknowledged answer is the one that the client was sent, once.
pub(crate) fn check(book: &Book) {
    for (id, decisions) in &book.acknowledged {
        assert_eq!(decisions.len(), 1, "{id} was answered twice: {decisions:?}");
        let told = book.told.get(id).unwrap_or_else(|| panic!("{id} was answered and nobody was told"));
        if book.has_unrecorded(told) {
            continue;
        }
        assert_eq!(told["outcome"], outcome(decisions[0]), "{id}: {told}");
        assert_eq!(told["by"]["surface"], "cli", "{id}: {told}");
    }
    for (id, told) in &book.told {
        // An answer whose acknowledgement was lost with the gateway may count; nothing else may end a request here.
        assert!(is_an_answer(told), "{id}: {told}");
    }
}

fn outcome(decision: &str) -> &'static str {
    match decision {
        "approve" => "approved",
        "session" => "approved_session",
        _ => "rejected_with_reason",
    }
}

fn is_an_answer(told: &Value) -> bool {
    ["approve", "session", "deny"].into_iter().any(|decision| told["outcome"] == outcome(decision))
}
