//! The rules that a person wrote, and the grants that a person gave, before anybody is asked.
//!
//! They need the state directory and the home directory, and nothing else: a broken setting, a missing token or a
//! messenger that is down neither takes a deny away nor keeps a rule from allowing.

use std::path::Path;

use dmplz_core::card::Remark;
use dmplz_core::claude::{HookInput, ToolCall};
use dmplz_core::grant::Covers;
use dmplz_policy::{Call, File, Policy, Ruled};
use dmplz_state::Grants;
use uuid::Uuid;

use super::{environment, hand_over_ruled};
use crate::journals;
use crate::policy::disk::with_disk;
use crate::policy::load::Tiers;
use crate::policy::ruling::remarks;
use crate::policy::shell;
use crate::{time, trouble};

/// What a log says instead of a messenger's name.
const PROVIDER: &str = "policy";

/// What the rules and the grants make of a call.
#[derive(Debug, Default)]
pub(crate) struct Ruling {
    /// What a rule or a grant decides; None where a person does.
    pub(crate) ruled: Option<Ruled>,
    /// What that person should know.
    pub(crate) remarks: Vec<Remark>,
    /// What that person may grant; None where a grant would not count.
    pub(crate) grantable: Option<Covers>,
}

/// Judges a call that somebody may be asked about: by the rules, and by the grants where the rules leave it to a person.
/// Where nobody granted anything that costs a failed `open`.
pub(super) fn judge(input: &HookInput, call: &ToolCall) -> Ruling {
    let tiers = tiers(input);
    ruling(policy(tiers.load().files), &tiers, input, call)
}

/// What a policy, and the grants beside it, make of a call.
pub(crate) fn ruling(policy: &Policy, tiers: &Tiers, input: &HookInput, call: &ToolCall) -> Ruling {
    with_call(input, call, tiers, |call| {
        let judgement = policy.check(call);
        let (ruled, remarks) = (Ruled::of(&judgement), remarks(policy, &judgement));
        let mut ruling = Ruling { ruled, remarks, grantable: None };
        if ruling.ruled.is_none() {
            let grants = tiers.state().map_or(Ok(Vec::new()), Grants::read).unwrap_or_else(|error| {
                ruling.remarks.push(Remark::Trouble(trouble::chain(&error.into())));
                Vec::new()
            });
            let permit = policy.granted(call, &input.session_id, &grants, time::both_clocks());
            ruling.ruled = permit.map(Ruled::Allowed);
        }
        if ruling.ruled.is_none() {
            ruling.grantable = policy.grantable(call);
        }
        ruling
    })
}

fn tiers(input: &HookInput) -> Tiers {
    Tiers::of(cwd(input), &environment)
}

pub(crate) fn cwd(input: &HookInput) -> Option<&Path> {
    Some(Path::new(&input.cwd)).filter(|cwd| cwd.is_absolute())
}

/// The process ends soon: taking a thousand small things apart first would cost as much as judging them.
fn policy(files: Vec<File>) -> &'static Policy {
    Box::leak(Box::new(Policy::new(files)))
}

fn with_call<T>(input: &HookInput, call: &ToolCall, tiers: &Tiers, judge: impl FnOnce(&Call<'_>) -> T) -> T {
    let protected = tiers.protected();
    let call = Call {
        server: input.server(),
        mode: input.permission_mode.as_deref(),
        cwd: cwd(input),
        home: tiers.home(),
        subagent: input.subagent(),
        // Somebody is: whoever the messenger reaches.
        interactive: true,
        places: &protected,
        shell: shell::of_agent(),
        ..Call::new(&call.tool, &call.input, time::timestamp())
    };
    with_disk(call, judge)
}

impl Ruling {
    /// Says on stderr what is wrong with the policy.
    pub(super) fn complain(&self) {
        for remark in &self.remarks {
            if let Remark::Trouble(what) = remark {
                trouble::warn(&format!(
                    "a part of the policy cannot be used, so what its rules allow may be asked: {what}"
                ));
            }
        }
    }
}

/// Hands a rule's decision to the client, and writes it down.
pub(super) fn conclude(ruling: &Ruling, ruled: &Ruled, input: &HookInput, call: &ToolCall) -> anyhow::Result<()> {
    let taken = hand_over_ruled(ruled, input, call);
    ruling.complain();
    record(ruled, input, call);
    Ok(taken?)
}

/// PreToolUse: a rule's deny is answered, whether the client would ask or not. Nothing else is. Whether there was one.
pub(super) fn ahead(input: &HookInput, call: &ToolCall) -> anyhow::Result<bool> {
    let tiers = tiers(input);
    let files = tiers.load().files;
    if files.is_empty() {
        return Ok(false);
    }
    let ruled = with_call(input, call, &tiers, |call| Ruled::of(&policy(files).check(call)));
    let Some(ruled @ Ruled::Denied(_)) = ruled else { return Ok(false) };
    let taken = hand_over_ruled(&ruled, input, call);
    record(&ruled, input, call);
    taken?;
    Ok(true)
}

fn record(ruled: &Ruled, input: &HookInput, call: &ToolCall) {
    let id = call.tool_use_id.clone().unwrap_or_else(|| Uuid::new_v4().to_string());
    let (session_id, cwd) = (&input.session_id, &input.cwd);
    let subject = journals::Subject { provider: PROVIDER, request_id: &id, session_id, cwd, call };
    journals::record_ruling(&subject, ruled, &environment);
}
