//! The gateway: one owner for every request, answered from any surface, nothing lost.
//!
//! ```text
//! hook, tools.invoke ─▶ bus (policy) ─▶ approvals ─▶ disk ─▶ bus ─▶ surfaces ─▶ approvals ─▶ whoever asked
//! ```
//!
//! [`Approvals`] owns every open request; a surface (messenger, page, command line, WebSocket, REST) shows what the
//! [`Bus`] tells and hands answers in; the first answer wins. Messengers are not in here: the binary drives the desk as one
//! more surface, so that this crate knows neither wasm nor any messenger.

mod approvals;
pub mod asking;
mod bus;
mod disk;
mod grants;
mod health;
mod id;
mod listing;
mod message;
mod offered;
mod period;
mod request;
mod retention;
pub mod rpc;
mod said;
#[cfg(test)]
mod sample;
pub mod socket;
pub mod tools;
mod view;
pub mod web;

pub use approvals::{Answer, AnswerError, Approvals, AskError, Attached, Clock, Memory, Replay, Rules, ledger};
pub use bus::{Bus, Confirmation, Judge, Refused, RequestError, Settled, Subscription, Told, Verdict};
pub use disk::{
    Checked, Disk, DiskError, Kept, Pruned, Recovered, Search, Uptime, check, masked, masked_end, readable,
};
pub use grants::{Clocks, GrantError, Grants, Revoked, Unrecorded};
pub use health::{Health, MessengerStatus, Polled, Readiness, Reason, ReasonCode, Waiting};
pub use id::NotAnId;
pub use message::{Event, Kind, Malformed, Message};
pub use offered::NotOffered;
pub use request::{Request, RequestId, Source, Standing, Status};
pub use retention::Pruner;
pub use view::Approval;
