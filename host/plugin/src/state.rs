//! The host's state of one instance.

use std::sync::{Arc, Mutex};

use tokio::time::Instant;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::{HostMonotonicClock, HostWallClock, WasiCtx, WasiCtxView, WasiView};

use crate::contact::Contact;
use crate::deadline::Deadline;
use crate::egress::Egress;
use crate::limits::{self, Meter};
use crate::network::Client;
use crate::output::Output;
use crate::pace::Pace;
use crate::renewal::Renewals;
use crate::{Clock, Fault, Host, LogLevel, Storage};

/// The number of bytes that a component may pass to the host before it yields to other tasks.
const TURN: usize = 1 << 20;
/// The number of bytes that each call counts for, in addition to its arguments.
const CALL: usize = 256;
/// The maximum number of WASI resources of an instance: streams, and clocks to wait for.
const RESOURCES: usize = 1_000;
/// Most random bytes that one call gives.
const RANDOM: u64 = 64 << 10;

/// Data of a store.
pub(crate) struct State {
    pub(crate) host: Host,
    /// The name in the log; that of the file or the account until the manifest is known.
    pub(crate) name: Arc<str>,
    /// What the account may reach; `None` before there is an account.
    pub(crate) access: Option<Arc<Access>>,
    pub(crate) call: Call,
    pub(crate) meter: Meter,
    /// Its open connections.
    pub(crate) sockets: ResourceTable,
    passed: usize,
    /// Its standard error in this export.
    output: Output,
    wasi: Option<(WasiCtx, ResourceTable)>,
}

/// The state that the instances of a provider share.
pub(crate) struct Access {
    pub(crate) egress: Arc<Egress>,
    pub(crate) renewals: Arc<Renewals>,
    pub(crate) client: Arc<Client>,
    /// Whether the log may have the paths of requests. They hold the name of a chat, by which anybody could answer in it if the
    /// messenger identifies nobody.
    pub(crate) shows_paths: bool,
    /// Where what the component stores is kept.
    pub(crate) storage: Option<Arc<dyn Storage>>,
    /// The times at which sockets were opened.
    pub(crate) opened: Mutex<Pace>,
    /// The `date` of the last reply, as the server wrote it.
    pub(crate) date: Mutex<Option<String>>,
}

/// The export that runs.
pub(crate) struct Call {
    /// The deadline that the component sees.
    pub(crate) told: Instant,
    /// The deadline at which it is stopped.
    pub(crate) deadline: Deadline,
    /// Whether it may use the network, which it may not in `describe` and `connect`.
    pub(crate) online: bool,
    /// The number of lines that it wrote.
    pub(crate) lines: usize,
    /// How often it set a value of its store.
    pub(crate) sets: usize,
    pub(crate) contact: Contact,
}

impl Call {
    pub(crate) fn new(end: Instant, online: bool) -> Self {
        let left = end.saturating_duration_since(Instant::now());
        Self {
            told: end - limits::margin(left),
            deadline: Deadline::new(end),
            online,
            lines: 0,
            sets: 0,
            contact: Contact::None,
        }
    }
}

impl State {
    pub(crate) fn new(host: Host, name: Arc<str>, call: Call) -> Self {
        Self {
            host,
            name,
            access: None,
            call,
            meter: Meter::default(),
            sockets: ResourceTable::new(),
            passed: 0,
            output: Output::default(),
            wasi: None,
        }
    }

    /// Yields to other tasks, and checks the deadline. Every import calls it first, so that a component that calls the
    /// host in a loop, possibly with large arguments, neither blocks others nor outlives its deadline.
    pub(crate) async fn turn(&mut self, passed: usize) -> wasmtime::Result<()> {
        self.passed += passed.saturating_add(CALL);
        if self.passed >= TURN {
            self.passed = 0;
            tokio::task::yield_now().await;
        }
        if self.call.deadline.until().is_none() { Err(Fault::Overstayed.into()) } else { Ok(()) }
    }

    /// Logs what it wrote to its standard error in `export`.
    pub(crate) fn log_output(&mut self, export: &str, broke: bool) {
        let level = if broke { LogLevel::Warn } else { LogLevel::Debug };
        for line in self.output.take() {
            self.note(level, &format!("{export}: {line}"));
        }
    }
}

impl crate::bindings::types::Host for State {}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let (clock, output) = (&self.host.clock, &self.output);
        let (ctx, table) = self.wasi.get_or_insert_with(|| (empty(clock, output), resources()));
        WasiCtxView { ctx, table }
    }
}

/// Returns a WASI context without files, environment, arguments, sockets or names. Output is discarded, except the end
/// of standard error. The clock is the host's.
fn empty(clock: &Arc<dyn Clock>, output: &Output) -> WasiCtx {
    let mut builder = WasiCtx::builder();
    builder.allow_tcp(false).allow_udp(false).allow_ip_name_lookup(false);
    builder.max_random_size(RANDOM);
    builder.stderr(output.clone());
    builder.wall_clock(Wall(Arc::clone(clock))).monotonic_clock(Monotonic(Instant::now()));
    builder.build()
}

fn resources() -> ResourceTable {
    let mut table = ResourceTable::new();
    table.set_max_capacity(RESOURCES);
    table
}

struct Wall(Arc<dyn Clock>);

impl HostWallClock for Wall {
    fn resolution(&self) -> std::time::Duration {
        std::time::Duration::from_millis(1)
    }

    fn now(&self) -> std::time::Duration {
        std::time::Duration::from_millis(self.0.now())
    }
}

struct Monotonic(Instant);

impl HostMonotonicClock for Monotonic {
    fn resolution(&self) -> u64 {
        1_000_000
    }

    fn now(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}
