//! A messenger with its chat open, whatever the number of requests: calls, retries, words to people, and who owns the requests.

use std::time::Duration;

pub(crate) mod chat;
pub(crate) mod messenger;
pub(crate) mod notices_sent;
pub(crate) mod owner;
pub(crate) mod present;
pub(crate) mod race;
pub(crate) mod retry;

/// How long one call that is not a look for events may take.
pub(crate) const CALL: Duration = Duration::from_secs(20);
/// One look for events waits this long at most. Short enough that a connection which died unnoticed is found out.
pub(crate) const LOOK: Duration = Duration::from_secs(25);
/// What a look may take beyond its wait.
pub(crate) const LOOK_SLACK: Duration = Duration::from_secs(10);
/// A look that comes back empty sooner than this did not wait: the next one is put off by as much, whatever the provider
/// says of itself.
pub(crate) const SHORT_LOOK: Duration = Duration::from_millis(100);
