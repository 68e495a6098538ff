//! Serves one connection, from HELLO to its end.

use super::receive::receive;
use super::zlib::Stream;
use crate::conversation::part;
use crate::discord::world::World;
use crate::discord::world::gateway::Out;
use crate::exchange::Admission;
use crate::server::Socket;
use crate::watched::Watched;
use crate::wire::Wire;
use futures_util::{SinkExt, StreamExt};
use http::Uri;
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, sleep_until};
use tokio_tungstenite::tungstenite::Message;

/// Serves one client until either side ends the connection.
pub(crate) async fn converse(world: &Watched<World>, wire: &Wire, uri: &Uri, admission: Admission, mut socket: Socket) {
    let fault = admission.pause(wire).await;
    let query = |name: &str| {
        let mut pairs = url::form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
        pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    };
    let mut stream = (query("compress").as_deref() == Some("zlib-stream")).then(Stream::default);
    let id = world.change(|world| world.gateway.open(uri.path(), query("v").as_deref(), fault.as_ref()));
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
                Out::Half(frame) => {
                    let _ = socket.get_mut().write_all(&half(&frame)).await;
                    let _ = socket.get_mut().shutdown().await;
                    break;
                }
                Out::Close(close) => {
                    part(&mut socket, close.0, close.reason()).await;
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

/// Returns the first half of a text frame (RFC 6455, section 5.2).
fn half(frame: &str) -> Vec<u8> {
    let length = u16::try_from(frame.len()).unwrap_or(u16::MAX).to_be_bytes();
    let mut bytes = vec![0x81, 126];
    bytes.extend(length);
    bytes.extend(frame.as_bytes().iter().take(frame.len() / 2));
    bytes
}
