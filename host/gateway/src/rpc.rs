//! JSON-RPC 2.0, as the Unix socket and the WebSocket speak it: one object, or one batch, a text.
//!
//! ```text
//! transport ─ text ─▶ Session::receive ─▶ a task a call ─▶ Outbox ─ text ─▶ transport
//!                                            events ──────────▲
//! ```
//!
//! A [`Session`] is one connection of one [`Peer`], whom the transport has made sure of. Calls run side by side, and the
//! members of a batch one after another. Which methods it may call is its [`Role`].
//!
//! Limits: a text of more than [`Limits::text_bytes`] (hook input is longer and has its own limit), more calls at a time
//! than [`Limits::calls`] and more a second than [`Limits::calls_per_second`] are refused. Nothing is dropped from the
//! outbox: who does not read is not answered any more, and loses its subscription once it is too far behind.

mod approvals;
mod connection;
mod envelope;
mod error;
mod events;
mod feed;
mod gateway;
mod grants;
mod hooks;
mod session;
mod sessions;
mod tools;

use std::fmt;

use dmplz_core::approvers::Approver;
use dmplz_core::text::Lang;

pub use connection::Outbox;
pub use session::Session;

use self::hooks::Waiting;
use crate::approvals::Approvals;
use crate::grants::Grants;
use crate::health::Health;
use crate::pairing::Pairing;
use crate::retention::Pruner;
use crate::sessions::Sessions;
use crate::tools::Tools;

/// What the methods work on. Cheap to clone.
#[derive(Clone)]
pub struct Services {
    /// The owner of every request.
    pub approvals: Approvals,
    /// The language of what people read.
    pub lang: Lang,
    /// What runs commands; none where that is not offered.
    pub tools: Option<Tools>,
    /// The sessions that the gateway runs; none where that is not offered.
    pub sessions: Option<Sessions>,
    /// The grants that people gave; none where that is not offered.
    pub grants: Option<Grants>,
    /// How the gateway does.
    pub health: Health,
    /// What lets browsers in; none where there is no page.
    pub page: Option<Page>,
    /// What removes what is old; none where nothing is kept.
    pub pruner: Option<Pruner>,
    waiting: Waiting,
}

/// The page, and how a browser gets in.
#[derive(Debug, Clone)]
pub struct Page {
    /// The codes that count.
    pub pairing: Pairing,
    /// The address at which a browser finds the page.
    pub url: String,
}

/// Who speaks, on one connection.
#[derive(Debug, Clone)]
pub struct Peer {
    /// The person whose answers they are, on `cli`, `web` or `websocket`.
    pub by: Approver,
    /// What it may call.
    pub role: Role,
    /// What it may ask of the gateway.
    pub limits: Limits,
}

/// What kind of peer it is, and so which methods it may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A process of the same user, over the Unix socket: everything.
    Local,
    /// A program with the token: everything but `hook.*`, `pairing.*`, `session.*` and `store.*`.
    Program,
    /// A paired page, which answers and starts nothing: neither those nor `tools.*`.
    Page,
}

/// What one connection may ask of the gateway.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The longest text, in bytes, that is no hook input.
    pub text_bytes: usize,
    /// How many calls may wait for their answers.
    pub calls: usize,
    /// How many calls a second are taken in the long run; twice as many at once.
    pub calls_per_second: u32,
}

impl Limits {
    /// For programs of the same user.
    pub const LOCAL: Self = Self { text_bytes: 1 << 20, calls: 1_024, calls_per_second: 20_000 };
    /// For what comes over the network, the loopback included.
    pub const REMOTE: Self = Self { text_bytes: 256 << 10, calls: 32, calls_per_second: 50 };
}

impl Services {
    /// What all connections share: neither tools, nor sessions, nor grants, nor a page, nor a pruner.
    pub fn new(approvals: Approvals, lang: Lang) -> Self {
        let health = Health::new(approvals.clone(), None);
        let (tools, sessions, grants, page, pruner) = (None, None, None, None, None);
        Self { approvals, lang, health, tools, sessions, grants, page, pruner, waiting: Waiting::default() }
    }
}

impl fmt::Debug for Services {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Services").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
