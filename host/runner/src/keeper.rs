//! The keeper: a process per session that holds the client's pipes, so that the gateway can end, be killed or be
//! replaced.
//!
//! ```text
//! <state>/sessions/<session id>/     0700
//!   lock       held (flock) as long as the keeper lives
//!   socket     0600: one gateway at a time is attached; the next one takes its place
//!   log, log.old    what went over the pipes, as frames; at most 8 MiB each
//!   session.json    what the gateway noted when it started the session
//!   received/       the files that people sent to the session, 0600 each
//! ```
//!
//! A gateway that attaches first gets the whole log, then [`Kind::Live`], then everything new. The log is also the
//! buffer for the client's output while no gateway is attached, so that the keeper stores nothing in memory. Parts of unfinished messages
//! are not in it: an attached gateway that keeps up gets them as [`Kind::Partial`], and otherwise they are dropped.
//! [`Hello::cut`] reports that the oldest part of a long session was dropped.
//!
//! | what happens | what the keeper does |
//! |---|---|
//! | the gateway goes away | lets the client continue |
//! | the gateway sends [`Kind::Quit`] | closes the client's stdin; after [`GRACE`] it sends SIGTERM, and after another SIGKILL |
//! | the client ends | writes [`Kind::Exit`], sends the rest to the gateway, and ends |
//! | the log cannot be written | ends the client, as above |
//! | the keeper is killed | the kernel closes the client's stdin, which ends it, and on Linux sends it SIGTERM |
//!
//! A session that has ended is resumed by a new keeper, which continues the log.
//!
//! Only processes of the same user reach the socket: the directory has mode 0700. As with everything in the state
//! directory, the policy decides what an agent may do to it.

mod client;
mod dir;
mod frame;
mod launch;
mod log;
mod peer;
mod serve;
mod sieve;

use std::time::Duration;

pub use client::become_client;
pub use dir::{Found, SessionDir, SessionDirError};
pub use frame::{Decoder, Exit, Frame, Hello, Kind, MAX_FRAME, TooLong, encode};
pub use launch::{Launch, MARK, SESSIONS};
pub use serve::{KeeperError, run};

/// How long the client may take to end after its stdin is closed, and again after SIGTERM.
pub const GRACE: Duration = Duration::from_secs(5);

/// The maximum size of a file of the log, in bytes. There are two files.
pub const LOG_BYTES: u64 = 8 << 20;

/// The subcommand of the program that runs a keeper: `dmplz keeper FOLDER`, with a [`Launch`] on stdin.
pub const SUBCOMMAND: &str = "keeper";

/// The line that a keeper says on stdout once the client runs. Any other says why it does not.
pub const RUNS: &str = "runs";
