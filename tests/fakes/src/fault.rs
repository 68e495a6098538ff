//! The bad day: what goes wrong, and with which requests.

use crate::call::Call;
use std::time::Duration;

/// What goes wrong with one request, or with one connection of Discord's gateway: that is opened by a request named
/// `WebSocket`, and its answer is HELLO. [`Fault::Doubled`] doubles every frame behind it.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The platform refuses with this HTTP status, in the words it usually has for it; nothing is carried out.
    Status(u16),
    /// As `Status`, in these words. The code is Discord's `code`; Telegram has none.
    Refused {
        /// The HTTP status.
        status: u16,
        /// Discord's error code.
        code: u64,
        /// Discord's `message`, Telegram's `description`.
        message: String,
    },
    /// 429; nothing is carried out. Telegram counts whole seconds, rounded up.
    RateLimited {
        /// How long the platform says to wait.
        retry_after: Duration,
        /// Discord only: whether the whole bot is meant, not just the route.
        global: bool,
    },
    /// A gateway in between answers with this HTTP status and an HTML page; nothing is carried out.
    Html(u16),
    /// Carried out at once, answered only after this time.
    Slow(Duration),
    /// Carried out only after [`Wire::release`](crate::Wire::release), unless the client goes away before.
    HeldBefore,
    /// Carried out at once, answered only after [`Wire::release`](crate::Wire::release).
    HeldAfter,
    /// The connection breaks; nothing is carried out.
    CutBefore,
    /// Carried out, but the connection breaks before the first byte of the answer.
    CutAfter,
    /// Carried out, but the connection breaks in the middle of the answer's body.
    CutInside,
    /// Carried out, but the answer's JSON is cut off in the middle.
    Garbled,
    /// Carried out, but the answer is JSON of at least so many bytes.
    Huge(usize),
    /// Each element of an answer that is a list comes twice.
    Doubled,
    /// An answer that is a list comes in the opposite order.
    Reversed,
}

/// Which requests a fault meets. Made from a name (`"sendMessage"`, `"GET /channels/{channel_id}/messages"`), it meets
/// the next request with that [`Call::name`].
pub struct On {
    name: Option<String>,
    when: Option<Box<Wanted>>,
    skip: usize,
    times: usize,
}

/// What [`On::when`] takes.
type Wanted = dyn Fn(&Call) -> bool + Send;

impl On {
    /// The next request, whatever it is.
    pub fn any() -> Self {
        Self { name: None, when: None, skip: 0, times: 1 }
    }

    /// The next request with this [`Call::name`].
    pub fn call(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..Self::any() }
    }

    /// Only requests that satisfy this as well. Their status is not known yet.
    pub fn when(mut self, when: impl Fn(&Call) -> bool + Send + 'static) -> Self {
        self.when = Some(Box::new(when));
        self
    }

    /// So many of them instead of one.
    pub fn times(mut self, times: usize) -> Self {
        self.times = times;
        self
    }

    /// All of them, until [`Wire::heal`](crate::Wire::heal).
    pub fn always(self) -> Self {
        self.times(usize::MAX)
    }

    /// Lets so many of them pass first.
    pub fn after(mut self, skip: usize) -> Self {
        self.skip = skip;
        self
    }

    /// Whether it meets this request; counts it.
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

/// The faults that are still to come.
#[derive(Default)]
pub(crate) struct Script(Vec<(On, Fault)>);

impl Script {
    pub(crate) fn add(&mut self, on: On, fault: Fault) {
        self.0.push((on, fault));
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The first fault that meets this request. Those behind it do not count the request.
    pub(crate) fn next(&mut self, call: &Call) -> Option<Fault> {
        let met = self.0.iter_mut().find_map(|(on, fault)| on.meets(call).then(|| fault.clone()));
        self.0.retain(|(on, _)| on.times > 0);
        met
    }
}
