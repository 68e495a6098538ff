//! Secrets, and the ways in which they do not get out.

use crate::bench::{Bench, FORM_KEY, LONG, Reply, SPARE, Server, TOKEN, post, room};

/// Runs a component that uses a placeholder in the wrong place. Returns what it sees.
async fn misused(url: &str, header: &str, base: &Server, elsewhere: &Server) -> String {
    let bench = Bench::fetching(url).set("base", &base.origin).set("elsewhere", &elsewhere.origin);
    let bench = bench.set("headers", header).set("method", "POST").set("body", "{secret:token}");
    let saw = bench.post().await;
    for text in [&saw, &bench.log()] {
        assert!(!text.contains(TOKEN) && !text.contains(SPARE), "{text}");
    }
    saw
}

#[tokio::test]
async fn a_secret_does_not_leave_for_another_granted_origin() {
    let base = Server::start(|_| Reply::text("ok")).await;
    let elsewhere = Server::start(|_| Reply::text("ok")).await;
    let saw = misused(&elsewhere.url("/{secret:token}"), "", &base, &elsewhere).await;
    assert!(saw.contains("the secret token does not belong to"), "{saw}");
    let saw = misused(&elsewhere.url("/"), "authorization: {secret:token}", &base, &elsewhere).await;
    assert!(saw.contains("the secret token does not belong to"), "{saw}");
    let saw = misused(&base.url("/{secret:spare}"), "", &base, &elsewhere).await;
    assert!(saw.contains("the secret spare does not belong to"), "{saw}");
    assert!(base.seen().is_empty() && elsewhere.seen().is_empty());

    let saw = misused(&elsewhere.url("/body"), "", &base, &elsewhere).await;
    assert!(saw.starts_with("200"), "{saw}");
    assert_eq!(elsewhere.seen()[0].body, "{secret:token}", "a body is sent as it is");
}

