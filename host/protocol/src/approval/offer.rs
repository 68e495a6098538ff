//! What a request offers, as surfaces get it: an [`Offer`], and what of it is there to be read before it is answered.

use dmplz_core::claude::{self, PermissionUpdate, Question, Scope, Wide};
use dmplz_core::request::Offer;
use dmplz_core::visible::visible_line;
use serde::Serialize;
use utoipa::ToSchema;

/// What may be answered besides yes and no.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Offered {
    /// `session`: whether it may be granted for the session.
    session: bool,
    /// `always`: what would be stored; none where the client suggests nothing.
    always: Vec<Suggested>,
    /// `grant`: whether exactly the same may be granted for a while.
    granted: bool,
    /// `auto-accept` and `manual`: whether it is a plan.
    plan: bool,
    /// `answers`: what is asked.
    questions: Vec<Question>,
    /// It asks questions that only the terminal can answer.
    unanswerable: bool,
}

/// One thing that `always` would store.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Suggested {
    /// What, with the destination that the client suggests.
    update: PermissionUpdate,
    /// Why it reaches further than the call, if it does: then it is stored with `wide` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    wide: Option<Wide>,
    /// To be shown before it is answered, made visible: each rule exactly, each directory, the mode.
    text: Vec<String>,
    /// Where it is stored for each `scope` that may be chosen.
    destinations: Destinations,
}

/// By the scope that is chosen. A mode keeps its own destination.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Destinations {
    local_settings: Scope,
    user_settings: Scope,
    project_settings: Scope,
    session: Scope,
}

impl From<Offer> for Offered {
    fn from(Offer { session, always, granted, plan, questions, unanswerable }: Offer) -> Self {
        Self {
            session,
            always: always.into_iter().map(Suggested::from).collect(),
            granted,
            plan,
            questions,
            unanswerable,
        }
    }
}

impl From<claude::Suggestion> for Suggested {
    fn from(claude::Suggestion { update, wide }: claude::Suggestion) -> Self {
        let text = match &update {
            PermissionUpdate::AddRules { rules, .. } => {
                rules.iter().map(|rule| visible_line(&rule.to_string())).collect()
            }
            PermissionUpdate::AddDirectories { directories, .. } => {
                directories.iter().map(|directory| visible_line(directory)).collect()
            }
            PermissionUpdate::SetMode { mode, .. } => vec![mode.name().to_owned()],
        };
        let stored = |scope| match &update {
            PermissionUpdate::SetMode { destination, .. } => *destination,
            _ => scope,
        };
        let destinations = Destinations {
            local_settings: stored(Scope::Local),
            user_settings: stored(Scope::User),
            project_settings: stored(Scope::Project),
            session: stored(Scope::Session),
        };
        Self { text, destinations, update, wide }
    }
}
