//! Which time's figures are asked for, as REST and JSON-RPC ask for them.

use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

/// The last moment that the database knows, Unix milliseconds.
const LAST_MS: u64 = i64::MAX.unsigned_abs();

/// Which requests count: those that ended from then until before then.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GetMetrics {
    /// From when on, in Unix milliseconds.
    #[param(maximum = 9_223_372_036_854_775_807_i64)]
    pub since_ms: Option<u64>,
    /// Until before when, in Unix milliseconds.
    #[param(maximum = 9_223_372_036_854_775_807_i64)]
    pub until_ms: Option<u64>,
}

/// A moment that nothing here knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} takes 0 to {LAST_MS}, in Unix milliseconds")]
pub struct OutOfRange(&'static str);

impl GetMetrics {
    /// Returns from when and until when, in Unix milliseconds.
    pub fn bounds(self) -> Result<(Option<u64>, Option<u64>), OutOfRange> {
        let Self { since_ms, until_ms } = self;
        for (name, bound) in [("sinceMs", since_ms), ("untilMs", until_ms)] {
            if bound.is_some_and(|bound| bound > LAST_MS) {
                return Err(OutOfRange(name));
            }
        }
        Ok((since_ms, until_ms))
    }
}
