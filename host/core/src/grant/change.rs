//! What became of a grant, for whoever follows it up later: a line of `grants.jsonl`, and an entry of the gateway's trail.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Covers, Grant};
use crate::approvers::Answerer;
use crate::redact::mask;
use crate::stats::stamp;

/// A change of one grant. What of the grant could be secret is masked: [`Grant::masked`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// Somebody gave it: who, where, and on which request, is in it.
    Made {
        /// Which.
        grant: Grant,
    },
    /// Somebody took it back while it held.
    Revoked {
        /// Which.
        grant: Grant,
        /// Who, and where.
        by: Answerer,
    },
    /// It ended without anybody.
    Ended {
        /// Which.
        grant: Grant,
        /// Why.
        why: Over,
    },
}

/// Why a grant ended that nobody took back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// Its time has passed. Said when the list of grants is next written.
    Expired,
    /// Its session has ended.
    Session,
    /// The client did not take the answer that it goes with.
    NotTaken,
}

/// A line of `grants.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// When the change took place.
    #[serde(with = "stamp")]
    pub timestamp: Timestamp,
    /// What became of the grant.
    #[serde(flatten)]
    pub change: Change,
}

impl Change {
    /// The change when somebody has given a grant.
    pub fn made(grant: &Grant) -> Self {
        Self::Made { grant: grant.masked() }
    }

    /// Somebody took it back.
    pub fn revoked(grant: &Grant, by: &Answerer) -> Self {
        Self::Revoked { grant: grant.masked(), by: by.clone() }
    }

    /// It ended by itself.
    pub fn ended(grant: &Grant, why: Over) -> Self {
        Self::Ended { grant: grant.masked(), why }
    }

    /// The grant that was changed.
    pub fn grant(&self) -> &Grant {
        match self {
            Self::Made { grant } | Self::Revoked { grant, .. } | Self::Ended { grant, .. } => grant,
        }
    }
}

impl Grant {
    /// The same without secrets, for what is kept longer than the grant: a path may hold one. What it shows of a command is
    /// masked already.
    pub fn masked(&self) -> Self {
        let text = |text: &str| mask(text).to_string();
        let covers = match self.covers.clone() {
            Covers::File { tool, path, leads } => {
                Covers::File { tool, path: text(&path), leads: leads.as_deref().map(text) }
            }
            covers => covers,
        };
        Self { covers, folder: text(&self.folder), ..self.clone() }
    }
}
