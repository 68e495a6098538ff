//! Other activities in the gateway's process: a program asks on the bus, and a person lists the requests so far.

use std::rc::Rc;
use std::time::Duration;

use dmplz_core::card::Subject;
use dmplz_core::claude::session_grant;
use dmplz_core::request::{End, ExpiredCause, Offer, Outcome, Trouble};
use dmplz_core::text::Lang;
use dmplz_gateway::{Approvals, Requested, Verdict};
use dmplz_policy::{KnownCommands, Ruled};
use dmplz_protocol::{Request, Source, Standing, Status};
use dmplz_state::store::{Filter, Which};
use serde_json::json;

use crate::asks::{self, hook_of, request_id};
use crate::happenings::call;
use crate::script::{Asks, HookId};
use crate::world::post::Order;
use crate::world::{World, wall_ms};

/// The expiry of a program's request, in milliseconds.
const LIFE: u64 = 20_000;
/// The number of requests and events that are read at once.
const PAGE: u32 = 3;

/// What a program hears about its request.
#[derive(Debug)]
enum Heard {
    Answered(Outcome),
    Ruled(Ruled),
}

/// Returns the verdict of the policy about a program's request.
pub fn verdict(request: &Request) -> Verdict {
    asks::by_rules(&request.tool, &request.input).map_or_else(|| Verdict::Ask(Vec::new()), Verdict::Ruled)
}

/// Executes an order of the script.
pub async fn obey(world: Rc<World>, approvals: Approvals, order: Order) {
    match order {
        Order::Confirm(hook, asks, waits) => confirm(&world, &approvals, hook, asks, waits).await,
        Order::Browse => browse(&world, &approvals).await,
    }
}

async fn confirm(world: &World, approvals: &Approvals, hook: HookId, asks: Asks, waits: Duration) {
    let Some(request) = request(hook, asks) else { return };
    world.tell(|| format!("a program asks on the bus: hook {hook}"));
    let heard = tokio::time::timeout(waits, hear(approvals, request)).await;
    // After its time the program hears nothing.
    let Ok(Some(heard)) = heard else { return };
    world.tell(|| format!("the program of hook {hook} hears: {heard:?}"));
    let mut truth = world.truth.borrow_mut();
    let life = truth.of(hook);
    match heard {
        Heard::Answered(outcome) => life.decisions.push((world.now(), outcome)),
        Heard::Ruled(ruled) => life.ruled.push((world.now(), ruled)),
    }
}

/// Asks on the bus, and waits for the response. `None` if there is none.
async fn hear(approvals: &Approvals, request: Request) -> Option<Heard> {
    match approvals.bus().request(request, wall_ms()).await {
        Ok(Requested::Ruled(ruled)) => Some(Heard::Ruled(ruled)),
        Ok(Requested::Asked(mut awaited)) => awaited.outcome().await.map(Heard::Answered),
        Err(error) => Some(Heard::Answered(Outcome::Expired(ExpiredCause::Failed(Trouble::Other(error.to_string()))))),
    }
}

fn request(hook: HookId, asks: Asks) -> Option<Request> {
    let input = asks::input(hook, asks).ok()?;
    let call = input.tool_call().ok()?;
    let (id, cwd) = (request_id(hook), input.cwd.clone());
    let (created_ms, offer) = (wall_ms(), Offer::of(&call, &cwd, &KnownCommands));
    Some(Request {
        id: id.parse().ok()?,
        source: Source::Tool { invocation_id: id.parse().ok()? },
        subject: Subject::of(&call, &id, &cwd, None, &session_grant(&call, &cwd, &KnownCommands), Lang::En),
        tool: call.tool,
        input: call.input,
        cwd,
        offer,
        created_ms,
        expires_ms: created_ms + LIFE,
    })
}

/// Looks at everything, in the ways that surfaces look, and holds it against what was there before.
async fn browse(world: &World, approvals: &Approvals) {
    let mut found: Vec<Standing> = Vec::new();
    loop {
        let before = found.last().map(|standing| standing.request.id.to_string());
        let Ok(page) = approvals.history(&Filter { before, ..Filter::default() }, PAGE).await else { return };
        if page.is_empty() {
            break;
        }
        found.extend(page);
    }
    let ends = found.iter().filter(|standing| matches!(standing.status, Status::Ended { .. })).count();
    world.tell(|| format!("somebody looks: {} requests, {ends} ended", found.len()));
    for standing in &found {
        seen(world, standing);
    }
    let searches = [
        Filter { which: Which::Open, ..Filter::default() },
        Filter { which: Which::Ended, tool: Some("Bash".into()), ..Filter::default() },
        Filter { surface: Some("web".into()), outcome: Some(End::Approved), ..Filter::default() },
        Filter { text: Some("BRANCH-1".into()), ..Filter::default() },
    ];
    for search in searches {
        let narrow = approvals.history(&search, 100).await.unwrap_or_default();
        let is_part = narrow.iter().all(|one| found.iter().any(|standing| standing.request.id == one.request.id));
        if narrow.len() > found.len() && is_part {
            contradiction(world, 0, "a search finds a request twice".to_owned());
        }
    }
    // Requests end concurrently, so there may be more by now.
    let counted = approvals.figures(None, Some(u64::MAX)).await.map_or(ends as u64, |figures| figures.requests);
    if counted < ends as u64 {
        contradiction(world, 0, format!("{ends} requests have ended, and {counted} are counted"));
    }
    let _ = (approvals.surfaces(), approvals.open_count(), approvals.figures(Some(wall_ms()), None).await);
    numbers(world, approvals).await;
    let _ = call(world, "metrics.get", json!({})).await;
}

/// Checks that events are numbered without a gap.
async fn numbers(world: &World, approvals: &Approvals) {
    let mut after = 0;
    while let Some(page) = approvals.events_after(after, PAGE).await.ok().filter(|page| !page.is_empty()) {
        for event in page {
            let number = event.event_id.unwrap_or_default();
            if number <= after || number > approvals.last_event_id() {
                contradiction(world, 0, format!("event {number} comes after event {after}"));
            }
            after = number.max(after + 1);
        }
    }
}

/// Checks that the end of a request never changes.
fn seen(world: &World, standing: &Standing) {
    let Status::Ended { resolution, .. } = &standing.status else { return };
    let (id, now) = (standing.request.id.to_string(), format!("{resolution:?}"));
    let Some(hook) = hook_of(&id) else { return };
    let before = world.truth.borrow_mut().seen.insert(id, now.clone());
    if let Some(before) = before.filter(|before| *before != now) {
        contradiction(world, hook, format!("it had ended with {before}, and now with {now}"));
    }
}

fn contradiction(world: &World, hook: HookId, why: String) {
    world.truth.borrow_mut().contradictions.push((hook, why));
}
