//! Notices: messages that ask nothing, about what happened in a session or in the gateway.
//!
//! ```text
//! occurrence ─▶ routes ─▶ channels ─▶ queue (merged, each occurrence once) ─▶ rendered ─▶ fitted to the service ─▶ sent
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`event`] | the events that a route can name, and what a filter matches on |
//! | [`occurrence`] | one event with its texts, masked |
//! | [`route`] | which channels an occurrence goes to, and at which level of detail |
//! | [`merge`] | which occurrences become one notice |
//! | [`render`] | the words of a notice, and cutting them to the length that a service takes |
//! | [`mod@backoff`] | when a notice is tried again |
//!
//! Nothing is sent by default: without a route there is no notice. A text is masked before anything is cut off it, because
//! the first half of a secret is still a secret.

pub mod backoff;
pub mod event;
pub mod merge;
pub mod occurrence;
pub mod render;
pub mod route;

pub use backoff::backoff;
pub use event::EventKind;
pub use merge::{WINDOW_MS, merge_key};
pub use occurrence::Occurrence;
pub use render::{Fitted, Notice, discord_cost, escaped_for_discord, units_cost};
pub use route::{Detail, Route, Routing};
