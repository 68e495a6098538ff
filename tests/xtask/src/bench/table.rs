//! The table of figures and goals.

use std::fmt;

use serde_json::{Value, json};

use super::{Goal, ROUNDS};

/// All figures of one run.
#[derive(Debug, Default)]
pub struct Table {
    /// The rows, one for each figure.
    pub rows: Vec<Row>,
}

/// A figure and what it is compared with.
#[derive(Debug)]
pub struct Row {
    what: String,
    value: Option<f64>,
    unit: &'static str,
    ratio: Option<f64>,
    goal: Option<Goal>,
}

impl Table {
    /// Returns the lines above the rows.
    pub fn head() -> String {
        format!("medians of {ROUNDS} rounds\n{:60} {:>12} {:>8}  {:10}", "", "value", "ratio", "goal")
    }

    /// Returns the table as JSON.
    pub fn json(&self) -> Value {
        json!({ "rounds": ROUNDS, "rows": self.rows.iter().map(Row::json).collect::<Vec<_>>() })
    }
}

impl Row {
    pub(super) fn new(
        what: &str,
        value: Option<f64>,
        unit: &'static str,
        ratio: Option<f64>,
        goal: Option<Goal>,
    ) -> Self {
        Self { what: what.to_owned(), value, unit, ratio, goal }
    }

    /// Returns whether the goal is reached; `None` without a goal or a measurement.
    fn is_reached(&self) -> Option<bool> {
        match self.goal? {
            Goal::RatioAtMost(most) => self.ratio.map(|ratio| ratio <= most),
            Goal::RatioAtLeast(least) => self.ratio.map(|ratio| ratio >= least),
            Goal::ValueBelow(limit) => self.value.map(|value| value < limit),
            Goal::ValueAtLeast(least) => self.value.map(|value| value >= least),
        }
    }

    fn json(&self) -> Value {
        let goal = self.goal.map(|goal| goal.to_string());
        json!({
            "what": self.what, "value": self.value, "unit": self.unit, "ratio": self.ratio, "goal": goal,
            "reached": self.is_reached(),
        })
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(value) = self.value else { return write!(f, "{:60} not here: skipped", self.what) };
        let ratio = self.ratio.map(|ratio| format!("{ratio:.2}x")).unwrap_or_default();
        let goal = self.goal.map(|goal| goal.to_string()).unwrap_or_default();
        let reached = self.is_reached().map_or("", |reached| if reached { "reached" } else { "MISSED" });
        let value = format!("{value:.2} {}", self.unit);
        write!(f, "{:60} {value:>12} {ratio:>8}  {goal:10} {reached}", self.what)
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::RatioAtMost(most) => write!(f, "<= {most}x"),
            Goal::RatioAtLeast(least) => write!(f, ">= {least}x"),
            Goal::ValueBelow(limit) => write!(f, "< {limit}"),
            Goal::ValueAtLeast(least) => write!(f, ">= {least}"),
        }
    }
}

/// Returns the median; `None` for no values.
pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::{Goal, Row, median};

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 100.0]), Some(3.0));
        assert_eq!(median(Vec::new()), None);
    }

    #[test]
    fn a_goal_is_reached_or_missed_and_neither_without_a_figure() {
        let row = |ratio, goal| Row::new("x", ratio, "ms", ratio, Some(goal)).is_reached();
        assert_eq!(row(Some(2.0), Goal::RatioAtMost(2.0)), Some(true));
        assert_eq!(row(Some(2.9), Goal::RatioAtLeast(3.0)), Some(false));
        assert_eq!(row(Some(3.0), Goal::ValueBelow(3.0)), Some(false));
        assert_eq!(row(None, Goal::ValueBelow(3.0)), None);
    }
}
