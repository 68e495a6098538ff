//! The figures of the hook, and their goals.

use std::time::Duration;

use super::Goal;
use super::candidates::Round;
use super::table::{Row, median};

type Of<T> = fn(&Round) -> Option<T>;

/// Returns the figures of these rounds.
pub(super) fn rows(rounds: &[Round]) -> Vec<Row> {
    let of = Rounds(rounds);
    let most = |ratio| Some(Goal::RatioAtMost(ratio));
    let least = |ratio| Some(Goal::RatioAtLeast(ratio));
    let below = |value| Some(Goal::ValueBelow(value));
    vec![
        of.by_empty("empty process, to exit", None, |r| Some(r.empty)),
        of.by_empty("hook to its first request, HTTP", most(2.0), |r| Some(r.http.first)),
        of.by_empty("hook to its first request, TLS", most(4.0), |r| Some(r.tls.first)),
        of.by_http("an installed messenger's hook, by that of a bundled one", most(1.2), |r| Some(r.installed.first)),
        of.by_empty("hook to exit, HTTP, less the wait for the press", None, |r| Some(r.http.exit)),
        of.by_empty("PostToolUse without a card, to exit", most(1.2), |r| Some(r.event)),
        of.by_empty("hook that a rule allows, to exit", most(1.5), |r| Some(r.allowed)),
        of.by_empty("hook that a rule denies, to exit", most(1.5), |r| Some(r.denied)),
        of.by_empty("hook to its request at a gateway", most(1.5), |r| Some(r.handed_on)),
        of.value("press to stdout, HTTP", "ms", below(3.0), |r| Some(millis(r.http.press))),
        of.value("press to stdout, TLS", "ms", below(3.0), |r| Some(millis(r.tls.press))),
        of.value("peak memory, HTTP", "MiB", below(12.0), |r| Some(r.http.peak_kib as f64 / 1024.0)),
        of.value("peak memory with an installed messenger", "MiB", None, |r| {
            Some(r.installed.peak_kib as f64 / 1024.0)
        }),
        of.value("peak memory, TLS", "MiB", below(12.0), |r| Some(r.tls.peak_kib as f64 / 1024.0)),
        of.by_empty("python3 -c 'import json, urllib.request', to exit", None, |r| r.python_start),
        of.by_empty("node -e 0, to exit", None, |r| r.node_start),
        of.by_http("POST from bun, to exit, by the hook's first", least(3.0), |r| Some(r.bun?.exit)),
        of.by_http("POST from python3, to exit, by the hook's first", least(25.0), |r| Some(r.python?.exit)),
        of.by_http("POST from node, to exit, by the hook's first", least(60.0), |r| Some(r.node?.exit)),
        of.by_http("POST from bun, to the request, by the hook's first", None, |r| Some(r.bun?.first)),
        of.by_http("POST from python3, to the request, by the hook's first", None, |r| Some(r.python?.first)),
        of.by_http("POST from node, to the request, by the hook's first", None, |r| Some(r.node?.first)),
        of.by_tls("TLS POST from bun, to exit, by the hook's first", None, |r| Some(r.bun_tls?.exit)),
        of.by_tls("TLS POST from python3, to exit, by the hook's first", None, |r| Some(r.python_tls?.exit)),
        of.by_tls("TLS POST from node, to exit, by the hook's first", None, |r| Some(r.node_tls?.exit)),
    ]
}

struct Rounds<'a>(&'a [Round]);

impl Rounds<'_> {
    fn by_empty(&self, what: &str, goal: Option<Goal>, of: Of<Duration>) -> Row {
        self.ratio(what, goal, of, |round| round.empty)
    }

    fn by_http(&self, what: &str, goal: Option<Goal>, of: Of<Duration>) -> Row {
        self.ratio(what, goal, of, |round| round.http.first)
    }

    fn by_tls(&self, what: &str, goal: Option<Goal>, of: Of<Duration>) -> Row {
        self.ratio(what, goal, of, |round| round.tls.first)
    }

    /// Compares two times by the median of the ratios within each round, not by the ratio of the medians.
    fn ratio(&self, what: &str, goal: Option<Goal>, of: Of<Duration>, by: fn(&Round) -> Duration) -> Row {
        let pairs = self.0.iter().filter_map(|round| Some((millis(of(round)?), millis(by(round)))));
        let (values, ratios) = pairs.map(|(value, by)| (value, value / by)).unzip();
        Row::new(what, median(values), "ms", median(ratios), goal)
    }

    fn value(&self, what: &str, unit: &'static str, goal: Option<Goal>, of: Of<f64>) -> Row {
        Row::new(what, median(self.0.iter().filter_map(of).collect()), unit, None, goal)
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
