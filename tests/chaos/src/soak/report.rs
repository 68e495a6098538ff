//! The result of a run.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::Options;
use super::load::Tally;
use super::sample::Sample;

/// The figures of a run.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The duration of the run in minutes.
    pub minutes: f64,
    /// The number of requests per second.
    pub rate: f64,
    /// The number of requests of the day before, with which the database began.
    pub aged: usize,
    /// The number of requests that were removed because of their age.
    pub removed: u64,
    /// The number of times that each action was done.
    pub done: BTreeMap<&'static str, u64>,
    /// The measured series, each with its verdict.
    pub series: Vec<Series>,
    /// Descriptions of everything that went wrong.
    pub wrong: Vec<String>,
    /// The first lines of the gateway's stderr.
    pub said: Vec<String>,
    /// Every sample of the run.
    pub samples: Vec<Sample>,
}

/// The measurements of one quantity over the run.
#[derive(Debug, Clone, Serialize)]
pub struct Series {
    /// The name of the quantity and its unit.
    pub name: &'static str,
    /// The value at the beginning.
    pub first: f64,
    /// The value in the middle of the run.
    pub middle: f64,
    /// The value at the end.
    pub last: f64,
    /// The largest value of all samples.
    pub most: f64,
    /// The gain in the second half, by the slope of the line through its samples.
    pub gained: f64,
    /// The maximum gain; `None` if the series is only shown.
    pub tolerance: Option<f64>,
}

impl Series {
    fn of(name: &'static str, samples: &[Sample], tolerance: Option<f64>, value: fn(&Sample) -> f64) -> Self {
        let all: Vec<f64> = samples.iter().map(value).collect();
        let half = &samples[samples.len() / 2..];
        let points: Vec<(f64, f64)> = half.iter().map(|sample| (sample.at, value(sample))).collect();
        let length = points.last().map_or(0.0, |last| last.0) - points.first().map_or(0.0, |first| first.0);
        Self {
            name,
            first: all.first().copied().unwrap_or_default(),
            middle: all.get(all.len() / 2).copied().unwrap_or_default(),
            last: all.last().copied().unwrap_or_default(),
            most: all.iter().copied().fold(0.0, f64::max),
            gained: slope(&points) * length,
            tolerance,
        }
    }

    /// Returns whether the gain is within the tolerance.
    pub fn is_flat(&self) -> bool {
        self.tolerance.is_none_or(|tolerance| self.gained <= tolerance)
    }
}

/// Returns the slope of the line through these points by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len().max(1) as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let along: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let both: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    if along > 0.0 { both / along } else { 0.0 }
}

impl Report {
    pub(super) fn of(samples: &[Sample], options: &Options, tally: Tally) -> Self {
        let series = vec![
            Series::of("memory, KiB", samples, Some(2048.0), |sample| sample.rss_kib),
            Series::of("descriptors", samples, Some(3.0), |sample| sample.descriptors),
            Series::of("threads", samples, Some(1.0), |sample| sample.threads),
            Series::of("database, KiB", samples, Some(1024.0), |sample| sample.database_kib),
            Series::of("its log, KiB", samples, Some(1024.0), |sample| sample.wal_kib),
            Series::of("other files, KiB", samples, None, |sample| sample.other_kib),
            Series::of("open requests", samples, Some(3.0), |sample| sample.open_requests),
            Series::of("connections", samples, Some(3.0), |sample| sample.connections),
        ];
        Self {
            minutes: options.minutes,
            rate: options.rate,
            aged: 0,
            removed: 0,
            done: tally.done,
            series,
            wrong: tally.wrong,
            said: Vec::new(),
            samples: samples.to_vec(),
        }
    }

    /// Returns whether nothing grew, and nothing went wrong.
    pub fn holds(&self) -> bool {
        self.wrong.is_empty() && self.series.iter().all(Series::is_flat)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let requests: u64 = self.done.values().sum();
        let Self { minutes, aged, removed, .. } = self;
        writeln!(
            f,
            "{requests} deeds in {minutes} minutes, on a database of {aged} requests of the day before, of which {removed} went"
        )?;
        for (deed, count) in &self.done {
            writeln!(f, "  {deed:<28} {count}")?;
        }
        writeln!(
            f,
            "{:<18} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
            "", "first", "middle", "last", "most", "gained", "may gain"
        )?;
        for series in &self.series {
            let Series { name, first, middle, last, most, gained, tolerance } = series;
            let may = tolerance.map_or_else(|| "-".to_owned(), |tolerance| format!("{tolerance:.0}"));
            let grows = if series.is_flat() { "" } else { "  GROWS" };
            writeln!(
                f,
                "{name:<18} {first:>10.0} {middle:>10.0} {last:>10.0} {most:>10.0} {gained:>10.1} {may:>10}{grows}"
            )?;
        }
        for line in &self.said {
            writeln!(f, "the gateway said: {line}")?;
        }
        writeln!(f, "wrong      {}", self.wrong.len())?;
        for wrong in &self.wrong {
            writeln!(f, "  {wrong}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(rss: impl Fn(f64) -> f64) -> Vec<Sample> {
        let sample = |at: f64| Sample {
            at,
            rss_kib: rss(at),
            descriptors: 30.0,
            threads: 9.0,
            database_kib: 100.0,
            wal_kib: 10.0,
            other_kib: 1.0,
            open_requests: 2.0,
            connections: 5.0,
        };
        (0..360).map(|number| sample(f64::from(number) * 10.0)).collect()
    }

    #[test]
    fn what_fills_up_in_the_first_half_and_wavers_then_is_flat() {
        let filling = |at: f64| 50_000.0 + 20.0 * at.min(1500.0) + 400.0 * (at / 37.0).sin();
        let report = Report::of(&samples(filling), &Options::default(), Tally::default());
        assert!(report.holds(), "{report}");
    }

    #[test]
    fn what_gains_a_little_with_every_request_grows() {
        let leaking = |at: f64| 50_000.0 + 1.5 * at + 400.0 * (at / 37.0).sin();
        let report = Report::of(&samples(leaking), &Options::default(), Tally::default());
        assert!(!report.holds() && report.to_string().contains("GROWS"), "{report}");
    }
}
