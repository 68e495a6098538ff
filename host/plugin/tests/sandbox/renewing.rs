//! Secrets that are exchanged for a token: the server sees the token where the component wrote the secret, and the component neither.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dmplz_plugin::{MemoryStorage, Secret, StartError, Storage};
use tokio::sync::Notify;

use crate::bench::{Bench, LONG, Reply, Server, TOKEN, post};
use crate::storing::Full;

/// What the operator gave.
const LOGIN: &str = "refresh-0-qwertyuiop";

/// Returns a component that sends a request with the secret when it posts.
fn bench(server: &Server, tokens: Option<&Arc<dyn Storage>>) -> Bench {
    let mut bench = Bench::fetching(&server.url("/messages")).set("base", &server.origin).set("text", "dmplz");
    bench = bench.set("headers", "authorization: Login {secret:login}").set("method", "POST").set("body", "hello");
    bench.account.secrets.insert("login".to_owned(), Secret::new(LOGIN));
    bench.account.tokens = tokens.cloned();
    bench
}

fn memory() -> Arc<dyn Storage> {
    Arc::new(MemoryStorage::default())
}

/// Starts a server that gives tokens which are good for an hour, one after the other, and takes those that `takes` accepts.
async fn server(takes: impl Fn(&str) -> bool + Send + Sync + 'static) -> Server {
    let given = AtomicUsize::new(0);
    Server::start(move |seen| {
        if seen.line.starts_with("POST /login ") {
            let number = given.fetch_add(1, Ordering::Relaxed) + 1;
            return Reply::text(format!(
                r#"{{"token":"token-{number}-asdfghjkl","next":"refresh-{number}-zxcvbnm","seconds":3600}}"#
            ));
        }
        let token = seen.headers.iter().find_map(|line| line.strip_prefix("authorization: Login ")).unwrap_or_default();
        Reply::Http(if takes(token) { 200 } else { 401 }, Vec::new(), b"seen".to_vec())
    })
    .await
}

/// Returns what the server was asked: the secrets that were exchanged, and the tokens of the requests.
fn asked(server: &Server) -> Vec<String> {
    let seen = server.seen().into_iter();
    seen.map(|seen| match seen.line.starts_with("POST /login ") {
        true => format!("login {}", seen.body),
        false => {
            let token = seen.headers.iter().find_map(|line| line.strip_prefix("authorization: Login "));
            format!("{} {}", token.unwrap_or_default(), seen.body)
        }
    })
    .collect()
}

