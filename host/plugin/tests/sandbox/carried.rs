//! Tests of a backend that replaces the network: the checks before it, and what of its replies is withheld.

use std::io;
use std::sync::{Arc, Mutex};

use std::time::Duration;

use bytes::Bytes;
use dmplz_plugin::{Exchange, HttpBackend};
use futures_util::FutureExt;
use http::{Request, Response};
use tokio::sync::Notify;
use tokio::time::advance;

use crate::bench::{Bench, LONG, TOKEN, post, press};

/// Answers every request with the same, and keeps its URI.
struct Carrier {
    seen: Mutex<Vec<String>>,
    status: u16,
    body: Bytes,
}

impl HttpBackend for Carrier {
    fn exchange(&self, request: Request<Bytes>) -> Exchange<'_> {
        self.seen.lock().unwrap().push(request.uri().to_string());
        let status = self.status;
        Box::pin(async move {
            if status == 0 {
                return Err(io::Error::other("the line is cut"));
            }
            let reply = Response::builder().status(status).header("location", "https://evil.example/");
            Ok(reply.body(self.body.clone()).unwrap())
        })
    }
}

/// Runs a component that fetches a URL over a backend. Returns what the component and the backend see.
async fn fetch(url: &str, status: u16, body: impl Into<Bytes>) -> (String, Vec<String>) {
    let carrier = Arc::new(Carrier { seen: Mutex::default(), status, body: body.into() });
    let bench = Bench::fetching(url).set("base", "https://chat.corp/api");
    let provider = bench.start_with(bench.network().with_backend(carrier.clone())).await;
    let saw = post(&provider, LONG).await.unwrap().id;
    let seen = carrier.seen.lock().unwrap().clone();
    (saw, seen)
}

#[tokio::test]
async fn a_transport_gets_the_whole_request_and_its_reply_reaches_the_component() {
    let (saw, seen) = fetch("https://chat.corp/api/bot{secret:token}/x?y=1", 200, "carried").await;
    assert!(saw.contains("carried"), "{saw}");
    assert_eq!(seen, [format!("https://chat.corp/api/bot{TOKEN}/x?y=1")]);
}

#[tokio::test]
async fn the_policy_stands_in_front_of_a_transport() {
    for url in ["https://evil.example/", "https://chat.corp/api?{secret:token}", "http://169.254.169.254/"] {
        let (saw, seen) = fetch(url, 200, "carried").await;
        assert!(saw.starts_with("Error::Refused(") && seen.is_empty(), "{url}: {saw}");
    }
}

#[tokio::test]
async fn the_policy_stands_behind_a_transport_too() {
    let url = "https://chat.corp/api/x";
    let (saw, _) = fetch(url, 200, TOKEN).await;
    assert!(saw.contains("the reply holds a secret"), "{saw}");
    let (saw, seen) = fetch(url, 302, "").await;
    assert!(saw.contains("leads elsewhere") && seen.len() == 1, "{saw}");
    let (saw, _) = fetch(url, 200, vec![b'x'; (4 << 20) + 1]).await;
    assert!(saw.contains("TooLarge"), "{saw}");
}

#[tokio::test]
async fn a_transport_that_fails_is_a_server_that_cannot_be_reached() {
    let (saw, _) = fetch("https://chat.corp/api/x", 0, "").await;
    assert!(saw.contains("Unreachable") && saw.contains("the line is cut"), "{saw}");
}

/// Answers a request when it is notified, with a text that is too long for the component to read at once.
#[derive(Default)]
struct Later(Notify);

impl HttpBackend for Later {
    fn exchange(&self, _: Request<Bytes>) -> Exchange<'_> {
        Box::pin(async move {
            self.0.notified().await;
            Ok(Response::new("carried ".repeat(40_000).into()))
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_came_before_the_process_was_suspended_is_read_after_the_deadline() {
    let later = Arc::new(Later::default());
    let bench = Bench::doing("fetch", "acknowledge").set("url", "https://chat.corp/api/x");
    let bench = bench.set("base", "https://chat.corp/api");
    let provider = bench.start_with(bench.network().with_backend(later.clone())).await;
    let (press, within) = (press(), Duration::from_secs(5));
    let mut call = Box::pin(provider.acknowledge(&press, None, within));
    assert!((&mut call).now_or_never().is_none());
    later.0.notify_one();
    advance(within + Duration::from_secs(60)).await;
    assert_eq!(call.await, Ok(()));
}
