//! The state that survives a process: files in one directory, and the locks that make them safe to share between
//! processes.
//!
//! This crate decides nothing, and reads neither the environment nor the wall clock: paths, limits and times are
//! arguments. Every lock is a `flock`, which the kernel releases when its holder ends in any way. So there are no stale
//! locks, no process ids to check, and no time-outs after which a lock counts as abandoned.
//!
//! | file | content | written by |
//! |---|---|---|
//! | `queue/<account>/` | the processes that wait for an account, first come, first served | [`Queue`] |
//! | `cards/` | open cards, and cards that ended recently | [`Cards`] |
//! | `cursors/<account>` | the cursor from which the provider receives events | [`Cursor`] |
//! | `led/<account>` | the cards of sessions that are led from a chat | [`LedFile`] |
//! | `proven/` | policy files whose examples passed | [`Proven`] |
//! | `trusted.json` | policy files of workspaces that a person trusts | [`Trust`] |
//! | `trusted-hooks.json`, `trusted-hooks/` | projects whose hooks a person trusts, and the text of these hooks | [`HookTrust`] |
//! | `providers.lock`, `providers/` | providers of third parties that a person installed | [`Providers`] |
//! | `grants.json` | the grants that people gave | [`Grants`] |
//! | `gateway.lock` | which process is the gateway | [`Instance`] |
//! | `state.db`, `audit.head` | the gateway's requests, their history and the audit trail | [`store::Store`] |
//! | `spool/` | events that wait for the gateway | [`Spool`] |
//! | `rejections.jsonl`, `requests.jsonl`, `grants.jsonl`, `hooks.jsonl` | denials; ended requests; changes of grants; hooks that ran | [`Journal`] |

mod account;
mod cards;
mod cursor;
mod dir;
mod grants;
mod hook_trust;
mod instance;
mod journal;
mod led;
mod lock;
mod plain;
mod proven;
mod providers;
mod queue;
mod rejection;
mod replace;
mod spool;
pub mod store;
mod stored;
mod trust;

pub use account::{AccountKey, InvalidAccountKey};
pub use cards::{AliveCard, CardRecord, Cards, CardsError, CorruptCard, Found, OpenCard, Stage};
pub use cursor::{Cursor, CursorError, MAX_CURSOR};
pub use dir::{DirError, StateDir, found};
pub use grants::{Dropped, Grants, GrantsError, MAX_GRANTS};
pub use hook_trust::HookTrust;
pub use instance::{Instance, InstanceError};
pub use journal::{Journal, JournalError, Lines, Retention};
pub use led::{Handled, Led, LedFile, LedPlace, LedSession, LedThread};
pub use lock::FileError;
pub use plain::{Unreadable, read_plain};
pub use proven::Proven;
pub use providers::{InstalledProvider, Providers, ProvidersError, SignedBy};
pub use queue::{Queue, QueueError, Ticket};
pub use rejection::{Denial, Rejection};
pub use replace::{replace, replace_soon};
pub use spool::{SPOOLED, Spool, SpoolError, Spooled};
pub use stored::{Stored, StoredFor};
pub use trust::{Standing, Trust, TrustError};
