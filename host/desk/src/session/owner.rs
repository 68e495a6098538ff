//! Who owns the requests that a desk shows: the desk itself where it is alone, the gateway where it is one surface of
//! several.

use dmplz_core::approvers::Approver;
use dmplz_core::request::Command;

use crate::session::notices_sent::News;

/// The owner of requests that several surfaces show.
#[allow(async_fn_in_trait, reason = "used within this workspace, on one thread")]
pub trait Owner {
    /// Whether other surfaces may answer too: then a press is acknowledged as soon as it counted, and a messenger that
    /// fails ends nothing.
    const SHARED: bool = true;

    /// Somebody answered or denied. Comes back once that is kept for good.
    async fn carry_out(&self, id: &str, command: &Command) -> Verdict;
    /// Somebody takes back the grant that an answer to this request carried. Comes back once it counts no more.
    async fn revoked(&self, id: &str, by: &Approver) -> Revocation;
    /// Whether the messenger can be used; why not, where it cannot.
    fn reachable(&self, trouble: Option<&str>);
    /// The card of this request is up.
    fn shown(&self, id: &str);
    /// The messenger cannot show this request. It is tried again later.
    fn unshown(&self, id: &str, why: &str);
}

/// Whether what somebody did counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it does. Where it does not, the card stays as it is until the owner says more.
    pub counts: bool,
    /// What the person is told: who was first, for example.
    pub told: Option<String>,
    /// What kind of news that is; it is told once. None where it is told each time.
    pub news: Option<News>,
}

/// What became of taking a grant back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revocation {
    /// It counts no more.
    Done,
    /// It was over before.
    Over,
    /// It may still count.
    Failed,
}

impl Verdict {
    /// It counts, and there is nothing to say.
    pub const COUNTS: Self = Self { counts: true, told: None, news: None };
}

/// The owner of the one request of a desk that is alone.
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
