//! The WebSocket: JSON-RPC 2.0 ([`crate::rpc`]), one object or batch a text frame.
//!
//! A page offers the subprotocol `dmplz`, which the gateway selects, and proves its key before JSON-RPC begins
//! ([`super::handshake`]). A paired page also offers `key.` with its public key. Of the pages that name no paired
//! browser, only [`WebLimits::unproven`](super::WebLimits::unproven) are connected at a time until they prove a key:
//! strangers keep out neither requests nor paired browsers.
//!
//! | limit | value |
//! |---|---|
//! | a message | 256 KiB |
//! | pages that name no paired browser and have not proved a key | 64, further ones get 429; 10 s each |
//! | a ping every | 30 s; a peer that sends nothing at all for 75 s is gone |
//! | a text that the peer does not read | 30 s, then the peer is gone |
//!
//! | closed with | meaning | the client should |
//! |---|---|---|
//! | 1000 | the client closed it | |
//! | 1001 | the gateway is stopping | connect again |
//! | 1002 | a message could not be read: longer than 256 KiB, or against the protocol | be fixed |
//! | 1003 | a binary message | be fixed |
//! | 1008 | it did not prove its identity, or its session is over | pair again |
//! | 4001 | sent by the page: disconnect this browser and end its session | |
//! | 1013 | it read too slowly and missed events | connect again and subscribe with `after` |
//!
//! A client that never reads costs only the memory of its socket and its queue, and nobody waits for it.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use bytes::Bytes;
use dmplz_protocol::rest::ErrorCode;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use http::Extensions;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::Web;
use super::caller::{Visitor, too_many_unproven};
use super::error::ApiError;
use super::handshake::{PATIENCE, greet};
use super::serve::Place;
use crate::browsers::PageKey;
use crate::mutex::Mutex;
use crate::rpc::{Limits, Outbox, Peer, Role, Session};

const PULSE: Duration = Duration::from_secs(30);
const SILENCE: Duration = Duration::from_secs(75);
const WRITE: Duration = Duration::from_secs(30);
const LAST_WORDS: Duration = Duration::from_secs(2);
const BUFFER: usize = 4 * 1024;
const PROTOCOL: &str = "dmplz";
/// The close code with which a page ends its session.
const LEAVE: u16 = 4_001;

/// The code with which a connection is closed; none if the peer has closed it or does not read.
type End = Option<u16>;

/// Handles `GET /ws`.
pub(super) async fn upgrade(
    State(web): State<Web>,
    visitor: Visitor,
    extensions: Extensions,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let bad = |why: String| ApiError::new(ErrorCode::BadRequest, why);
    let upgrade = upgrade.map_err(|error| bad(error.body_text()))?;
    let place =
        extensions.get::<Place>().cloned().ok_or_else(|| bad("there is no connection to upgrade".to_owned()))?;
    let unproven = match &visitor {
        Visitor::Page { is_known: false, .. } => {
            Some(Arc::clone(&web.unproven).try_acquire_owned().map_err(|_| too_many_unproven())?)
        }
        Visitor::Page { .. } | Visitor::Program(_) => None,
    };
    let limits = Limits::REMOTE;
    let upgrade = upgrade
        .protocols([PROTOCOL])
        .max_message_size(limits.text_bytes)
        .max_frame_size(limits.text_bytes)
        .read_buffer_size(BUFFER)
        .write_buffer_size(0);
    Ok(upgrade.on_upgrade(move |socket| meet(socket, web, visitor, place, unproven)))
}

