//! A WebSocket connection of a fake: what it sends waits in an outbox, and each frame of the client is handed over.

use crate::server::Socket;
use crate::violation::Violation;
use crate::watched::Watched;
use crate::wire::Wire;
use futures_util::future::Either;
use futures_util::{FutureExt, SinkExt, StreamExt};
use std::time::Duration;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

/// The name of the request that opens a connection, as calls and faults have it.
pub(crate) const OPENING: &str = "WebSocket";
/// How long the client has to answer a closing frame.
const FAREWELL: Duration = Duration::from_secs(1);

/// What is sent next.
pub(crate) enum Out {
    Frame(String),
    /// A closing frame with this code.
    Close(u16),
    /// The end of the connection, without a closing frame.
    Cut,
}

/// Talks with one client until one of the two ends it. `next` takes what is sent next out of the world, and `take` handles a
/// frame of the client and returns what is wrong with it.
pub(crate) async fn converse<W>(
    world: &Watched<W>,
    wire: &Wire,
    mut socket: Socket,
    next: impl Fn(&mut W) -> Option<Out>,
    take: impl Fn(&mut W, &str) -> Option<String>,
) {
    loop {
        // Frames that wait together are written together, so that the client finds all of them at one look.
        let happened = match world.until(&next).now_or_never() {
            Some(out) => Either::Left(out),
            None if socket.flush().await.is_err() => break,
            None => tokio::select! {
                biased;
                out = world.until(&next) => Either::Left(out),
                frame = socket.next() => Either::Right(frame),
            },
        };
        match happened {
            Either::Left(Out::Frame(frame)) => {
                if socket.feed(Message::text(frame)).await.is_err() {
                    break;
                }
            }
            Either::Left(Out::Close(code)) => {
                part(&mut socket, code, "").await;
                break;
            }
            Either::Left(Out::Cut) => {
                let _ = socket.flush().await;
                let _ = tokio::io::AsyncWriteExt::shutdown(socket.get_mut()).await;
                break;
            }
            Either::Right(Some(Ok(Message::Text(frame)))) => {
                let wrong = world.change(|world| take(world, &frame));
                wire.report(wrong.into_iter().map(|what| Violation::request(OPENING, what)).collect());
            }
            Either::Right(Some(Ok(Message::Close(_)))) => {
                let _ = socket.flush().await;
                break;
            }
            Either::Right(Some(Ok(_))) => {}
            Either::Right(Some(Err(_)) | None) => break,
        }
    }
}

/// Sends a closing frame, and waits for the client's.
pub(crate) async fn part(socket: &mut Socket, code: u16, reason: &'static str) {
    let frame = CloseFrame { code: code.into(), reason: reason.into() };
    let farewell = async {
        let _ = socket.close(Some(frame)).await;
        while socket.next().await.is_some_and(|frame| frame.is_ok()) {}
    };
    let _ = timeout(FAREWELL, farewell).await;
}
