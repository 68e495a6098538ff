//! The owner's page, which receives requests as long as a gateway runs, and on which a person answers.

use std::rc::Rc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, split};
use tokio::time::{sleep, timeout};

use crate::asks::{hook_of, request_id};
use crate::script::{HookId, Says};
use crate::truth::NoticeSent;
use crate::world::World;
use crate::world::post::Caller;

/// The pause between two attempts to connect.
const AGAIN: Duration = Duration::from_millis(250);
/// The time without a reaction after which a person gives up.
const PATIENCE: Duration = Duration::from_secs(20);

/// Receives the gateway's events, as long as the run lasts.
pub async fn listen(world: Rc<World>) {
    let mut after = 0;
    loop {
        if let Some((reader, mut writer)) = world.post.connect(Caller::Page).map(split) {
            let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "events.subscribe", "params": { "after": after } });
            if writer.write_all(format!("{call}\n").as_bytes()).await.is_ok() {
                let mut lines = BufReader::new(reader).lines();
                while let Some(told) = next(&mut lines).await {
                    if let Some(id) = hear(&world, &told) {
                        after = id;
                    }
                }
            }
        }
        sleep(AGAIN).await;
    }
}

async fn next(lines: &mut Lines<BufReader<ReadHalf<DuplexStream>>>) -> Option<Value> {
    let line = lines.next_line().await.ok()??;
    serde_json::from_str(&line).ok()
}

/// Records what an event says about a request. Returns the event's number.
fn hear(world: &World, told: &Value) -> Option<u64> {
    let (event, kind) = (told.pointer("/params")?, told.pointer("/method")?.as_str()?);
    let id = event.pointer("/approval/id").or_else(|| event.pointer("/requestId")).and_then(Value::as_str);
    if let Some(hook) = id.and_then(hook_of) {
        world.tell(|| format!("the page hears {kind} of hook {hook}"));
        let mut truth = world.truth.borrow_mut();
        match kind {
            "approval.requested" => truth.of(hook).shown = true,
            "approval.resolved" => {
                let outcome = event.pointer("/approval/resolution/outcome").and_then(Value::as_str);
                let kept = event.pointer("/eventId").is_some();
                truth.of(hook).resolved.extend(outcome.filter(|_| kept).map(str::to_owned));
            }
            _ => {}
        }
    }
    event.pointer("/eventId").and_then(Value::as_u64)
}

/// Plays a person who answers a hook's request, and checks whether that counted.
pub async fn answer(world: Rc<World>, hook: HookId, says: Says) {
    let Some((reader, mut writer)) = world.post.connect(Caller::Page).map(split) else { return };
    let mut params = match says {
        Says::Approve => json!({ "decision": "approve" }),
        Says::Deny => json!({ "decision": "deny" }),
        Says::DenyReasonToCome => json!({ "decision": "deny", "reasonToCome": true }),
        Says::Reason => json!({ "decision": "deny", "reason": "use a branch" }),
        Says::Grant => json!({ "decision": "grant", "term": "session" }),
        Says::Plan => json!({ "decision": "auto-accept" }),
        Says::Nonsense => {
            json!({ "decision": "answers", "answers": [{ "question": "Which color?", "labels": ["Green"] }] })
        }
    };
    if let Some(params) = params.as_object_mut() {
        params.insert("id".into(), request_id(hook).into());
    }
    let began = world.now();
    match says {
        Says::Nonsense => {}
        says if says.denies() => world.truth.borrow_mut().of(hook).denied_at.push(began),
        _ => world.truth.borrow_mut().of(hook).allowed_at.push(began),
    }
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "approval.respond", "params": params });
    if writer.write_all(format!("{call}\n").as_bytes()).await.is_err() {
        return;
    }
    let mut lines = BufReader::new(reader).lines();
    let reply = timeout(PATIENCE, async {
        loop {
            let told = next(&mut lines).await?;
            if told.pointer("/id").is_some() {
                return Some(told);
            }
        }
    });
    let Ok(Some(reply)) = reply.await else { return };
    let code = reply.pointer("/error/code").and_then(Value::as_i64);
    world.tell(|| {
        format!("the page: {says:?} on hook {hook}: {}", code.map_or("taken".to_owned(), |code| code.to_string()))
    });
    if code.is_none() {
        let denies = says.denies();
        world.truth.borrow_mut().of(hook).told.push(NoticeSent { at: world.now(), denies });
    }
}
