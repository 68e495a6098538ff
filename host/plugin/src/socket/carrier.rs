//! The task of a connection, which reads and writes frames, answers pings and sends its own: a connection that broke without a
//! word, as when a laptop slept, looks like a quiet one, and what people press would be lost on it.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, interval_at, timeout};
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{self, Message};

use super::backlog::Backlog;
use crate::bindings::socket::Error;
use crate::egress::Refusal;
use crate::network::Socket;
use crate::state::Access;

/// The code for a connection that was dropped. With 1000 and 1001 Discord would end the session (docs, Gateway,
/// "Initiating a Disconnect").
pub(super) const UNSAID: u16 = 4000;

const GOODBYE: Duration = Duration::from_secs(1);
/// How often the server is asked for a sign of life. It answers each ping (RFC 6455, section 5.5.2).
const PING: Duration = Duration::from_secs(20);
/// How long nothing may come before the connection counts as broken.
const SILENCE: Duration = Duration::from_secs(60);

/// A frame that is to leave.
pub(super) struct Frame {
    pub(super) text: String,
    /// Notified when the frame was sent. The receiver is gone if the export's time was over.
    pub(super) done: oneshot::Sender<()>,
}

/// Why a connection ends, and the close code to send, if the peer is still connected.
type End = (Error, Option<CloseCode>);

/// Works until the connection ends or is dropped, then says goodbye.
pub(super) async fn carry(
    socket: Socket,
    mut frames: mpsc::Receiver<Frame>,
    farewell: oneshot::Receiver<u16>,
    backlog: Arc<Backlog>,
    access: Arc<Access>,
) {
    let (mut sink, mut stream) = socket.split();
    let code = tokio::select! {
        code = farewell => Some(code.unwrap_or(UNSAID).into()),
        code = read(&mut stream, &backlog, &access) => code,
        () = write(&mut sink, &mut frames, &backlog, &access) => None,
    };
    let goodbye = async {
        if let Some(code) = code {
            sink.send(Message::Close(Some(CloseFrame { code, reason: "".into() }))).await?;
        }
        while stream.next().await.transpose()?.is_some() {}
        Ok::<_, tungstenite::Error>(())
    };
    // The other side may have disconnected, or not read, so this is not awaited for long.
    let _ = timeout(GOODBYE, goodbye).await;
}

async fn read(stream: &mut SplitStream<Socket>, backlog: &Backlog, access: &Access) -> Option<CloseCode> {
    loop {
        let Ok(came) = timeout(SILENCE, stream.next()).await else {
            return end(backlog, (Error::Unreachable("the server is silent".to_owned()), None));
        };
        let text = match came {
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => continue,
            other => return end(backlog, other_end(access, other)),
        };
        if access.egress.leaks().are_in(text.as_bytes()) {
            return end(backlog, (Refusal::LeakInFrame.into(), Some(CloseCode::Policy)));
        }
        if !backlog.put(&text) {
            return end(backlog, (Error::Overflow, Some(CloseCode::Policy)));
        }
    }
}

async fn write(
    sink: &mut SplitSink<Socket, Message>,
    frames: &mut mpsc::Receiver<Frame>,
    backlog: &Backlog,
    access: &Access,
) {
    let mut pings = interval_at(Instant::now() + PING, PING);
    loop {
        let frame = tokio::select! {
            frame = frames.recv() => frame,
            _ = pings.tick() => match sink.send(Message::Ping(Bytes::new())).await {
                Ok(()) => continue,
                Err(error) => {
                    end(backlog, broken(access, &error));
                    return;
                }
            },
        };
        // The connection was dropped: the farewell comes.
        let Some(Frame { text, mut done }) = frame else { break };
        tokio::select! {
            sent = sink.send(Message::text(text)) => match sent {
                Ok(()) => drop(done.send(())),
                Err(error) => {
                    end(backlog, broken(access, &error));
                    return;
                }
            },
            () = done.closed() => {}
        }
    }
    pending().await
}

/// Records the end before the task continues, so that a caller that waits for a frame to be sent learns why it is not.
fn end(backlog: &Backlog, (why, code): End) -> Option<CloseCode> {
    backlog.end(why);
    code
}

fn other_end(access: &Access, came: Option<Result<Message, tungstenite::Error>>) -> End {
    match came {
        Some(Ok(Message::Close(Some(frame)))) => {
            (Error::closed(Some(frame.code.into()), access.egress.leaks().withhold(frame.reason.to_string())), None)
        }
        Some(Ok(Message::Close(None))) | None => (Error::closed(None, String::new()), None),
        Some(Ok(_)) => (Refusal::Binary.into(), Some(CloseCode::Unsupported)),
        Some(Err(error)) => broken(access, &error),
    }
}

fn broken(access: &Access, error: &tungstenite::Error) -> End {
    match error {
        tungstenite::Error::Capacity(_) => (Error::TooLarge, Some(CloseCode::Size)),
        tungstenite::Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)
        | tungstenite::Error::ConnectionClosed
        | tungstenite::Error::AlreadyClosed => (Error::closed(None, String::new()), None),
        tungstenite::Error::Protocol(_) | tungstenite::Error::Utf8(_) => {
            (Error::Unreachable(access.egress.leaks().withhold(error.to_string())), Some(CloseCode::Protocol))
        }
        error => (Error::Unreachable(access.egress.leaks().withhold(error.to_string())), None),
    }
}
