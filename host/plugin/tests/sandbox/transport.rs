//! TLS and proxies.

use std::net::SocketAddr;

use dmplz_e2e::Authority;
use dmplz_plugin::Network;
use futures_util::{SinkExt, StreamExt};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::bench::{Bench, LONG, TOKEN, post, read_head};

/// A server with a certificate for `chat.corp`, signed by a company's own authority.
struct Company {
    port: u16,
    authority: Authority,
}

impl Company {
    /// Returns the certificates of the authority.
    fn roots(&self) -> Vec<CertificateDer<'static>> {
        CertificateDer::pem_file_iter(&self.authority.roots).unwrap().map(Result::unwrap).collect()
    }

    /// Answers requests with their first line.
    async fn start() -> Self {
        Self::serving(serve).await
    }

    async fn serving<F: Future<Output = u16>>(serve: impl FnOnce(TlsAcceptor) -> F) -> Self {
        let (authority, acceptor) = Authority::certifying("chat.corp");
        Self { port: serve(acceptor).await, authority }
    }

    fn bench(&self) -> Bench {
        let url = format!("https://chat.corp:{}/api/bot{{secret:token}}/x", self.port);
        Bench::fetching(&url).set("base", &format!("https://chat.corp:{}/api", self.port))
    }
}

/// Answers every text of every WebSocket with the same.
async fn echo(acceptor: TlsAcceptor) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((tcp, _)) = listener.accept().await {
            let Ok(tls) = acceptor.accept(tcp).await else { continue };
            let Ok(mut socket) = tokio_tungstenite::accept_async(tls).await else { continue };
            while let Some(Ok(message)) = socket.next().await {
                if message.is_text() {
                    socket.send(message).await.unwrap();
                }
            }
        }
    });
    port
}

/// Answers every request with its first line.
async fn serve(acceptor: TlsAcceptor) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((tcp, _)) = listener.accept().await {
            let Ok(tls) = acceptor.accept(tcp).await else { continue };
            let mut tls = BufReader::new(tls);
            let mut line = String::new();
            tls.read_line(&mut line).await.unwrap();
            let body = line.replace(TOKEN, "TOKEN");
            let reply = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            tls.write_all(reply.as_bytes()).await.unwrap();
        }
    });
    port
}

/// Runs a proxy that tunnels to `target` for a client that logs in as `jin:word`, and records the requests.
async fn proxy(target: SocketAddr) -> (String, tokio::sync::mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://jin:w%6Frd@{}", listener.local_addr().unwrap());
    let (asked, record) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut tcp, _)) = listener.accept().await {
            let head = read_head(&mut tcp).await.unwrap();
            let welcome = head.contains("Proxy-Authorization: Basic amluOndvcmQ=\r\n");
            asked.send(head).unwrap();
            if welcome {
                tcp.write_all(b"HTTP/1.1 200 Connection established\r\nx: y\r\n\r\n").await.unwrap();
                let mut server = TcpStream::connect(target).await.unwrap();
                let _ = copy_bidirectional(&mut tcp, &mut server).await;
            } else {
                tcp.write_all(b"HTTP/1.1 407 Who are you\r\n\r\n").await.unwrap();
            }
        }
    });
    (url, record)
}

#[tokio::test]
async fn a_certificate_is_trusted_when_the_operator_named_its_authority() {
    let company = Company::start().await;
    let bench = company.bench().resolving("chat.corp", "127.0.0.1");
    let saw = bench.post().await;
    assert!(saw.starts_with("Error::Unreachable(") && saw.contains("certificate"), "{saw}");

    let provider = bench.start_with(bench.network().with_roots(company.roots())).await;
    let saw = post(&provider, LONG).await.unwrap().id;
    assert!(saw.starts_with("200") && saw.contains("GET /api/botTOKEN/x"), "{saw}");
}

#[tokio::test]
async fn a_certificate_for_another_name_is_not_trusted() {
    let company = Company::start().await;
    let url = format!("https://mail.corp:{}/", company.port);
    let bench = Bench::fetching(&url).set("base", &url).resolving("mail.corp", "127.0.0.1");
    let provider = bench.start_with(bench.network().with_roots(company.roots())).await;
    let saw = post(&provider, LONG).await.unwrap().id;
    assert!(saw.starts_with("Error::Unreachable(") && saw.contains("mail.corp"), "{saw}");
}

#[tokio::test]
async fn https_goes_through_the_proxy_and_names_are_its_business() {
    let company = Company::start().await;
    let (url, mut asked) = proxy(([127, 0, 0, 1], company.port).into()).await;
    let bench = company.bench();
    let network = || bench.network().with_roots(company.roots());
    let provider = bench.start_with(network().with_proxy(&url).unwrap()).await;
    let saw = post(&provider, LONG).await.unwrap().id;
    assert!(saw.starts_with("200"), "{saw}");
    let head = asked.recv().await.unwrap();
    assert!(head.starts_with(&format!("CONNECT chat.corp:{} HTTP/1.1\r\n", company.port)), "{head}");
    assert!(!head.contains(TOKEN));

    let stranger = url.replace("jin", "eve");
    let provider = bench.start_with(network().with_proxy(&stranger).unwrap()).await;
    let saw = post(&provider, LONG).await.unwrap().id;
    assert!(saw.contains("tunnel error: proxy authorization required") && !saw.contains("word"), "{saw}");
}

#[tokio::test]
async fn a_websocket_has_the_same_trust_and_the_same_proxy() {
    let company = Company::serving(echo).await;
    let script = format!("connect wss://chat.corp:{}/gateway\nsend hello\nreceive 5000", company.port);
    let bench = Bench::doing("socket", "post").set("script", &script);
    let bench = bench.set("base", &format!("https://chat.corp:{}/api", company.port));
    let bench = bench.resolving("chat.corp", "127.0.0.1");
    let saw = bench.post().await;
    assert!(saw.starts_with("unreachable: wss://chat.corp") && saw.contains("certificate"), "{saw}");

    let network = || bench.network().with_roots(company.roots());
    let saw = post(&bench.start_with(network()).await, LONG).await.unwrap().id;
    assert_eq!(saw, "connected\nok\nhello");

    let (url, mut asked) = proxy(([127, 0, 0, 1], company.port).into()).await;
    let saw = post(&bench.start_with(network().with_proxy(&url).unwrap()).await, LONG).await.unwrap().id;
    assert_eq!(saw, "connected\nok\nhello");
    let head = asked.recv().await.unwrap();
    assert!(head.starts_with(&format!("CONNECT chat.corp:{} HTTP/1.1\r\n", company.port)), "{head}");
}

#[test]
fn a_proxy_is_an_http_url() {
    for url in ["", "proxy:3128", "https://proxy", "socks5://proxy"] {
        assert!(Network::default().with_proxy(url).is_err(), "{url}");
    }
}