#[tokio::test]
async fn a_secret_of_a_body_leaves_in_its_place_and_for_its_server_alone() {
    let base = Server::start(|_| Reply::text("ok")).await;
    let elsewhere = Server::start(|_| Reply::text("ok")).await;
    let send = async |url: &str, headers: &str, body: &str| {
        let bench = Bench::fetching(url).set("base", &base.origin).set("elsewhere", &elsewhere.origin);
        let bench = bench.set("headers", headers).set("method", "POST").set("body", body);
        let saw = bench.post().await;
        assert!(![&saw, &bench.log()].iter().any(|text| text.contains(FORM_KEY)), "{saw}");
        saw
    };
    let (json, form) = ("content-type: application/json", "content-type: application/x-www-form-urlencoded");
    let (in_json, in_form) =
        (r#"{"auth":{"key":"{secret:form-key}"}}"#, "key={secret:form-key}&text={secret:form-key}");
    send(&base.url("/"), json, in_json).await;
    send(&base.url("/"), form, in_form).await;
    let bodies: Vec<_> = base.seen().into_iter().map(|seen| seen.body).collect();
    let expected =
        [format!(r#"{{"auth":{{"key":"{FORM_KEY}"}}}}"#), format!("key={FORM_KEY}&text=%7Bsecret%3Aform-key%7D")];
    assert_eq!(bodies, expected);
    for (headers, body) in [(json, in_json), (form, in_form)] {
        let saw = send(&elsewhere.url("/"), headers, body).await;
        assert!(saw.contains("the secret form-key does not belong to"), "{saw}");
    }
    let twice = send(&base.url("/"), &format!("{json}\nauthorization: Bot {{secret:token}}"), in_json).await;
    assert!(twice.contains("only once"), "{twice}");
    for body in [r#"{"key":"{secret:form-key}"}"#, r#"{"auth":{"key":"{secret:token}"}}"#] {
        send(&base.url("/"), json, body).await;
        assert_eq!(base.seen().last().unwrap().body, body, "text like any other");
    }
    assert!(elsewhere.seen().is_empty());
}

#[tokio::test]
async fn a_secret_stands_once_and_only_where_the_manifest_says() {
    let base = Server::start(|_| Reply::text("ok")).await;
    for (path, header) in [
        ("/bot{secret:token}/sendMessage?text={secret:token}", ""),
        ("/sendMessage?text={secret:token}", ""),
        ("/sendMessage/{secret:token}", ""),
        ("/channels/bot{secret:token}/messages", ""),
        ("/bot{secret:token}", ""),
        ("/{secret:token}/shown", ""),
        ("//{secret:token}", ""),
        ("/", "x-audit-log-reason: {secret:token}"),
        ("/", "x-audit-log-reason: Bot {secret:token}"),
        ("/", "user-agent: {secret:token}"),
        ("/", "x-other-token: Bot {secret:token}"),
        ("/", "authorization: {secret:token}"),
        ("/", "authorization: Bot {secret:token} and more"),
    ] {
        let saw = misused(&base.url(path), header, &base, &base).await;
        assert!(saw.contains("the manifest names no such place for the secret token"), "{path} {header}: {saw}");
    }
    for (path, header) in [
        ("/{secret:token}/{secret:token}", ""),
        ("/{secret:token}", "authorization: Bot {secret:token}"),
        ("/", "authorization: Bot {secret:token}\nx-api-key: Bot {secret:token}"),
    ] {
        let saw = misused(&base.url(path), header, &base, &base).await;
        assert!(saw.contains("a secret may stand only once"), "{path} {header}: {saw}");
    }
    let saw = misused(&base.url("/{secret:unknown}"), "", &base, &base).await;
    assert!(saw.contains("there is no secret unknown"), "{saw}");
    let saw = misused(&base.url("/{secret:token"), "", &base, &base).await;
    assert!(saw.contains("a placeholder has no end"), "{saw}");
    assert!(base.seen().is_empty());
}

#[tokio::test]
async fn a_path_for_a_secret_begins_behind_the_path_of_the_setting() {
    let server = Server::start(|_| Reply::text("ok")).await;
    let base = server.url("/api/");
    for path in ["/bot{secret:token}/x", "/api/v2/bot{secret:token}/x", "/other/bot{secret:token}/x"] {
        let saw = Bench::fetching(&server.url(path)).set("base", &base).post().await;
        assert!(saw.contains("the manifest names no such place for the secret token"), "{path}: {saw}");
    }
    assert!(server.seen().is_empty());
    Bench::fetching(&server.url("/api/bot{secret:token}/x")).set("base", &base).post().await;
    assert_eq!(server.seen()[0].line, format!("GET /api/bot{TOKEN}/x HTTP/1.1"));
}

#[tokio::test]
async fn a_reply_that_holds_a_secret_does_not_reach_the_component() {
    let percent: String = TOKEN.bytes().map(|byte| format!("%{byte:02x}")).collect();
    for echo in [TOKEN.to_owned(), percent, TOKEN.replace('A', "\\u0041"), SPARE.to_owned()] {
        for in_header in [true, false] {
            let echo = echo.clone();
            let server = Server::start(move |_| match in_header {
                true => Reply::Http(200, vec![("x-echo", echo.clone())], Vec::new()),
                false => Reply::Http(404, Vec::new(), format!("no /bot{echo}/x").into_bytes()),
            })
            .await;
            let bench = Bench::fetching(&server.url("/bot{secret:token}/x")).set("base", &server.origin);
            let saw = bench.post().await;
            assert_eq!(saw, "Error::Refused(\"the reply holds a secret\")");
        }
    }
}

#[tokio::test]
async fn a_compressed_reply_is_not_taken() {
    let server =
        Server::start(|_| Reply::Http(200, vec![("content-encoding", "gzip".to_owned())], b"\x1f\x8b".to_vec())).await;
    let saw = Bench::fetching(&server.url("/")).set("base", &server.origin).post().await;
    assert!(saw.starts_with("Error::Refused("), "{saw}");
}

#[tokio::test]
async fn a_redirect_does_not_show_a_secret() {
    let server = Server::start(|seen| match seen.line.contains("/next") {
        false => Reply::Http(302, vec![("location", format!("/next/{TOKEN}"))], Vec::new()),
        true => Reply::text("arrived"),
    })
    .await;
    let saw = Bench::fetching(&server.url("/")).set("base", &server.origin).post().await;
    assert!(saw.ends_with("arrived"), "{saw}");
    let post = Bench::fetching(&server.url("/")).set("base", &server.origin).set("method", "POST").post().await;
    assert_eq!(post, "Error::Refused(\"the reply holds a secret\")");
}

/// A component cannot hold a secret, but an operator may write one into a setting by mistake.
#[tokio::test]
async fn errors_lines_and_checks_that_hold_a_secret_are_withheld() {
    let bench = Bench::doing("fail", "post").set("text", &format!("bad url /bot{TOKEN}/x"));
    let error = post(&bench.start().await, LONG).await.unwrap_err();
    assert_eq!(error.to_string(), "the provider failed: (withheld: it held a secret)");

    let bench = Bench::doing("say", "post").set("text", TOKEN);
    bench.post().await;
    insta::assert_snapshot!(bench.log(), @"Warn hostile: (a line that held a secret was dropped)");

    let server = Server::start(|_| Reply::text("ok")).await;
    let bench = Bench::doing("fetch", "diagnose").set("base", &server.origin).set("url", &server.origin);
    let found = bench.start().await.diagnose(&room(), LONG).await.unwrap();
    assert!(found.checks[0].detail.starts_with("200"), "{found:?}");
}

#[test]
fn a_secret_is_not_shown() {
    assert_eq!(format!("{:?}", dmplz_plugin::Secret::new(TOKEN)), "Secret(…)");
}
