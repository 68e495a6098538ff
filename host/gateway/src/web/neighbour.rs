//! Whose program is at the other end of a connection. Every user of a machine reaches its loopback; on Linux the kernel
//! tells to which user a local connection belongs.
//!
//! | system | the other end belongs to | |
//! |---|---|---|
//! | Linux | the user that runs the gateway | is served |
//! | Linux | a user that the operator named (`DMPLZ_GATEWAY_PROXY_UIDS`), such as a proxy's | is served |
//! | Linux | any other user, root too | is refused |
//! | Linux | nobody knows whom: the peer has hung up already, or `/proc` cannot be read | is refused |
//! | elsewhere | is not known | is served: token, pairing code and page key decide |
//!
//! Root is refused unless it runs the gateway, not because it could be kept out, but because no program of root's has a
//! reason to call unless the operator set it up, and then he can name it.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::net::TcpStream;

/// The users whose programs may connect. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Users(
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux tells users apart"))]
    Arc<BTreeSet<u32>>,
);

/// Why a connection is not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux tells users apart"))]
pub(super) enum Foreign {
    /// It is another user's.
    #[error(
        "this gateway serves the user that runs it only, and this connection is user {0}'s: list a proxy's user in DMPLZ_GATEWAY_PROXY_UIDS"
    )]
    User(u32),
    /// The kernel does not say whose it is.
    #[error("this gateway serves the user that runs it only, and the system does not say whose this connection is")]
    Unknown,
}

impl Users {
    /// The user that runs this process, and these.
    pub(super) fn with(others: &[u32]) -> Self {
        let own = rustix::process::geteuid().as_raw();
        Self(Arc::new(others.iter().copied().chain([own]).collect()))
    }

    /// Whether the program at the other end may be served.
    #[cfg(target_os = "linux")]
    pub(super) async fn admit(&self, stream: &TcpStream) -> Result<(), Foreign> {
        let (Ok(ours), Ok(theirs)) = (stream.local_addr(), stream.peer_addr()) else { return Err(Foreign::Unknown) };
        // The kernel writes a line for each socket of the machine, so this is no work for the thread that serves.
        let found = tokio::task::spawn_blocking(move || linux::owner(theirs, ours)).await;
        match found.ok().flatten().ok_or(Foreign::Unknown)? {
            uid if self.0.contains(&uid) => Ok(()),
            uid => Err(Foreign::User(uid)),
        }
    }

    /// Whether the program at the other end may be served: this system does not say whose it is.
    #[cfg(not(target_os = "linux"))]
    pub(super) async fn admit(&self, _stream: &TcpStream) -> Result<(), Foreign> {
        Ok(())
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::net::SocketAddr;

    use procfs::net::{TcpNetEntry, TcpState, tcp, tcp6};

    /// The user whose socket is at `theirs`, connected with `ours`.
    pub(super) fn owner(theirs: SocketAddr, ours: SocketAddr) -> Option<u32> {
        // A program may reach an IPv4 address by an IPv6 socket: then its line is among the IPv6 ones.
        let by_v4 = || find(&tcp().ok()?, theirs, ours);
        let by_v6 = || find(&tcp6().ok()?, theirs, ours);
        if theirs.is_ipv4() { by_v4().or_else(by_v6) } else { by_v6() }
    }

    /// Only a socket that is still open has an owner: the kernel shows one that its program has closed as root's.
    fn find(sockets: &[TcpNetEntry], theirs: SocketAddr, ours: SocketAddr) -> Option<u32> {
        let same =
            |a: SocketAddr, b: SocketAddr| a.port() == b.port() && a.ip().to_canonical() == b.ip().to_canonical();
        let is_theirs = |socket: &&TcpNetEntry| {
            socket.state == TcpState::Established
                && same(socket.local_address, theirs)
                && same(socket.remote_address, ours)
        };
        sockets.iter().find(is_theirs).map(|socket| socket.uid)
    }
}
