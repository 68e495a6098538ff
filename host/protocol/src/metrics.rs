//! The period of figures, as REST and JSON-RPC ask for it.

use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

/// The latest time that the database can store, in Unix milliseconds.
const LAST_MS: u64 = i64::MAX.unsigned_abs();

/// Selects the requests that ended from `sinceMs` until just before `untilMs`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GetMetrics {
    /// The beginning of the period, in Unix milliseconds.
    #[param(maximum = 9_223_372_036_854_775_807_i64)]
    pub since_ms: Option<u64>,
    /// The end of the period, which is not part of it, in Unix milliseconds.
    #[param(maximum = 9_223_372_036_854_775_807_i64)]
    pub until_ms: Option<u64>,
}

/// A time that the database cannot store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} takes 0 to {LAST_MS}, in Unix milliseconds")]
pub struct OutOfRange(&'static str);

/// Checks the beginning and the end of a period, in Unix milliseconds: the database must be able to store them.
pub fn check_period(since_ms: Option<u64>, until_ms: Option<u64>) -> Result<(), OutOfRange> {
    for (name, bound) in [("sinceMs", since_ms), ("untilMs", until_ms)] {
        if bound.is_some_and(|bound| bound > LAST_MS) {
            return Err(OutOfRange(name));
        }
    }
    Ok(())
}
