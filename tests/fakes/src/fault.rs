//! Faults, and the requests that they affect.

use crate::call::Call;
use std::time::Duration;

/// A fault of one request, or of one connection of Discord's gateway: such a connection is opened by a request named
/// `WebSocket`, and its answer is HELLO. [`Fault::Doubled`] doubles every frame after it.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The platform refuses with this HTTP status, in its usual words for it; nothing is performed.
    Status(u16),
    /// The same as `Status`, with these words. The code is Discord's `code`; Telegram has none.
    Refused {
        /// The HTTP status.
        status: u16,
        /// Discord's error code.
        code: u64,
        /// Discord's `message`, Telegram's `description`.
        message: String,
    },
    /// The platform answers 429; nothing is performed. Telegram counts whole seconds, rounded up.
    RateLimited {
        /// The time that the platform says to wait.
        retry_after: Duration,
        /// Discord only: whether the limit is that of the whole bot, and not of the route.
        global: bool,
    },
    /// A proxy answers with this HTTP status and an HTML page; nothing is performed.
    Html(u16),
    /// The request is performed at once, and answered after this time.
    Slow(Duration),
    /// The request is performed after [`Wire::release`](crate::Wire::release), unless the client disconnects before.
    HeldBefore,
    /// The request is performed at once, and answered after [`Wire::release`](crate::Wire::release).
    HeldAfter,
    /// The connection breaks; nothing is performed.
    CutBefore,
    /// The request is performed, but the connection breaks before the first byte of the answer.
    CutAfter,
    /// The request is performed, but the connection breaks in the middle of the answer's body.
    CutInside,
    /// The request is performed, but the answer's JSON is truncated in the middle.
    Garbled,
    /// The request is performed, but the answer is JSON of at least this number of bytes.
    Huge(usize),
    /// Each element of an answer that is a list is repeated.
    Doubled,
    /// An answer that is a list has the opposite order.
    Reversed,
}

/// The requests that a fault affects. Made from a name (`"sendMessage"`, `"GET /channels/{channel_id}/messages"`), it
/// affects the next request with that [`Call::name`].
pub struct On {
    name: Option<String>,
    when: Option<Box<Wanted>>,
    skip: usize,
    times: usize,
}

/// The condition that [`On::when`] takes.
type Wanted = dyn Fn(&Call) -> bool + Send;

impl On {
    /// Affects the next request, whatever its name is.
    pub fn any() -> Self {
        Self { name: None, when: None, skip: 0, times: 1 }
    }

    /// Affects the next request with this [`Call::name`].
    pub fn call(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..Self::any() }
    }

    /// Restricts it to requests that satisfy a condition. Their status is not known yet.
    pub fn when(mut self, when: impl Fn(&Call) -> bool + Send + 'static) -> Self {
        self.when = Some(Box::new(when));
        self
    }

    /// Affects this number of requests instead of one.
    pub fn times(mut self, times: usize) -> Self {
        self.times = times;
        self
    }

    /// Affects all requests, until [`Wire::heal`](crate::Wire::heal).
    pub fn always(self) -> Self {
        self.times(usize::MAX)
    }

    /// Skips this number of requests first.
    pub fn after(mut self, skip: usize) -> Self {
        self.skip = skip;
        self
    }

    /// Returns whether it affects this request, and counts the request.
    fn meets(&mut self, call: &Call) -> bool {
        let named = self.name.as_ref().is_none_or(|name| *name == call.name);
        if self.times == 0 || !named || !self.when.as_ref().is_none_or(|when| when(call)) {
            return false;
        }
        if self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        self.times = self.times.saturating_sub(1);
        true
    }
}

impl From<&str> for On {
    fn from(name: &str) -> Self {
        Self::call(name)
    }
}

/// The faults that have not happened yet.
#[derive(Default)]
pub(crate) struct Script(Vec<(On, Fault)>);

impl Script {
    pub(crate) fn add(&mut self, on: On, fault: Fault) {
        self.0.push((on, fault));
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the first fault that affects this request. Later faults do not count the request.
    pub(crate) fn next(&mut self, call: &Call) -> Option<Fault> {
        let met = self.0.iter_mut().find_map(|(on, fault)| on.meets(call).then(|| fault.clone()));
        self.0.retain(|(on, _)| on.times > 0);
        met
    }
}
