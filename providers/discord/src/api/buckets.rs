//! Tracks when Discord accepts the next request (<https://discord.com/developers/docs/topics/rate-limits>).
//!
//! A route is a method and the first three segments of a path, because limits are counted per channel and webhook,
//! not per message. It is recorded only while it is exhausted, and in this instance. Another instance learns of it by
//! a 429, which is recorded too.

use std::cell::RefCell;

use dmplz_provider_sdk::http::{Method, Response};

use super::pause_after;

/// The exhausted routes, each with the time from which it accepts requests again.
#[derive(Debug, Default)]
pub(super) struct Buckets(RefCell<Vec<(String, u64)>>);

/// The key for the limit of all requests.
const GLOBAL: &str = "";

impl Buckets {
    /// Returns the milliseconds until a request may be sent.
    pub(super) fn pause(&self, route: &str, now: u64) -> u32 {
        let buckets = self.0.borrow();
        let is_bound = |it: &str| it == route || (it == GLOBAL && !is_of_interaction(route));
        let until = buckets.iter().filter(|(it, _)| is_bound(it)).map(|(_, until)| *until).max();
        u32::try_from(until.unwrap_or_default().saturating_sub(now)).unwrap_or(u32::MAX)
    }

    /// Records the limits of a reply.
    pub(super) fn note(&self, route: &str, response: &Response, retry_after: Option<u32>, now: u64) {
        let mut buckets = self.0.borrow_mut();
        buckets.retain(|(_, until)| *until > now);
        let is_global = response.header("x-ratelimit-global").is_some();
        // Refused because of something in the request, such as the name of a thread (discord-api-docs#1900).
        let has_room = !is_global && response.header("x-ratelimit-remaining").is_some_and(|left| left.trim() != "0");
        if let Some(pause) = retry_after.filter(|_| !has_room).or_else(|| pause_after(response)) {
            let route = if is_global { GLOBAL } else { route };
            buckets.push((route.to_owned(), now.saturating_add(u64::from(pause))));
        }
    }
}

/// Returns whether a route responds to interactions, which the limit of all requests does not bind
/// (docs/topics/rate-limits#global-rate-limit).
fn is_of_interaction(route: &str) -> bool {
    let path = route.split_once(' ').map_or("", |(_, path)| path);
    path.starts_with("interactions/") || path.starts_with("webhooks/")
}

/// Returns the route of a request.
pub(super) fn route(method: Method, path: &str) -> String {
    let segments = path.split('/').skip(1).take(3).collect::<Vec<_>>();
    format!("{method:?} {}", segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_of_all_requests_does_not_hold_back_what_people_wait_for() {
        let buckets = Buckets::default();
        let headers =
            vec![dmplz_provider_sdk::http::Header { name: "x-ratelimit-global".into(), value: "true".into() }];
        let refused = Response { status: 429, headers, body: Vec::new() };
        buckets.note(&route(Method::Post, "/channels/1/messages"), &refused, Some(3_500), 1_000);
        let pause = |method, path: &str| buckets.pause(&route(method, path), 1_500);
        assert_eq!(pause(Method::Get, "/channels/2"), 3_000);
        assert_eq!(pause(Method::Post, "/interactions/1/token/callback"), 0);
        assert_eq!(pause(Method::Patch, "/webhooks/7/token/messages/@original"), 0);
    }

    #[test]
    fn a_limit_of_something_in_a_request_does_not_hold_back_its_route() {
        for (left, pause) in [("4", 0), ("0", 3_000)] {
            let buckets = Buckets::default();
            let name = "x-ratelimit-remaining".to_owned();
            let headers = vec![dmplz_provider_sdk::http::Header { name, value: left.into() }];
            let refused = Response { status: 429, headers, body: Vec::new() };
            let route = route(Method::Patch, "/channels/1");
            buckets.note(&route, &refused, Some(3_500), 1_000);
            assert_eq!(buckets.pause(&route, 1_500), pause, "{left}");
        }
    }
}
