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
    /// The line about a grant, where it would cover more than the very call.
    #[schema(nullable = false)]
    granted: Option<String>,
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

/// Where the client stores a permission.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Scope {
    /// This project, just you: `.claude/settings.local.json`.
    LocalSettings,
    /// All projects: `~/.claude/settings.json`.
    UserSettings,
    /// This project, shared: `.claude/settings.json`.
    ProjectSettings,
    /// This session, in the client's memory.
    Session,
}

/// What the client would store, as it suggests it.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub(super) enum PermissionUpdate {
    /// Allow what the rules cover.
    AddRules {
        /// The rules.
        rules: Vec<Rule>,
        /// What they say.
        behavior: Behavior,
        /// Where the client suggests to store them.
        destination: Scope,
    },
    /// Let the client work in more directories.
    AddDirectories {
        /// Absolute paths.
        directories: Vec<String>,
        /// Where the client suggests to store them.
        destination: Scope,
    },
    /// Change the mode.
    SetMode {
        /// `acceptEdits`: edits are accepted by themselves.
        mode: String,
        /// Where it is stored.
        destination: Scope,
    },
}

/// What a rule says.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum Behavior {
    /// Allow.
    Allow,
}

/// `toolName` or `toolName(ruleContent)`.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Rule {
    /// The tool.
    tool_name: String,
    /// What narrows it.
    #[schema(nullable = false)]
    rule_content: Option<String>,
}

/// Why what would be stored reaches further than the call.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum Wide {
    /// It allows what starts any other command.
    Shell,
    /// It allows what runs any code.
    Interpreter,
    /// It allows more than calls like this one.
    Wildcard,
    /// It allows everything that the tool can do.
    Tool,
}

/// A question of the agent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Question {
    /// Its text, by which it is answered.
    question: String,
    /// A word or two.
    header: String,
    /// Whether several options may be chosen.
    multi_select: bool,
    /// What may be chosen.
    options: Vec<AnswerOption>,
}

/// An option of a question.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AnswerOption {
    /// What is answered.
    label: String,
    /// What it means.
    description: String,
}

/// The answer to one question.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Answered {
    /// The question's text.
    question: String,
    /// Labels of its options: one of a single choice, or none beside a text.
    labels: Vec<String>,
    /// The person's own words.
    #[schema(nullable = false, max_length = 4_000)]
    text: Option<String>,
}

/// An answer to a request: one shape a decision.
#[derive(Serialize, ToSchema)]
#[serde(tag = "decision", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Answer {
    /// Allow it, this once; a plan as the mode was.
    Approve {},
    /// Allow it and what its grant covers for the session.
    Session {},
    /// Allow it and store what the client suggests.
    Always {
        /// Where it is stored; else this project, just you.
        #[schema(nullable = false)]
        scope: Option<Scope>,
        /// Also what reaches further than the call.
        #[schema(nullable = false)]
        wide: Option<bool>,
    },
    /// Approve a plan; its edits are accepted by themselves.
    AutoAccept {},
    /// Approve a plan; its edits are approved one by one.
    Manual {},
    /// Answer its questions.
    Answers {
        /// One answer a question.
        answers: Vec<Answered>,
    },
    /// Allow it, and exactly the same again for a while.
    Grant {
        /// For how long.
        term: Term,
    },
    /// Deny it.
    Deny {
        /// Why, or with `instead` what to do instead.
        #[schema(max_length = 10_000)]
        reason: Option<String>,
        /// Whether the reason says what to do instead.
        instead: Option<bool>,
    },
}

/// How long a grant lasts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Term {
    /// 30 minutes.
    HalfHour,
    /// Until the client's session ends.
    Session,
}

/// How the edits that follow a plan are approved.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
enum Edits {
    /// By themselves.
    AutoAccept,
    /// One by one, by a person.
    Manual,
}

/// How far an approval reaches.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
enum Extent {
    /// This call.
    Once,
    /// The session.
    Session,
    /// The client's suggestions were stored.
    Always {
        /// Where.
        scope: Scope,
        /// Whether also what reaches further than the call.
        wide: bool,
    },
    /// A plan.
    Plan {
        /// How its edits are approved.
        edits: Edits,
    },
    /// Questions were answered.
    Answers {
        /// How; masked.
        answers: Vec<Answered>,
    },
    /// Exactly the same may be done again for a while.
    Granted {
        /// For how long.
        term: Term,
    },
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
    /// How far an approval reaches, where `outcome` does not say it all.
    #[schema(nullable = false)]
    extent: Option<Extent>,
    /// Why it was denied, or what to do instead.
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
pub(crate) enum Outcome {
    /// Allowed, this once.
    Approved,
    /// Allowed for the session.
    ApprovedSession,
    /// Allowed, and stored as a permission of the client.
    ApprovedAlways,
    /// Allowed, and granted for a while.
    ApprovedGranted,
    /// Questions, answered.
    Answered,
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
    /// The person wrote what to do instead.
    Instead,
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

/// What the requests of a period came to.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Figures {
    /// Requests that ended.
    requests: u64,
    /// Records that nobody can read.
    unreadable_lines: u64,
    /// Decided by a rule, of all.
    by_policy: Share,
    /// Allowed by a rule.
    allowed_by_rule: u64,
    /// Denied by a rule.
    denied_by_rule: u64,
    /// Allowed once.
    approved: u64,
    /// Allowed for the session.
    approved_for_session: u64,
    /// Denied, of those that a person answered.
    denied: Share,
    /// With a reason, of those denied.
    with_reason: Share,
    /// Without a reason by choice, of those denied.
    explicit_skip: Share,
    /// Without a reason because none came in time, of those denied.
    reason_timeout: Share,
    /// Answered by nobody by the deadline, of those that no rule decided.
    hook_timeout: Share,
    /// With a messenger that could not be used, of those that no rule decided.
    failed: Share,
    /// Answered in the terminal, or not awaited any more, of those that no rule decided.
    elsewhere: Share,
    /// How long people took to answer.
    answers: Answers,
}

/// How many of how many.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Share {
    /// So many.
    count: u64,
    /// Of so many.
    of: u64,
    /// The quotient, 0 to 1; none of none.
    #[schema(required = true)]
    rate: Option<f64>,
}

/// Times from a request's appearance to the answer.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Answers {
    /// How many are known.
    count: u64,
    /// Half of them took at most so long, in milliseconds.
    #[schema(required = true)]
    median_ms: Option<u64>,
    /// Nine of ten took at most so long, in milliseconds.
    #[schema(required = true)]
    p90_ms: Option<u64>,
}
