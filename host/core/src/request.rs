//! The life of a request, whoever shows it: a desk that is alone, or the gateway for all its surfaces.
//!
//! ```text
//! Open ── Answer ────────────▶ Ended (approved, rejected)
//!   │  ── Withdraw, Expire ──▶ Ended (resolved elsewhere, expired)
//!   └──── Deny ──▶ Denied ── Answer of who denied ──▶ Ended (rejected, with their words or without)
//!                         └─ Withdraw, Expire ──────▶ Ended (rejected: timeout)
//! ```
//!
//! What a person says is an [`Answer`]. What the request comes to is an [`Outcome`], which is written down as a
//! [`Resolution`]. What the client is told is a [`Decision`].
//!
//! A request that a rule decides waits for nobody, and has no such life: a rule's end is `dmplz_policy::Ruled`.
//!
//! **Invariant:** an allow holds an [`Approver`](crate::approvers::Approver).
//! **Invariant:** from `Denied` every way leads to a rejection. The seed's `WaitingReason → Expired` (hook time-out) is a
//! rejection here, because a deny that was pressed is never lost.
//! **Invariant:** a request ends exactly once, and an ended one never changes.

mod end;
mod extent;
mod life;
mod offer;
mod outcome;
mod resolution;

pub use end::{Cause, End};
pub use extent::{Edits, Extent, Term};
pub use life::{Answer, Command, Denial, Life, Refusal, Step};
pub use offer::Offer;
pub use outcome::{Decision, ExpiredCause, Outcome, ReasonSource, Resolver, Trouble};
pub use resolution::{Incomplete, Resolution};
