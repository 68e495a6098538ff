//! `dmplz serve`: the gateway. One owner for every request of every session, answered from any surface.
//!
//! | thread | what runs there |
//! |---|---|
//! | main | requests, sockets, HTTP, commands: one current-thread runtime |
//! | store | SQLite, with the work of everybody who waits in one transaction; another one reads |
//! | messengers | the providers, one current-thread runtime |
//!
//! One runs in a state directory at a time. SIGTERM, SIGINT and SIGHUP end it, in this order: answers are no longer taken, and
//! whoever asked hears of the last ones; nobody is accepted any more, and everybody is told; the database is closed. What is
//! open stays open on disk for the next one. The second step takes [`STOP`] at most, the others a quarter of it each.

mod consent;
mod judge;
mod lines;
mod listening;
mod messengers;
mod notify;
mod supervisor;
mod upkeep;

use std::collections::BTreeMap;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use dmplz_core::approvers::Approver;
use dmplz_core::text::{Lang, fill};
use dmplz_gateway::rpc::{self, Page, Peer, Services};
use dmplz_gateway::sessions::{self, Sessions};
use dmplz_gateway::socket::{News, Socket};
use dmplz_gateway::tools::{self, Setup, Tools};
use dmplz_gateway::web::{AllowedHost, Bound, Browsers, Config, Token, WebLimits};
use dmplz_gateway::{Approvals, Bus, Disk, Grants, Health, Pairing, Pruner, Rules};
use dmplz_protocol::{Kind, Message};
use dmplz_state::store::StoreOptions;
use dmplz_state::{Instance, StateDir};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use self::listening::Listening;
use self::messengers::Common;
use self::supervisor::{Supervisor, Watched};
use crate::environment::variables;
use crate::hooks::Around;
use crate::settings::{Settings, SettingsError, Table, Verbosity, environment};
use crate::terminal::say;
use crate::told::Tell;
use crate::{account, exit, journals, outage, owner, time, trouble};

/// How long ending all connections takes at most.
const STOP: Duration = Duration::from_secs(8);
/// Descriptors that are asked of the system: one for each hook that waits.
const DESCRIPTORS: u64 = 65_536;
/// What every command gets of the gateway's environment.
const BASE: [&str; 10] = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"];

/// What `serve` is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Stay in the foreground: the default, and the only way · 포그라운드에서 실행(기본값이고, 다른 방식은 없음)
    #[arg(long)]
    foreground: bool,
    /// The port of the page and API on 127.0.0.1; 0 takes any [default: DMPLZ_GATEWAY_PORT, 4780] · 페이지와 API의 포트. 0이면 아무 포트나
    #[arg(long)]
    port: Option<u16>,
    /// One line of JSON for programs, once it listens · 열리면 프로그램이 읽을 JSON 한 줄
    #[arg(long)]
    json: bool,
}

/// Threads for what waits for the disk or the kernel. Each keeps some megabytes of memory for the next that starts, so they
/// are few; none of them waits for a person or a network.
const BLOCKING_THREADS: usize = 4;

/// Serves until it is told to stop.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let table = Table::load(&environment)?;
    let settings = Settings::of(&table)?;
    trouble::set_verbosity(settings.verbose);
    let state = StateDir::open(&settings.state_dir)?;
    let instance = Instance::claim(&state)?;
    trouble::kept::of_gateway();
    make_room();
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().max_blocking_threads(BLOCKING_THREADS).build()?;
    runtime.block_on(serve(args, table, &settings, &state, &instance))?;
    // A thread that hangs in a system call is no reason to stay.
    runtime.shutdown_background();
    Ok(exit::OK)
}

