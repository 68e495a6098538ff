//! Grants of our own: a person who answered a card let the same thing pass for half an hour, or for the session.
//!
//! A grant is a rule that a person wrote by pressing. It is about exactly one thing, by one tool, in one folder:
//!
//! | tool | the same is | and not |
//! |---|---|---|
//! | `Bash`, `PowerShell` | the same command, letter by letter, and every other field as it was or absent as it was (`timeout`, `run_in_background`, ...); only `description` may differ | what the files hold that the command runs |
//! | `Read`, `Write`, `Edit`, `MultiEdit`, `NotebookEdit` | the same file under the same absolute path, leading where it led; the path must be plain | what is written |
//! | `WebFetch` | the same scheme, host and port | path, query and prompt |
//! | any other | the whole input; of an MCP tool the same server | |
//! | `AskUserQuestion`, `ExitPlanMode` | never: each question is a new one | |
//!
//! It holds from the moment it was made, for as long as its time and its session last, and only while both clocks say so:
//! the time of day, and the time since the machine started, which nobody can set. So a clock that is set back prolongs
//! nothing: before the moment it was made, or after as much time as it was given by the other clock, a grant is over. After a
//! restart of the machine it is over as soon as the second clock is behind, and by the first otherwise.
//!
//! What a call is about and whether a grant decides it is the business of the policy's judge (`dmplz_policy::Policy::granted`): a deny
//! wins, always.

pub mod change;
mod covers;
mod line;

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use self::change::Change;
pub use self::covers::Covers;
use crate::approvers::Answerer;

/// How long "for 30 minutes" is, in milliseconds.
pub const HALF_HOUR_MS: u64 = 30 * 60 * 1000;

/// The longest that a session's grant holds, in milliseconds: a client that is killed never says that its session ended.
pub const SESSION_MS: u64 = 24 * 60 * 60 * 1000;

/// How many digits of an id people see.
const SHORT: usize = 8;
/// Digits of an id.
const ID: usize = 32;

/// A moment on two clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moment {
    /// The time of day: milliseconds since 1970. Whoever owns the machine can set it.
    pub wall_ms: u64,
    /// Milliseconds since the machine started, sleep included. Nobody can set it.
    pub up_ms: u64,
}

/// A grant: what it is about, who gave it, and until when it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// Names the grant: 32 hexadecimal digits.
    pub id: String,
    /// When it was made.
    pub created: Moment,
    /// The first moment at which it does not hold any more; milliseconds since 1970.
    pub until_ms: u64,
    /// The client's session, with which it ends. None for a grant that has its time only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// What it is about.
    pub covers: Covers,
    /// Where the agent worked, and must work; absolute.
    pub folder: String,
    /// Who gave it, and where.
    pub by: Answerer,
    /// The request that was answered with it.
    pub request_id: String,
}

impl Grant {
    /// A grant for half an hour, or for a session where one is named. `id` is 32 hexadecimal digits that nobody can guess.
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

    /// The beginning of its id, as people see and type it.
    pub fn short(&self) -> &str {
        self.id.get(..SHORT).unwrap_or(&self.id)
    }

    /// What logs call it: `grant:` and the beginning of its id.
    pub fn place(&self) -> String {
        format!("grant:{}", self.short())
    }

    /// Whether its time has come and has not passed, on both clocks.
    pub fn holds(&self, now: Moment) -> bool {
        let lasts = self.until_ms.saturating_sub(self.created.wall_ms);
        let since_up = now.up_ms.checked_sub(self.created.up_ms);
        (self.created.wall_ms..self.until_ms).contains(&now.wall_ms) && since_up.is_some_and(|since| since < lasts)
    }

    /// Whether it is one that this program could have made.
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
