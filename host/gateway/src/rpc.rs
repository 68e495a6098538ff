//! JSON-RPC 2.0 for the Unix socket and the WebSocket. Each text is one object or one batch.
//!
//! ```text
//! transport ─ text ─▶ Session::receive ─▶ one task per call ─▶ Outbox ─ text ─▶ transport
//!                                            events ──────────────▲
//! ```
//!
//! A [`Session`] is one connection of one [`Peer`], whose identity the transport has verified. Calls run concurrently;
//! the members of a batch run one after another. The peer's [`Role`] decides which methods it may call.
//!
//! Limits: the session refuses a text of more than [`Limits::text_bytes`] (hook input may be longer and has its own
//! limit), more concurrent calls than [`Limits::calls`], and more calls a second than [`Limits::calls_per_second`].
//! Nothing is dropped from the outbox: a peer that does not read gets no more replies, and loses its subscription once
//! it is too far behind.

mod approvals;
mod browsers;
mod connection;
mod envelope;
mod error;
mod events;
mod gateway;
mod grants;
mod hooks;
mod notices;
mod push;
mod session;
mod sessions;
mod settings;
mod tools;

use std::path::PathBuf;
use std::sync::Arc;

use dmplz_core::approvers::Approver;
use dmplz_core::text::Lang;

pub use crate::browsers::PageKey;
pub use connection::Outbox;
pub use session::Session;

use self::hooks::Waiting;
use crate::approvals::Approvals;
use crate::browsers::Browsers;
use crate::grants::Grants;
use crate::health::Health;
use crate::notices::Notices;
use crate::pairing::Pairing;
use crate::push::Push;
use crate::retention::Pruner;
use crate::session_names::SessionNames;
use crate::sessions::Sessions;
use crate::settings::PageSettings;
use crate::tools::Tools;

/// The services that the methods use. Cheap to clone.
#[derive(Clone)]
pub struct Services {
    /// The owner of every request.
    pub approvals: Approvals,
    /// The language of texts for people.
    pub lang: Lang,
    /// Runs commands; `None` if that is not offered.
    pub tools: Option<Tools>,
    /// Runs sessions of agents; `None` if that is not offered.
    pub sessions: Option<Sessions>,
    /// The grants that people gave; `None` if that is not offered.
    pub grants: Option<Grants>,
    /// The health of the gateway.
    pub health: Health,
    /// Lets browsers in; `None` if there is no page.
    pub page: Option<Page>,
    /// Sends notices; `None` if that is not offered.
    pub notices: Option<Notices>,
    /// Sends notices to paired browsers; `None` if that is not offered.
    pub push: Option<Push>,
    /// Removes old data; `None` if nothing is stored.
    pub pruner: Option<Pruner>,
    /// The home directory of the person, by which marks on cards understand `~`; `None` if it is not known.
    pub home: Option<PathBuf>,
    /// The settings that the page shows; `None` if that is not offered.
    pub settings: Option<Arc<dyn PageSettings>>,
    waiting: Waiting,
    names: SessionNames,
}

/// The web page, and the codes that let a browser in.
#[derive(Clone)]
pub struct Page {
    /// The valid pairing codes.
    pub pairing: Pairing,
    /// The browsers that were let in.
    pub browsers: Browsers,
    /// The address of the page.
    pub url: String,
    /// The address by which other devices reach the page, if the operator names one with https.
    pub outside: Option<String>,
}

/// The client of one connection.
#[derive(Debug, Clone)]
pub struct Peer {
    /// The person whose answers these are, on the surface `cli`, `web` or `websocket`.
    pub by: Approver,
    /// The methods that it may call.
    pub role: Role,
    /// The limits of its calls.
    pub limits: Limits,
}

/// The kind of a peer, which decides which methods it may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A process of the same user, over the Unix socket. It may call every method.
    Local,
    /// A program with the token. It may call every method but `browsers.*`, `hook.*`, `hooks.*`, `notify.*`, `pairing.*`,
    /// `presence.*`, `push.*` and `store.*`.
    Program,
    /// A paired page, which has no command run. It may call every method but `hook.*`, `pairing.*`, `store.*`, `tools.*`,
    /// and those of `notify.*` by which hooks and commands report and send.
    Page(PageKey),
}

/// The limits of one connection.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The longest text in bytes, except for hook input.
    pub text_bytes: usize,
    /// The most calls that may wait for their replies.
    pub calls: usize,
    /// The most calls a second in the long run. A burst may be twice as large.
    pub calls_per_second: u32,
}

impl Limits {
    /// The limits for programs of the same user.
    pub const LOCAL: Self = Self { text_bytes: 1 << 20, calls: 1_024, calls_per_second: 20_000 };
    /// The limits for connections over the network, including the loopback.
    pub const REMOTE: Self = Self { text_bytes: 256 << 10, calls: 32, calls_per_second: 50 };
}

impl Services {
    /// Creates the services of all connections, without tools, sessions, grants, page, notices, push, pruner
    /// or settings.
    pub fn new(approvals: Approvals, lang: Lang) -> Self {
        Self {
            health: Health::new(approvals.clone(), None),
            approvals,
            lang,
            tools: None,
            sessions: None,
            grants: None,
            page: None,
            notices: None,
            push: None,
            pruner: None,
            home: None,
            settings: None,
            waiting: Waiting::default(),
            names: SessionNames::default(),
        }
    }
}

#[cfg(test)]
mod tests;
