//! The gateway as a process: the real owner of requests and real connections, over a simulated disk.

pub mod chat;
pub mod clerk;
pub mod page;

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dmplz_core::approvers::{Approver, Approvers};
use dmplz_core::messenger::User;
use dmplz_core::reason::ReasonRules;
use dmplz_core::text::Lang;
use dmplz_gateway::rpc::{Limits, PageKey, Peer, Role, Services};
use dmplz_gateway::{Approvals, Bus, Recovered, Rules, socket};
use tokio::io::split;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::process::Process;
use crate::script::Step;
use crate::world::disk::Disk;
use crate::world::post::Caller;
use crate::world::{World, wall_ms};

/// The time that it takes to start.
const STARTING: Duration = Duration::from_millis(30);
/// The time limit for the last answers when it is stopped.
const CLOSING: Duration = Duration::from_secs(2);
/// The time limit for the last messages after that.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Starts a gateway, unless one runs.
pub fn start(world: &Rc<World>) {
    if world.post.is_running() {
        return;
    }
    let (stop, stopped) = watch::channel(false);
    let lives = Arc::new(AtomicBool::new(true));
    let is_fair = world.now() >= world.fair_from.get();
    let freezes = world.script.steps.iter().filter_map(|step| match step {
        Step::GatewayFreezes { at, lasts } if !is_fair => Some((*at, Duration::from_millis(*lasts))),
        _ => None,
    });
    let there = Rc::clone(world);
    let on_freeze = move |_, until| {
        there.tell(|| format!("the gateway freezes until {}", there.millis(until)));
        there.disk.frozen_until(until);
        there.truth.borrow_mut().gateway_absent.push((there.now(), there.millis(until)));
    };
    let main = serve(Rc::clone(world), stopped, Arc::clone(&lives));
    let (process, handle) = Process::new(main, world.began, Vec::new(), freezes.collect(), on_freeze);
    world.tell(|| "a gateway starts");
    let life = world.truth.borrow_mut().gateway_starts(world.now());
    world.post.starts(Rc::clone(&handle), stop, Arc::clone(&lives));
    let there = Rc::clone(world);
    world.spawn(async move {
        process.await;
        lives.store(false, Ordering::SeqCst);
        there.disk.gone();
        there.truth.borrow_mut().gateway_ends(life, there.now());
        there.post.ended(&handle);
    });
}

async fn serve(world: Rc<World>, mut stop: watch::Receiver<bool>, lives: Arc<AtomicBool>) {
    sleep(STARTING).await;
    let recovered = recovered(&world);
    let disk = Disk::of(&world.disk, lives);
    let reason = ReasonRules { max_chars: 300, skip_keywords: Vec::new() };
    let reason_timeout = Duration::from_millis(world.script.frame.reason);
    let rules = Rules { expiry: Duration::from_secs(300), reason_timeout, reason };
    let bus = Bus::judged(clerk::verdict, Lang::En);
    let approvals = Approvals::over(disk, recovered, bus, rules, Arc::new(wall_ms));
    if world.script.frame.chat {
        tokio::task::spawn_local(chat::serve(Rc::clone(&world), approvals.clone()));
    }
    let services = Services::new(approvals.clone(), Lang::En);
    let (mut ordered, mut callers) = world.post.open();
    let (close, mut closed) = watch::channel(false);
    let closing = approvals.clone();
    tokio::task::spawn_local(async move {
        let _ = stop.wait_for(|stop| *stop).await;
        let _ = timeout(CLOSING, closing.close()).await;
        close.send_replace(true);
    });
    let (told, mut connections) = (closed.clone(), JoinSet::new());
    loop {
        while connections.try_join_next().is_some() {}
        tokio::select! {
            biased;
            _ = closed.wait_for(|closed| *closed) => break,
            Some(order) = ordered.recv() => {
                tokio::task::spawn_local(clerk::obey(Rc::clone(&world), approvals.clone(), order));
            }
            caller = callers.recv() => {
                let Some((stream, caller)) = caller else { break };
                let (reader, writer) = split(stream);
                let (services, Some(peer)) = (services.clone(), peer(caller)) else { continue };
                connections.spawn_local(socket::converse(reader, writer, services, peer, told.clone()));
            }
        }
    }
    world.post.shut();
    let _ = timeout(LAST_WORDS, async { while connections.join_next().await.is_some() {} }).await;
}

/// Returns the stored state for a gateway that starts: open requests, and those with a card record.
fn recovered(world: &World) -> Recovered {
    let notes = world.notes.borrow();
    let shown = notes.values().filter(|progress| progress.card.is_some()).filter_map(|it| chat::id_of(&it.tag));
    Recovered { shown: shown.collect(), ..world.disk.recovered() }
}

/// The key of the simulated page, in parts: the prefix of an uncompressed point, and its two coordinates.
const PAGE_KEY: [&str; 3] = ["04", COORDINATE, COORDINATE];
const COORDINATE: &str = "0000000000000000000000000000000000000000000000000000000000000001";

fn peer(caller: Caller) -> Option<Peer> {
    let by = owner()?;
    Some(match caller {
        Caller::Local => Peer { by: by.on("cli"), role: Role::Local, limits: Limits::LOCAL },
        Caller::Page => Peer { by, role: Role::Page(PageKey::read(&PAGE_KEY.concat())?), limits: Limits::REMOTE },
    })
}

fn owner() -> Option<Approver> {
    Approvers::owner("web", "owner").admit(&User { id: "owner".into(), name: "Ada".into(), is_bot: false })
}
