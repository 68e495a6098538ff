//! What the service manager is told (`sd_notify(3)`): one datagram to `$NOTIFY_SOCKET`. Without that, nothing.
//!
//! | sent | when |
//! |---|---|
//! | `READY=1` | hooks, commands, pages and messengers are served |
//! | `WATCHDOG=1` | three times in the watchdog's time, while this runtime, both threads of the store and the thread of the messengers answer |
//! | `STATUS=` | when what it says has changed |
//! | `STOPPING=1` | the process was told to end |
//!
//! A gateway that hangs sends no `WATCHDOG=1` and is started anew; what is open is on the disk by then. A full disk or a
//! messenger that is out is no reason for that.
//!
//! By hand, because it is this little, must never block, and is to reach an abstract socket, too.

use std::cell::RefCell;
use std::io;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

use dmplz_core::text::{Lang, fill};
use dmplz_gateway::{Approvals, Health};
use tokio::sync::watch;

use super::messengers::Pulse;
use super::stopped;
use crate::settings::environment;
use crate::terminal::say;
use crate::trouble;

/// How often the status is looked at where no watchdog waits.
const PERIOD: Duration = Duration::from_secs(20);

/// The way to the service manager, if there is one.
pub(super) struct Supervisor {
    socket: Option<(UnixDatagram, SocketAddr)>,
    watchdog: Option<Duration>,
    /// The status that was sent last.
    status: RefCell<String>,
}

/// What has to be alive for the service manager to hear so.
pub(super) struct Watched {
    pub(super) approvals: Approvals,
    pub(super) health: Health,
    pub(super) messengers: Pulse,
    pub(super) lang: Lang,
}

impl Supervisor {
    /// The one that started this process.
    pub(super) fn find() -> Self {
        let socket = environment("NOTIFY_SOCKET").filter(|name| !name.is_empty()).and_then(|name| {
            let failed = |error: &io::Error| trouble::warn(&format!("the service manager cannot be reached: {error}"));
            open(&name).inspect_err(failed).ok()
        });
        let micros = environment("WATCHDOG_USEC").and_then(|micros| micros.parse().ok()).filter(|micros| *micros > 0);
        let is_ours = environment("WATCHDOG_PID").is_none_or(|pid| pid == std::process::id().to_string());
        let watchdog = micros.filter(|_| is_ours).map(Duration::from_micros);
        Self { socket, watchdog, status: RefCell::default() }
    }

    /// Everything is served.
    pub(super) fn ready(&self) {
        self.send("READY=1");
    }

    /// Says how it goes until the process is told to end, and then that it ends.
    pub(super) async fn watch(&self, watched: Watched, stop: watch::Receiver<bool>) {
        if self.socket.is_some() {
            tokio::select! {
                () = self.beat(&watched) => {}
                () = stopped(stop) => {}
            }
            let ends = say(watched.lang, "끝내는 중입니다", "ending");
            self.send(&format!("STOPPING=1\nSTATUS={ends}"));
        }
    }

    async fn beat(&self, watched: &Watched) {
        let period = self.watchdog.map_or(PERIOD, |time| time / 3);
        loop {
            let (ours, theirs) = tokio::join!(watched.health.is_alive(period), watched.messengers.beats(period));
            match (ours, theirs) {
                (true, true) => {
                    if self.watchdog.is_some() {
                        self.send("WATCHDOG=1");
                    }
                    self.tell(&status(watched));
                }
                (false, _) => self.tell(say(watched.lang, "저장소가 응답하지 않습니다", "the store does not answer")),
                (true, false) => {
                    self.tell(say(
                        watched.lang,
                        "메신저 스레드가 응답하지 않습니다",
                        "the messengers' thread does not answer",
                    ));
                }
            }
            tokio::time::sleep(period).await;
        }
    }

    fn tell(&self, status: &str) {
        if *self.status.borrow() != status {
            self.send(&format!("STATUS={status}"));
            status.clone_into(&mut self.status.borrow_mut());
        }
    }

    /// A service manager that does not take it learns it the next time, or not at all: nobody waits for that.
    fn send(&self, state: &str) {
        if let Some((socket, to)) = &self.socket {
            let _ = socket.send_to_addr(state.as_bytes(), to);
        }
    }
}

/// Who would see a request, who cannot be reached, and how many requests wait.
fn status(watched: &Watched) -> String {
    let Watched { approvals, health, lang, .. } = watched;
    let surfaces = approvals.surfaces().into_keys().collect::<Vec<_>>().join(", ");
    let out = health.messengers().into_iter().filter(|messenger| !messenger.reachable).map(|messenger| messenger.name);
    let out = out.collect::<Vec<_>>().join(", ");
    let open = fill(say(*lang, "열린 요청 {}", "{} open"), &[&approvals.open_count().to_string()]);
    let seen = match surfaces.is_empty() {
        true => say(*lang, "요청을 볼 사람이 없습니다", "nobody would see a request").to_owned(),
        false => surfaces,
    };
    match out.is_empty() {
        true => format!("{seen} ({open})"),
        false => {
            format!("{seen} ({open}); {}", fill(say(*lang, "연결할 수 없음: {}", "cannot be reached: {}"), &[&out]))
        }
    }
}

fn open(name: &str) -> io::Result<(UnixDatagram, SocketAddr)> {
    let to = match name.strip_prefix('@') {
        Some(name) => in_no_directory(name)?,
        None => SocketAddr::from_pathname(name)?,
    };
    let socket = UnixDatagram::unbound()?;
    socket.set_nonblocking(true)?;
    Ok((socket, to))
}

#[cfg(target_os = "linux")]
fn in_no_directory(name: &str) -> io::Result<SocketAddr> {
    <SocketAddr as std::os::linux::net::SocketAddrExt>::from_abstract_name(name)
}

#[cfg(not(target_os = "linux"))]
fn in_no_directory(_: &str) -> io::Result<SocketAddr> {
    Err(io::ErrorKind::Unsupported.into())
}
