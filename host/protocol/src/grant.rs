//! A grant as surfaces get it.

use dmplz_core::approvers::Answerer;
use dmplz_core::grant::Covers;
use dmplz_core::text::Lang;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What somebody granted for a while: exactly the same passes without asking, in the same folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// Names the grant: 32 hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{32}$")]
    pub id: String,
    /// The request that was answered with it.
    pub request_id: String,
    /// The tool whose calls it covers.
    pub tool: String,
    /// What of the tool it is about.
    pub kind: GrantKind,
    /// Which: a command, a path and where that leads, a site, an input. Secrets are masked; untrusted text.
    pub what: String,
    /// All of that in one line, in the gateway's language; made visible.
    pub about: String,
    /// Where the agent worked, and must work; absolute.
    pub folder: String,
    /// When it was made, Unix milliseconds.
    pub created_ms: u64,
    /// When it is over at the latest, Unix milliseconds.
    pub until_ms: u64,
    /// The client's session, with which it ends. Not there for one that has its time only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub session_id: Option<String>,
    /// Who gave it, and where.
    pub by: Answerer,
}

/// What a grant is about.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GrantKind {
    /// Exactly this command.
    Command,
    /// Exactly this file, whatever is written.
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

/// A grant that was taken back.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct RevokedGrant {
    /// The grant that was taken back.
    pub grant: Grant,
    /// Whether the audit trail and the log have it. It counts no more either way.
    pub recorded: bool,
}

/// Asks for the grants that hold.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListGrants {}

/// A person takes a grant back: whoever the session is of.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevokeGrant {
    /// The whole id of the grant.
    pub id: String,
}

impl Grant {
    /// Returns how it is shown in a language.
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
    /// Returns how they are shown in a language.
    pub fn of(grants: &[dmplz_core::grant::Grant], lang: Lang) -> Self {
        Self { grants: grants.iter().map(|grant| Grant::of(grant, lang)).collect() }
    }
}

impl RevokedGrant {
    /// Returns how it is shown in a language. `recorded`: whether that it was taken back is written down.
    pub fn of(grant: &dmplz_core::grant::Grant, recorded: bool, lang: Lang) -> Self {
        Self { grant: Grant::of(grant, lang), recorded }
    }
}
