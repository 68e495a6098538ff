//! What sessions may cost, and how long one may be idle. By default there is no limit.
//!
//! | limit | so |
//! |---|---|
//! | of a session | the client is started with it (`--max-budget-usd`): it ends the turn that exceeds it, and each later one. A session that is resumed may spend what is left, and so may a fork, which goes on from what its original has cost |
//! | of all sessions in 24 hours | no session is started or resumed and no message is taken once it is spent, and a session is started with no more than what is left |
//! | idle | a session that waited for a message for as long is ended in order. It can be resumed |
//!
//! Costs are what the client says at the end of each turn. Those of the last 24 hours are kept in `spent.json` of the
//! state directory, by hours, with how much of each session's cost is counted in them: so what a session spends while
//! no gateway runs is counted by the next one. A file that cannot be read begins anew, and the log says so.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use dmplz_protocol::Refusal;
use dmplz_state::replace_soon;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::mutex::Mutex;

const FILE: &str = "spent.json";
const HOUR_MS: u64 = 60 * 60 * 1_000;
/// How long a cost counts, in hours.
const DAY: u64 = 24;

/// The limits of sessions; `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// What one session may cost, in US dollars.
    pub session_usd: Option<u64>,
    /// What all sessions together may cost in 24 hours, in US dollars.
    pub daily_usd: Option<u64>,
    /// How long a session may wait for a message.
    pub idle: Option<Duration>,
}

/// The limits, and the costs that count for them.
#[derive(Debug)]
pub(super) struct Spending {
    folder: PathBuf,
    limits: Limits,
    spent: Mutex<Spent>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Spent {
    /// Costs in US dollars, by the hours since 1970 in which they arose.
    hours: BTreeMap<u64, f64>,
    /// How much of the cost of each session is counted, in US dollars.
    counted: BTreeMap<Uuid, f64>,
}

impl Spending {
    /// Reads what was spent. `sessions` are those that there are; `warn` is called if it cannot be read and there is a limit
    /// for which it counts.
    pub(super) fn open(state: &Path, limits: Limits, sessions: impl Fn(&Uuid) -> bool, warn: &dyn Fn(&str)) -> Self {
        let path = state.join(FILE);
        let mut spent = read(&path).unwrap_or_else(|error| {
            if limits.daily_usd.is_some() {
                let path = path.display();
                warn(&format!(
                    "{path} cannot be read, so what sessions cost in the last 24 hours does not count for their budget: {error}"
                ));
            }
            Spent::default()
        });
        spent.counted.retain(|session, _| sessions(session));
        Self { folder: state.to_owned(), limits, spent: Mutex::new(spent) }
    }

    /// Counts what a session has cost in all, where there is a limit for a day. What it cost before there was one,
    /// `is_past`, belongs to no day.
    pub(super) fn count(&self, session: Uuid, cost_usd: f64, now_ms: u64, is_past: bool) {
        if self.limits.daily_usd.is_none() {
            return;
        }
        let mut spent = self.spent.lock();
        let counted = spent.counted.insert(session, cost_usd);
        let more = match counted {
            None if is_past => 0.0,
            counted => cost_usd - counted.unwrap_or_default(),
        };
        if more > 0.0 {
            let hour = now_ms / HOUR_MS;
            *spent.hours.entry(hour).or_default() += more;
            spent.hours.retain(|at, _| at + DAY >= hour);
        }
        if more > 0.0 || counted.is_none() {
            // Without the file, this gateway still knows what was spent.
            let _ = self.write(&spent);
        }
    }

    /// Returns what a client may spend that is started for a session which has cost so much; `None` without a limit.
    pub(super) fn allowance(&self, cost_usd: f64, now_ms: u64) -> Result<Option<f64>, Refusal> {
        self.has_left(now_ms)?;
        let of_session = match self.limits.session_usd {
            Some(limit) if cost_usd >= dollars(limit) => return Err(Refusal::BudgetSpent { usd: limit }),
            limit => limit.map(|limit| dollars(limit) - cost_usd),
        };
        let of_day = self.limits.daily_usd.map(|limit| dollars(limit) - self.last_day(now_ms));
        Ok(of_session.into_iter().chain(of_day).reduce(f64::min))
    }

    /// Insists that something may still be spent today.
    pub(super) fn has_left(&self, now_ms: u64) -> Result<(), Refusal> {
        match self.limits.daily_usd {
            Some(limit) if self.last_day(now_ms) >= dollars(limit) => Err(Refusal::DailyBudgetSpent { usd: limit }),
            _ => Ok(()),
        }
    }

    /// Returns what was spent in the last 24 hours, in US dollars.
    fn last_day(&self, now_ms: u64) -> f64 {
        let since = (now_ms / HOUR_MS).saturating_sub(DAY - 1);
        self.spent.lock().hours.range(since..).map(|(_, usd)| usd).sum()
    }

