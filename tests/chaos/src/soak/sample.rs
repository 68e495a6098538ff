//! One measurement of the gateway.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use serde::Serialize;

use super::Stage;
use crate::http;

/// The measured values at one time.
#[derive(Debug, Clone, Serialize)]
pub struct Sample {
    /// The time since the beginning, in seconds.
    pub at: f64,
    /// The resident memory, in KiB.
    pub rss_kib: f64,
    /// The number of open descriptors.
    pub descriptors: f64,
    /// The number of threads.
    pub threads: f64,
    /// The size of the database, in KiB.
    pub database_kib: f64,
    /// The size of the write-ahead log, in KiB.
    pub wal_kib: f64,
    /// The size of everything else in the state directory, in KiB: logs, which are rotated and shortened by age.
    pub other_kib: f64,
    /// The number of open requests.
    pub open_requests: f64,
    /// The number of connections of hooks, commands, programs and pages.
    pub connections: f64,
}

impl Sample {
    pub(super) fn take(stage: &Stage, pid: u32, since: Duration) -> anyhow::Result<Self> {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).context("read the process's status")?;
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0.0)
        };
        let (code, metrics) = http::ask(&stage.address, &stage.token, "GET", "/metrics", None)?;
        anyhow::ensure!(code == 200, "read the metrics: {code}");
        let sum = |name: &str| {
            let of = metrics.lines().filter(|line| line.starts_with(name));
            of.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
        };
        let state = stage.home.state();
        let (database, wal) = (size(&state.join("state.db")), size(&state.join("state.db-wal")));
        Ok(Self {
            at: since.as_secs_f64(),
            rss_kib: number("VmRSS:"),
            descriptors: std::fs::read_dir(format!("/proc/{pid}/fd"))?.count() as f64,
            threads: number("Threads:"),
            database_kib: database / 1024.0,
            wal_kib: wal / 1024.0,
            other_kib: (all(&state) - database - wal) / 1024.0,
            open_requests: sum("dmplz_open_requests"),
            connections: sum("dmplz_connections"),
        })
    }
}

fn size(path: &Path) -> f64 {
    path.metadata().map_or(0.0, |metadata| metadata.len() as f64)
}

/// Returns the size of all files below a directory, in KiB.
fn all(dir: &Path) -> f64 {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.map(|entry| if entry.path().is_dir() { all(&entry.path()) } else { size(&entry.path()) }).sum()
}
