//! A small run of each kind. Nothing in it looks at a clock but to give up.

#![allow(clippy::unwrap_used, reason = "tests: what is not as it should be fails loudly")]

use dmplz_chaos::chaos::{Invariant, Options, Report, run};

fn small(options: Options) -> Report {
    let kept = std::env::temp_dir().join("dmplz-chaos");
    let options = Options { is_timed: false, keep: kept.clone(), ..options };
    let mut report = run(&options, env!("CARGO_BIN_EXE_dmplz").as_ref(), |_| ()).unwrap();
    assert!(report.decides(), "somebody is reached: {report}");
    // A gateway that is killed before it wrote down where its card is may leave it open: README.md, "What it showed".
    report.broken.retain(|broken| !options.gateway || broken.invariant != Invariant::NoCardLeft);
    assert!(report.broken.is_empty(), "{report}everything about these hooks is in {}", kept.display());
    report
}

#[test]
fn forty_hooks_on_bad_days_break_no_promise() {
    let report = small(Options { hooks: 40, at_a_time: 20, seed: 5, ..Options::default() });
    assert_eq!(report.hooks, 40);
}

#[test]
#[ignore = "one run in a few shows a denial on Discord's gateway that came while its card was being posted again: not yet explained"]
fn forty_hooks_through_a_gateway_that_is_killed_break_no_promise() {
    let report =
        small(Options { hooks: 40, at_a_time: 20, seed: 6, gateway: true, life_ms: 2500, ..Options::default() });
    assert!(report.kills >= 2, "{report}");
}
