//! A messenger with its chat open, for any number of requests: calls, retries, notices, and the owner of the requests.

use std::time::Duration;

pub(crate) mod chat;
pub(crate) mod messenger;
pub(crate) mod notices_sent;
pub(crate) mod owner;
pub(crate) mod present;
pub(crate) mod race;
pub(crate) mod retry;

/// How long one call other than a poll may take.
pub(crate) const CALL: Duration = Duration::from_secs(20);
/// How long one poll waits at most. It is short enough to notice a dead connection.
pub(crate) const LOOK: Duration = Duration::from_secs(25);
/// How much longer than its wait a poll may take.
pub(crate) const LOOK_SLACK: Duration = Duration::from_secs(10);
/// An empty poll that returns sooner than this did not wait. The next poll is then delayed by as much, whatever the
/// provider declares.
pub(crate) const SHORT_LOOK: Duration = Duration::from_millis(100);
