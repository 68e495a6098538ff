//! What an asker is told of a denial.

use std::time::Duration;

use dmplz_core::request::Resolution;
use tokio::sync::mpsc;

/// A denial whose reason may still come. The asker drops it once it knows of the denial for certain; only then is the
/// denial confirmed to the person who denied.
#[derive(Debug)]
pub(crate) struct DenialNotice {
    /// How the request ends if no reason comes.
    pub(crate) resolution: Resolution,
    /// The time left for a reason.
    pub(crate) left: Duration,
    _unheard: Option<mpsc::Sender<()>>,
}

impl DenialNotice {
    /// Creates the notice. Dropping it drops `unheard`, whose receiver waits for that.
    pub(super) fn new(resolution: Resolution, left: Duration, unheard: Option<mpsc::Sender<()>>) -> Self {
        Self { resolution, left, _unheard: unheard }
    }
}
