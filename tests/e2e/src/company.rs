//! A company's proxy that looks into the TLS of its people: it stands in front of a fake and has a certificate of its own.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// A company's own authority, which nobody trusts who was not told to.
pub struct Authority {
    /// The file with its certificate.
    pub roots: PathBuf,
    _home: TempDir,
}

impl Authority {
    /// Makes one, and a server's certificate for a name.
    pub fn certifying(name: &str) -> (Self, TlsAcceptor) {
        let home = tempfile::tempdir().unwrap();
        let roots = home.path().join("roots.pem");
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        std::fs::write(&roots, authority.pem()).unwrap();
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let certificate = CertificateDer::from(params.signed_by(&key, &authority).unwrap());
        let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], PrivateKeyDer::try_from(key.serialize_der()).unwrap())
            .unwrap();
        (Self { roots, _home: home }, TlsAcceptor::from(Arc::new(config)))
    }
}

/// The proxy. It runs until the test's process ends.
pub struct Company {
    /// The address under which it passes requests on to the fake: `https://localhost:PORT`.
    pub url: String,
    /// The authority that certified it.
    pub authority: Authority,
}

impl Company {
    /// Stands in front of the server at `http://HOST:PORT`. With a date, each reply has it, as a computer sees it whose
    /// clock is wrong.
    pub fn before(base_url: &str, date: Option<&'static str>) -> Self {
        let server: SocketAddr = base_url.trim_start_matches("http://").parse().unwrap();
        let (authority, acceptor) = Authority::certifying("localhost");
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(serve(listener, acceptor, server, date));
        });
        Self { url, authority }
    }
}

async fn serve(listener: std::net::TcpListener, acceptor: TlsAcceptor, server: SocketAddr, date: Option<&'static str>) {
    let listener = TcpListener::from_std(listener).unwrap();
    while let Ok((client, _)) = listener.accept().await {
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            let Ok(client) = acceptor.accept(client).await else { return };
            let Ok(server) = TcpStream::connect(server).await else { return };
            let (mut from_client, mut to_client) = tokio::io::split(client);
            let (mut from_server, mut to_server) = server.into_split();
            let requests = copy(&mut from_client, &mut to_server);
            let replies = async {
                let mut part = vec![0; 16 * 1024];
                while let Ok(read @ 1..) = from_server.read(&mut part).await {
                    let reply = dated(&part[..read], date);
                    if to_client.write_all(&reply).await.is_err() || to_client.flush().await.is_err() {
                        break;
                    }
                }
            };
            tokio::select! {
                _ = requests => {}
                () = replies => {}
            }
        });
    }
}

/// Returns a part of a reply with the date, if it is the beginning: fakes send none.
fn dated(part: &[u8], date: Option<&str>) -> Vec<u8> {
    const BEGINNING: &[u8] = b"HTTP/1.1 200 OK\r\n";
    match (part.strip_prefix(BEGINNING), date) {
        (Some(rest), Some(date)) => [BEGINNING, format!("date: {date}\r\n").as_bytes(), rest].concat(),
        _ => part.to_vec(),
    }
}
