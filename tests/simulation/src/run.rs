//! One run: a script, played to its end.

use std::path::Path;
use std::pin::pin;
use std::rc::Rc;

use dmplz_core::request::{End, Resolver};
use dmplz_policy::Ruled;
use dmplz_protocol::Status;
use tokio::sync::{mpsc, oneshot};
use tokio::task::LocalSet;
use tokio::time::{Duration, Instant, sleep, sleep_until};

use crate::alone::Alone;
use crate::asks::request_id;
use crate::gateway::{self, page};
use crate::happenings;
use crate::oracle::{self, Broken, OnDisk};
use crate::process::{Exit, Process};
use crate::script::{HookId, Script, Step};
use crate::through::Through;
use crate::world::post::Order;
use crate::world::{Task, World, component};

/// The time that the client gives a hook after it told it to stop.
const GRACE: Duration = Duration::from_millis(1500);
/// The time that a client still gives a hook after their machine was frozen, in milliseconds.
const AFTER_THAW: u64 = 3_000;
/// The process that runs after all of the script's.
const NEXT: HookId = 200;
/// How long it runs, in milliseconds. It retires the cards that the others left.
const NEXT_LASTS: u64 = 14_000;

/// The result of a run.
#[derive(Debug, Default)]
pub struct Shown {
    /// The invariants that did not hold.
    pub broken: Vec<Broken>,
    /// The story of the run, one line per event, if it was requested.
    pub story: Vec<String>,
    /// The ends of the requests, for the figures.
    pub ends: Vec<End>,
}