fn login(grant: &str) -> String {
    format!(r#"login {{"grant":"{grant}","client":"dmplz","key":"{TOKEN}"}}"#)
}

/// Checks that nothing of it was seen.
fn unseen(bench: &Bench, saw: &str) {
    for text in [saw, &bench.log()] {
        assert!(!["refresh-", "asdfghjkl", TOKEN].iter().any(|secret| text.contains(secret)), "{text}");
    }
}

#[tokio::test]
async fn a_secret_is_exchanged_once_before_it_is_used_and_again_when_its_token_has_expired() {
    let server = server(|_| true).await;
    let bench = bench(&server, None).at_time(1_000);
    let provider = bench.start().await;
    for _ in 0..2 {
        let saw = post(&provider, LONG).await.unwrap().id;
        assert!(saw.starts_with("200"), "{saw}");
        unseen(&bench, &saw);
    }
    bench.clock.0.store(1_000 + 3_539_000, Ordering::Relaxed);
    post(&provider, LONG).await.unwrap();
    // A minute before its end.
    bench.clock.0.store(1_000 + 3_540_000, Ordering::Relaxed);
    post(&provider, LONG).await.unwrap();
    let (first, second) = ("token-1-asdfghjkl hello", "token-2-asdfghjkl hello");
    assert_eq!(asked(&server), [&login(LOGIN), first, first, first, &login("refresh-1-zxcvbnm"), second]);
}

#[tokio::test]
async fn a_token_that_the_server_does_not_take_is_exchanged_once_and_the_request_is_sent_again() {
    let second = server(|token| token.starts_with("token-2-")).await;
    let saw = bench(&second, None).post().await;
    assert!(saw.starts_with("200"), "{saw}");
    let next = login("refresh-1-zxcvbnm");
    assert_eq!(asked(&second), [&login(LOGIN), "token-1-asdfghjkl hello", &next, "token-2-asdfghjkl hello"]);
    let none = server(|_| false).await;
    let saw = bench(&none, None).post().await;
    assert!(saw.starts_with("401") && none.seen().len() == 4, "{saw}: {:?}", none.seen());
}

#[tokio::test]
async fn what_a_server_gave_outlives_the_process_unless_the_operator_gives_another_secret() {
    let (server, tokens) = (server(|_| true).await, memory());
    for _ in 0..2 {
        bench(&server, Some(&tokens)).post().await;
    }
    let mut other = bench(&server, Some(&tokens));
    other.account.secrets.insert("login".to_owned(), Secret::new("another-refresh-0"));
    other.post().await;
    let first = "token-1-asdfghjkl hello";
    assert_eq!(asked(&server), [&login(LOGIN), first, first, &login("another-refresh-0"), "token-2-asdfghjkl hello"]);
    assert!(!tokens.read().unwrap().contains(LOGIN), "what the operator gave is not written down again");
}

#[tokio::test]
async fn of_two_processes_one_exchanges_and_both_have_the_token() {
    let (server, tokens) = (server(|_| true).await, memory());
    let (one, other) = (bench(&server, Some(&tokens)), bench(&server, Some(&tokens)));
    let (one, other) = tokio::join!(one.post(), other.post());
    assert!(one.starts_with("200") && other.starts_with("200"), "{one} {other}");
    assert_eq!(asked(&server).iter().filter(|asked| asked.starts_with("login ")).count(), 1, "{:?}", asked(&server));
}

#[tokio::test]
async fn an_exchange_that_takes_longer_than_the_request_is_not_lost() {
    let (gate, tokens) = (Arc::new(Notify::new()), memory());
    let held = Arc::clone(&gate);
    let server = Server::start(move |seen| match seen.line.starts_with("POST /login ") {
        true => {
            Reply::Held(Arc::clone(&held), r#"{"token":"token-1-asdfghjkl","next":"refresh-1-zxcvbnm"}"#.to_owned())
        }
        false => Reply::text("seen"),
    })
    .await;
    assert_eq!(bench(&server, Some(&tokens)).set("patience", "50").post().await, "Error::Timeout");
    gate.notify_one();
    let saw = bench(&server, Some(&tokens)).post().await;
    assert!(saw.starts_with("200"), "{saw}");
    assert_eq!(asked(&server), [login(LOGIN).as_str(), "token-1-asdfghjkl hello"]);
}

#[tokio::test]
async fn a_secret_that_the_server_takes_no_more_is_an_unauthorized_request_with_a_reason_in_the_log() {
    let server = Server::start(|_| Reply::Http(400, Vec::new(), br#"{"error":"invalid_grant"}"#.to_vec())).await;
    let tokens = memory();
    let bench = bench(&server, Some(&tokens));
    let saw = bench.post().await;
    assert!(saw.starts_with("401"), "{saw}");
    assert!(bench.log().contains("the server does not take the secret login any more (status 400)"), "{}", bench.log());
    unseen(&bench, &saw);
    assert_eq!(server.seen().len(), 1, "the request itself is not sent");
    bench.post().await;
    assert_eq!(server.seen().len(), 2, "it is tried again, and nobody waits for the first one");
}

#[tokio::test]
async fn what_is_no_token_is_told_and_never_sent() {
    for reply in [
        "not json",
        "{}",
        r#"{"token":7}"#,
        r#"{"token":"short"}"#,
        r#"{"token":"two words, and more"}"#,
        r#"{"token":"with\r\nx-admin: 1"}"#,
    ] {
        let server = Server::start(move |_| Reply::text(reply)).await;
        let saw = bench(&server, None).post().await;
        assert!(saw.contains("a token was asked for"), "{reply}: {saw}");
        assert_eq!(server.seen().len(), 1, "{reply}");
    }
    let down = Server::start(|_| Reply::Http(503, Vec::new(), Vec::new())).await;
    let saw = bench(&down, None).post().await;
    assert!(saw.contains("it answered with status 503"), "{saw}");
}

#[tokio::test]
async fn a_reply_that_holds_the_token_or_what_follows_the_secret_does_not_reach_the_component() {
    for echo in ["token-1-asdfghjkl", "refresh-1-zxcvbnm", LOGIN] {
        let server = Server::start(move |seen| match seen.line.starts_with("POST /login ") {
            true => Reply::text(r#"{"token":"token-1-asdfghjkl","next":"refresh-1-zxcvbnm"}"#),
            false => Reply::text(echo),
        })
        .await;
        let bench = bench(&server, None);
        let saw = bench.post().await;
        assert!(saw.contains("the reply holds a secret"), "{saw}");
        unseen(&bench, &saw);
    }
}

#[tokio::test]
async fn a_secret_that_nobody_wrote_into_a_request_is_not_exchanged() {
    let server = server(|_| true).await;
    bench(&server, None).set("headers", "").post().await;
    assert_eq!(asked(&server), [" hello"]);
}

#[tokio::test]
async fn without_room_for_the_token_nothing_is_exchanged() {
    let server = server(|_| true).await;
    let full: Arc<dyn Storage> = Arc::new(Full);
    let saw = bench(&server, Some(&full)).post().await;
    assert!(saw.contains("tokens cannot be read: no space left"), "{saw}");
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_component_reads_no_token_from_its_store() {
    let (server, tokens) = (server(|_| true).await, memory());
    bench(&server, Some(&tokens)).post().await;
    let mut reader = Bench::doing("keep", "post").set("script", "get login; get token");
    (reader.account.tokens, reader.account.storage) = (Some(tokens), Some(memory()));
    assert_eq!(reader.post().await, "none; none");
}

#[tokio::test]
async fn a_secret_that_is_required_may_be_missing_where_another_one_takes_its_place() {
    let server = server(|_| true).await;
    let mut bench = bench(&server, None);
    bench.account.secrets.remove("spare");
    let saw = bench.post().await;
    assert!(saw.starts_with("200"), "{saw}");
    bench.account.secrets.remove("login");
    let refused = bench.try_start().await.map(drop).expect_err("it has neither");
    assert!(matches!(refused, StartError::MissingSecret(name) if name == "spare"));
    // One that is not required has no place that another one could take.
    let refused = Bench::new().at_time(125).try_start().await.map(drop).expect_err("its manifest is wrong");
    insta::assert_snapshot!(refused, @"the secret token must be one that is not required, instead of one that is");
}

#[tokio::test]
async fn a_renewal_that_would_send_a_secret_elsewhere_or_nothing_is_refused() {
    for (time, why) in [
        (118, "its URL is not of an origin of the secret"),
        (119, "it needs 1 to 8 fields"),
        (120, "a field names what it may not"),
        (121, "the secret stands in one of its fields"),
        (122, "a field names what it may not"),
        (123, "a field names what it may not"),
        (124, "its pointers are JSON pointers of at most 128 bytes"),
    ] {
        let refused = Bench::new().at_time(time).try_start().await.map(drop).expect_err("it does not start");
        assert!(matches!(refused, StartError::Manifest(_)), "{refused:?}");
        assert_eq!(refused.to_string(), format!("the renewal of the secret login cannot be used: {why}"));
    }
}
