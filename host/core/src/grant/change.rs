//! The changes of a grant, for later audit: a line of `grants.jsonl`, and an entry of the gateway's audit trail.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Covers, Grant};
use crate::approvers::Answerer;
use crate::redact::mask;
use crate::stats::stamp;

/// A change of one grant. Whatever could be secret in the grant is masked: [`Grant::masked`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// A person gave the grant. It names the person, the surface and the request.
    Made {
        /// The grant that was given.
        grant: Grant,
    },
    /// A person revoked the grant while it held.
    Revoked {
        /// The grant that was revoked.
        grant: Grant,
        /// Who revoked it, and on which surface.
        by: Answerer,
    },
    /// The grant ended without being revoked.
    Ended {
        /// The grant that ended.
        grant: Grant,
        /// Why the grant ended.
        why: Over,
    },
}

/// Why a grant ended without being revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Over {
    /// Its time has passed. This is noted when the list of grants is next written.
    Expired,
    /// Its session has ended.
    Session,
    /// The client did not take the answer that the grant belongs to.
    NotTaken,
}

/// A line of `grants.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// When the change took place.
    #[serde(with = "stamp")]
    pub timestamp: Timestamp,
    /// The change of the grant.
    #[serde(flatten)]
    pub change: Change,
}

impl Change {
    /// Returns the change for a grant that was given.
    pub fn made(grant: &Grant) -> Self {
        Self::Made { grant: grant.masked() }
    }

    /// Returns the change for a grant that was revoked.
    pub fn revoked(grant: &Grant, by: &Answerer) -> Self {
        Self::Revoked { grant: grant.masked(), by: by.clone() }
    }

    /// Returns the change for a grant that ended by itself.
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
    /// Returns the grant without secrets, for records that outlive it: a path may hold a secret. The shown command is
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
