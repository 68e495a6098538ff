//! Small runs of the chaos tests. They do not judge how late a hook ends.

#![allow(clippy::unwrap_used, reason = "tests: what is not as it should be fails loudly")]

use std::time::Duration;

use dmplz_chaos::chaos::{Options, Report, run};
use dmplz_chaos::notices;

fn small(options: Options) -> Report {
    let kept = std::env::temp_dir().join("dmplz-chaos");
    let options = Options { is_timed: false, keep: kept.clone(), ..options };
    let report = run(&options, env!("CARGO_BIN_EXE_dmplz").as_ref(), |_| ()).unwrap();
    assert!(report.decides(), "somebody is reached: {report}");
    assert!(report.broken.is_empty(), "{report}everything about these hooks is in {}", kept.display());
    report
}

#[test]
fn forty_hooks_on_bad_days_break_no_promise() {
    let report = small(Options { hooks: 40, at_a_time: 20, seed: 5, ..Options::default() });
    assert_eq!(report.hooks, 40);
}

#[test]
fn forty_hooks_through_a_gateway_that_is_killed_break_no_promise() {
    let report =
        small(Options { hooks: 40, at_a_time: 20, seed: 6, gateway: true, life_ms: 2500, ..Options::default() });
    assert!(report.kills >= 2, "{report}");
}

#[test]
fn hundreds_of_notices_to_services_that_fail_through_gateways_that_are_killed_arrive_in_order() {
    let (life, patience) = (Duration::from_millis(2_500), Duration::from_secs(300));
    let options =
        notices::Options { notices: 300, channels: 3, seed: 7, life, patience, ..notices::Options::default() };
    let report = notices::run(&options, env!("CARGO_BIN_EXE_dmplz").as_ref(), |_| ()).unwrap();
    assert!(report.broken.is_empty(), "{report}");
    assert!(report.kills >= 2 && report.tally.limited > 0 && report.tally.failed > 0, "{report}");
}
