//! Tests of where requests may go.

use crate::bench::{Bench, Reply, SOON, Server, TOKEN, post};

/// Runs a component that fetches a URL, with the default settings and the manifest's origins granted. Returns what it
/// sees.
async fn refused(bench: Bench) -> String {
    let saw = bench.post().await;
    assert!(saw.starts_with("Error::Refused("), "{saw}");
    assert!(bench.log().contains("a request was refused"), "{}", bench.log());
    saw
}

#[tokio::test]
async fn an_origin_that_is_not_granted_is_refused() {
    let server = Server::start(|_| Reply::text("ok")).await;
    let elsewhere = Server::start(|_| Reply::text("ok")).await;
    let other_port = elsewhere.origin.as_str();
    for url in [other_port, "https://evil.example/", "http://granted.example/", "https://granted.example:444/"] {
        let saw = refused(Bench::fetching(url).set("base", &server.origin)).await;
        assert!(saw.contains("is not granted"), "{url}: {saw}");
    }
    assert!(server.seen().is_empty() && elsewhere.seen().is_empty());
}

#[tokio::test]
async fn a_url_that_parsers_read_differently_is_refused() {
    let server = Server::start(|_| Reply::text("ok")).await;
    let host = server.origin.trim_start_matches("http://").to_owned();
    for url in [
        format!("http://evil.example\\@{host}/"),
        format!("http://evil.example@{host}/"),
        format!("http:\\\\{host}/"),
        format!("http:/{host}/"),
        format!("//{host}/"),
        format!("http://{host}\t/"),
        format!("HTTP://{host}/"),
        format!("http://{{secret:token}}.{host}/"),
        "file:///etc/passwd".to_owned(),
        String::new(),
    ] {
        refused(Bench::fetching(&url).set("base", &server.origin)).await;
    }
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn nothing_is_granted_by_asking() {
    let saw = refused(Bench::fetching("https://granted.example/").granting(&[])).await;
    assert!(saw.contains("https://granted.example is not granted"), "{saw}");
    let saw = refused(Bench::fetching("https://unasked.example/").granting(&["https://unasked.example"])).await;
    assert!(saw.contains("https://unasked.example is not granted"), "{saw}");
}

#[tokio::test]
async fn a_granted_name_that_resolves_to_a_private_address_is_not_followed() {
    for address in ["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "::ffff:192.168.0.1", "fd00::1"] {
        for (url, name) in
            [("https://granted.example/", "granted.example"), ("https://fallback.example/x", "fallback.example")]
        {
            let saw = refused(Bench::fetching(url).resolving(name, address)).await;
            assert!(saw.contains("resolves to no address that may be reached"), "{address}: {saw}");
        }
    }
}

#[tokio::test]
async fn a_name_that_the_operator_wrote_may_be_private_but_never_a_metadata_service() {
    let server = Server::start(|_| Reply::text("inside")).await;
    let port = server.origin.rsplit(':').next().unwrap();
    let url = format!("http://chat.corp:{port}/");
    let saw = Bench::fetching(&url).set("base", &url).resolving("chat.corp", "127.0.0.1").post().await;
    assert!(saw.ends_with("inside"), "{saw}");
    let saw = refused(Bench::fetching(&url).set("base", &url).resolving("chat.corp", "169.254.169.254")).await;
    assert!(saw.contains("no address that may be reached"), "{saw}");
}

#[tokio::test]
async fn a_redirect_out_of_the_origin_is_refused_also_for_what_is_granted() {
    let other = Server::start(|_| Reply::text("ok")).await;
    for target in [other.url("/?stolen"), "https://granted.example/".to_owned(), "//evil.example/".to_owned()] {
        let to = target.clone();
        let server = Server::start(move |_| Reply::Http(307, vec![("location", to.clone())], Vec::new())).await;
        for method in ["GET", "POST"] {
            let bench = Bench::fetching(&server.url("/x")).set("base", &server.origin).set("method", method);
            let saw = refused(bench.set("elsewhere", &other.origin)).await;
            assert!(saw.contains("a redirect from") && saw.contains("leads elsewhere"), "{target}: {saw}");
        }
    }
    assert!(other.seen().is_empty());
}

#[tokio::test]
async fn redirects_in_a_circle_end() {
    let server = Server::start(|_| Reply::Http(302, vec![("location", "/".to_owned())], Vec::new())).await;
    refused(Bench::fetching(&server.url("/")).set("base", &server.origin)).await;
    assert_eq!(server.seen().len(), 4);
}

#[tokio::test]
async fn headers_of_the_host_are_refused() {
    let server = Server::start(|_| Reply::text("ok")).await;
    for header in ["Host: evil.example", "content-length: 0", "Accept-Encoding: gzip", "range: bytes=0-3", "TE: x"] {
        let bench = Bench::fetching(&server.url("/")).set("base", &server.origin).set("headers", header);
        assert!(refused(bench).await.contains("belongs to the host"), "{header}");
    }
    let bench = Bench::fetching(&server.url("/")).set("base", &server.origin).set("headers", "x: a\rb: c");
    refused(bench).await;
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn replies_without_end_are_too_large() {
    for (path, endless) in [
        ("body", &b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n400\r\n"[..]),
        ("head", &b"HTTP/1.1 200 OK\r\nx-more: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"[..]),
    ] {
        let server = Server::start(move |_| Reply::Endless(endless)).await;
        let saw = Bench::fetching(&server.url("/")).set("base", &server.origin).post().await;
        assert!(saw.starts_with("Error::TooLarge") || saw.starts_with("Error::Unreachable"), "{path}: {saw}");
    }
    let server = Server::start(|_| Reply::Http(200, Vec::new(), vec![b'x'; (4 << 20) + 1])).await;
    assert_eq!(Bench::fetching(&server.url("/")).set("base", &server.origin).post().await, "Error::TooLarge");
    let server = Server::start(|_| Reply::Http(200, vec![("x-big", "x".repeat(33 << 10))], Vec::new())).await;
    assert_eq!(Bench::fetching(&server.url("/")).set("base", &server.origin).post().await, "Error::TooLarge");
}

#[tokio::test]
async fn silence_ends_by_the_requests_own_time_or_by_the_deadline() {
    let server = Server::start(|_| Reply::Silence).await;
    let bench = Bench::fetching(&server.url("/")).set("base", &server.origin).set("patience", "50");
    assert_eq!(bench.post().await, "Error::Timeout");
    let provider = Bench::fetching(&server.url("/")).set("base", &server.origin).start().await;
    assert_eq!(post(&provider, SOON).await.unwrap().id, "Error::Deadline");
}

#[tokio::test]
async fn a_connection_that_breaks_is_told_without_the_url() {
    let server = Server::start(|_| Reply::Cut).await;
    let bench = Bench::fetching(&server.url("/bot{secret:token}/getMe")).set("base", &server.origin);
    let saw = bench.post().await;
    assert!(saw.starts_with("Error::Unreachable("), "{saw}");
    assert!(!saw.contains("getMe") && !saw.contains(TOKEN), "{saw}");
}

#[tokio::test]
async fn there_is_no_network_in_describe_and_connect() {
    assert!(Bench::new().at_time(106).try_start().await.is_err());
    let server = Server::start(|_| Reply::text("ok")).await;
    let bench = Bench::doing("fetch", "connect").set("url", &server.origin).set("base", &server.origin);
    bench.try_start().await.unwrap();
    assert!(bench.log().contains("there is no network here"), "{}", bench.log());
    assert!(server.seen().is_empty());
}
