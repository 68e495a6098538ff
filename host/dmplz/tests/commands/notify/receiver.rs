//! A server that webhooks go to, with a script of replies.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use crate::http::{self, Request};

/// One request.
#[derive(Debug, Clone)]
pub(super) struct Got {
    pub(super) request: Request,
    /// The status that it was answered with; 0 where the connection was closed.
    pub(super) status: u16,
}

impl Got {
    #[track_caller]
    pub(super) fn header(&self, name: &str) -> &str {
        let value = self.request.header(name);
        assert!(!value.is_empty(), "{name}: {self:?}");
        value
    }

    #[track_caller]
    pub(super) fn body(&self) -> &str {
        str::from_utf8(&self.request.body).unwrap()
    }
}

/// A reply: the status, the value of its `Retry-After`, if any, and the body. A status of 0 closes the connection.
pub(super) type Reply = (u16, Option<&'static str>, &'static str);

#[derive(Default)]
struct World {
    replies: VecDeque<Reply>,
    got: Vec<Got>,
}

/// The server.
pub(super) struct Receiver {
    address: String,
    world: Arc<(Mutex<World>, Condvar)>,
}

impl Receiver {
    /// Starts a server that answers with these replies, one after the other, and then with 204.
    pub(super) fn start(replies: &[Reply]) -> Self {
        let world = World { replies: replies.iter().copied().collect(), got: Vec::new() };
        let world = Arc::new((Mutex::new(world), Condvar::new()));
        let shared = Arc::clone(&world);
        let address = http::serve(move |request| {
            let (world, changed) = &*shared;
            let mut world = world.lock().unwrap();
            let (status, retry_after, body) = world.replies.pop_front().unwrap_or((204, None, ""));
            world.got.push(Got { request: request.clone(), status });
            changed.notify_all();
            let headers = retry_after.map(|after| ("retry-after", after.to_owned())).into_iter().collect();
            http::Reply { status, headers, body: body.into() }
        });
        Self { address, world }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Waits until it has received this number of requests.
    #[track_caller]
    pub(super) fn wait_for(&self, count: usize) -> Vec<Got> {
        let (world, changed) = &*self.world;
        let world = world.lock().unwrap();
        let wait = Duration::from_secs(60);
        let (world, over) = changed.wait_timeout_while(world, wait, |world| world.got.len() < count).unwrap();
        assert!(!over.timed_out(), "{:#?}", world.got);
        world.got.clone()
    }
}
