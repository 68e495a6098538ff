//! Measures how long the rules take to decide, with a release build of `host/policy/examples/policy.rs`: policies of
//! several sizes in one process.

use std::path::Path;

use anyhow::Context;
use serde_json::Value;

use super::table::Row;
use super::{Goal, build};

/// The limit of growth: ten times as many rules may take at most eight times as long.
const GROWTH: Goal = Goal::RatioAtMost(8.0);

/// Builds the benchmark, runs it, and reads its figures.
pub(super) fn rows(root: &Path) -> anyhow::Result<Vec<Row>> {
    let output = build::example(root, "policy").output().context("start the policy's benchmark")?;
    anyhow::ensure!(output.status.success(), "run the policy's benchmark: {}", String::from_utf8_lossy(&output.stderr));
    let lines = output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let sizes = lines.map(serde_json::from_slice).collect::<Result<Vec<Value>, _>>().context("read its figures")?;
    let mut rows = of("a check without a shell", "tool_us", 2.0, &sizes)?;
    rows.extend(of("a check of git status && npm test | head", "shell_us", 30.0, &sizes)?);
    rows.extend(of("a policy file, read and indexed", "read_us", f64::INFINITY, &sizes)?);
    Ok(rows)
}

/// Returns one row per size: the time, and its ratio to the time of the size before. `below` is the goal at a thousand
/// rules.
fn of(what: &str, key: &str, below: f64, sizes: &[Value]) -> anyhow::Result<Vec<Row>> {
    let mut before = None;
    let row = |size: &Value| {
        let rules = size.get("rules").and_then(Value::as_u64).context("read how many rules there are")?;
        let time = size.get(key).and_then(Value::as_f64).with_context(|| format!("read {key}"))?;
        let goal = match rules {
            _ if below.is_infinite() => None,
            1_000 => Some(Goal::ValueBelow(below)),
            _ => before.map(|_| GROWTH),
        };
        let ratio = before.replace(time).map(|before: f64| time / before);
        Ok(Row::new(&format!("{what}, {rules} rules"), Some(time), "us", ratio, goal))
    };
    sizes.iter().map(row).collect()
}
