//! Tests of files that people sent: the component says where they are, and only the host gets them.

use std::time::Duration;

use dmplz_core::messenger::{ProviderError, SentFile};

use crate::bench::{Bench, LONG, Reply, SOON, Server, TOKEN};

fn file(url: impl Into<String>) -> SentFile {
    SentFile { id: url.into(), name: "notes.txt".to_owned(), size: None }
}

async fn serving(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Server {
    Server::start(move |request| answer(&request.line)).await
}

#[tokio::test]
async fn a_file_is_got_with_the_secret_in_its_place() {
    // What is in a file does not concern the component, so it may hold anything.
    let server = serving(|_| Reply::text(format!("notes {TOKEN}"))).await;
    let bench = Bench::new().set("base", &server.origin).set("headers", "Authorization: Bot {secret:token}");
    let got = bench.start().await.fetch(&file(format!("{}/f/1", server.origin)), LONG).await.unwrap();
    assert_eq!(got, format!("notes {TOKEN}"));
    let [seen] = &server.seen()[..] else { panic!("one request") };
    assert!(seen.line.starts_with("GET /f/1 "), "{}", seen.line);
    assert!(seen.headers.iter().any(|header| header.ends_with(&format!("Bot {TOKEN}"))), "{:?}", seen.headers);
}

#[tokio::test]
async fn a_file_elsewhere_and_a_secret_elsewhere_are_refused() {
    let (server, other) = (serving(|_| Reply::text("x")).await, serving(|_| Reply::text("x")).await);
    let provider = Bench::new().set("base", &server.origin).start().await;
    for url in [
        format!("{}/f", other.origin),
        "https://evil.example/f".to_owned(),
        "http://169.254.169.254/f".to_owned(),
        "file:///etc/passwd".to_owned(),
        "/etc/passwd".to_owned(),
        format!("{}/f/{{secret:token}}", server.origin),
        format!("{}/f?t={{secret:token}}", server.origin),
        format!("{}/{{secret:spare}}", server.origin),
    ] {
        let refused = provider.fetch(&file(&url), LONG).await;
        assert!(matches!(refused, Err(ProviderError::Refused(_))), "{url}: {refused:?}");
    }
    assert!(server.seen().is_empty() && other.seen().is_empty());
    let away = serving(|_| Reply::Http(302, vec![("location", "https://evil.example/".to_owned())], Vec::new())).await;
    let provider = Bench::new().set("base", &away.origin).start().await;
    let refused = provider.fetch(&file(format!("{}/f", away.origin)), LONG).await;
    assert!(matches!(refused, Err(ProviderError::Refused(_))), "{refused:?}");
}

#[tokio::test]
async fn what_a_server_says_of_a_file_is_told_apart() {
    let server = serving(|line| match line.split(' ').nth(1).unwrap_or_default() {
        "/large" => Reply::Http(200, Vec::new(), vec![b'x'; (20 << 20) + 1]),
        "/whole" => Reply::Http(200, Vec::new(), vec![b'x'; 20 << 20]),
        "/silent" => Reply::Silence,
        path => Reply::Http(path.trim_start_matches('/').parse().unwrap(), Vec::new(), Vec::new()),
    })
    .await;
    let provider = Bench::new().set("base", &server.origin).start().await;
    let get = async |path: &str, within| {
        provider.fetch(&file(format!("{}/{path}", server.origin)), within).await.map(|content| content.len())
    };
    assert_eq!(get("whole", LONG).await, Ok(20 << 20));
    assert_eq!(get("large", LONG).await, Err(ProviderError::TooLarge));
    assert_eq!(get("404", LONG).await, Err(ProviderError::NotFound));
    assert_eq!(get("403", LONG).await, Err(ProviderError::Denied(None)));
    assert_eq!(get("429", LONG).await, Err(ProviderError::RateLimited(None)));
    assert_eq!(get("503", LONG).await, Err(ProviderError::Unavailable(Some("status 503".to_owned()))));
    assert_eq!(get("silent", SOON).await, Err(ProviderError::Deadline));
}

#[tokio::test]
async fn a_component_that_does_not_say_where_a_file_is_ends_at_its_deadline() {
    let provider = Bench::doing("spin", "locate").start().await;
    assert_eq!(provider.fetch(&file("https://granted.example/"), SOON).await, Err(ProviderError::Deadline));
    let provider = Bench::doing("fail", "locate").set("text", "no").start().await;
    let failed = provider.fetch(&file("https://granted.example/"), LONG).await;
    assert_eq!(failed, Err(ProviderError::Other(Some("no".to_owned()))));
}

#[tokio::test]
async fn a_message_has_at_most_ten_files() {
    let told = Bench::doing("many-files", "receive").start().await.receive("", &[], Duration::ZERO, LONG).await;
    let broken = "hostile: it broke the contract: a message has more than 10 files";
    assert_eq!(told, Err(ProviderError::Broken(broken.to_owned())));
}
