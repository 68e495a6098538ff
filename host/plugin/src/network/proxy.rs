//! CONNECT through the operator's proxy.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use url::Url;

use crate::Secret;
use crate::egress::{Alphabet, Origin, encode};

/// Longest answer of a proxy that is read, in bytes.
const ANSWER: usize = 8 << 10;

/// A proxy for `https`.
pub(crate) struct Proxy {
    pub(super) host: String,
    pub(super) port: u16,
    credentials: Option<Secret>,
}

/// Why a proxy cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the proxy's URL must be http://[user:password@]host[:port]")]
pub struct ProxyError;

impl Proxy {
    pub(super) fn parse(text: &str) -> Result<Self, ProxyError> {
        let url = Url::parse(text).map_err(|_| ProxyError)?;
        let (Some(host), "http") = (url.host_str(), url.scheme()) else { return Err(ProxyError) };
        let plain = |part: &str| percent_encoding::percent_decode_str(part).decode_utf8_lossy().into_owned();
        let pair = format!("{}:{}", plain(url.username()), plain(url.password().unwrap_or_default()));
        let credentials = (pair != ":").then(|| Secret::new(encode(pair.as_bytes(), Alphabet::Standard)));
        Ok(Self { host: host.trim_matches(['[', ']']).to_owned(), port: url.port().unwrap_or(80), credentials })
    }

    /// Asks for a tunnel to an origin on a fresh connection to the proxy.
    pub(super) async fn connect<S>(&self, stream: &mut S, origin: &Origin) -> io::Result<()>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let host = if origin.host().contains(':') { format!("[{}]", origin.host()) } else { origin.host() };
        let target = format!("{host}:{}", origin.port());
        let login = self.credentials.as_ref().map(|pair| format!("proxy-authorization: Basic {}\r\n", pair.expose()));
        let head = format!("CONNECT {target} HTTP/1.1\r\nhost: {target}\r\n{}\r\n", login.unwrap_or_default());
        stream.write_all(head.as_bytes()).await?;
        let mut answer = Vec::new();
        // Byte by byte, because what follows the answer belongs to the tunnel.
        while !answer.ends_with(b"\r\n\r\n") {
            if answer.len() >= ANSWER {
                return Err(io::Error::other("the proxy's answer is too long"));
            }
            answer.push(stream.read_u8().await?);
        }
        let status = String::from_utf8_lossy(&answer).split(' ').nth(1).map(str::to_owned).unwrap_or_default();
        if status == "200" { Ok(()) } else { Err(io::Error::other(format!("the proxy answered {status:.3}"))) }
    }
}
