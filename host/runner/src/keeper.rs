//! The keeper: a process for each session that holds the client's pipes, so that the gateway may end, be killed, or be replaced.
//!
//! ```text
//! <state>/sessions/<session id>/     0700
//!   lock       held (flock) as long as the keeper lives
//!   socket     0600: one gateway at a time is attached; the next one takes its place
//!   log, log.old    what went over the pipes, as frames; at most 8 MiB each
//!   session.json    what the gateway noted when it started the session
//! ```
//!
//! Who attaches is first told again all that is in the log, then [`Kind::Live`], then what comes. The log is also the buffer for
//! what the client writes while nobody is attached, so that the keeper holds nothing in memory. Where the oldest part of a long
//! session was dropped, [`Hello::cut`] says so.
//!
//! | what happens | what the keeper does |
//! |---|---|
//! | the gateway goes away | keeps the client going |
//! | the gateway says [`Kind::Quit`] | closes the client's stdin; after [`GRACE`] SIGTERM, after another SIGKILL |
//! | the client ends | writes [`Kind::Exit`], hands over what is left, and ends |
//! | the disk takes no more | ends the client, as above |
//! | the keeper is killed | the kernel closes the client's stdin, which ends it, and on Linux sends it SIGTERM |
//!
//! A session that has ended is resumed by a keeper of its own, which goes on with the log.
//!
//! Only processes of the same user reach the socket: the directory has mode 0700. What an agent may do to it is up to the policy, as
//! with everything in the state directory.

mod client;
mod dir;
mod frame;
mod launch;
mod log;
mod peer;
mod serve;

use std::time::Duration;

pub use client::become_client;
pub use dir::{Found, SessionDir, SessionDirError};
pub use frame::{Decoder, Exit, Frame, Hello, Kind, MAX_FRAME, TooLong, encode};
pub use launch::{Launch, MARK, SESSIONS};
pub use serve::{KeeperError, run};

/// How long the client may take to end once its stdin is closed, and again after SIGTERM.
pub const GRACE: Duration = Duration::from_secs(5);

/// How long a file of the log may become, in bytes. There are two.
pub const LOG_BYTES: u64 = 8 << 20;

/// The subcommand of the program that runs a keeper: `dmplz keeper FOLDER`, with a [`Launch`] on stdin.
pub const SUBCOMMAND: &str = "keeper";

/// The line that a keeper says on stdout once the client runs. Any other says why it does not.
pub const RUNS: &str = "runs";