    fn write(&self, spent: &Spent) -> std::io::Result<()> {
        replace_soon(&self.folder.join(FILE), serde_json::to_string(spent)?.as_bytes())
    }
}

fn read(path: &Path) -> io::Result<Spent> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Spent::default()),
        text => Ok(serde_json::from_str(&text?)?),
    }
}

/// Returns a whole number of US dollars, of at most a million.
fn dollars(limit: u64) -> f64 {
    f64::from(u32::try_from(limit).unwrap_or(u32::MAX))
}

/// Returns a duration as people read it in a notice.
pub(super) fn words(duration: Duration) -> String {
    match duration.as_secs() {
        seconds if seconds > 0 && seconds % 3_600 == 0 => format!("{} h", seconds / 3_600),
        seconds if seconds > 0 && seconds % 60 == 0 => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Uuid = Uuid::from_u128(1);
    const OTHER: Uuid = Uuid::from_u128(2);

    fn limits(session_usd: Option<u64>, daily_usd: Option<u64>) -> Limits {
        Limits { session_usd, daily_usd, idle: None }
    }

    fn shown(allowance: Result<Option<f64>, Refusal>) -> String {
        match allowance {
            Ok(Some(usd)) => format!("{usd:.2}"),
            Ok(None) => "no limit".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_smaller_of_both_limits_counts_and_what_is_spent_is_refused() {
        let state = tempfile::tempdir().unwrap();
        let open = |limits| Spending::open(state.path(), limits, |_| true, &|line| panic!("{line}"));
        assert_eq!(shown(open(limits(None, None)).allowance(1e9, 0)), "no limit");
        let spending = open(limits(Some(5), Some(8)));
        assert_eq!(shown(spending.allowance(0.5, 0)), "4.50");
        spending.count(ONE, 5.0, 0, false);
        assert_eq!(shown(spending.allowance(0.0, 0)), "3.00");
        assert!(shown(spending.allowance(5.0, 0)).contains("DMPLZ_RUN_BUDGET"));
        spending.count(OTHER, 3.0, 0, false);
        assert!(shown(spending.allowance(0.0, 0)).contains("DMPLZ_RUN_DAILY_BUDGET"));
        assert!(spending.has_left(0).is_err());
        let unlimited = open(limits(Some(5), None));
        unlimited.count(ONE, 100.0, 0, false);
        assert_eq!((unlimited.has_left(0).is_ok(), unlimited.last_day(0)), (true, 8.0), "who sets no limit has none");
    }

    #[test]
    fn a_cost_counts_once_for_24_hours_in_the_next_gateway_too() {
        let state = tempfile::tempdir().unwrap();
        let warned = std::cell::RefCell::new(Vec::new());
        let warn = |line: &str| warned.borrow_mut().push(line.to_owned());
        let open = || Spending::open(state.path(), limits(None, Some(10)), |session| *session == ONE, &warn);
        let spending = open();
        spending.count(ONE, 0.0, 0, false);
        spending.count(ONE, 4.0, HOUR_MS, false);
        spending.count(ONE, 4.0, HOUR_MS, false);
        spending.count(OTHER, 100.0, HOUR_MS, true);
        assert_eq!(shown(spending.allowance(0.0, HOUR_MS)), "6.00", "what another gateway let it cost is no day's");
        // What it cost while no gateway ran.
        let spending = open();
        spending.count(ONE, 5.0, 2 * HOUR_MS, true);
        assert_eq!(shown(spending.allowance(0.0, 2 * HOUR_MS)), "5.00");
        assert_eq!(shown(spending.allowance(0.0, (DAY + 1) * HOUR_MS)), "9.00");
        assert_eq!(shown(spending.allowance(0.0, (DAY + 2) * HOUR_MS)), "10.00");
        // The client counts from nothing again, or its log is cut.
        spending.count(ONE, 1.0, 2 * HOUR_MS, false);
        spending.count(ONE, 2.0, 2 * HOUR_MS, false);
        assert_eq!(shown(spending.allowance(0.0, 2 * HOUR_MS)), "4.00");
        assert!(!spending.spent.lock().counted.contains_key(&OTHER), "of a session that is gone nothing is kept");
        assert_eq!(warned.take(), [""; 0]);
        let path = state.path().join(FILE);
        fs::write(&path, "no JSON").unwrap();
        assert_eq!(shown(open().allowance(0.0, 0)), "10.00");
        let [warning]: [String; 1] = warned.take().try_into().unwrap();
        let follows = format!("{} cannot be read, so what sessions cost in the last 24 hours", path.display());
        assert!(warning.starts_with(&follows), "{warning}");
        Spending::open(state.path(), limits(Some(5), None), |_| true, &|line| panic!("nothing follows: {line}"));
    }
}
