//! The owner of the requests that a desk shows: the desk itself if it runs alone, the gateway if the desk is one
//! surface of several.

use dmplz_core::approvers::Approver;
use dmplz_core::messenger::{Event, OpenChat, ProviderError, Watch};
use dmplz_core::request::Command;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::session::notices_sent::News;

/// The owner of requests that several surfaces show.
#[allow(async_fn_in_trait, reason = "used within this workspace, on one thread")]
pub trait Owner {
    /// Whether other surfaces may answer too. Then a press is acknowledged as soon as it counts, and a messenger's
    /// failure ends no request.
    const SHARED: bool = true;

    /// Applies a person's answer or denial. Returns once it is stored durably.
    async fn carry_out(&self, id: &str, command: &Command) -> Verdict;
    /// Revokes the grant of this request's answer. Returns once the grant no longer counts.
    async fn revoked(&self, id: &str, by: &Approver) -> Revocation;
    /// Reports why the messenger cannot be used; `None` if it can.
    fn reachable(&self, trouble: Option<&str>);
    /// Reports how a poll for events went: with which error, if it failed.
    fn polled(&self, _failed: Option<&ProviderError>) {}
    /// Reports that all events are passed on of a poll that began at this moment: until the owner knows of a poll that
    /// began after a request's time, a press of that time may still be on its way.
    fn looked(&self, _began: Instant) {}
    /// Returns the thread of the chat in which the card of this request belongs; `None` for the chat itself. Asked once,
    /// before the card is posted, which waits for it.
    async fn place(&self, _id: &str) -> Option<OpenChat> {
        None
    }
    /// Completes once the thread that [`Self::place`] returned for this request is gone, with all messages in it.
    async fn displaced(&self, _id: &str) {
        std::future::pending().await
    }
    /// Reports that the card of this request is posted, or was so by a dead process.
    fn shown(&self, id: &str);
    /// Reports that the messenger cannot show this request. It is tried again later.
    fn unshown(&self, id: &str, why: &str);
    /// Returns what else is watched in the chat: messages of the owner that are no cards of requests.
    fn watches(&self) -> Vec<Watch> {
        Vec::new()
    }
    /// Completes once `watches` has grown.
    async fn watches_changed(&self) {
        std::future::pending().await
    }
    /// Takes an event that is about none of the requests. The receiver completes once it is handled. `None` if the event
    /// is not the owner's either.
    fn take(&self, _event: &Event, _claim: Claim) -> Option<oneshot::Receiver<()>> {
        None
    }
}

/// How far the desk has looked for the request that an event is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Not at all: the owner takes only what is certainly its own.
    First,
    /// To the end: the event is about no request, neither an open one nor a past one.
    Last,
}

/// Whether a person's input counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it counts. If it does not, the card stays as it is until the owner's next command.
    pub counts: bool,
    /// The text for the person, such as who was first.
    pub told: Option<String>,
    /// The kind of news, which is told once. `None` if it is told each time.
    pub news: Option<News>,
}

/// The result of revoking a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revocation {
    /// The grant no longer counts.
    Done,
    /// The grant was over before.
    Over,
    /// The grant may still count.
    Failed,
}

impl Verdict {
    /// The input counts, and there is nothing to say.
    pub const COUNTS: Self = Self { counts: true, told: None, news: None };
}

/// The owner of the one request of a desk that runs alone.
pub(crate) struct Alone;

impl Owner for Alone {
    const SHARED: bool = false;

    async fn carry_out(&self, _: &str, _: &Command) -> Verdict {
        Verdict::COUNTS
    }

    async fn revoked(&self, _: &str, _: &Approver) -> Revocation {
        Revocation::Failed
    }

    fn reachable(&self, _: Option<&str>) {}

    fn shown(&self, _: &str) {}

    fn unshown(&self, _: &str, _: &str) {}
}