async fn serve(
    args: &Args,
    mut table: Table,
    settings: &Settings,
    state: &StateDir,
    only: &Instance,
) -> anyhow::Result<()> {
    let accounts = account::choose_all(&mut table, &settings.gateway.providers)?;
    let stop = on_signals()?;
    let owner = owner::admitted().context("the owner cannot be admitted")?;
    let clock: dmplz_gateway::Clock = Arc::new(time::now_ms);
    let pairing = Pairing::new(Arc::clone(&clock));
    let web = Bound::open(web_config(args, settings, state, &owner)?).await;
    if web.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::AddrInUse) {
        // Pages that another program served there could act as the browsers that were paired.
        Browsers::forget(state.path())?;
    }
    let web = web.told(
        "페이지와 API를 열 수 없습니다(다른 포트: --port, DMPLZ_GATEWAY_PORT)",
        "the page and the API cannot be served (another port: --port, DMPLZ_GATEWAY_PORT)",
        &[],
    )?;
    let url = format!("http://{}", web.addr());
    let browsers = Browsers::open(state.path(), settings.gateway.pairing_gap, Arc::clone(&clock))?;

    let options = StoreOptions { room_ahead: true, ..StoreOptions::default() };
    let (disk, recovered) = Disk::open_timed(state, options, clock(), Arc::new(time::uptime)).await?;
    upkeep::tell(&recovered);
    let bus = Bus::judged(judge::judge, settings.lang);
    let approvals = Approvals::over(disk.clone(), recovered, bus, rules(settings), clock);
    let tools = Tools::open(approvals.clone(), disk.clone(), setup(settings)).await?;
    let served: Vec<String> = accounts.iter().map(|chosen| chosen.name.clone()).collect();
    let is_unknown = |name: &&String| *name != "*" && !served.contains(name);
    if let Some(name) = settings.gateway.run_chats.iter().find(is_unknown) {
        let takes = ["이 게이트웨이의 메신저({}) 또는 *", "messengers of this gateway ({}), or *"];
        let takes = takes.map(|takes| fill(takes, &[&served.join(", ")]));
        return Err(SettingsError::bad("DMPLZ_RUN_CHATS", name, takes).into());
    }
    let known = |place: &str| ["page", "program"].contains(&place) || served.iter().any(|name| name == place);
    if let Some(place) = settings.gateway.run_folders.places().find(|place| !known(place)) {
        let takes = [
            "폴더 앞에 page, program, 또는 이 게이트웨이의 메신저({})",
            "page, program, or messengers of this gateway ({}) in front of a folder",
        ];
        let takes = takes.map(|takes| fill(takes, &[&served.join(", ")]));
        return Err(SettingsError::bad("DMPLZ_RUN_FOLDERS", place, takes).into());
    }
    let settings_page = crate::notify::Page::open(state.path(), settings.lang, served.clone());
    let (certificates, now_ms) = (settings.certificates()?, Arc::new(time::now_ms));
    let channels = notify::open(settings, certificates.clone(), state, disk.clone(), now_ms, &served, browsers.clone());
    let mut channels = channels.await?;
    let sessions = Sessions::open(approvals.clone(), of_sessions(state, settings)?);
    let log = journals::grants(state.path(), &settings.log);
    let grants = Grants::new(state.clone(), log, Arc::new(time::both_clocks), approvals.clone());
    let health = Health::new(approvals.clone(), Some(disk.clone()));
    tokio::spawn(tell_outages(approvals.clone(), settings.lang));
    if settings.verbose >= Verbosity::Info {
        tokio::spawn(lines::write(approvals.clone()));
    }
    tokio::spawn(health.clone().watch());
    // A phone has no use for an address of this machine's loopback.
    let outside = settings.gateway.hosts.iter().find(|host| host.starts_with("https://")).cloned();
    let page = Page { pairing, browsers, url: url.clone(), outside };
    let common = Common {
        settings: settings.clone(),
        certificates,
        table,
        state: state.clone(),
        approvals: approvals.clone(),
        grants: grants.clone(),
        disk: disk.clone(),
        health: health.clone(),
        sessions: sessions.clone(),
    };
    let pruner = Pruner::new(disk.clone(), approvals.clone(), settings.history);
    let mut services = Services::new(approvals.clone(), settings.lang);
    services.health = health.clone();
    services.home = environment("HOME").map(PathBuf::from);
    (services.tools, services.grants, services.page) = (Some(tools.clone()), Some(grants), Some(page.clone()));
    (services.sessions, services.pruner) = (Some(sessions), Some(pruner.clone()));
    services.notices = Some(channels.notices.clone());
    services.push = Some(channels.push.clone());
    services.settings = Some(Arc::new(settings_page));

    let lang = settings.lang;
    let socket = Socket::bind(state, only)?.telling(move |news| trouble::warn(&of_socket(lang, news)));
    let listening = Listening { pid: std::process::id(), socket: socket.path(), url: &url };
    let messengers = messengers::start(accounts, common, std::mem::take(&mut channels.messengers))?;
    channels.start(approvals.clone());
    // They end with the runtime, or when the database is closed.
    tokio::spawn(upkeep::look(disk.clone()));
    tokio::spawn(upkeep::prune(pruner, settings.clone()));
    listening.announce(args.json, lang)?;
    let supervisor = Supervisor::find();
    supervisor.ready();
    let stop = once_closed(stop, approvals.clone());
    let watched = Watched { approvals, health, messengers: messengers.pulse.clone(), lang };
    let peer = Peer { by: owner, role: rpc::Role::Local, limits: rpc::Limits::LOCAL };
    let all = async {
        let web = web.serve(services.clone(), page, stopped(stop.clone()));
        let tools = async {
            stopped(stop.clone()).await;
            tools.shutdown().await;
        };
        // A press that no longer counts here is left to the next gateway: nothing may be noted of it.
        let desks = async {
            stopped(stop.clone()).await;
            messengers.stop();
        };
        let socket = socket.serve(services, peer, stop.clone());
        tokio::join!(desks, socket, web, tools, supervisor.watch(watched, stop.clone()))
    };
    until_stopped(all, stop.clone()).await;
    // Waits for what is still to be noted about cards.
    drop(messengers);
    if tokio::time::timeout(STOP / 4, disk.close()).await.is_err() {
        trouble::warn("the database was not closed in time; what was answered is in it");
    }
    Ok(())
}

