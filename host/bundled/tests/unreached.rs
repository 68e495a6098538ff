//! Which failures of the network are certain to have sent nothing: only they are `Unreachable`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::collections::BTreeMap;
use std::future::pending;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::messenger::{Block, Card, Obstacle, OpenChat, ProviderError, Users};
use dmplz_plugin::{Account, Addresses, Engine, Grants, Host, LogLevel, Network, Provider, Resolver, Secret};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// Long enough for everything that fails by itself.
const LONG: Duration = Duration::from_secs(20);
/// The time limit of a call that only its limit ends.
const SOON: Duration = Duration::from_millis(300);

/// How names are resolved.
enum Names {
    Unknown,
    Silent,
    Loopback,
}

impl Resolver for Names {
    fn resolve<'a>(&'a self, _: &'a str) -> Addresses<'a> {
        match self {
            Self::Unknown => Box::pin(async { Err(io::Error::other("no such name")) }),
            Self::Silent => Box::pin(pending()),
            Self::Loopback => Box::pin(async { Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]) }),
        }
    }
}

/// Posts a card by a server's URL.
async fn post(base: &str, names: Names, within: Duration) -> ProviderError {
    post_twice(base, names, within).await[0].clone()
}

/// Does so twice with one provider.
async fn post_twice(base: &str, names: Names, within: Duration) -> [ProviderError; 2] {
    let component = dmplz_bundled::component(&Engine::new().unwrap(), "telegram").unwrap().unwrap();
    let account = Account {
        settings: BTreeMap::from([("api-base".to_owned(), base.to_owned())]),
        secrets: BTreeMap::from([(
            "bot-token".to_owned(),
            Secret::new("110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"),
        )]),
        grants: Grants::Manifest,
        ..Account::default()
    };
    let host = Host {
        network: Arc::new(Network::default().with_resolver(Arc::new(names))),
        ..Host::new(Arc::new(|_: &str, _: LogLevel, _: &str| {}))
    };
    let provider = Provider::start(&component, account, host).await.unwrap();
    let chat = OpenChat { id: "42".to_owned(), owner: Some("42".to_owned()), users: Users::Identified };
    let card = Card::new("Tag", "Title".to_owned(), vec![Block::Text("text".to_owned())]);
    let first = provider.post(&chat, &card, within).await.unwrap_err();
    [first, provider.post(&chat, &card, within).await.unwrap_err()]
}

/// Serves each connection with `serve`. Returns the server's address.
async fn serving<F: Future<Output = ()> + Send>(
    serve: impl Fn(TcpStream, usize) -> F + Send + Sync + 'static,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        for number in 0.. {
            let (stream, _) = listener.accept().await.unwrap();
            serve(stream, number).await;
        }
    });
    address
}

async fn read_some(stream: &mut TcpStream) {
    let _ = stream.read(&mut [0; 64]).await;
}

#[track_caller]
fn certain(error: &ProviderError, why: &str) {
    assert!(matches!(error, ProviderError::Unreachable(no) if no.why.contains(why)), "{error:?}");
}

#[tokio::test]
async fn a_name_that_is_not_resolved_is_certain() {
    let error = post("https://api.example", Names::Unknown, LONG).await;
    certain(&error, "no such name");
    assert!(matches!(&error, ProviderError::Unreachable(no) if no.obstacle == Obstacle::Name), "{error:?}");
    certain(&post("https://api.example", Names::Silent, SOON).await, "https://api.example: no connection in time");
}

#[tokio::test]
async fn a_refused_connection_is_certain() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    certain(&post(&format!("http://{free}"), Names::Unknown, LONG).await, "refused");
}

#[tokio::test]
async fn packets_that_are_dropped_are_certain() {
    // The queue of a listener that accepts nobody is full, so that the system drops further attempts to connect.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = Vec::new();
    while let Ok(Ok(stream)) = tokio::time::timeout(SOON, TcpStream::connect(address)).await {
        waiting.push(stream);
    }
    certain(&post(&format!("http://{address}"), Names::Unknown, SOON).await, "no connection in time");
}

#[tokio::test]
async fn a_tls_handshake_that_fails_is_certain() {
    let plain = serving(async |mut stream, _| drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await)).await;
    let port = plain.rsplit(':').next().unwrap();
    let error = post(&format!("https://localhost:{port}"), Names::Loopback, LONG).await;
    assert!(matches!(error, ProviderError::Unreachable(_)), "{error:?}");
}

#[tokio::test]
async fn a_request_that_may_have_arrived_is_not_certain() {
    let cut = serving(async |mut stream, _| read_some(&mut stream).await).await;
    let error = post(&format!("http://{cut}"), Names::Unknown, LONG).await;
    assert!(matches!(error, ProviderError::Unavailable(_)), "{error:?}");
    let silent = serving(async |mut stream, _| {
        tokio::spawn(async move {
            read_some(&mut stream).await;
            pending::<()>().await;
        });
    });
    let error = post(&format!("http://{}", silent.await), Names::Unknown, SOON).await;
    assert_eq!(error, ProviderError::Deadline);
}

#[tokio::test]
async fn nothing_is_certain_of_a_call_that_is_cut_off_once_a_connection_was_open() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        read_some(&mut stream).await;
        let _ = stream.write_all(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n").await;
        // The connection stays, so that the next request goes over it.
        pending::<()>().await;
    });
    let [first, second] = post_twice(&format!("http://{address}"), Names::Unknown, SOON).await;
    assert!(matches!(first, ProviderError::Unavailable(_)), "{first:?}");
    assert_eq!(second, ProviderError::Deadline);
}
