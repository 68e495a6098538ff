//! `dmplz serve`: the gateway. One owner for every request of every session, answered from any surface.
//!
//! | thread | what runs there |
//! |---|---|
//! | main | sockets, HTTP, requests: one current-thread runtime |
//! | store | SQLite, with the work of everybody who waits in one transaction |
//! | messengers | the providers, one current-thread runtime |
//!
//! One runs in a state directory at a time. SIGTERM, SIGINT and SIGHUP end it: nobody is accepted any more, everybody is told, and
//! what is open stays open on disk for the next one. That takes [`STOP`] at most.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use dmplz_core::approvers::{Approver, Approvers};
use dmplz_core::messenger::User;
use dmplz_core::text::Lang;
use dmplz_gateway::rpc::{Limits, Peer, Services};
use dmplz_gateway::socket::Socket;
use dmplz_gateway::{Approvals, Bus, Rules};
use dmplz_state::{Instance, StateDir};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::Serialize;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::settings::{Settings, Table, environment};
use crate::terminal::{Paint, Tone, say, show};
use crate::{exit, time, trouble};

/// How long an end takes at most.
const STOP: Duration = Duration::from_secs(8);
/// Descriptors that are asked of the system: a connection a hook that waits.
const DESCRIPTORS: u64 = 65_536;
/// The id of the person for whom the gateway runs.
const OWNER: &str = "owner";

/// What `serve` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Stay in the foreground: the default, and the only way
    #[arg(long)]
    foreground: bool,
    /// One line of JSON for programs, once it listens
    #[arg(long)]
    json: bool,
}

/// Where it listens. Nothing secret.
#[derive(Debug, Serialize)]
struct Listening<'a> {
    pid: u32,
    socket: &'a Path,
}

/// Serves until it is told to stop.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let table = Table::load(&environment)?;
    let settings = Settings::of(&table)?;
    trouble::set_verbosity(settings.verbose);
    let state = StateDir::open(&settings.state_dir)?;
    let instance = Instance::claim(&state)?;
    make_room();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(serve(args, &settings, &state, &instance))?;
    // A thread that hangs in a system call is no reason to stay.
    runtime.shutdown_background();
    Ok(exit::OK)
}

async fn serve(args: &Args, settings: &Settings, state: &StateDir, only: &Instance) -> anyhow::Result<()> {
    let stop = on_signals()?;
    let owner = owner()?;
    let rules = Rules {
        expiry: settings.question_timeout,
        reason_timeout: settings.reason_timeout,
        reason: settings.reason.clone(),
    };
    let approvals = Approvals::new(Bus::default(), rules, Arc::new(time::now_ms));
    let services = Services::new(approvals, settings.lang);
    let socket = Socket::bind(state, only)?;
    let listening = Listening { pid: std::process::id(), socket: socket.path() };
    listening.announce(args.json, settings.lang)?;
    let peer = Peer { surface: "cli", by: owner, is_local: true, limits: Limits::LOCAL };
    let served = socket.serve(services, peer, stop.clone());
    tokio::pin!(served);
    tokio::select! {
        () = &mut served => {}
        () = stopped(stop) => drop(tokio::time::timeout(STOP, served).await),
    }
    Ok(())
}

/// Becomes true when the process is told to end.
fn on_signals() -> anyhow::Result<watch::Receiver<bool>> {
    let (stop, stopped) = watch::channel(false);
    for kind in [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()] {
        let (mut signal, stop) = (signal(kind).context("listen for signals")?, stop.clone());
        tokio::spawn(async move {
            signal.recv().await;
            stop.send_replace(true);
        });
    }
    Ok(stopped)
}

async fn stopped(mut stop: watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// The person whose answers come over the socket and from the page.
fn owner() -> anyhow::Result<Approver> {
    let user = User { id: OWNER.to_owned(), name: owner_name(), is_bot: false };
    Approvers::owner(OWNER).admit(&user).context("admit the owner")
}

fn owner_name() -> String {
    let name = |variable| environment(variable).filter(|name| !name.is_empty());
    name("USER").or_else(|| name("LOGNAME")).unwrap_or_else(|| OWNER.to_owned())
}

/// Every hook that waits holds a connection. Where the system gives less, the next ones wait to be accepted.
fn make_room() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(DESCRIPTORS, |maximum| maximum.min(DESCRIPTORS));
    if current.is_some_and(|current| current < wanted) {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    }
}

impl Listening<'_> {
    fn announce(&self, json: bool, lang: Lang) -> anyhow::Result<()> {
        if json {
            return show(&format!("{}\n", serde_json::to_string(self)?));
        }
        show(&self.text(lang, Paint::of_stdout(&environment)))
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let running = say(lang, "게이트웨이가 동작합니다", "The gateway runs");
        let socket = say(lang, "훅과 명령", "hooks and commands");
        let next = say(
            lang,
            "다음: dmplz approvals watch로 이 컴퓨터에서 답합니다. Ctrl-C로 끝냅니다.",
            "Next: dmplz approvals watch answers from this machine. Ctrl-C ends it.",
        );
        format!(
            "{} (pid {})\n  {socket}: {}\n{next}\n",
            paint.tone(Tone::Good, running),
            self.pid,
            self.socket.display(),
        )
    }
}
