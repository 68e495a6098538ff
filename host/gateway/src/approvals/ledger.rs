//! Where the owner keeps what must outlive it. The gateway's is a [`Disk`]; a test brings one that fails when it wants it to.

use std::pin::Pin;
use std::sync::Arc;

use dmplz_core::approvers::Answerer;
use dmplz_core::request::Resolution;
use dmplz_core::stats::Figures;
use dmplz_protocol::{Event, Message, Request, RequestId, Standing};

use crate::disk::{Disk, DiskError, Search};

/// What will have been done.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, DiskError>> + Send + 'a>>;

/// Called with an event's number once it is durable: in the order of the numbers, and before the next one is.
pub type OnNumber = Box<dyn FnOnce(u64) + Send>;

/// A change of a request that is kept on disk.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the fields are those of a request's life: see `Status` and `Message`")]
pub enum Record {
    /// Somebody asks for a request to be answered.
    Asked(Arc<Request>),
    /// Somebody denied, and may say why.
    Denied { id: RequestId, by: Answerer, until_ms: u64, instead: bool },
    /// A request ended, however it did.
    Ended { id: RequestId, resolution: Resolution },
    /// Whether whoever asked took the decision.
    Taken { id: RequestId, taken: bool },
    /// The policy decided, so nobody was asked.
    Ruled { request: Arc<Request>, resolution: Resolution },
    /// An event that belongs to no request's life.
    Told(Message),
}

/// Keeps records, and finds them.
pub trait Ledger: Send + Sync {
    /// Keeps a record. None, and no call of `told`, where it does not fit what is kept.
    fn write(&self, record: Record, at_ms: u64, told: OnNumber) -> Later<'_, Option<u64>>;

    /// A request and where it stands.
    fn get(&self, id: RequestId) -> Later<'_, Option<Standing>>;

    /// Whether what is kept under the request's id is the same request. None where nothing is.
    fn is_again<'a>(&'a self, request: &'a Request) -> Later<'a, Option<bool>>;

    /// So many requests, newest first.
    fn history<'a>(&'a self, search: &'a Search, limit: u32) -> Later<'a, Vec<Standing>>;

    /// So many events after that one, oldest first.
    fn events_after(&self, seq: u64, limit: u32) -> Later<'_, Vec<Event>>;

    /// What the requests that ended in that time (Unix milliseconds) came to.
    fn figures(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Later<'_, Figures>;
}

impl Ledger for Disk {
    fn write(&self, record: Record, at_ms: u64, told: OnNumber) -> Later<'_, Option<u64>> {
        Box::pin(async move {
            match record {
                Record::Asked(request) => self.add_telling(&request, told).await.map(Some),
                Record::Denied { id, by, until_ms, instead } => {
                    self.deny_telling(id, &by, until_ms, instead, at_ms, told).await
                }
                Record::Ended { id, resolution } => self.resolve_telling(id, &resolution, at_ms, told).await,
                Record::Taken { id, taken } => self.taken_telling(id, taken, at_ms, told).await,
                Record::Ruled { request, resolution } => {
                    self.settle_telling(&request, &resolution, at_ms, told).await.map(Some)
                }
                Record::Told(message) => self.record_telling(&message, at_ms, told).await.map(Some),
            }
        })
    }

    fn get(&self, id: RequestId) -> Later<'_, Option<Standing>> {
        Box::pin(self.get(id))
    }

    fn is_again<'a>(&'a self, request: &'a Request) -> Later<'a, Option<bool>> {
        Box::pin(self.is_again(request))
    }

    fn history<'a>(&'a self, search: &'a Search, limit: u32) -> Later<'a, Vec<Standing>> {
        Box::pin(self.history(search, limit))
    }

    fn events_after(&self, seq: u64, limit: u32) -> Later<'_, Vec<Event>> {
        Box::pin(self.events_after(seq, limit))
    }

    fn figures(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Later<'_, Figures> {
        Box::pin(self.figures(since_ms, until_ms))
    }
}
