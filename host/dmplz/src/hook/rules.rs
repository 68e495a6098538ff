//! The rules that a person wrote, and the grants that a person gave, before anybody is asked.
//!
//! They need the state directory and the home directory, and nothing else: a broken setting, a missing token or a
//! messenger that is down neither takes a deny away nor keeps a rule from allowing.

use std::path::Path;

use dmplz_core::card::Remark;
use dmplz_core::claude::{self, HookInput, ToolCall};
use dmplz_core::flow::{self, Outcome};
use dmplz_core::policy::{Call, Covers, File, Policy};
use dmplz_state::Grants;
use uuid::Uuid;

use super::{environment, hand_over, say};
use crate::journals;
use crate::policy::below::{holds_rules, links_in};
use crate::policy::load::Places;
use crate::policy::repository::repository;
use crate::policy::ruling::{outcome, remarks};
use crate::policy::{real_path, shell};
use crate::{time, trouble};

/// What a log says instead of a messenger's name.
const PROVIDER: &str = "policy";

/// What the rules and the grants make of a call.
#[derive(Debug, Default)]
pub(super) struct Ruling {
    /// How it ends by a rule or a grant; None where a person decides.
    pub(super) outcome: Option<Outcome>,
    /// What that person should know.
    pub(super) remarks: Vec<Remark>,
    /// What that person may grant; None where a grant would not count.
    pub(super) grantable: Option<Covers>,
}

/// Judges a call that somebody may be asked about: by the rules, and by the grants where the rules leave it to a person.
/// Where nobody granted anything that costs a failed `open`.
pub(super) fn judge(input: &HookInput, call: &ToolCall) -> Ruling {
    let places = places(input);
    let policy = policy(places.load().files);
    with_call(input, call, &places, |call| {
        let judgement = policy.check(call);
        let mut ruling = Ruling { outcome: outcome(&judgement), remarks: remarks(policy, &judgement), grantable: None };
        if ruling.outcome.is_none() {
            let grants = places.state().map_or(Ok(Vec::new()), Grants::read).unwrap_or_else(|error| {
                ruling.remarks.push(Remark::Trouble(trouble::chain(&error.into())));
                Vec::new()
            });
            let permit = policy.granted(call, &input.session_id, &grants, time::both_clocks());
            ruling.outcome = permit.map(|by| Outcome::AllowedByRule { by });
        }
        if ruling.outcome.is_none() {
            ruling.grantable = policy.grantable(call);
        }
        ruling
    })
}

fn places(input: &HookInput) -> Places {
    Places::of(cwd(input), &environment)
}

fn cwd(input: &HookInput) -> Option<&Path> {
    Some(Path::new(&input.cwd)).filter(|cwd| cwd.is_absolute())
}

/// The process ends soon: taking a thousand small things apart first would cost as much as judging them.
fn policy(files: Vec<File>) -> &'static Policy {
    Box::leak(Box::new(Policy::new(files)))
}

fn with_call<T>(input: &HookInput, call: &ToolCall, places: &Places, judge: impl FnOnce(&Call<'_>) -> T) -> T {
    judge(&Call {
        server: input.server(),
        mode: input.permission_mode.as_deref(),
        cwd: cwd(input),
        home: places.home(),
        subagent: input.subagent(),
        // Somebody is: whoever the messenger reaches.
        interactive: true,
        places: &places.protected(),
        shell: shell::of_agent(),
        real_path: &real_path::each_once(),
        links_in: &links_in,
        holds_rules: &holds_rules,
        repository: &repository,
        ..Call::new(&call.tool, &call.input, time::timestamp())
    })
}

impl Ruling {
    /// Says on stderr what is wrong with the policy.
    pub(super) fn complain(&self) {
        for remark in &self.remarks {
            if let Remark::Trouble(what) = remark {
                trouble::warn(&format!("failed to use the whole policy, so what its rules allow may be asked: {what}"));
            }
        }
    }
}

/// Hands a rule's decision to the client, and writes it down.
pub(super) fn conclude(ruling: &Ruling, outcome: &Outcome, input: &HookInput, call: &ToolCall) -> anyhow::Result<()> {
    let taken = hand_over(&outcome.decision(false), input, call);
    ruling.complain();
    record(outcome, input, call);
    Ok(taken?)
}

/// PreToolUse: a rule's deny is answered, whether the client would ask or not. Nothing else is. Whether there was one.
pub(super) fn ahead(input: &HookInput, call: &ToolCall) -> anyhow::Result<bool> {
    let places = places(input);
    let files = places.load().files;
    if files.is_empty() {
        return Ok(false);
    }
    let Some(outcome) = with_call(input, call, &places, |call| outcome(&policy(files).check(call))) else {
        return Ok(false);
    };
    let flow::Decision::Deny { message } = outcome.decision(false) else { return Ok(false) };
    let taken = say(&claude::tool_deny(&message));
    record(&outcome, input, call);
    taken?;
    Ok(true)
}

fn record(outcome: &Outcome, input: &HookInput, call: &ToolCall) {
    let id = call.tool_use_id.clone().unwrap_or_else(|| Uuid::new_v4().to_string());
    let (session_id, cwd) = (&input.session_id, &input.cwd);
    let subject = journals::Subject { provider: PROVIDER, request_id: &id, session_id, cwd, call };
    journals::record_ruling(&subject, outcome, &environment);
}
