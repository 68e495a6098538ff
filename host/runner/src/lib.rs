//! Runs sessions of agents. A session is a conversation of Claude Code that we start. The client asks over its pipes
//! before it calls a tool, and the gateway answers.
//!
//! ```text
//! gateway ──socket──▶ keeper ──pipes──▶ claude -p --output-format stream-json --permission-prompt-tool=stdio ...
//! ```
//!
//! [`control`] is the protocol on the pipes: typed, pure, without clock, file or runtime. [`keeper`] is the small
//! process that holds the pipes of one session, so that the gateway can end, be killed or be replaced while the session
//! continues.
//!
//! Nothing here decides a request. The gateway asks a session's requests like all others.

pub mod control;
pub mod keeper;
