//! A grant as surfaces get it.

use dmplz_core::grant::Covers;
use dmplz_core::resolution::Answerer;
use dmplz_core::text::Lang;
use serde::Serialize;
use utoipa::ToSchema;

use super::schema;

/// What somebody granted for a while: exactly the same passes without asking, in the same folder.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Grant {
    /// Its id.
    #[schema(pattern = "^[0-9a-f]{32}$")]
    id: String,
    /// The request that was answered with it.
    request_id: String,
    /// The tool.
    tool: String,
    /// What of the tool it is about.
    kind: GrantKind,
    /// Which: a command, a path and where that leads, a site, an input. Secrets are masked; untrusted text.
    what: String,
    /// All of that in one line, in the gateway's language; made visible.
    about: String,
    /// Where the agent worked, and must work; absolute.
    folder: String,
    /// When it was made, Unix milliseconds.
    created_ms: u64,
    /// When it is over at the latest, Unix milliseconds.
    until_ms: u64,
    /// The client's session, with which it ends. Not there for one that has its time only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    session_id: Option<String>,
    /// Who gave it, and where.
    #[schema(value_type = schema::Answerer)]
    by: Answerer,
}

/// What a grant is about.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum GrantKind {
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
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Grants {
    /// Oldest first.
    grants: Vec<Grant>,
}

/// A grant that was taken back.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RevokedGrant {
    /// Which.
    grant: Grant,
    /// Whether the audit trail and the log have it. It counts no more either way.
    recorded: bool,
}

impl Grant {
    /// How it is shown in a language.
    pub(crate) fn of(grant: &dmplz_core::grant::Grant, lang: Lang) -> Self {
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
    pub(crate) fn of(grants: &[dmplz_core::grant::Grant], lang: Lang) -> Self {
        Self { grants: grants.iter().map(|grant| Grant::of(grant, lang)).collect() }
    }
}

impl RevokedGrant {
    pub(crate) fn of(grant: &dmplz_core::grant::Grant, recorded: bool, lang: Lang) -> Self {
        Self { grant: Grant::of(grant, lang), recorded }
    }
}
