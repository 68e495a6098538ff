//! Small runs of the chaos test, alone and through a gateway. They do not judge how late a hook ends.

#![allow(clippy::unwrap_used, reason = "tests: what is not as it should be fails loudly")]

use dmplz_chaos::chaos::{Options, Report, run};

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