/// Says once that a messenger is out, and once that it is back.
async fn tell_outages(approvals: Approvals, lang: Lang) {
    let mut told = approvals.bus().subscribe(Kind::MESSENGERS);
    while let Some(event) = told.next().await {
        match &event.message {
            Message::MessengerUnreachable { messenger, since_ms, why } => {
                trouble::warn(&outage::unreachable(lang, messenger, *since_ms, why.as_deref(), event.at_ms));
            }
            Message::MessengerReachable { messenger } => trouble::warn(&outage::over(lang, messenger)),
            _ => {}
        }
    }
}

fn of_socket(lang: Lang, news: News) -> String {
    match news {
        News::BoundAgain => say(
            lang,
            "훅과 명령이 쓰는 소켓이 사라졌거나 바뀌어 다시 만들었습니다",
            "the socket of hooks and commands was gone or replaced, and is bound again",
        )
        .to_owned(),
        News::Lost(why) => {
            let words = say(
                lang,
                "훅과 명령이 쓰는 소켓이 사라졌거나 바뀌었고, 다시 만들 수 없습니다: {}",
                "the socket of hooks and commands is gone or replaced, and cannot be bound again: {}",
            );
            fill(words, &[&why])
        }
    }
}

/// Runs what ends by itself when it is told to, and leaves it where that takes too long.
async fn until_stopped<T>(all: impl Future<Output = T>, stop: watch::Receiver<bool>) {
    tokio::pin!(all);
    tokio::select! {
        _ = &mut all => {}
        () = stopped(stop) => {
            if tokio::time::timeout(STOP, all).await.is_err() {
                trouble::warn("not everything ended in time: some connection or command goes on");
            }
        }
    }
}

/// Becomes true when the process is told to end.
fn on_signals() -> anyhow::Result<watch::Receiver<bool>> {
    let (stop, stopped) = watch::channel(false);
    for kind in [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()] {
        let (mut signal, stop) = (signal(kind).context("signals cannot be listened for")?, stop.clone());
        tokio::spawn(async move {
            signal.recv().await;
            stop.send_replace(true);
        });
    }
    Ok(stopped)
}

