//! Notices: messages that ask nothing, about what happened in a session or in the gateway.
//!
//! ```text
//! occurrence ─▶ routes ─▶ plan (now, later, not at all) ─▶ queue (merged, each once) ─▶ rendered ─▶ fitted ─▶ sent
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`event`] | the events that a route can name, and what a filter matches on |
//! | [`occurrence`] | one event with its texts, masked |
//! | [`route`] | which channels an occurrence goes to, and at which level of [`detail`] |
//! | [`priority`], [`quiet`], [`plan`] | when a notice is sent, and whether at all |
//! | [`merge`] | which occurrences become one notice |
//! | [`render`] | the words of a notice, and cutting them to the length that a service takes |
//! | [`template`] | the words of a notice, as the operator writes them |
//! | [`sequence`] | a notice as an escape sequence, which a terminal shows |
//! | [`mod@backoff`] | when a notice is tried again |
//!
//! Nothing is sent by default: without a route there is no notice. A text is masked before anything is cut off it, because
//! the first half of a secret is still a secret.

pub mod backoff;
pub mod detail;
pub mod event;
pub mod merge;
pub mod occurrence;
pub mod plan;
pub mod priority;
pub mod quiet;
pub mod render;
pub mod route;
pub mod sequence;
pub mod template;

pub use backoff::backoff;
pub use detail::Detail;
pub use event::EventKind;
pub use merge::{WINDOW_MS, merge_key};
pub use occurrence::Occurrence;
pub use plan::{Decision, Facts, Front, Held, LONGEST_HOLD_MS, Plan, Skipped};
pub use priority::Priority;
pub use quiet::Quiet;
pub use render::{Fitted, Notice, discord_cost, escaped_for_discord, units_cost};
pub use route::{Route, Routing};
pub use sequence::Sequence;
pub use template::Template;
