//! A hook that asks through the gateway: the real talk, over the world's pipes.

use std::io;
use std::rc::Rc;

use dmplz_core::flow::{ExpiredCause, Outcome};
use dmplz_gateway::asking::{Asking, Connection, Dial, End, Talk};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex, split};
use tokio::time::{Duration, Instant, timeout};

use crate::alone::{Alone, Sign, input};
use crate::gateway::Caller;
use crate::gateway::page::request_id;
use crate::script::{HookId, Relapse};
use crate::world::World;

/// What the hook keeps free before the client's time limit, at most, and how much later than the gateway it gives up.
const MARGIN: u64 = 5_000;
const LATER: u64 = 1_000;
/// How long saying that the client took the decision may take.
const LAST_WORD: Duration = Duration::from_millis(900);

/// One hook.
pub struct Through {
    world: Rc<World>,
    hook: HookId,
    started: Instant,
    expires: Instant,
    end: Instant,
}

/// The way to the gateway.
struct Door<'a>(&'a World, HookId);

impl Dial for Door<'_> {
    type Stream = DuplexStream;

    fn dial(&self) -> io::Result<DuplexStream> {
        let Self(world, hook) = self;
        let stream = world.post.connect(Caller::Local).ok_or(io::ErrorKind::ConnectionRefused)?;
        world.truth.borrow_mut().of(*hook).connected_to = world.post.life();
        Ok(if world.script.frame.relapse == Some(Relapse::DenialUntold) { deaf(stream) } else { stream })
    }
}

/// A connection over which nothing is heard of a denial before the end.
fn deaf(gateway: DuplexStream) -> DuplexStream {
    let (ours, theirs) = duplex(1 << 16);
    let ((from_gateway, mut to_gateway), (mut from_hook, mut to_hook)) = (split(gateway), split(theirs));
    tokio::task::spawn_local(async move {
        let _ = tokio::io::copy(&mut from_hook, &mut to_gateway).await;
        let _ = to_gateway.shutdown().await;
    });
    tokio::task::spawn_local(async move {
        let mut lines = BufReader::new(from_gateway).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let is_untold = line.contains("\"hook.denied\"");
            if !is_untold && to_hook.write_all(format!("{line}\n").as_bytes()).await.is_err() {
                return;
            }
        }
        let _ = to_hook.shutdown().await;
    });
    ours
}

impl Through {
    /// The process of a hook that starts now.
    pub fn new(world: &Rc<World>, hook: HookId) -> Self {
        let limit = world.script.frame.limit;
        let margin = MARGIN.min(limit / 5);
        let started = Instant::now();
        let expires = started + Duration::from_millis(limit - margin);
        let end = expires + Duration::from_millis(LATER.min(margin / 2));
        let mut truth = world.truth.borrow_mut();
        let life = truth.of(hook);
        (life.started, life.deadline) = (world.now(), world.millis(end));
        Self { world: Rc::clone(world), hook, started, expires, end }
    }

    /// From its start to its exit.
    pub async fn run(self, mut sign: Sign<'_>) {
        let door = Door(&self.world, self.hook);
        let Ok(stream) = door.dial() else { return self.alone("find a gateway", sign).await };
        let Ok(input) = input(self.hook, self.world.script.asks(self.hook)) else { return };
        let asking =
            Asking { id: request_id(self.hook), input: &input, remarks: &[], grantable: None, expires: self.expires };
        let Ok(line) = asking.line() else { return };
        let connection = Connection::over(stream, line);
        let (talk, end) =
            Talk::over(&asking, &door, Some(connection)).until(self.end, std::pin::pin!(sign.as_mut())).await;
        let failed = |why: &str| Outcome::Expired(ExpiredCause::Failed(why.to_owned()));
        let outcome = match end {
            End::NotTaken(why) => return self.alone(&why, sign).await,
            End::Resolved(resolution) => resolution.outcome().unwrap_or_else(|error| failed(&error.to_string())),
            End::Stopped(resolver) => Outcome::ResolvedElsewhere(resolver),
            End::Late => failed("hear from the gateway in time"),
            End::Failed(why) => failed(&why),
        };
        self.hand_over(&outcome);
        if let Some(mut connection) = talk.connection {
            let _ = timeout(LAST_WORD, connection.taken(&asking, true)).await;
        }
    }

    /// No gateway took the request: it is asked alone, where there is a messenger.
    async fn alone(&self, why: &str, sign: Sign<'_>) {
        self.world.tell(|| format!("hook {} asks alone: failed to {why}", self.hook));
        if self.world.script.frame.chat {
            return Alone::new(&self.world, self.hook, self.started).run(sign).await;
        }
        self.hand_over(&Outcome::Expired(ExpiredCause::Failed(why.to_owned())));
    }

    fn hand_over(&self, outcome: &Outcome) {
        self.world.tell(|| format!("hook {} ends: {outcome:?}", self.hook));
        let mut truth = self.world.truth.borrow_mut();
        let life = truth.of(self.hook);
        life.decisions.push((self.world.now(), outcome.clone()));
        if let Outcome::Expired(ExpiredCause::Failed(why)) = outcome {
            life.said.push(format!("failed to {why}"));
        }
    }
}