/// Becomes true when answers are no longer taken after the process was told to end, and whoever asked knows of the last ones.
fn once_closed(told: watch::Receiver<bool>, approvals: Approvals) -> watch::Receiver<bool> {
    let (stop, closed) = watch::channel(false);
    tokio::spawn(async move {
        stopped(told).await;
        if tokio::time::timeout(STOP / 4, approvals.close()).await.is_err() {
            trouble::warn("the disk is slow: some last answers may be told to nobody until the next gateway starts");
        }
        stop.send_replace(true);
    });
    closed
}

async fn stopped(mut stop: watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

fn rules(settings: &Settings) -> Rules {
    Rules {
        expiry: settings.question_timeout,
        reason_timeout: settings.reason_timeout,
        reason: settings.reason.clone(),
    }
}

fn web_config(args: &Args, settings: &Settings, state: &StateDir, owner: &Approver) -> anyhow::Result<Config> {
    let host = |text: &String| {
        let takes = [
            "gateway.example.org 같은 이름. https로 접속하는 곳이면 앞에 https://",
            "names such as gateway.example.org, with https:// before them where they are reached so",
        ];
        text.parse::<AllowedHost>().map_err(|_| SettingsError::bad("DMPLZ_GATEWAY_HOSTS", text, takes))
    };
    let uid = |text: &String| {
        let takes = ["`id -u`가 출력하는 사용자 번호", "numbers of users, as `id -u` prints them"];
        text.parse::<u32>().map_err(|_| SettingsError::bad("DMPLZ_GATEWAY_PROXY_UIDS", text, takes))
    };
    Ok(Config {
        port: args.port.unwrap_or(settings.gateway.port),
        hosts: settings.gateway.hosts.iter().map(host).collect::<Result<_, _>>()?,
        proxy_uids: settings.gateway.proxy_uids.iter().map(uid).collect::<Result<_, _>>()?,
        token: Token::open(state.path())?,
        metrics_token: Token::open_for_metrics(state.path())?,
        owner: owner.clone(),
        limits: web_limits(),
    })
}

/// A quarter of the descriptors for connections that say nothing, so that they leave some to hooks and messengers.
fn web_limits() -> WebLimits {
    let limits = WebLimits::default();
    let some = getrlimit(Resource::Nofile).current.and_then(|all| usize::try_from(all / 4).ok());
    WebLimits { waiting: some.map_or(limits.waiting, |some| limits.waiting.min(some)), ..limits }
}

fn setup(settings: &Settings) -> Setup {
    let set = |name: &str| environment(name).map(|value| (name.to_owned(), value));
    let base: BTreeMap<_, _> = BASE.into_iter().filter_map(set).collect();
    let hooks: tools::Hooks = Arc::new(Around::follow);
    Setup { base, lang: settings.lang, limits: tools::Limits::default(), hooks: Some(hooks) }
}

fn of_sessions(state: &StateDir, settings: &Settings) -> anyhow::Result<sessions::Setup> {
    let program = std::env::current_exe().context("this program cannot be found, which sessions are kept with")?;
    let consent = Arc::new(consent::Consent { state: state.clone(), settings: settings.clone() });
    let (state, env) = (state.path().to_owned(), variables());
    let (folders, modes) = (settings.gateway.run_folders.clone(), settings.gateway.run_modes.clone());
    let limits = settings.gateway.run_limits;
    let warn = Arc::new(|line: &str| trouble::warn(line));
    Ok(sessions::Setup { state, program, env, lang: settings.lang, consent, folders, modes, limits, warn })
}

/// Every hook that waits holds a connection. Where the system gives less, the next ones wait to be accepted.
fn make_room() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.map_or(DESCRIPTORS, |maximum| maximum.min(DESCRIPTORS));
    if current.is_some_and(|current| current < wanted) {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    }
}
