//! An HTTP server on loopback: start, stop, and connections that break on purpose.

use crate::exchange::Admission;
use crate::reply::{Cut, Reply};
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{StatusCode, Uri};
use std::future::{Future, IntoFuture};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::sync::watch;

mod line;
mod upgrade;
use line::{Line, Lines};
pub(crate) use upgrade::Socket;

/// The maximum size of a body in bytes, which is above that of all platforms, so that they refuse larger uploads in
/// their own words.
const MAX_BODY: usize = 80 << 20;

/// The platform that a server imitates.
pub(crate) trait Platform: Send + Sync + 'static {
    fn answer(&self, request: http::Request<Bytes>) -> impl Future<Output = Reply> + Send;

    /// Admits a request to become a WebSocket, or returns the refusal.
    fn admit(&self, _to: &Uri) -> impl Future<Output = Result<Admission, Reply>> + Send {
        std::future::ready(Err(Reply::of(StatusCode::NOT_FOUND)))
    }

    /// Serves a WebSocket that was admitted, until it ends.
    fn converse(&self, _to: Uri, _admission: Admission, _socket: Socket) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }

    /// Performs everything that happens by the clock alone, as long as the server runs.
    fn keep_time(&self) -> impl Future<Output = ()> + Send {
        std::future::pending()
    }
}

/// A running server; dropping it stops it and closes its connections.
pub(crate) struct Server {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves as a task of the caller's runtime. Port 0 takes a free one.
    pub(crate) fn on_runtime<P: Platform>(port: u16, platform: Arc<P>) -> io::Result<Self> {
        let listener = listen(port)?;
        let address = listener.local_addr()?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let stop = watch::Sender::new(false);
        tokio::spawn(serve(listener, platform, stop.subscribe()));
        Ok(Self { address, stop, thread: None })
    }

    /// Serves on a thread of its own, for callers that have no runtime or block the one they have.
    pub(crate) fn on_thread<P: Platform>(port: u16, platform: Arc<P>) -> io::Result<Self> {
        let listener = listen(port)?;
        let address = listener.local_addr()?;
        let stop = watch::Sender::new(false);
        let stopped = stop.subscribe();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::Builder::new().name("dmplz-fake".to_owned()).spawn(move || {
            runtime.block_on(async {
                if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
                    // Dropping the runtime ends everything on it, so nothing has to be ended separately.
                    tokio::select! {
                        () = serve(listener, platform, stopped.clone()) => {}
                        () = until_stopped(stopped) => {}
                    }
                }
            });
        })?;
        Ok(Self { address, stop, thread: Some(thread) })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // It ends at once; a panic in it has already been printed.
            let _ = thread.join();
        }
    }
}

fn listen(port: u16) -> io::Result<TcpListener> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

struct Serving<P> {
    platform: Arc<P>,
    stopped: watch::Receiver<bool>,
}

async fn serve<P: Platform>(listener: tokio::net::TcpListener, platform: Arc<P>, stopped: watch::Receiver<bool>) {
    let timed = Arc::clone(&platform);
    let router = Router::new()
        .fallback(answer::<P>)
        .layer(DefaultBodyLimit::disable())
        .with_state(Arc::new(Serving { platform, stopped: stopped.clone() }));
    let router = router.into_make_service_with_connect_info::<Line>();
    let served = axum::serve(Lines(listener), router).with_graceful_shutdown(until_stopped(stopped)).into_future();
    tokio::select! {
        _ = served => {}
        () = timed.keep_time() => {}
    }
}

async fn answer<P: Platform>(
    State(serving): State<Arc<Serving<P>>>,
    ConnectInfo(line): ConnectInfo<Line>,
    mut request: Request,
) -> Response {
    let answered = async {
        let reply = if upgrade::wanted(&request) {
            match serving.platform.admit(request.uri()).await {
                Ok(admission) => return upgrade::grant(&mut request, admission, &serving),
                Err(reply) => reply,
            }
        } else {
            let (parts, body) = request.into_parts();
            let Ok(body) = axum::body::to_bytes(body, MAX_BODY).await else {
                return StatusCode::PAYLOAD_TOO_LARGE.into_response();
            };
            serving.platform.answer(http::Request::from_parts(parts, body)).await
        };
        if let Some(cut) = reply.cut {
            line.cut(cut);
        }
        reply.response.map(Body::from)
    };
    tokio::select! {
        response = answered => response,
        () = until_stopped(serving.stopped.clone()) => {
            line.cut(Cut::Now);
            Response::default()
        }
    }
}

async fn until_stopped(mut stopped: watch::Receiver<bool>) {
    // An error means that the server was dropped: stopped as well.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}
