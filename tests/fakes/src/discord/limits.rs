//! Rate limits: <https://discord.com/developers/docs/topics/rate-limits>. Discord does not publish the numbers; these
//! are what its headers have been seen to say.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How many requests of one route may come in one window.
struct Rule {
    requests: u64,
    window: Duration,
}

/// The state of a bucket after one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bucket {
    pub(crate) limit: u64,
    pub(crate) remaining: u64,
    pub(crate) reset_after: Duration,
}

/// The buckets, each of one route and channel.
#[derive(Default)]
pub(crate) struct Limits {
    /// Whether a request too many is refused. The headers count in any case, but never to the end unless it is.
    pub(crate) strict: bool,
    windows: BTreeMap<(String, String), (Instant, u64)>,
}

impl Limits {
    /// Counts a request. The error is how long to wait.
    pub(crate) fn take(&mut self, route: &str, channel: &str, now: Instant) -> Result<Bucket, Duration> {
        let Rule { requests: limit, window } = rule(route);
        if !self.strict {
            return Ok(Bucket { limit: limit.max(2), remaining: limit.max(2) - 1, reset_after: window });
        }
        let (start, used) = self.windows.entry((route.to_owned(), channel.to_owned())).or_insert((now, 0));
        if now.duration_since(*start) >= window {
            (*start, *used) = (now, 0);
        }
        let reset_after = window - now.duration_since(*start);
        if *used >= limit {
            return Err(reset_after);
        }
        *used += 1;
        Ok(Bucket { limit, remaining: limit - *used, reset_after })
    }
}

fn rule(route: &str) -> Rule {
    let (requests, window) = match route.split_once(' ') {
        Some(("PUT" | "DELETE", path)) if path.contains("/reactions") => (1, Duration::from_millis(250)),
        Some(("POST" | "PATCH" | "DELETE", path)) if path.contains("/messages") => (5, Duration::from_secs(5)),
        Some(("GET", path)) if path.contains("/messages") => (5, Duration::from_secs(1)),
        _ => (50, Duration::from_secs(1)),
    };
    Rule { requests, window }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_fills_and_empties() {
        let mut limits = Limits { strict: true, ..Limits::default() };
        let route = "PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me";
        let start = Instant::now();
        let window = Duration::from_millis(250);
        assert_eq!(limits.take(route, "1", start), Ok(Bucket { limit: 1, remaining: 0, reset_after: window }));
        assert_eq!(limits.take(route, "1", start + Duration::from_millis(100)), Err(Duration::from_millis(150)));
        assert!(limits.take(route, "2", start).is_ok(), "another channel has its own bucket");
        assert!(limits.take(route, "1", start + window).is_ok());
    }
}
