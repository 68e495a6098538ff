//! Rate limits: <https://docs.discord.com/developers/topics/rate-limits>. Discord does not publish the numbers; these
//! have been observed in its headers.
//!
//! A bucket is one route of one channel, server or webhook. Requests over its limit are refused only if limits are
//! strict, or if a test has set the limit of that route. Otherwise the headers always report requests that are left.
//! There is also a global limit, which the requests of interactions do not count for.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

/// The number of requests that are allowed in one window.
#[derive(Clone, Copy)]
struct Rule {
    requests: u64,
    window: Duration,
}

/// The limit of all requests of a bot.
const GLOBAL: Rule = Rule { requests: 50, window: Duration::from_secs(1) };

/// The state of a bucket after one request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bucket {
    pub(crate) limit: u64,
    pub(crate) remaining: u64,
    pub(crate) reset_after: Duration,
    /// The value of `X-RateLimit-Bucket`.
    pub(crate) name: String,
}

/// A request over a limit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TooMany {
    pub(crate) retry_after: Duration,
    /// The exhausted bucket; `None` for the global limit.
    pub(crate) bucket: Option<Bucket>,
}

/// The limits, and the requests that were counted.
#[derive(Default)]
pub(crate) struct Limits {
    /// Whether requests over the limit are refused on every route.
    pub(crate) strict: bool,
    /// The limits that tests have set, which are always strict.
    own: BTreeMap<String, Rule>,
    windows: BTreeMap<(String, String), (Instant, u64)>,
}

impl Limits {
    /// Sets the limit of a route.
    pub(crate) fn set(&mut self, route: &str, requests: u64, window: Duration) {
        self.own.insert(route.to_owned(), Rule { requests, window });
    }

    /// Counts a request to a route of a channel, server or webhook.
    pub(crate) fn take(&mut self, route: &str, major: &str, now: Instant) -> Result<Bucket, TooMany> {
        let rule = self.own.get(route).copied();
        let Rule { requests: limit, window } = rule.unwrap_or_else(|| self::rule(route));
        let name = name(route);
        if !self.strict && rule.is_none() {
            let limit = limit.max(2);
            return Ok(Bucket { limit, remaining: limit - 1, reset_after: window, name });
        }
        if self.strict && !route.contains("/interactions/") && !route.contains("/webhooks/") {
            self.count("", "", GLOBAL, now).map_err(|retry_after| TooMany { retry_after, bucket: None })?;
        }
        let counted = self.count(route, major, Rule { requests: limit, window }, now);
        match counted {
            Ok((used, reset_after)) => Ok(Bucket { limit, remaining: limit - used, reset_after, name }),
            Err(retry_after) => {
                let bucket = Bucket { limit, remaining: 0, reset_after: retry_after, name };
                Err(TooMany { retry_after, bucket: Some(bucket) })
            }
        }
    }

    /// Counts a request. Returns the number of requests in the window, and the time until the window ends. The error is
    /// the time to wait.
    fn count(&mut self, route: &str, major: &str, rule: Rule, now: Instant) -> Result<(u64, Duration), Duration> {
        let (start, used) = self.windows.entry((route.to_owned(), major.to_owned())).or_insert((now, 0));
        if now.duration_since(*start) >= rule.window {
            (*start, *used) = (now, 0);
        }
        let left = rule.window - now.duration_since(*start);
        if *used >= rule.requests {
            return Err(left);
        }
        *used += 1;
        Ok((*used, left))
    }
}

fn rule(route: &str) -> Rule {
    let (requests, window) = match route.split_once(' ') {
        Some(("PUT" | "DELETE", path)) if path.contains("/reactions") => (1, Duration::from_millis(250)),
        Some((_, path)) if path.starts_with("/webhooks/") => (5, Duration::from_secs(2)),
        Some(("POST" | "PATCH" | "DELETE", path)) if path.contains("/messages") => (5, Duration::from_secs(5)),
        Some(("GET", path)) if path.contains("/messages") => (5, Duration::from_secs(1)),
        Some(("GET", "/gateway/bot")) => (2, Duration::from_secs(5)),
        _ => (50, Duration::from_secs(1)),
    };
    Rule { requests, window }
}

/// Returns an opaque name for the buckets of a route.
pub(crate) fn name(route: &str) -> String {
    let mut hasher = DefaultHasher::new();
    route.hash(&mut hasher);
    format!("{0:016x}{0:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    const REACTION: &str = "PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me";

    #[test]
    fn a_bucket_fills_and_empties() {
        let mut limits = Limits { strict: true, ..Limits::default() };
        let start = Instant::now();
        let window = Duration::from_millis(250);
        let full = Bucket { limit: 1, remaining: 0, reset_after: window, name: name(REACTION) };
        assert_eq!(limits.take(REACTION, "1", start), Ok(full.clone()));
        let retry_after = Duration::from_millis(150);
        let bucket = Some(Bucket { reset_after: retry_after, ..full });
        assert_eq!(
            limits.take(REACTION, "1", start + Duration::from_millis(100)),
            Err(TooMany { retry_after, bucket })
        );
        assert!(limits.take(REACTION, "2", start).is_ok(), "another channel has its own bucket");
        assert!(limits.take(REACTION, "1", start + window).is_ok());
    }

    #[test]
    fn all_requests_together_have_a_limit_but_responses_to_presses_are_free() {
        let mut limits = Limits { strict: true, ..Limits::default() };
        let now = Instant::now();
        let take =
            |limits: &mut Limits, channel: u64| limits.take("GET /channels/{channel_id}", &channel.to_string(), now);
        assert!((0..50).all(|channel| take(&mut limits, channel).is_ok()));
        assert_eq!(take(&mut limits, 50), Err(TooMany { retry_after: GLOBAL.window, bucket: None }));
        let callback = "POST /interactions/{interaction_id}/{interaction_token}/callback";
        assert!(limits.take(callback, "", now).is_ok());
    }

    #[test]
    fn a_route_with_a_limit_of_its_own_is_strict_alone() {
        let mut limits = Limits::default();
        let now = Instant::now();
        limits.set("GET /users/@me", 1, Duration::from_secs(9));
        assert_eq!(limits.take("GET /users/@me", "", now).map(|bucket| bucket.remaining), Ok(0));
        assert!(limits.take("GET /users/@me", "", now).is_err());
        assert!((0..99).all(|_| limits.take(REACTION, "1", now).is_ok()));
    }
}
