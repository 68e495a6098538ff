//! dmplz grants: a person who answered a card allowed the same call for half an hour, or for the session.
//!
//! A grant is a rule that a person made by pressing. It covers exactly one thing, by one tool, in one folder:
//!
//! | tool | covers the same | does not cover |
//! |---|---|---|
//! | `Bash`, `PowerShell` | command and all other fields, except `description` | the content of the files that the command runs |
//! | `Read`, `Write`, `Edit`, `MultiEdit`, `NotebookEdit` | file: the same plain absolute path and link target | its content |
//! | `WebFetch` | scheme, host and port | path, query and prompt |
//! | any other | whole input; for an MCP tool, the same server | |
//! | `AskUserQuestion`, `ExitPlanMode` | never: each question is a new one | |
//!
//! A command is the same letter by letter. Another field (`timeout`, `run_in_background`, ...) is the same if it is equal,
//! or absent in both.
//!
//! A grant holds from its creation until its time or its session ends, and only while both clocks say so: the wall
//! clock, and the time since the machine started, which nobody can set. A clock that is set back therefore prolongs
//! nothing: a grant is over before its creation time, and once its duration has passed on the other clock. After a
//! restart of the machine, a grant is over if the second clock is behind its creation; otherwise the first clock
//! decides.
//!
//! The policy's judge (`dmplz_policy::Policy::granted`) decides what a call is about and whether a grant covers it. A
//! deny always wins.

pub mod change;
mod covers;
mod line;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use self::change::Change;
pub use self::covers::Covers;
use crate::approvers::Answerer;

/// How long the grant "for 30 minutes" holds, in milliseconds.
pub const HALF_HOUR_MS: u64 = 30 * 60 * 1000;

/// The longest time that a session's grant holds, in milliseconds. A killed client never reports the end of its
/// session.
pub const SESSION_MS: u64 = 24 * 60 * 60 * 1000;

/// The number of an id's digits that are shown to people.
const SHORT: usize = 8;
/// The number of digits of an id.
const ID: usize = 32;

/// One moment on two clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moment {
    /// The wall clock in Unix milliseconds. The machine's owner can set it.
    pub wall_ms: u64,
    /// Milliseconds since the machine started, including sleep. Nobody can set it.
    pub up_ms: u64,
}

/// A grant: what it covers, who gave it, and until when it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// The grant's name: 32 hexadecimal digits.
    pub id: String,
    /// When it was made.
    pub created: Moment,
    /// The first moment at which the grant no longer holds, in Unix milliseconds.
    pub until_ms: u64,
    /// The client's session, with which the grant ends. `None` for a grant with a time limit only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// What the grant covers.
    pub covers: Covers,
    /// The absolute path of the folder in which the agent worked and must work.
    pub folder: String,
    /// Who gave the grant, and on which surface.
    pub by: Answerer,
    /// The request whose answer gave the grant.
    pub request_id: String,
}

impl Grant {
    /// Creates a grant for half an hour, or for `session`. `id` is 32 unguessable hexadecimal digits.
    pub fn new(
        id: String,
        session: Option<String>,
        what: (Covers, String),
        by: Answerer,
        request_id: String,
        now: Moment,
    ) -> Self {
        let lasts = if session.is_some() { SESSION_MS } else { HALF_HOUR_MS };
        let (covers, folder) = what;
        Self { id, created: now, until_ms: now.wall_ms.saturating_add(lasts), session, covers, folder, by, request_id }
    }

    /// Returns the first digits of the id, as people see and type them.
    pub fn short(&self) -> &str {
        self.id.get(..SHORT).unwrap_or(&self.id)
    }

    /// Returns the name in logs: `grant:` and the first digits of the id.
    pub fn place(&self) -> String {
        format!("grant:{}", self.short())
    }

    /// Returns whether the grant holds at `now` on both clocks.
    pub fn holds(&self, now: Moment) -> bool {
        let lasts = self.until_ms.saturating_sub(self.created.wall_ms);
        let since_up = now.up_ms.checked_sub(self.created.up_ms);
        (self.created.wall_ms..self.until_ms).contains(&now.wall_ms) && since_up.is_some_and(|since| since < lasts)
    }

    /// Returns whether the grant is one that this program could have made.
    pub fn is_sound(&self) -> bool {
        let longest = if self.session.is_some() { SESSION_MS } else { HALF_HOUR_MS };
        let lasts = self.until_ms.checked_sub(self.created.wall_ms);
        self.id.len() == ID
            && self.id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
            && lasts.is_some_and(|lasts| (1..=longest).contains(&lasts))
            && self.session.as_deref().is_none_or(|session| !session.is_empty())
            && Path::new(&self.folder).is_absolute()
            && !self.by.id.is_empty()
    }
}
