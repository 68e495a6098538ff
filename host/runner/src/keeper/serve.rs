//! The keeper's loop: one thread, `poll`, no runtime.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::process::ChildStdin;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;

use super::client::Client;
use super::dir::{SessionDir, SessionDirError};
use super::frame::{Exit, Kind};
use super::launch::Launch;
use super::log::Log;
use super::peer::Peer;
use super::sieve::{Piece, Sieve};
use super::{GRACE, LOG_BYTES};

/// The number of bytes that are read from the client at once.
const PIECE: usize = 16 << 10;

/// How long to wait for output after the client's end. A process that it started may keep the pipe open.
const DRAIN: Duration = Duration::from_secs(1);

/// How long sending the end to the gateway may take.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Why a keeper did not start, or failed.
#[derive(Debug, thiserror::Error)]
pub enum KeeperError {
    /// The folder of the session cannot be used.
    #[error(transparent)]
    Dir(#[from] SessionDirError),
    /// The client cannot be started.
    #[error("the client cannot be started")]
    Start(#[source] io::Error),
    /// Another system call failed.
    #[error("the keeper of the session cannot go on")]
    Io(#[from] io::Error),
}

/// The state of a running keeper.
struct Keeper {
    log: Log,
    listener: UnixListener,
    client: Client,
    stdin: Option<ChildStdin>,
    stdout: Sieve,
    /// Bytes for the client's stdin.
    input: Vec<u8>,
    peer: Option<Peer>,
    ending: Option<Ending>,
}

/// The progress of ending the client.
#[derive(Clone, Copy)]
struct Ending {
    next: Instant,
    signalled: bool,
}

/// Records what a descriptor is ready for.
type Note = fn(&mut Ready, PollFlags);

/// What `poll` has reported.
#[derive(Default)]
struct Ready {
    connection: bool,
    stdout: bool,
    stderr: bool,
    stdin: bool,
    receive: bool,
    send: bool,
    ended: bool,
}

/// Keeps a session until its client has ended. `ready` is called once the client runs and the socket listens.
pub fn run(dir: &SessionDir, launch: &Launch, ready: impl FnOnce()) -> Result<(), KeeperError> {
    // In a process session of its own it gets no signals of a terminal, and outlives the process that started it.
    let _ = rustix::process::setsid();
    let _only = dir.claim()?;
    let mut log = Log::open(dir.path(), LOG_BYTES)?;
    log.append(Kind::Begin, &launch.run.to_le_bytes())?;
    let socket = dir.socket()?;
    let path = socket.as_path();
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    listener.set_nonblocking(true)?;
    let mut client = Client::start(launch).map_err(KeeperError::Start)?;
    let stdin = client.child.stdin.take();
    if let Some(stdin) = &stdin {
        nonblocking(stdin)?;
    }
    let mut keeper =
        Keeper { log, listener, client, stdin, stdout: Sieve::default(), input: Vec::new(), peer: None, ending: None };
    ready();
    let kept = keeper.keep();
    let _ = std::fs::remove_file(path);
    kept
}

impl Keeper {
    fn keep(&mut self) -> Result<(), KeeperError> {
        let (mut stdout, mut stderr) = (self.client.child.stdout.take(), self.client.child.stderr.take());
        let mut over: Option<Instant> = None;
        loop {
            let ready = self.wait(stdout.as_ref(), stderr.as_ref(), over)?;
            if ready.connection {
                self.accept();
            }
            if ready.stdout {
                self.take(&mut stdout, Kind::Stdout);
            }
            if ready.stderr {
                self.take(&mut stderr, Kind::Stderr);
            }
            if ready.receive {
                self.receive();
            }
            if ready.stdin {
                self.write();
            }
            if ready.send {
                self.tell();
            }
            if ready.ended && over.is_none() {
                over = Some(Instant::now() + DRAIN);
            }
            self.press_on();
            if over.is_some_and(|until| (stdout.is_none() && stderr.is_none()) || Instant::now() >= until) {
                let exit = self.client.reap()?;
                return self.conclude(exit);
            }
        }
    }

    /// Waits for something to do.
    fn wait(
        &self,
        stdout: Option<&impl AsFd>,
        stderr: Option<&impl AsFd>,
        over: Option<Instant>,
    ) -> Result<Ready, KeeperError> {
        let wants_input = self.input.is_empty();
        let mut sources: Vec<(Note, PollFd<'_>)> = Vec::new();
        sources.push((|ready, _| ready.connection = true, PollFd::new(&self.listener, PollFlags::IN)));
        if let Some(stdout) = stdout {
            sources.push((|ready, _| ready.stdout = true, PollFd::new(stdout, PollFlags::IN)));
        }
        if let Some(stderr) = stderr {
            sources.push((|ready, _| ready.stderr = true, PollFd::new(stderr, PollFlags::IN)));
        }
        if let Some(stdin) = self.stdin.as_ref().filter(|_| !wants_input) {
            sources.push((|ready, _| ready.stdin = true, PollFd::new(stdin, PollFlags::OUT)));
        }
        if let Some(peer) = &self.peer {
            let send = if peer.has_more(&self.log) { PollFlags::OUT } else { PollFlags::empty() };
            let receive = if wants_input { PollFlags::IN } else { PollFlags::empty() };
            let set: Note = |ready: &mut Ready, events: PollFlags| {
                ready.send = events.contains(PollFlags::OUT);
                ready.receive = events.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR);
            };
            sources.push((set, PollFd::new(&peer.stream, send | receive)));
        }
        if over.is_none() {
            sources.push((|ready, _| ready.ended = true, PollFd::new(&self.client.ended, PollFlags::IN)));
        }
        let until = [over, self.ending.map(|ending| ending.next)].into_iter().flatten().min();
        let (sets, mut polled): (Vec<_>, Vec<_>) = sources.into_iter().unzip();
        let limit = until.map(|until| until.saturating_duration_since(Instant::now()));
        let limit = limit.map(Timespec::try_from).transpose().unwrap_or_default();
        match poll(&mut polled, limit.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(io::Error::from(error).into()),
        }
        let mut ready = Ready::default();
        for (set, polled) in sets.into_iter().zip(&polled).filter(|(_, polled)| !polled.revents().is_empty()) {
            set(&mut ready, polled.revents());
        }
        Ok(ready)
    }

    /// Accepts a gateway, which replaces the previous one.
    fn accept(&mut self) {
        if let Ok((stream, _)) = self.listener.accept() {
            self.peer = Peer::attach(stream, &self.log).ok();
        }
    }

    /// Reads the client's output. Sets a pipe that has ended to `None`.
    fn take<R: Read>(&mut self, pipe: &mut Option<R>, kind: Kind) {
        let Some(reader) = pipe else { return };
        let mut piece = [0; PIECE];
        match reader.read(&mut piece) {
            Ok(count @ 1..) => self.said(kind, piece.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => *pipe = None,
        }
    }

    fn said(&mut self, kind: Kind, bytes: &[u8]) {
        if kind != Kind::Stdout {
            return self.record(kind, bytes);
        }
        for piece in self.stdout.feed(bytes) {
            match piece {
                Piece::Logged(bytes) => self.record(kind, &bytes),
                Piece::Partial(line) => {
                    // What comes before it in the output must be on its way first.
                    self.tell();
                    if let Some(peer) = &mut self.peer {
                        peer.pass(&line, &self.log);
                    }
                }
            }
        }
    }

    /// Appends to the log, from which the gateway gets everything. If that fails, the session ends.
    fn record(&mut self, kind: Kind, bytes: &[u8]) {
        if self.log.append(kind, bytes).is_err() {
            self.quit();
        }
    }

    fn receive(&mut self) {
        let Some(mut peer) = self.peer.take() else { return };
        if peer.receive().is_err() {
            return;
        }
        loop {
            match peer.next() {
                Ok(Some(frame)) if frame.kind == Kind::Stdin => self.input.extend(frame.bytes),
                Ok(Some(frame)) if frame.kind == Kind::Quit => self.quit(),
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => return,
            }
        }
        self.peer = Some(peer);
    }

    /// Writes as much input as the client accepts, and records it.
    fn write(&mut self) {
        let Some(stdin) = &mut self.stdin else { return };
        let piece = self.input.get(..self.input.len().min(PIECE)).unwrap_or_default();
        match stdin.write(piece) {
            Ok(count) => {
                let written: Vec<u8> = self.input.drain(..count).collect();
                self.record(Kind::Stdin, &written);
                if self.input.is_empty() {
                    self.input = Vec::new();
                }
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            // The client has closed its stdin, because it is about to end.
            Err(_) => {
                self.stdin = None;
                self.input = Vec::new();
            }
        }
    }

    fn tell(&mut self) {
        if let Some(peer) = &mut self.peer
            && peer.send(&self.log).is_err()
        {
            self.peer = None;
        }
    }

    /// Starts ending the client.
    fn quit(&mut self) {
        self.stdin = None;
        self.input = Vec::new();
        self.ending.get_or_insert(Ending { next: Instant::now() + GRACE, signalled: false });
    }

    /// Sends the next signal if the client takes too long to end.
    fn press_on(&mut self) {
        let Some(Ending { next, signalled }) = self.ending else { return };
        if Instant::now() < next {
            return;
        }
        self.client.signal(if signalled { Signal::KILL } else { Signal::TERM });
        self.ending = Some(Ending { next: Instant::now() + GRACE, signalled: true });
    }

    /// Tells the gateway that the client has ended.
    fn conclude(&mut self, exit: Exit) -> Result<(), KeeperError> {
        let rest = self.stdout.rest();
        if !rest.is_empty() {
            self.log.append(Kind::Stdout, &rest)?;
        }
        let exit = serde_json::to_vec(&exit).map_err(io::Error::from)?;
        self.log.append(Kind::Exit, &exit)?;
        let Some(peer) = &mut self.peer else { return Ok(()) };
        peer.stream.set_nonblocking(false)?;
        peer.stream.set_write_timeout(Some(LAST_WORDS))?;
        // A gateway that has disconnected reads the log later.
        let _ = peer.send(&self.log);
        Ok(())
    }
}

fn nonblocking(pipe: &impl AsFd) -> io::Result<()> {
    let flags = rustix::fs::fcntl_getfl(pipe)?;
    Ok(rustix::fs::fcntl_setfl(pipe, flags | rustix::fs::OFlags::NONBLOCK)?)
}
