//! A hook that asks through the gateway: the real talk, over the world's pipes.

use std::io;
use std::rc::Rc;

use dmplz_core::request::{ExpiredCause, Offer, Outcome, Trouble};
use dmplz_policy::KnownCommands;
use dmplz_protocol::asking::{Asking, Connection, Dial, End, Talk};
use tokio::io::DuplexStream;
use tokio::time::{Duration, Instant, timeout};

use crate::alone::{Alone, Sign};
use crate::asks::{input, request_id};
use crate::hook::Hook;
use crate::script::HookId;
use crate::wire;
use crate::world::World;
use crate::world::post::Caller;

/// The maximum time that the hook reserves before the client's time limit, and how much later than the gateway it gives
/// up, in milliseconds.
const MARGIN: u64 = 5_000;
const LATER: u64 = 1_000;
/// The time limit of the report that the client took the decision.
const LAST_WORD: Duration = Duration::from_millis(900);

/// A hook that asks through the gateway.
pub struct Through {
    client: Hook,
    world: Rc<World>,
    hook: HookId,
    started: Instant,
    expires: Instant,
    end: Instant,
}

/// The way to the gateway.
struct Door<'a>(&'a Rc<World>, HookId);

impl Dial for Door<'_> {
    type Stream = DuplexStream;

    fn dial(&self) -> io::Result<DuplexStream> {
        let Self(world, hook) = self;
        let stream = world.post.connect(Caller::Local).ok_or(io::ErrorKind::ConnectionRefused)?;
        world.truth.borrow_mut().of(*hook).connected_to = world.post.life();
        Ok(wire::between(world, *hook, stream))
    }
}

impl Through {
    /// Creates the process of a hook that starts now.
    pub fn new(world: &Rc<World>, hook: HookId) -> Self {
        let limit = world.script.frame.limit;
        let margin = MARGIN.min(limit / 5);
        let started = Instant::now();
        let expires = started + Duration::from_millis(limit - margin);
        let end = expires + Duration::from_millis(LATER.min(margin / 2));
        let mut truth = world.truth.borrow_mut();
        let life = truth.of(hook);
        (life.started, life.deadline) = (world.now(), world.millis(end));
        let client = Hook { world: Rc::clone(world), hook };
        Self { client, world: Rc::clone(world), hook, started, expires, end }
    }

    /// Runs the hook from its start to its exit.
    pub async fn run(self, mut sign: Sign<'_>) {
        let Ok(input) = input(self.hook, self.world.script.asks(self.hook)) else { return };
        let Ok(call) = input.tool_call() else { return };
        let ruling = self.client.ruling(&input, &call);
        if let Some(ruled) = ruling.ruled {
            return self.client.hand_over_ruled(ruled);
        }
        let door = Door(&self.world, self.hook);
        let Ok(stream) = door.dial() else { return self.alone("no gateway runs", sign).await };
        let Ok(id) = request_id(self.hook).parse() else { return };
        let grantable = ruling.grantable.as_ref();
        let asking = Asking { id, input: &input, remarks: &[], grantable, expires: self.expires };
        let Ok(question) = asking.question() else { return };
        let connection = Connection::over(stream, question);
        let (talk, end) =
            Talk::over(&asking, &door, Some(connection)).until(self.end, std::pin::pin!(sign.as_mut())).await;
        let offer = Offer { granted: true, ..Offer::of(&call, &input.cwd, &KnownCommands) };
        let failed = |why: &str| Outcome::Expired(ExpiredCause::Failed(Trouble::Other(why.to_owned())));
        let outcome = match end {
            End::NotTaken(why) => {
                drop(talk);
                return self.alone(&why.to_string(), sign).await;
            }
            End::Resolved(resolution) => match resolution.outcome() {
                Ok(Outcome::Approved { scope, .. }) if !offer.offers(&scope) => {
                    failed("the gateway gave an answer that was not offered")
                }
                outcome => outcome.unwrap_or_else(|error| failed(&error.to_string())),
            },
            End::Stopped(resolver) => Outcome::ResolvedElsewhere(resolver),
            End::Late => failed("the gateway did not answer in time"),
            End::Failed(why) => failed(&why),
        };
        let changes = self.client.keep(&outcome, grantable, asking.id.to_string());
        self.client.hand_over(&outcome);
        if let Some(mut connection) = talk.connection {
            let _ = timeout(LAST_WORD, connection.taken(&asking, true)).await;
        }
        self.client.tell(changes).await;
    }

    /// Asks the request alone, if there is a messenger, because no gateway accepted it.
    async fn alone(&self, why: &str, sign: Sign<'_>) {
        self.world.tell(|| format!("hook {} asks alone: {why}", self.hook));
        if self.world.script.frame.chat {
            return Alone::new(&self.world, self.hook, self.started).run(sign).await;
        }
        self.client.hand_over(&Outcome::Expired(ExpiredCause::Failed(Trouble::Other(why.to_owned()))));
    }
}
