//! From an origin to a stream that may carry HTTP or a WebSocket.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::client::ExchangeError;
use super::{Network, SystemResolver};
use crate::egress::{Origin, Reach, Refusal};

/// How long one address is tried while there are others.
const TRY: Duration = Duration::from_secs(2);

/// Plain or TLS.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

impl Network {
    /// Connects to an origin.
    pub(super) async fn dial(&self, origin: &Origin, reach: Reach) -> Result<Box<dyn Stream>, ExchangeError> {
        let failed = |error: &dyn std::fmt::Display| ExchangeError::Unreachable(format!("{origin}: {error}"));
        let tcp = match self.proxy.as_ref().filter(|_| origin.is_secure()) {
            Some(proxy) => {
                self.check_literal(origin, reach)?;
                let found = addresses(&SystemResolver, &proxy.host, None).await.map_err(|error| failed(&error))?;
                let mut tcp = connect(found, proxy.port).await.map_err(|error| failed(&error))?;
                proxy.connect(&mut tcp, origin).await.map_err(|error| failed(&error))?;
                tcp
            }
            None => {
                let found = addresses(&*self.resolver, &origin.host(), origin.address()).await;
                let mut found = found.map_err(|error| failed(&error))?;
                found.retain(|address| reach.admits(*address));
                if found.is_empty() {
                    return Err(Refusal::Address(origin.clone()).into());
                }
                connect(found, origin.port()).await.map_err(|error| failed(&error))?
            }
        };
        tcp.set_nodelay(true).map_err(|error| failed(&error))?;
        if !origin.is_secure() {
            return Ok(Box::new(tcp));
        }
        let name = ServerName::try_from(origin.host()).map_err(|error| failed(&error))?;
        let tls = self.tls().map_err(|error| failed(&error))?;
        Ok(Box::new(tls.connect(name, tcp).await.map_err(|error| failed(&error))?))
    }

    /// The proxy resolves names; an address needs no resolving and is judged here.
    pub(super) fn check_literal(&self, origin: &Origin, reach: Reach) -> Result<(), ExchangeError> {
        match origin.address() {
            Some(address) if !reach.admits(address) => Err(Refusal::Address(origin.clone()).into()),
            _ => Ok(()),
        }
    }
}

async fn addresses(resolver: &dyn super::Resolver, host: &str, literal: Option<IpAddr>) -> io::Result<Vec<IpAddr>> {
    match literal.or_else(|| host.parse().ok()) {
        Some(address) => Ok(vec![address]),
        None => resolver.resolve(host).await,
    }
}

async fn connect(addresses: Vec<IpAddr>, port: u16) -> io::Result<TcpStream> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    let count = addresses.len();
    for (index, address) in addresses.into_iter().enumerate() {
        let attempt = TcpStream::connect(SocketAddr::new(address, port));
        let outcome = if index + 1 < count {
            timeout(TRY, attempt).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
        } else {
            attempt.await
        };
        match outcome {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}
