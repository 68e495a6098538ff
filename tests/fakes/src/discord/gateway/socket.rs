//! One connection, from HELLO to its end.

use super::connection::Out;
use super::receive::receive;
use super::zlib::Stream;
use crate::discord::world::World;
use crate::server::Socket;
use crate::watched::Watched;
use crate::wire::Wire;
use futures_util::{SinkExt, StreamExt};
use http::Uri;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

/// How long the client has to answer a closing frame.
const FAREWELL: Duration = Duration::from_secs(1);

/// Talks with one client until one of the two has enough.
pub(crate) async fn converse(world: &Watched<World>, wire: &Wire, uri: &Uri, mut socket: Socket) {
    let query = |name: &str| {
        let mut pairs = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
        pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    };
    let mut stream = (query("compress").as_deref() == Some("zlib-stream")).then(Stream::default);
    let id = world.change(|world| world.gateway.open(uri.path(), query("v").as_deref()));
    let mut code = None;
    loop {
        let deadline = world.read(|world| world.gateway.deadline(id)).unwrap_or_else(Instant::now);
        tokio::select! {
            biased;
            out = world.until(|world| world.gateway.next(id, Instant::now())) => match out {
                Out::Frame(frame) => {
                    let message = match &mut stream {
                        Some(stream) => Message::binary(stream.part(&frame)),
                        None => Message::text(frame),
                    };
                    if socket.send(message).await.is_err() {
                        break;
                    }
                }
                Out::Close(close) => {
                    let frame = CloseFrame { code: close.0.into(), reason: close.reason().into() };
                    let farewell = async {
                        let _ = socket.close(Some(frame)).await;
                        while socket.next().await.is_some_and(|frame| frame.is_ok()) {}
                    };
                    let _ = timeout(FAREWELL, farewell).await;
                    break;
                }
                Out::Cut => {
                    let _ = socket.get_mut().shutdown().await;
                    break;
                }
            },
            frame = socket.next() => match frame {
                Some(Ok(Message::Text(frame))) => {
                    world.change(|world| wire.report(receive(world, id, &frame)));
                }
                Some(Ok(Message::Binary(frame))) => {
                    let frame = String::from_utf8_lossy(&frame);
                    world.change(|world| wire.report(receive(world, id, &frame)));
                }
                Some(Ok(Message::Close(frame))) => {
                    code = Some(frame.map_or(1005, |frame| frame.code.into()));
                    let _ = socket.flush().await;
                    break;
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => break,
            },
            () = sleep_until(deadline) => {
                let now = Instant::now();
                world.change(|world| wire.report(world.gateway.tick(id, now).into_iter().collect()));
            }
        }
    }
    world.change(|world| world.gateway.gone(id, code));
}
