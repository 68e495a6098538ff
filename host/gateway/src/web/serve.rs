//! Connections: a limited number, none that holds a place without a request, and an orderly shutdown.
//!
//! A place is held by a request, from its complete head to its response, and by a WebSocket. All other connections are
//! in the [`Lobby`], so silent connections keep nobody out.
//!
//! | limit | value |
//! |---|---|
//! | the first byte; a whole request head, including the wait for the next request | 10 s, 32 KiB, 100 headers |
//! | a connection without a new request, such as one whose peer does not read the response | 60 s |
//! | the send buffer of the system for each peer | 256 KiB |
//! | open connections after the shutdown began | 5 s |
//! | the refusal of another user's program | 1 s |

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::time::Instant;

use super::WebLimits;
use super::lobby::{Lobby, Seat};
use super::neighbour::{Foreign, Users};
use crate::mutex::Mutex;

const HEAD_TIME: Duration = Duration::from_secs(10);
const HEAD_BYTES: usize = 32 * 1024;
const STILL: Duration = Duration::from_secs(60);
const SEND_BUFFER: u32 = 256 * 1024;
const BACKLOG: u32 = 1_024;
const GRACE: Duration = Duration::from_secs(5);
const REFUSAL: Duration = Duration::from_secs(1);
/// How long to wait after a failed accept: without free file descriptors an immediate retry is of no use.
const NO_ROOM: Duration = Duration::from_millis(100);

/// A place among the connections. A WebSocket keeps its place beyond the request that opened it.
#[derive(Debug, Clone)]
pub(super) struct Place {
    _permit: Arc<OwnedSemaphorePermit>,
    term: Term,
}

/// The server's running time, shared by its connections.
#[derive(Debug, Clone)]
struct Term {
    /// The shutdown waits until every clone is dropped.
    _alive: mpsc::Sender<()>,
    stopping: watch::Receiver<bool>,
}

/// The state that all connections share. Cheap to clone.
#[derive(Clone)]
struct House {
    router: Router,
    users: Users,
    places: Arc<Semaphore>,
    lobby: Lobby,
    term: Term,
}

impl Place {
    /// Returns when the gateway is stopping.
    pub(super) async fn stopping(&self) {
        self.term.stopping().await;
    }
}

impl Term {
    async fn stopping(&self) {
        let mut stopping = self.stopping.clone();
        // An error means that the sender is gone, so the gateway has stopped.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    }
}

/// Listens. Connections inherit the send buffer's size; the system's default is several MiB.
pub(super) fn listen(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = if addr.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Allows the port to be bound again as soon as nobody listens on it.
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(addr)?;
    socket.listen(BACKLOG)
}

pub(super) async fn serve(
    listeners: Vec<TcpListener>,
    router: Router,
    users: Users,
    limits: WebLimits,
    shutdown: impl Future<Output = ()>,
) {
    let (places, lobby) = (Arc::new(Semaphore::new(limits.connections)), Lobby::new(limits.waiting));
    let (stop, stopping) = watch::channel(false);
    let (alive, mut ended) = mpsc::channel(1);
    let term = Term { _alive: alive, stopping };
    tokio::spawn(accept(listeners, House { router, users, places, lobby, term }));
    shutdown.await;
    stop.send_replace(true);
    // Nothing is ever sent: this returns once every sender is dropped.
    let _ = tokio::time::timeout(GRACE, ended.recv()).await;
}

async fn accept(listeners: Vec<TcpListener>, house: House) {
    loop {
        let accepted = tokio::select! {
            () = house.term.stopping() => return,
            accepted = next(&listeners) => accepted,
        };
        match accepted {
            Err(_) => tokio::time::sleep(NO_ROOM).await,
            Ok(stream) => _ = tokio::spawn(meet(stream, house.clone())),
        }
    }
}

/// Serves one connection, from its first byte.
async fn meet(stream: TcpStream, house: House) {
    let seat = house.lobby.enter();
    // The owner is checked only after the first byte: the check costs work, and many connections never send one.
    let admitted = async {
        let said = tokio::time::timeout(HEAD_TIME, stream.peek(&mut [0])).await.ok()?.ok()?;
        if said == 0 {
            return None;
        }
        Some(house.users.admit(&stream).await)
    };
    let admitted = tokio::select! {
        admitted = admitted => admitted,
        () = seat.turned_out() => None,
        () = house.term.stopping() => None,
    };
    match admitted {
        Some(Ok(())) => connection(stream, house, seat).await,
        Some(Err(foreign)) => tokio::select! {
            () = refuse(stream, foreign) => {}
            () = seat.turned_out() => {}
        },
        None => {}
    }
}

/// Returns the next connection on any of the addresses.
async fn next(listeners: &[TcpListener]) -> io::Result<TcpStream> {
    let accept = |context: &mut Context<'_>| {
        let mut accepted = listeners.iter().map(|listener| listener.poll_accept(context));
        let first = accepted.find_map(|accepted| match accepted {
            Poll::Ready(accepted) => Some(accepted.map(|(stream, _)| stream)),
            Poll::Pending => None,
        });
        first.map_or(Poll::Pending, Poll::Ready)
    };
    std::future::poll_fn(accept).await
}

/// Refuses another user's program before reading anything that it sends.
async fn refuse(mut stream: TcpStream, foreign: Foreign) {
    let body = json!({ "error": { "code": "forbidden", "message": foreign.to_string() } }).to_string();
    let head =
        "HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncache-control: no-store\r\nconnection: close";
    let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let tell = async {
        stream.write_all(answer.as_bytes()).await?;
        stream.shutdown().await?;
        // Closing with unread input would reset the connection and lose the response.
        while stream.read(&mut [0; 4_096]).await? > 0 {}
        io::Result::Ok(())
    };
    // The peer may break this off at any point.
    let _ = tokio::time::timeout(REFUSAL, tell).await;
}

async fn connection(stream: TcpStream, house: House, seat: Seat) {
    // Responses are small and awaited, so they are sent without delay.
    let _ = stream.set_nodelay(true);
    let House { router, places, term, .. } = house;
    let seat = Arc::new(seat);
    let last = Arc::new(Mutex::new(Instant::now()));
    let routed = TowerToHyperService::new(router);
    let (seen, mine, stops) = (Arc::clone(&last), Arc::clone(&seat), term.clone());
    let service = service_fn(move |mut request: Request<Incoming>| {
        *seen.lock() = Instant::now();
        let (routed, places, seat, term) = (routed.clone(), Arc::clone(&places), Arc::clone(&mine), stops.clone());
        async move {
            let permit = places.acquire_owned().await.map_err(io::Error::other)?;
            // No handler runs for a connection that is about to be closed.
            if !seat.stand() {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            let place = Place { _permit: Arc::new(permit), term };
            request.extensions_mut().insert(place.clone());
            let Ok(answer) = hyper::service::Service::call(&routed, request.map(Body::new)).await;
            seat.sit();
            drop(place);
            io::Result::Ok(answer)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let still = async {
        loop {
            let due = *last.lock() + STILL;
            if due <= Instant::now() {
                return;
            }
            tokio::time::sleep_until(due).await;
        }
    };
    let mut still = std::pin::pin!(still);
    let mut stopping = std::pin::pin!(term.stopping());
    let mut is_stopping = false;
    loop {
        tokio::select! {
            // The peer may break the connection off at any point.
            _ = connection.as_mut() => return,
            () = still.as_mut() => return,
            () = seat.turned_out() => return,
            () = stopping.as_mut(), if !is_stopping => {
                is_stopping = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}
