//! The offer of a request as surfaces get it: an [`Offer`], and the text to read before answering.

use dmplz_core::claude::{self, Breadth, PermissionUpdate, Question, Scope};
use dmplz_core::request::Offer;
use dmplz_core::visible::visible_line;
use serde::Serialize;
use utoipa::ToSchema;

/// The answers that a request takes besides yes and no.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Offered {
    /// Whether `session` is offered.
    session: bool,
    /// What `always` would store; empty if the client suggests nothing.
    always: Vec<Suggested>,
    /// Whether `grant` is offered: exactly the same call is allowed for a while.
    granted: bool,
    /// Whether `auto-accept` and `manual` are offered, because the call is a plan.
    plan: bool,
    /// The questions for `answers`.
    questions: Vec<Question>,
    /// Whether the call asks questions that only the terminal can answer.
    unanswerable: bool,
    /// Whether a denial is final at once, because nobody would read a reason for it.
    final_denial: bool,
    /// The surface on which a person asked for it, if only another surface can approve it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    asked_on: Option<String>,
}

/// One suggestion that `always` would store.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Suggested {
    /// The update, with the destination that the client suggests.
    update: PermissionUpdate,
    /// Why it reaches further than the call, if it does. It is then stored with `broad` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    broad: Option<Breadth>,
    /// The text to show before the answer, with invisible characters made visible: each rule exactly, each directory,
    /// the mode.
    text: Vec<String>,
    /// The destination for each `scope` that may be chosen.
    destinations: Destinations,
}

/// The destination by chosen scope. A mode keeps its own destination.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Destinations {
    local_settings: Scope,
    user_settings: Scope,
    project_settings: Scope,
    session: Scope,
}

impl From<Offer> for Offered {
    fn from(Offer { session, always, granted, plan, questions, unanswerable, final_denial, asked_on }: Offer) -> Self {
        Self {
            session,
            always: always.into_iter().map(Suggested::from).collect(),
            granted,
            plan,
            questions,
            unanswerable,
            final_denial,
            asked_on,
        }
    }
}

impl From<claude::Suggestion> for Suggested {
    fn from(claude::Suggestion { update, broad }: claude::Suggestion) -> Self {
        let text = update.items().iter().map(|item| visible_line(item)).collect();
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
        Self { text, destinations, update, broad }
    }
}
