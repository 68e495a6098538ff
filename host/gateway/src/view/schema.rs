//! The shapes of what core sends, for the OpenAPI document: core knows nothing of documents. The tests hold every real
//! answer against them.
#![allow(dead_code, reason = "only their schemas are used")]

use serde::Serialize;
use utoipa::ToSchema;

/// Who asks.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Source {
    /// A session of Claude Code.
    Hook {
        /// The session.
        #[serde(rename = "sessionId")]
        session_id: String,
        /// The subagent in it.
        #[serde(rename = "agentId")]
        #[schema(nullable = false)]
        agent_id: Option<String>,
    },
    /// `tools.invoke` or `dmplz exec`.
    Tool {
        /// What will run, UUID v4.
        #[schema(pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")]
        #[serde(rename = "invocationId")]
        invocation_id: String,
    },
}

/// How a card shows a request.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Subject {
    /// The request.
    request_id: String,
    /// The tool.
    tool: String,
    /// Lines above what is asked.
    context: Vec<String>,
    /// What is asked.
    parts: Vec<Part>,
    /// The line about the session grant, when there is one.
    #[schema(required = true)]
    grant: Option<String>,
}

/// A piece of a card.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Part {
    /// Words.
    Text(String),
    /// Monospaced.
    Code(String),
}

/// Who answered, and where.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Answerer {
    /// A messenger (`telegram`), `web`, `cli`, `websocket` or `rest`.
    surface: String,
    /// The surface's id of the person.
    id: String,
    /// What people see; untrusted text.
    name: String,
}

/// How a request ended.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Resolution {
    /// The final state.
    outcome: Outcome,
    /// The person behind it, where there is one.
    #[schema(nullable = false)]
    by: Option<Answerer>,
    /// Why it was denied.
    #[schema(nullable = false)]
    reason: Option<String>,
    /// For a denial: where its reason comes from.
    #[schema(nullable = false)]
    reason_source: Option<ReasonSource>,
    /// For a request that nobody answered: why not.
    #[schema(nullable = false)]
    cause: Option<Cause>,
    /// The rule that decided, `file:line`, where it was one.
    #[schema(nullable = false)]
    rule: Option<String>,
}

/// How a request ended, in one word.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    /// Allowed, this once.
    Approved,
    /// Allowed for the session.
    ApprovedSession,
    /// Denied, and why.
    RejectedWithReason,
    /// Denied.
    RejectedNoReason,
    /// Allowed by a rule.
    AllowedByRule,
    /// Denied by a rule.
    DeniedByRule,
    /// Not answered.
    Expired,
    /// Answered somewhere else, or not awaited any more.
    ResolvedElsewhere,
}

/// Where the reason of a denial comes from.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ReasonSource {
    /// The person wrote it.
    UserInput,
    /// The person chose to give none.
    ExplicitSkip,
    /// None came in time.
    Timeout,
    /// A rule denied.
    Policy,
}

/// Why nobody's answer counts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Cause {
    /// The deadline passed.
    Nobody,
    /// The messenger could not be used.
    Failed,
    /// The call went on in the terminal.
    Terminal,
    /// The client stopped the hook.
    Stopped,
    /// The client is gone.
    ClientGone,
}
