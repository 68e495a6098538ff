//! Where the owner of requests keeps what must outlive it. The gateway uses [`Disk`](crate::Disk); tests use a ledger
//! that fails on demand.

use std::pin::Pin;
use std::sync::Arc;

use dmplz_core::approvers::Answerer;
use dmplz_core::request::Resolution;
use dmplz_core::stats::Figures;
use dmplz_protocol::{Event, Message, Request, RequestId, Standing};
use dmplz_state::store::Filter;

use super::DiskError;

/// The future result of a ledger operation.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, DiskError>> + Send + 'a>>;

/// Called with an event's number once the event is durable. Calls follow the order of the numbers, one at a time.
pub type OnNumber = Box<dyn FnOnce(u64) + Send>;

/// A change of a request that is recorded.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are those of a request's life: see `Status` and `Message`")]
pub enum Record {
    /// A request that was asked for the first time.
    Asked(Arc<Request>),
    /// A person denied, and may say why.
    Denied { id: RequestId, by: Answerer, until_ms: u64, instead: bool },
    /// A request ended, in any way.
    Ended { id: RequestId, resolution: Resolution },
    /// Whether the asker took the decision.
    Taken { id: RequestId, taken: bool },
    /// The policy decided, so nobody was asked.
    Ruled { request: Arc<Request>, resolution: Resolution },
    /// An event that belongs to no request.
    Told(Message),
}

/// Stores records and finds them again.
pub trait Ledger: Send + Sync {
    /// Stores a record. Returns `None`, without calling `told`, if it contradicts what is stored.
    fn write(&self, record: Record, at_ms: u64, told: OnNumber) -> Later<'_, Option<u64>>;

    /// Returns a request and its status.
    fn get(&self, id: RequestId) -> Later<'_, Option<Standing>>;

    /// Returns whether the request stored under this id is the same one: of the same source, tool, input and folder.
    /// `None` if nothing is stored.
    fn is_again<'a>(&'a self, request: &'a Request) -> Later<'a, Option<bool>>;

    /// Returns at most `limit` readable requests, newest first. It returns fewer if they are long, but at least one if
    /// any matches.
    fn history<'a>(&'a self, filter: &'a Filter, limit: u32) -> Later<'a, Vec<Standing>>;

    /// Returns at most `limit` readable events after `seq`, oldest first; fewer if they are long. Empty only if there
    /// are no more.
    fn events_after(&self, seq: u64, limit: u32) -> Later<'_, Vec<Event>>;

    /// Returns the figures of the requests that ended from `since_ms` until just before `until_ms` (Unix milliseconds),
    /// as `dmplz stats` counts them.
    fn figures(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Later<'_, Figures>;
}
