//! The life of a request. It is the same for a desk that runs alone and for the gateway with all its surfaces.
//!
//! ```text
//! Open ── Answer ────────────▶ Ended (approved, rejected)
//!   │  ── Withdraw, Expire ──▶ Ended (resolved elsewhere, expired)
//!   └──── Deny ──▶ Denied ── Answer of the denier ──▶ Ended (rejected, with a reason or without)
//!                         └─ Withdraw, Expire ──────▶ Ended (rejected: timeout)
//! ```
//!
//! A person gives an [`Answer`]. A request ends with an [`Outcome`], which is recorded as a [`Resolution`]. The client
//! receives a [`Decision`].
//!
//! A request that a rule decides has no such life, because it waits for nobody. Its end is `dmplz_policy::Ruled`.
//!
//! **Invariant:** an allow holds an [`Approver`](crate::approvers::Approver).
//! **Invariant:** every transition from `Denied` leads to a rejection, including the hook's time-out, because a
//! pressed deny is never lost.
//! **Invariant:** a request ends exactly once, and an ended request never changes.

mod allow;
mod approval_scope;
mod end;
mod life;
mod offer;
mod outcome;
mod resolution;

pub use approval_scope::{ApprovalScope, Edits, Term};
pub use end::{Cause, End};
pub use life::{Answer, Command, Denial, Life, Refusal, Step};
pub use offer::Offer;
pub use outcome::{Decision, ExpiredCause, Outcome, ReasonSource, Resolver, Trouble};
pub use resolution::{Incomplete, Resolution};
