//! Times and memory.

use std::fmt;
use std::fs;
use std::time::{Duration, SystemTime};

/// The median and the 99th percentile of many times.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
}

impl Times {
    pub(crate) fn of(mut nanos: Vec<u64>) -> Self {
        nanos.sort_unstable();
        let at = |share: usize| Duration::from_nanos(nanos[(nanos.len() * share / 100).min(nanos.len() - 1)]);
        Self { p50: at(50), p99: at(99) }
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p50 {:.1?} p99 {:.1?}", self.p50, self.p99)
    }
}

/// Returns the time of the wall clock in nanoseconds, which two processes share.
pub(crate) fn now() -> u64 {
    u64::try_from(SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos()).unwrap()
}

/// Returns the resident memory of this process in MiB.
pub(crate) fn resident_mib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().split(' ').next().unwrap().parse::<f64>().unwrap() / 1024.0
}
