use crate::reply::Cut;
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// A handle that can cut one connection.
#[derive(Clone, Default)]
pub(super) struct Line(Arc<Mutex<Option<Cut>>>);

impl Line {
    pub(super) fn cut(&self, cut: Cut) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(cut);
    }

    /// Returns how many of the next bytes may be sent; `None` if the connection is not cut.
    fn allowance(&self, next: &[u8]) -> Option<usize> {
        let mut cut = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match *cut {
            None => None,
            Some(Cut::Now) => Some(0),
            Some(Cut::InBody(body)) => {
                // hyper writes the whole header first, alone or with the beginning of the body.
                let header = next.windows(4).position(|end| end == b"\r\n\r\n").map_or(0, |at| at + 4);
                *cut = Some(Cut::Now);
                Some(header + body)
            }
        }
    }
}

impl Connected<IncomingStream<'_, Lines>> for Line {
    fn connect_info(stream: IncomingStream<'_, Lines>) -> Self {
        stream.io().line.clone()
    }
}

/// Accepts connections that can be cut.
pub(super) struct Lines(pub(super) TcpListener);

impl Listener for Lines {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.0).await;
        // Latency is measured over this server; a kernel that refuses changes nothing else.
        let _ = stream.set_nodelay(true);
        (Connection { stream, line: Line::default() }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

/// A connection that a [`Line`] can cut.
pub(super) struct Connection {
    stream: TcpStream,
    line: Line,
}

impl AsyncRead for Connection {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        let from = match self.line.allowance(from) {
            None => from,
            Some(0) => return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into())),
            Some(allowed) => from.get(..allowed).unwrap_or(from),
        };
        Pin::new(&mut self.stream).poll_write(context, from)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
