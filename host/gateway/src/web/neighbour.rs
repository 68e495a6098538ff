//! Identifies the user whose program is at the other end of a connection. Every user of a machine can reach its
//! loopback; on Linux the kernel reports which user owns a local connection.
//!
//! | system | owner of the other end | |
//! |---|---|---|
//! | Linux | the user that runs the gateway | is served |
//! | Linux | a user that the operator named (`DMPLZ_GATEWAY_PROXY_UIDS`), such as a proxy's | is served |
//! | Linux | any other user, including root | is refused |
//! | Linux | unknown: the peer has hung up already, or `/proc` cannot be read | is refused |
//! | elsewhere | unknown | is served: token, pairing code and page key decide |
//!
//! Root is refused unless it runs the gateway. This does not keep root out, which has other ways in. But no program of
//! root's has a reason to connect unless the operator set it up, and then the operator can name root.
//!
//! The kernel has one table of all connections. Reading it takes milliseconds, and longer if several tasks read it at
//! once. So one task reads it, once for all connections that came in during the previous read.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::net::TcpStream;

/// The users whose programs may connect. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Users {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux tells users apart"))]
    admitted: Arc<BTreeSet<u32>>,
    #[cfg(target_os = "linux")]
    owners: linux::Owners,
}

/// Why a connection is not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux tells users apart"))]
pub(super) enum Foreign {
    /// It belongs to another user.
    #[error(
        "this gateway serves the user that runs it only, and this connection is user {0}'s: list a proxy's user in DMPLZ_GATEWAY_PROXY_UIDS"
    )]
    User(u32),
    /// The kernel does not report its owner.
    #[error("this gateway serves the user that runs it only, and the system does not say whose this connection is")]
    Unknown,
}

impl Users {
    /// Admits the user that runs this process, and `others`. Must be called within a tokio runtime.
    pub(super) fn with(others: &[u32]) -> Self {
        let own = rustix::process::geteuid().as_raw();
        Self {
            admitted: Arc::new(others.iter().copied().chain([own]).collect()),
            #[cfg(target_os = "linux")]
            owners: linux::Owners::start(),
        }
    }

    /// Returns whether the program at the other end may be served.
    #[cfg(target_os = "linux")]
    pub(super) async fn admit(&self, stream: &TcpStream) -> Result<(), Foreign> {
        let (Ok(ours), Ok(theirs)) = (stream.local_addr(), stream.peer_addr()) else { return Err(Foreign::Unknown) };
        match self.owners.of(theirs, ours).await.ok_or(Foreign::Unknown)? {
            uid if self.admitted.contains(&uid) => Ok(()),
            uid => Err(Foreign::User(uid)),
        }
    }

    /// Admits every connection, because this system does not report a connection's owner.
    #[cfg(not(target_os = "linux"))]
    pub(super) async fn admit(&self, _stream: &TcpStream) -> Result<(), Foreign> {
        Ok(())
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashMap;
    use std::net::SocketAddr;

    use procfs::net::{TcpNetEntry, TcpState, tcp, tcp6};
    use tokio::sync::{mpsc, oneshot};

    /// The most questions that may wait; the next caller waits to ask.
    const WAITING: usize = 1_024;

    /// Asks the kernel for the owners of sockets. Cheap to clone.
    #[derive(Debug, Clone)]
    pub(super) struct Owners(mpsc::Sender<Question>);

    #[derive(Debug)]
    struct Question {
        ends: Ends,
        answer: oneshot::Sender<Option<u32>>,
    }

    /// A socket's own address, and the address of its peer.
    type Ends = (SocketAddr, SocketAddr);

    impl Owners {
        pub(super) fn start() -> Self {
            let (asks, asked) = mpsc::channel(WAITING);
            tokio::spawn(answer(asked));
            Self(asks)
        }

        /// Returns the user that owns the socket at `theirs`, connected with `ours`.
        pub(super) async fn of(&self, theirs: SocketAddr, ours: SocketAddr) -> Option<u32> {
            let (answer, answered) = oneshot::channel();
            let question = Question { ends: (canonical(theirs), canonical(ours)), answer };
            self.0.send(question).await.ok()?;
            answered.await.ok()?
        }
    }

    /// Answers all waiting questions with one read of the table. Never returns while a handle exists.
    async fn answer(mut asked: mpsc::Receiver<Question>) {
        let mut questions = Vec::new();
        while asked.recv_many(&mut questions, WAITING).await > 0 {
            let all: Vec<Question> = questions.drain(..).filter(|question| !question.answer.is_closed()).collect();
            // A panic drops the questions, which reports the owners as unknown.
            let _ = tokio::task::spawn_blocking(move || look(all)).await;
        }
    }

    fn look(questions: Vec<Question>) {
        let v4 = owners(tcp());
        // A program may reach an IPv4 address by an IPv6 socket; its row is then in the IPv6 table.
        let mut v6 = None;
        for Question { ends, answer } in questions {
            let owner = v4.get(&ends).copied();
            let owner = owner.or_else(|| v6.get_or_insert_with(|| owners(tcp6())).get(&ends).copied());
            // Sending fails if the caller has stopped waiting, which is fine.
            let _ = answer.send(owner);
        }
    }

    /// Returns the owners of open sockets. Others do not count, because the kernel lists a socket that its program has
    /// closed as root's.
    fn owners(sockets: procfs::ProcResult<Vec<TcpNetEntry>>) -> HashMap<Ends, u32> {
        let sockets = sockets.unwrap_or_default().into_iter();
        let open = sockets.filter(|socket| socket.state == TcpState::Established);
        open.map(|socket| ((canonical(socket.local_address), canonical(socket.remote_address)), socket.uid)).collect()
    }

    fn canonical(address: SocketAddr) -> SocketAddr {
        SocketAddr::new(address.ip().to_canonical(), address.port())
    }
}
