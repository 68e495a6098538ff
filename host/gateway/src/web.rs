//! HTTP on the loopback: the web inbox, REST with its OpenAPI document, and the WebSocket.
//!
//! ```text
//! connection (lobby, place, limits, user) ─▶ fence (Host, Origin) ─▶ caller (token or key) ─▶ limits ─▶ handler ─▶ approvals
//! ```
//!
//! | route | who | what |
//! |---|---|---|
//! | `GET /`, `GET /assets/*`, `GET /worker.js` | everyone | the page; nothing in it is secret |
//! | `GET /api/v1/openapi.json` | everyone | the OpenAPI document of this API |
//! | `GET /healthz`, `GET /readyz` | everyone | whether the gateway is alive, and can take requests |
//! | `GET /metrics` | a program with either token | metrics for Prometheus |
//! | `/api/v1/*` | a program with the token | REST |
//! | `GET /ws` | a program with the token; our page, which then proves its key or a code | JSON-RPC 2.0 |
//!
//! Each stage has its own file: `serve`, `lobby`, `neighbour`, `fence`, `caller`, `handshake`, `api`, and
//! `crate::bucket`. The gateway listens on the loopback only. Other machines connect through the operator's tunnel or
//! proxy.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ops::Deref;
use std::sync::Arc;

use bytes::Bytes;
use dmplz_core::approvers::Approver;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::bucket::Bucket;
use crate::pairing::Pairing;
use crate::rpc;

mod api;
mod caller;
mod error;
mod fence;
mod handshake;
mod input;
mod lobby;
mod neighbour;
mod page;
mod routes;
mod secret;
mod serve;
mod socket;
mod token;

pub use crate::browsers::{Browsers, BrowsersError};
pub use crate::bucket::Rate;
pub use fence::{AllowedHost, InvalidHost};
pub use token::Token;

use fence::Fence;
use neighbour::Users;

/// The settings of the HTTP server.
#[derive(Debug, Clone)]
pub struct Config {
    /// The port on the loopback; 0 takes any free one.
    pub port: u16,
    /// The host names by which proxies reach the gateway, besides the local ones.
    pub hosts: Vec<AllowedHost>,
    /// Ids of other users whose programs may connect, such as a proxy's. Only Linux reports whose a connection is.
    pub proxy_uids: Vec<u32>,
    /// The token that programs send.
    pub token: Token,
    /// The token of programs that may read the metrics and nothing else.
    pub metrics_token: Token,
    /// The person whose answers these are.
    pub owner: Approver,
    /// The limits of connections and calls.
    pub limits: WebLimits,
}

/// The limits of connections and calls.
#[derive(Debug, Clone, Copy)]
pub struct WebLimits {
    /// The most requests and WebSockets at a time; more requests wait until one ends.
    pub connections: usize,
    /// The most connections at a time without a request or a WebSocket. Beyond it, the oldest is closed. It is larger
    /// than the number that reconnects at once after a restart, and smaller than the number of file descriptors.
    pub waiting: usize,
    /// The most WebSockets at a time of pages that name no paired browser and have not proved a key yet. Further ones
    /// are refused.
    pub unproven: usize,
    /// The rate for callers without a valid token.
    pub strangers: Rate,
    /// The rate for programs with the token, and apart from them for those with the token for metrics.
    pub program: Rate,
}

impl Default for WebLimits {
    fn default() -> Self {
        Self {
            connections: 1_100,
            waiting: 2_048,
            unproven: 64,
            strangers: Rate { burst: 30.0, each_second: 2.0 },
            program: Rate { burst: 4_000.0, each_second: 2_000.0 },
        }
    }
}

/// A server that is bound to its port and does not serve yet.
#[derive(Debug)]
pub struct Bound {
    listeners: Vec<TcpListener>,
    addr: SocketAddr,
    config: Config,
}

/// The state that every handler shares. Cheap to clone.
#[derive(Clone)]
struct Web(Arc<Shared>);

struct Shared {
    rpc: rpc::Services,
    pairing: Pairing,
    browsers: Browsers,
    fence: Fence,
    token: Token,
    metrics_token: Token,
    /// The limits of calls without a valid token, of those with the token, and of those with the token for metrics.
    strangers: Bucket,
    program: Bucket,
    scraper: Bucket,
    unproven: Arc<Semaphore>,
    owner: Approver,
    openapi: Bytes,
}

impl Bound {
    /// Binds the port on both loopback addresses, if there are two. Otherwise another program could answer under
    /// our name on the other address.
    pub async fn open(config: Config) -> io::Result<Self> {
        let first = serve::listen((Ipv4Addr::LOCALHOST, config.port).into())?;
        let addr = first.local_addr()?;
        let mut listeners = vec![first];
        match serve::listen((Ipv6Addr::LOCALHOST, addr.port()).into()) {
            Ok(second) => listeners.push(second),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && config.port != 0 => return Err(error),
            Err(_) => {}
        }
        Ok(Self { listeners, addr, config })
    }

    /// Returns the address: `127.0.0.1` with the port.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Serves until `shutdown` completes, then ends open connections within a few seconds. `page` lets browsers in.
    pub async fn serve(self, rpc: rpc::Services, page: rpc::Page, shutdown: impl Future<Output = ()>) {
        let Self { listeners, addr, config } = self;
        let (limits, users) = (config.limits, Users::with(&config.proxy_uids));
        let browsers = page.browsers.clone();
        let web = Web::new(addr.port(), config, rpc, page);
        tokio::select! {
            () = serve::serve(listeners, routes::router(web), users, limits, shutdown) => {}
            () = browsers.beat() => {}
        }
        // Until now the port was the gateway's.
        let _ = browsers.save().await;
    }
}

impl Web {
    fn new(port: u16, config: Config, rpc: rpc::Services, page: rpc::Page) -> Self {
        let Config { hosts, token, metrics_token, owner, limits, .. } = config;
        let rpc::Page { pairing, browsers, .. } = page;
        Self(Arc::new(Shared {
            rpc,
            pairing,
            browsers,
            fence: Fence::new(port, hosts),
            token,
            metrics_token,
            strangers: Bucket::new(limits.strangers),
            program: Bucket::new(limits.program),
            scraper: Bucket::new(limits.program),
            unproven: Arc::new(Semaphore::new(limits.unproven)),
            owner,
            openapi: api::document(),
        }))
    }
}

impl Deref for Web {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

#[cfg(test)]
mod tests;