/// Plays a script in an empty directory. With `told`, its story is kept.
///
/// # Errors
/// Returns an error if the run cannot be set up.
pub fn play(script: &Script, dir: &Path, told: bool) -> anyhow::Result<Shown> {
    if script.frame.component {
        component::loaded()?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
    let local = LocalSet::new();
    let (tasks, mut queued) = mpsc::unbounded_channel();
    local.block_on(&runtime, async move {
        let world = World::new(script.clone(), dir, tasks, told)?;
        let runner = tokio::task::spawn_local(async move {
            while let Some(task) = queued.recv().await {
                tokio::task::spawn_local(task);
            }
        });
        drive(&world).await;
        let on_disk = on_disk(&world).await;
        let truth = world.truth.borrow();
        let broken = oracle::judge(&truth, &world, &on_disk);
        let ends = truth.hooks.values().flat_map(|life| {
            let ruled = life.ruled.iter().map(|(_, ruled)| match ruled {
                Ruled::Allowed(_) => End::AllowedByRule,
                Ruled::Denied(_) => End::DeniedByRule,
            });
            life.decisions.iter().map(|(_, outcome)| End::of(outcome).0).chain(ruled)
        });
        let shown = Shown { broken, ends: ends.collect(), story: world.story() };
        runner.abort();
        anyhow::Ok(shown)
    })
}

/// Returns what the gateway's disk has of each hook's request.
async fn on_disk(world: &World) -> OnDisk {
    let mut found = OnDisk::new();
    let hooks: Vec<HookId> = world.truth.borrow().hooks.keys().copied().collect();
    for hook in hooks {
        let Ok(id) = request_id(hook).parse() else { continue };
        if let Some(standing) = world.disk.standing(id).await {
            let end = match standing.status {
                Status::Ended { resolution, .. } => resolution.outcome().ok(),
                Status::Open | Status::Denied { .. } => None,
            };
            found.insert(hook, end);
        }
    }
    found
}

/// Does something at a moment of the script.
fn at_time(world: &Rc<World>, at: u64, what: impl FnOnce(Rc<World>) + 'static) {
    let there = Rc::clone(world);
    world.spawn(async move {
        sleep_until(there.at(at)).await;
        what(there);
    });
}

async fn drive(world: &Rc<World>) {
    let mut hooks = Vec::new();
    if world.script.frame.gateway && !world.script.frame.pageless {
        world.spawn(page::listen(Rc::clone(world)));
    }
    for step in &world.script.steps {
        match step.clone() {
            Step::Hook { hook, at, .. } => {
                hooks.push(tokio::task::spawn_local(client(Rc::clone(world), hook, at)));
            }
            Step::Press { at, who, hook, choice, text } => {
                let there = Rc::clone(world);
                world.spawn(async move {
                    sleep_until(there.at(at)).await;
                    if there.server.borrow_mut().press(who, hook, &choice, text) {
                        there.tell(|| format!("{who:?} presses {choice} of hook {hook}"));
                        there.truth.borrow_mut().pressed(at, who, hook, &choice);
                        there.news.notify_waiters();
                    }
                });
            }
            Step::Say { at, who, text } => {
                let there = Rc::clone(world);
                world.spawn(async move {
                    sleep_until(there.at(at)).await;
                    there.tell(|| format!("{who:?} says {text:?}"));
                    there.server.borrow_mut().say(who, &text);
                    there.news.notify_waiters();
                });
            }
            Step::Clock { at, by } => {
                let there = Rc::clone(world);
                world.spawn(async move {
                    sleep_until(there.at(at)).await;
                    there.set_clock(by);
                });
            }
            Step::DiskFull { from, until, reads: true } => {
                at_time(world, from, |there| there.disk.unreadable(true));
                at_time(world, until, |there| there.disk.unreadable(false));
            }
            Step::Delete { at, hook } => at_time(world, at, move |there| {
                there.tell(|| format!("the newest message of hook {hook} is deleted"));
                there.server.borrow_mut().delete(hook);
            }),
            Step::Event { at, hook, event } => {
                let there = Rc::clone(world);
                world.spawn(async move {
                    sleep_until(there.at(at)).await;
                    happenings::event(there, hook, event).await;
                });
            }
            Step::Revoke { at } => {
                let there = Rc::clone(world);
                world.spawn(async move {
                    sleep_until(there.at(at)).await;
                    happenings::revoke(there).await;
                });
            }
            Step::Confirm { at, hook, asks, waits } => {
                let waits = Duration::from_millis(waits);
                at_time(world, at, move |there| there.post.order(Order::Confirm(hook, asks, waits)));
            }
            Step::Browse { at } => at_time(world, at, |there| there.post.order(Order::Browse)),
            Step::Gateway { at } => at_time(world, at, |there| gateway::start(&there)),
            Step::GatewayKilled { at, loses } => at_time(world, at, move |there| there.post.kill(&there, loses)),
            Step::GatewayStops { at } => at_time(world, at, |there| there.post.stop(&there)),
            Step::Answer { at, hook, says } => {
                let there = Rc::clone(world);
                world.spawn(async move {
                    sleep_until(there.at(at)).await;
                    page::answer(there, hook, says).await;
                });
            }
            Step::GatewayFreezes { .. }
            | Step::DiskSlow { .. }
            | Step::Stop { .. }
            | Step::Kill { .. }
            | Step::Freeze { .. }
            | Step::Net { .. }
            | Step::Noise { .. }
            | Step::DiskFull { reads: false, .. } => {}
        }
    }
    for hook in hooks {
        let _ = hook.await;
    }
    sleep_until(world.at(world.script.end())).await;
    // Requests that are on their way arrive before the next process comes.
    sleep(Duration::from_secs(30)).await;
    world.fair_from.set(world.now());
    world.disk.unreadable(false);
    if world.script.frame.gateway {
        // The next gateway ends the requests that the others left, once their time is over.
        world.post.stop(world);
        sleep(Duration::from_secs(10)).await;
        world.post.kill(world, false);
        gateway::start(world);
        for _ in 0..40 {
            sleep(Duration::from_secs(10)).await;
            if world.disk.is_settled().await {
                break;
            }
        }
    }
    let from = world.now();
    client_of(world, NEXT, Some(from + NEXT_LASTS)).await;
    // A gateway lets cards show their ends afterwards.
    sleep(Duration::from_secs(30)).await;
}

async fn client(world: Rc<World>, hook: HookId, at: u64) {
    sleep_until(world.at(at)).await;
    let stop = world.script.steps.iter().find_map(|step| match step {
        Step::Stop { hook: stopped, at } if *stopped == hook => Some(*at),
        _ => None,
    });
    client_of(&world, hook, stop).await;
}

/// Waits until the client wants to stop a hook. A long freeze affects the whole machine, and so the client's own clock.
/// A stop of the script is not delayed by it.
async fn patience(world: &World, hook: HookId, at: u64, is_in_script: bool) {
    sleep_until(world.at(at)).await;
    loop {
        let awake = world.truth.borrow_mut().of(hook).awake_at(world.now());
        if is_in_script || awake <= world.now() {
            return;
        }
        sleep_until(world.at(awake + AFTER_THAW)).await;
    }
}

/// Waits for the client's signal, as a hook does.
async fn sign(stopped: oneshot::Receiver<Resolver>) -> Resolver {
    match stopped.await {
        Ok(resolver) => resolver,
        Err(_) => std::future::pending().await,
    }
}

/// Plays a client that starts a hook. It stops the hook when the script says so, or at its own time limit, and kills a
/// hook that does not stop.
async fn client_of(world: &Rc<World>, hook: HookId, stop: Option<u64>) {
    let (signal, stopped) = oneshot::channel();
    let steps = &world.script.steps;
    let kills = steps.iter().filter_map(|step| match step {
        Step::Kill { hook: killed, at } if *killed == hook => Some(*at),
        _ => None,
    });
    let freezes = steps.iter().filter_map(|step| match step {
        Step::Freeze { hook: frozen, at, lasts } if *frozen == hook => Some((*at, Duration::from_millis(*lasts))),
        _ => None,
    });
    let (limit, there) = (world.now() + world.script.frame.limit, Rc::clone(world));
    let on_freeze = move |from, until| {
        there.tell(|| format!("hook {hook} freezes until {}", there.millis(until)));
        there.truth.borrow_mut().of(hook).frozen.push((there.millis(from), there.millis(until)));
    };
    let main: Task = match world.script.frame.gateway {
        true => {
            let through = Through::new(world, hook);
            Box::pin(async move { through.run(pin!(sign(stopped))).await })
        }
        false => {
            let alone = Alone::new(world, hook, Instant::now());
            Box::pin(async move { alone.run(pin!(sign(stopped))).await })
        }
    };
    world.tell(|| format!("hook {hook} starts"));
    world.signs.borrow_mut().insert(hook, signal);
    let (process, handle) = Process::new(main, world.began, kills.collect(), freezes.collect(), on_freeze);
    let mut process = tokio::task::spawn_local(process);
    let stop_at = stop.map_or(limit, |stop| stop.min(limit));
    let exit = tokio::select! {
        biased;
        exit = &mut process => exit,
        () = patience(world, hook, stop_at, stop.is_some_and(|stop| stop <= limit)) => {
            world.tell(|| format!("hook {hook} is told to stop"));
            world.truth.borrow_mut().of(hook).stops(world.now());
            if let Some(signal) = world.signs.borrow_mut().remove(&hook) {
                let _ = signal.send(Resolver::Stopped);
            }
            tokio::select! {
                biased;
                exit = &mut process => exit,
                () = sleep(GRACE) => {
                    handle.kill();
                    process.await
                }
            }
        }
    };
    let exit = exit.unwrap_or(Exit::Killed);
    world.tell(|| format!("hook {hook} is gone: {exit:?}"));
    world.signs.borrow_mut().remove(&hook);
    world.truth.borrow_mut().of(hook).exit = Some((world.now(), exit));
}
