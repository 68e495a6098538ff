//! Sessions of agents. A session is one conversation of Claude Code that we start: the client asks over its pipes before it
//! calls a tool, and the gateway answers.
//!
//! ```text
//! gateway ──socket──▶ keeper ──pipes──▶ claude -p --output-format stream-json --permission-prompt-tool=stdio ...
//! ```
//!
//! [`control`] is the protocol on the pipes: typed, pure, without clock, file or runtime. [`keeper`] is the small process that holds
//! the pipes of one session, so that the gateway may end, be killed or be replaced while the session goes on.
//!
//! Nothing here decides a request: a session's requests become the gateway's.

pub mod control;
pub mod keeper;
