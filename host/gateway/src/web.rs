//! HTTP on the loopback: the web inbox, REST with its OpenAPI document, and the WebSocket.
//!
//! ```text
//! connection (lobby, place, time limits, user) ─▶ fence (Host, Origin) ─▶ caller (token, or a page's key) ─▶ limits ─▶ handler ─▶ approvals
//! ```
//!
//! | route | who | what |
//! |---|---|---|
//! | `GET /`, `GET /assets/*` | everybody | the page; nothing in it is secret |
//! | `GET /api/v1/openapi.json` | everybody | the document of what follows |
//! | `GET /healthz`, `GET /readyz` | everybody | whether it serves, and can take requests |
//! | `GET /metrics` | a program with either token | metrics for Prometheus |
//! | `/api/v1/*` | a program with the token | REST |
//! | `GET /ws` | a program with the token; our page, which then proves its key or a code | JSON-RPC 2.0 |
//!
//! Each stage has a file of its own: `serve`, `lobby`, `neighbour`, `fence`, `caller`, `handshake`, `bucket`, `api`. Other machines
//! come through a tunnel or a proxy of the operator; nothing listens beyond the loopback.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ops::Deref;
use std::sync::Arc;

use bytes::Bytes;
use dmplz_core::approvers::Approver;
use tokio::net::TcpListener;

use crate::approvals::Approvals;
use crate::pairing::Pairing;
use crate::rpc;

mod api;
mod bucket;
mod caller;
mod error;
mod fence;
mod handshake;
mod input;
mod keys;
mod lobby;
mod neighbour;
mod page;
mod routes;
mod secret;
mod serve;
mod sessions;
mod socket;
mod token;

pub use bucket::Rate;
pub use fence::{AllowedHost, InvalidHost};
pub use token::{Token, TokenError};

use bucket::Bucket;
use fence::Fence;
use keys::GatewayKey;
use neighbour::Users;
use sessions::Sessions;

/// How HTTP is offered.
#[derive(Debug, Clone)]
pub struct Config {
    /// The port on the loopback; 0 takes any.
    pub port: u16,
    /// Names by which proxies reach us, besides the local ones.
    pub hosts: Vec<AllowedHost>,
    /// Ids of users besides our own whose programs may connect, such as a proxy's. Only Linux tells whose a connection is.
    pub proxy_uids: Vec<u32>,
    /// The token that programs show.
    pub token: Token,
    /// What programs show that read the metrics and nothing else.
    pub metrics_token: Token,
    /// Whose answers they are.
    pub owner: Approver,
    /// How much is taken.
    pub limits: WebLimits,
}

/// How much is taken.
#[derive(Debug, Clone, Copy)]
pub struct WebLimits {
    /// Requests and WebSockets at a time; more requests wait until one ends.
    pub connections: usize,
    /// Connections at a time that have neither; where there are more, the one that has been there longest is closed. More than
    /// come back at once after a restart, and less than there are descriptors.
    pub waiting: usize,
    /// Callers without a token that counts.
    pub strangers: Rate,
    /// Programs with the token.
    pub program: Rate,
}

impl Default for WebLimits {
    fn default() -> Self {
        Self {
            connections: 1_100,
            waiting: 2_048,
            strangers: Rate { burst: 30.0, each_second: 2.0 },
            program: Rate { burst: 4_000.0, each_second: 2_000.0 },
        }
    }
}

/// What HTTP gives access to.
#[derive(Clone)]
pub struct WebServices {
    /// The owner of every request, the tools, and what the WebSocket speaks.
    pub rpc: rpc::Services,
    /// The codes that let browsers in.
    pub pairing: Pairing,
}

/// Bound to its port, not yet serving.
#[derive(Debug)]
pub struct Bound {
    listeners: Vec<TcpListener>,
    addr: SocketAddr,
    key: GatewayKey,
    config: Config,
}

/// What every handler sees. Cheap to clone.
#[derive(Clone)]
struct Web(Arc<Shared>);

struct Shared {
    rpc: rpc::Services,
    approvals: Approvals,
    pairing: Pairing,
    fence: Fence,
    key: GatewayKey,
    token: Token,
    metrics_token: Token,
    sessions: Sessions,
    buckets: Buckets,
    owner: Approver,
    openapi: Bytes,
}

struct Buckets {
    strangers: Bucket,
    program: Bucket,
}

impl Bound {
    /// Takes the port, on both loopback addresses where there are two: else somebody else's program could answer on
    /// one of them under our name.
    pub async fn open(config: Config) -> io::Result<Self> {
        let first = serve::listen((Ipv4Addr::LOCALHOST, config.port).into())?;
        let addr = first.local_addr()?;
        let mut listeners = vec![first];
        match serve::listen((Ipv6Addr::LOCALHOST, addr.port()).into()) {
            Ok(second) => listeners.push(second),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && config.port != 0 => return Err(error),
            Err(_) => {}
        }
        Ok(Self { listeners, addr, key: GatewayKey::generate()?, config })
    }

    /// Where it listens: `127.0.0.1` with the port.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Serves until `shutdown` is there, then ends what is open within a few seconds.
    pub async fn serve(self, services: WebServices, shutdown: impl Future<Output = ()>) {
        let Self { listeners, addr, key, config } = self;
        let (limits, users) = (config.limits, Users::with(&config.proxy_uids));
        let web = Web::new(addr.port(), key, config, services);
        serve::serve(listeners, routes::router(web), users, limits, shutdown).await;
    }
}

impl Web {
    fn new(port: u16, key: GatewayKey, config: Config, services: WebServices) -> Self {
        let Config { hosts, token, metrics_token, owner, limits, .. } = config;
        let WebServices { rpc, pairing } = services;
        let approvals = rpc.approvals.clone();
        let clock = approvals.clone();
        Self(Arc::new(Shared {
            sessions: Sessions::new(Arc::new(move || clock.now_ms())),
            rpc,
            approvals,
            pairing,
            fence: Fence::new(port, hosts),
            key,
            token,
            metrics_token,
            buckets: Buckets { strangers: Bucket::new(limits.strangers), program: Bucket::new(limits.program) },
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

impl fmt::Debug for Web {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Web").finish_non_exhaustive()
    }
}

impl fmt::Debug for WebServices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebServices").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
