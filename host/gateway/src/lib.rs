//! The gateway: the one owner of every request. Any surface can answer, and no answer is lost.
//!
//! ```text
//! hook, session, tools.invoke ─▶ bus (policy) ─▶ approvals ─▶ disk ─▶ bus ─▶ surfaces ─▶ approvals ─▶ asker
//! ```
//!
//! [`Approvals`] owns every open request. A surface (messenger, page, command line, WebSocket, REST) shows the events
//! of the [`Bus`] and submits answers; the first answer wins. Messengers are not in this crate: the binary runs the
//! desk as one more surface, so that this crate depends neither on wasm nor on any messenger.

mod approvals;
mod browsers;
mod bucket;
mod bus;
mod clock;
mod disk;
mod grants;
mod health;
mod listing;
mod lower_hex;
mod mutex;
pub mod notices;
mod offered;
mod pairing;
mod presence;
pub mod push;
mod retention;
pub mod rpc;
#[cfg(test)]
mod sample;
mod secret_file;
mod session_names;
pub mod sessions;
mod settings;
pub mod socket;
pub mod tools;
pub mod web;

pub use approvals::{AnswerError, Approvals, Attached, Replay, Rules};
pub use bus::{AskError, Awaited, Bus, Published, Refused, Requested, Subscription, Verdict};
pub use clock::Clock;
pub use disk::{Checked, Disk, DiskError, Kept, Recovered, Uptime, check, ledger, masked, masked_end, readable};
pub use grants::{Clocks, GrantError, Grants, Revoked, Unrecorded};
pub use health::{Health, Polled, Waiting};
pub use pairing::{Pairing, PairingCode};
pub use presence::{Presence, Present};
pub use push::Push;
pub use retention::Pruner;
pub use secret_file::SecretError;
pub use settings::PageSettings;
