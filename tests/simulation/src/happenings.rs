//! Other events around hooks: those of the client, and grants that are revoked in a terminal.

use std::rc::Rc;
use std::time::Duration;

use dmplz_core::approvers::Answerer;
use dmplz_core::grant::change::Over;
use dmplz_core::grant::{Change, Grant};
use dmplz_core::request::Resolver;
use dmplz_state::Grants;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, split};
use tokio::time::timeout;

use crate::asks::{self, session};
use crate::script::{Event, HookId};
use crate::truth::Granted;
use crate::world::post::Caller;
use crate::world::{World, moment};

/// How long a process waits for the gateway's reply.
const TOLD: Duration = Duration::from_secs(10);

/// Plays an event of a hook's session. Hooks that wait for an answer that is not needed any more end.
pub async fn event(world: Rc<World>, hook: HookId, event: Event) {
    let asks = world.script.asks(hook);
    world.tell(|| format!("the client tells of {event:?} in the session of hook {hook}"));
    let own = session(hook, asks);
    if event == Event::SessionOver {
        let dropped = Grants::of(&world.state).end_session(&own, moment()).unwrap_or_default();
        let changes = dropped.changes(|grant| Change::ended(grant, Over::Session));
        over(&world, |granted| granted.session.as_ref() == Some(&own));
        tell_grants(&world, changes).await;
    }
    if event != Event::OtherDone {
        concerned(&world, &own);
    }
    let _ = call(&world, "hook.event", json!({ "input": asks::event(hook, asks, event) })).await;
}

/// Records that the waiting hooks of this session are not needed any more. A hook that asks alone learns it from its
/// card's record; the gateway withdraws the others.
fn concerned(world: &World, own: &str) {
    let running: Vec<HookId> = world.signs.borrow().keys().copied().collect();
    for hook in running.into_iter().filter(|hook| session(*hook, world.script.asks(*hook)) == own) {
        let is_alone = {
            let (mut truth, now) = (world.truth.borrow_mut(), world.now());
            let life = truth.of(hook);
            life.stops(now);
            life.asked_alone
        };
        if is_alone && let Some(sign) = world.signs.borrow_mut().remove(&hook) {
            let _ = sign.send(Resolver::Terminal);
        }
    }
}

/// Plays a person who revokes all grants in a terminal.
pub async fn revoke(world: Rc<World>) {
    let by = Answerer { surface: "cli".into(), id: "owner".into(), name: "Ada".into() };
    let dropped = Grants::of(&world.state).revoke(|_: &Grant| true, moment()).unwrap_or_default();
    world.tell(|| "all grants are taken back in a terminal");
    over(&world, |_| true);
    tell_grants(&world, dropped.changes(|grant| Change::revoked(grant, &by))).await;
}

/// Records that these grants do not count any more.
pub fn over(world: &World, is_meant: impl Fn(&Granted) -> bool) {
    let now = world.now();
    for granted in &mut world.truth.borrow_mut().granted {
        if is_meant(granted) {
            granted.over.get_or_insert(now);
        }
    }
}

/// Reports the changes of grants by a process to the gateway.
pub async fn tell_grants(world: &World, changes: Vec<Change>) {
    if !changes.is_empty() {
        let _ = call(world, "hook.grants", json!({ "changes": changes })).await;
    }
}

/// Calls the gateway as a process of the same user. Returns `None` if it does not answer.
pub async fn call(world: &World, method: &str, params: Value) -> Option<Value> {
    let (reader, mut writer) = split(world.post.connect(Caller::Local)?);
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let asked = async {
        writer.write_all(format!("{call}\n").as_bytes()).await.ok()?;
        serde_json::from_str(&BufReader::new(reader).lines().next_line().await.ok()??).ok()
    };
    timeout(TOLD, asked).await.ok()?
}