/// Authenticates the client. Until then it holds its permit, if it needs one.
async fn meet(socket: WebSocket, web: Web, visitor: Visitor, place: Place, unproven: Option<OwnedSemaphorePermit>) {
    let (mut sink, mut stream) = socket.split();
    let limits = Limits::REMOTE;
    let (peer, page) = match visitor {
        Visitor::Program(caller) => (Peer { by: caller.by.on("websocket"), role: Role::Program, limits }, None),
        Visitor::Page { origin, browser, .. } => {
            let greeted = tokio::select! {
                greeted = timeout(PATIENCE, greet(&mut sink, &mut stream, &web, (&origin, &browser))) => greeted,
                () = place.stopping() => return close(&mut sink, close_code::AWAY).await,
            };
            let Ok(Some(key)) = greeted else { return close(&mut sink, close_code::POLICY).await };
            (Peer { by: web.owner.clone().on("web"), role: Role::Page(key), limits }, Some(key))
        }
    };
    drop(unproven);
    converse(sink, stream, web, peer, page, place).await;
}

async fn converse(
    mut sink: SplitSink<WebSocket, Message>,
    stream: SplitStream<WebSocket>,
    web: Web,
    peer: Peer,
    page: Option<PageKey>,
    place: Place,
) {
    let (mut session, mut outbox) = Session::open(web.rpc.clone(), peer);
    // When the peer last sent anything.
    let heard = Mutex::new(Instant::now());
    let end = tokio::select! {
        end = write(&mut sink, &mut outbox, &heard) => end,
        end = read(stream, &mut session, &heard, &web, page) => end,
        () = over(&web, page) => Some(close_code::POLICY),
        () = place.stopping() => Some(close_code::AWAY),
    };
    // Unlike a hook, no client waits on a WebSocket for its own request, so its calls may end with it.
    session.let_go().await;
    if let Some(key) = page {
        web.browsers.seen(key);
    }
    if let Some(code) = end {
        close(&mut sink, code).await;
    }
}

async fn close(sink: &mut SplitSink<WebSocket, Message>, code: u16) {
    let frame = Message::Close(Some(CloseFrame { code, reason: Utf8Bytes::default() }));
    let _ = timeout(LAST_WORDS, sink.send(frame)).await;
}

/// Ends when the peer stops reading, is silent for too long, or missed events.
async fn write(sink: &mut SplitSink<WebSocket, Message>, outbox: &mut Outbox, heard: &Mutex<Instant>) -> End {
    let mut pulse = interval_at(Instant::now() + PULSE, PULSE);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let message = tokio::select! {
            text = outbox.next() => match text {
                Some(text) => Message::Text(Utf8Bytes::try_from(Bytes::from_owner(Shared(text))).unwrap_or_default()),
                None => return Some(close_code::AGAIN),
            },
            _ = pulse.tick() => {
                if heard.lock().elapsed() > SILENCE {
                    return None;
                }
                Message::Ping(Default::default())
            }
        };
        if !matches!(timeout(WRITE, sink.send(message)).await, Ok(Ok(()))) {
            return None;
        }
    }
}

/// Ends when the peer closes the connection, or sends an invalid message.
async fn read(
    mut stream: SplitStream<WebSocket>,
    session: &mut Session,
    heard: &Mutex<Instant>,
    web: &Web,
    page: Option<PageKey>,
) -> End {
    loop {
        let message = match stream.next().await {
            None => return None,
            Some(Err(_)) => return Some(close_code::PROTOCOL),
            Some(Ok(message)) => message,
        };
        *heard.lock() = Instant::now();
        match message {
            Message::Close(frame) => {
                if let (Some(key), Some(LEAVE)) = (page, frame.map(|frame| frame.code)) {
                    let _ = web.browsers.leave(key).await;
                }
                return None;
            }
            Message::Binary(_) => return Some(close_code::UNSUPPORTED),
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Text(_) if !counts(web, page) => return Some(close_code::POLICY),
            Message::Text(text) => session.receive(&text).await,
        }
    }
}

/// Returns when the session of a page is over.
async fn over(web: &Web, page: Option<PageKey>) {
    let mut ended = web.browsers.ended();
    while counts(web, page) {
        // A session may also end by its time limit.
        let _ = timeout(PULSE, ended.changed()).await;
    }
}

fn counts(web: &Web, page: Option<PageKey>) -> bool {
    page.is_none_or(|key| web.browsers.counts(key))
}

/// One text, shared by all clients that receive it.
struct Shared(Arc<str>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}
