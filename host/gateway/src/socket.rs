//! The Unix socket in the state directory, for hooks and the command line: JSON-RPC 2.0 ([`crate::rpc`]), one object or
//! batch a line.
//!
//! Only processes of the same user may connect. The directory is private, the socket has mode 0600, and the kernel
//! reports whose process is at the other end.
//!
//! The socket's file may vanish or be replaced while the gateway runs: by a clean-up job, a restored backup, or a
//! program that binds there. Hooks then find no gateway. So the gateway checks every `LOOK` whether the file is still
//! its own, and binds it again unless another process holds `gateway.lock` now.
//!
//! Limits: `CONNECTIONS` at a time (more wait to be accepted), `MAX_LINE` bytes a line, `WRITE` for a peer to take a
//! text.

mod lines;

use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use dmplz_protocol::SOCKET;
use dmplz_protocol::framing::MAX_LINE;
use dmplz_protocol::socket_path::SocketPath;
use dmplz_state::{Instance, StateDir};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use self::lines::{Line, Lines};
use crate::rpc::{Outbox, Peer, Services, Session};

/// The most connections at a time.
const CONNECTIONS: usize = 16_384;
/// How long a peer may take to read a text before its connection is closed.
const WRITE: Duration = Duration::from_secs(30);
/// How long the last messages of a connection may take, in both directions.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// The interval at which the socket's file is checked. Hooks that start while it is missing ask alone.
const LOOK: Duration = Duration::from_secs(2);
/// The delay before the next accept when the system has no room for a connection.
const NO_ROOM: Duration = Duration::from_millis(50);

/// A socket that hooks and commands can connect to. Dropping it removes the file.
pub struct Socket {
    listener: UnixListener,
    path: PathBuf,
    /// Device and inode of the file. The kernel gives this pair to no other file while the listener lives.
    identity: (u64, u64),
    state: StateDir,
    trouble: Option<String>,
    tell: Box<dyn Fn(News) + Send + Sync>,
}

/// What happened to a socket whose file was removed or replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// The socket is bound again.
    BoundAgain,
    /// The socket cannot be bound, for a reason in English, so no hook and no command reaches the gateway. Each reason
    /// is reported once; binding is retried.
    Lost(String),
}

/// Why the socket cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("the socket {path} cannot be listened on")]
pub struct SocketError {
    path: PathBuf,
    source: io::Error,
}

impl Socket {
    /// Listens. Replaces a file that an earlier gateway left: the lock proves that this process is the only gateway.
    pub fn bind(state: &StateDir, _only: &Instance) -> Result<Self, SocketError> {
        let path = state.path().join(SOCKET);
        let (state, trouble, tell) = (state.clone(), None, Box::new(|_| ()));
        match listen(&path) {
            Ok((listener, identity)) => Ok(Self { listener, path, identity, state, trouble, tell }),
            Err(source) => Err(SocketError { path, source }),
        }
    }

    /// Sets the function that is called when the socket's file is lost or bound again.
    pub fn telling(mut self, tell: impl Fn(News) + Send + Sync + 'static) -> Self {
        self.tell = Box::new(tell);
        self
    }

