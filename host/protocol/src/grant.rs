//! Grants as surfaces get them.

use dmplz_core::approvers::Answerer;
use dmplz_core::grant::Covers;
use dmplz_core::text::Lang;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A grant: exactly the same call in the same folder is allowed without asking, for a while.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// The grant's name: 32 hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{32}$")]
    pub id: String,
    /// The request whose answer gave the grant.
    pub request_id: String,
    /// The tool whose calls it covers.
    pub tool: String,
    /// The kind of thing it covers.
    pub kind: GrantKind,
    /// The covered command, path with its link target, site or input. Secrets are masked; this is untrusted text.
    pub what: String,
    /// A one-line description in the gateway's language, with invisible characters made visible.
    pub about: String,
    /// The absolute path of the folder in which the agent worked and must work.
    pub folder: String,
    /// When it was made, in Unix milliseconds.
    pub created_ms: u64,
    /// When it ends at the latest, in Unix milliseconds.
    pub until_ms: u64,
    /// The client's session, with which it ends. Absent for a grant with a time limit only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub session_id: Option<String>,
    /// Who gave it, and on which surface.
    pub by: Answerer,
}

/// The kind of thing that a grant covers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GrantKind {
    /// Exactly this command.
    Command,
    /// Exactly this file, with any content.
    File,
    /// Every page of this site.
    Site,
    /// Exactly this input.
    Input,
}

/// The grants that hold.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Grants {
    /// The grants that hold, the oldest first.
    pub grants: Vec<Grant>,
}

/// The result of revoking a grant.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct RevokedGrant {
    /// The grant that was revoked.
    pub grant: Grant,
    /// Whether the revocation is in the audit trail and in the log. The grant no longer counts in either case.
    pub recorded: bool,
}

/// Params of `grants.list`, which returns the grants that hold.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListGrants {}

/// Params of `grants.revoke`, which revokes a grant of any session.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevokeGrant {
    /// The whole id of the grant.
    pub id: String,
}

impl Grant {
    /// Returns the grant as shown in a language.
    pub fn of(grant: &dmplz_core::grant::Grant, lang: Lang) -> Self {
        let grant = grant.masked();
        let (kind, what) = match grant.covers.clone() {
            Covers::Command { shown, .. } => (GrantKind::Command, shown),
            Covers::File { path, leads: None, .. } => (GrantKind::File, path),
            Covers::File { path, leads: Some(real), .. } => (GrantKind::File, format!("{path} → {real}")),
            Covers::Site { origin, .. } => (GrantKind::Site, origin),
            Covers::Input { shown, .. } => (GrantKind::Input, shown),
        };
        Self {
            about: grant.line(lang),
            tool: grant.covers.tool().to_owned(),
            kind,
            what,
            created_ms: grant.created.wall_ms,
            until_ms: grant.until_ms,
            id: grant.id,
            request_id: grant.request_id,
            folder: grant.folder,
            session_id: grant.session,
            by: grant.by,
        }
    }
}

impl Grants {
    /// Returns the grants as shown in a language.
    pub fn of(grants: &[dmplz_core::grant::Grant], lang: Lang) -> Self {
        Self { grants: grants.iter().map(|grant| Grant::of(grant, lang)).collect() }
    }
}

impl RevokedGrant {
    /// Returns the revoked grant as shown in a language. `recorded` tells whether the revocation was recorded.
    pub fn of(grant: &dmplz_core::grant::Grant, recorded: bool, lang: Lang) -> Self {
        Self { grant: Grant::of(grant, lang), recorded }
    }
}