    /// Returns the path of the socket's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Serves until `stop` becomes true. Then it accepts no more connections and tells every open one.
    pub async fn serve(mut self, services: Services, peer: Peer, mut stop: watch::Receiver<bool>) {
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let room = Arc::new(Semaphore::new(CONNECTIONS));
        let mut connections = JoinSet::new();
        loop {
            while connections.try_join_next().is_some() {}
            let accepted = tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop) => break,
                _ = look.tick() => {
                    self.look();
                    services.health.socket(self.trouble.clone());
                    continue;
                }
                accepted = async {
                    let room = Arc::clone(&room).acquire_owned().await;
                    (self.listener.accept().await, room)
                } => accepted,
            };
            match accepted {
                (Ok((stream, _)), room) if is_ours(&stream) => {
                    let (services, peer, stop) = (services.clone(), peer.clone(), stop.clone());
                    connections.spawn(async move {
                        let (reader, writer) = stream.into_split();
                        converse(reader, writer, services, peer, stop).await;
                        drop(room);
                    });
                }
                (Ok(_), _) => {}
                // Most likely the process is out of file descriptors; some will be free again.
                (Err(_), _) => sleep(NO_ROOM).await,
            }
        }
        // Removes the file, so that new hooks look for the next gateway.
        drop(self);
        while connections.join_next().await.is_some() {}
    }

    /// Returns whether the file is the one that was bound.
    fn is_ours(&self) -> bool {
        self.path.symlink_metadata().is_ok_and(|file| (file.dev(), file.ino()) == self.identity)
    }

    /// Checks the file, and binds the socket again if it is gone.
    fn look(&mut self) {
        if self.is_ours() {
            self.trouble = None;
            return;
        }
        let trouble = self.bind_again().err();
        match &trouble {
            None => (self.tell)(News::BoundAgain),
            Some(why) if trouble != self.trouble => (self.tell)(News::Lost(why.clone())),
            Some(_) => {}
        }
        self.trouble = trouble;
    }

    /// Binds the socket again, unless another process is the gateway now: if `gateway.lock` was replaced, this process's
    /// lock no longer excludes another gateway.
    fn bind_again(&mut self) -> Result<(), String> {
        match Instance::running(&self.state) {
            Ok(Some(pid)) if pid != std::process::id() => {
                return Err(format!("process {pid} is the gateway of this directory now"));
            }
            // The lock file is gone as well, so nobody else is the gateway.
            _ => {}
        }
        (self.listener, self.identity) = listen(&self.path).map_err(|error| error.to_string())?;
        Ok(())
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // The path may belong to another gateway's socket now.
        if self.is_ours() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn listen(path: &Path) -> io::Result<(UnixListener, (u64, u64))> {
    take_away(path)?;
    let listener = UnixListener::bind(SocketPath::of(path)?.as_path())?;
    // Until then nobody else can reach it either, because the directory is private.
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    let file = path.symlink_metadata()?;
    Ok((listener, (file.dev(), file.ino())))
}

fn take_away(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(found) if found.file_type().is_socket() => fs::remove_file(path),
        Ok(_) => Err(io::Error::new(io::ErrorKind::AlreadyExists, "something that is no socket has its name")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn is_ours(stream: &UnixStream) -> bool {
    stream.peer_cred().is_ok_and(|peer| peer.uid() == rustix::process::geteuid().as_raw())
}

/// Serves one connection until either side ends it, or `stop` becomes true.
pub async fn converse(
    reader: impl AsyncRead + Unpin,
    writer: impl AsyncWrite + Unpin,
    services: Services,
    peer: Peer,
    mut stop: watch::Receiver<bool>,
) {
    let (mut session, outbox) = Session::open(services, peer);
    let writing = write(writer, outbox);
    tokio::pin!(writing);
    let end = tokio::select! {
        biased;
        end = &mut writing => end,
        () = read(reader, &mut session) => End::HungUp,
        _ = stop.wait_for(|stop| *stop) => End::Stopped,
    };
    let last_words = async {
        match end {
            End::LetGo => session.let_go().await,
            End::Gone => session.hung_up().await,
            End::HungUp => _ = tokio::join!(session.hung_up(), writing),
            End::Stopped => _ = tokio::join!(session.goodbye(), writing),
        }
    };
    let _ = timeout(LAST_WORDS, last_words).await;
}

/// Why a connection ends.
enum End {
    /// The peer is connected, but does not read.
    LetGo,
    /// The peer is gone, and writing noticed it first.
    Gone,
    /// The peer has closed its sending side.
    HungUp,
    Stopped,
}

/// Reads until the peer closes its sending side.
async fn read(reader: impl AsyncRead + Unpin, session: &mut Session) {
    let mut lines = Lines::new(reader, MAX_LINE);
    loop {
        match lines.next().await {
            Ok(Some(Line::Text(text))) if text.trim_ascii().is_empty() => {}
            Ok(Some(Line::Text(text))) => session.receive(text).await,
            // An empty text gets the reply for a text that is no JSON.
            Ok(Some(Line::NotUtf8)) => session.receive("").await,
            Ok(Some(Line::TooLong)) => {
                return session.refuse_length().await;
            }
            Ok(None) | Err(_) => return,
        }
    }
}

/// Writes until the peer stops reading, or nothing more will come.
async fn write(mut writer: impl AsyncWrite + Unpin, mut outbox: Outbox) -> End {
    while let Some(text) = outbox.next().await {
        let sent = async {
            writer.write_all(text.as_bytes()).await?;
            writer.write_all(b"\n").await
        };
        match timeout(WRITE, sent).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return End::Gone,
            Err(_) => return End::LetGo,
        }
    }
    End::LetGo
}

#[cfg(test)]
mod tests;
