//! Applies the rules that a person wrote and the grants that a person gave, before anybody is asked.
//!
//! They depend only on the state directory and the home directory. A broken setting, a missing token or an
//! unreachable messenger neither removes a deny nor keeps a rule from allowing.

use std::path::Path;

use dmplz_core::card::Remark;
use dmplz_core::claude::{HookInput, ToolCall, tool_ask};
pub(super) use dmplz_gateway::sessions::Ruling;
use dmplz_policy::{Call, Decision, File, Policy, Rule, Ruled};
use dmplz_state::Grants;
use uuid::Uuid;

use super::{environment, hand_over_ruled, say};
use crate::journals;
use crate::policy::disk::with_disk;
use crate::policy::load::Tiers;
use crate::policy::ruling::remarks;
use crate::policy::shell;
use crate::{time, trouble};

/// The messenger that a log names for a rule's decision.
const PROVIDER: &str = "policy";

/// Judges a call by the rules, and by the grants if the rules leave it to a person. Without any grants these cost one
/// failed `open`.
pub(super) fn judge(input: &HookInput, call: &ToolCall) -> Ruling {
    let tiers = tiers(input);
    ruling(policy(tiers.load().files), &tiers, input, call)
}

/// Judges a call by a policy and the grants beside it.
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

/// Returns the policy of these files. It is leaked, because the process ends soon, and dropping a thousand small
/// objects would cost as much as judging them.
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
        // A person is: the one whom the messenger reaches.
        interactive: true,
        places: &protected,
        shell: shell::of_agent(),
        ..Call::new(&call.tool, &call.input, time::timestamp())
    };
    with_disk(call, judge)
}

/// Reports the problems of the policy on stderr.
pub(super) fn complain(ruling: &Ruling) {
    for remark in &ruling.remarks {
        if let Remark::Trouble(what) = remark {
            trouble::warn(&format!(
                "a part of the policy cannot be used, so what its rules allow may be asked: {what}"
            ));
        }
    }
}

/// Writes a rule's decision for the client, and logs it.
pub(super) fn conclude(ruling: &Ruling, ruled: &Ruled, input: &HookInput, call: &ToolCall) -> anyhow::Result<()> {
    let taken = hand_over_ruled(ruled, input, call);
    complain(ruling);
    record(ruled, input, call);
    Ok(taken?)
}

/// Handles PreToolUse: answers a rule's deny, whether or not the client would ask. Without one, a person is to be asked
/// if a deny may be missing from a file with an error, or may be about a call that is not clear. Returns whether there was
/// an answer.
pub(super) fn ahead(input: &HookInput, call: &ToolCall) -> anyhow::Result<bool> {
    let tiers = tiers(input);
    let files = tiers.load().files;
    if files.is_empty() {
        return Ok(false);
    }
    let lost = files.iter().find_map(File::lost).map(ToString::to_string);
    let policy = policy(files);
    let (ruled, may_deny) = with_call(input, call, &tiers, |call| {
        let judgement = policy.check(call);
        (Ruled::of(&judgement), judgement.may_deny)
    });
    let Some(ruled @ Ruled::Denied(_)) = ruled else {
        let why = match (lost, may_deny) {
            (Some(problem), _) => format!("A rule that may forbid this cannot be read. {problem}"),
            (None, Some(rule)) => {
                format!("A rule may forbid this, which is not clear before it runs. {}", rule.place())
            }
            (None, None) => return Ok(false),
        };
        say(&tool_ask(&why))?;
        return Ok(true);
    };
    let taken = hand_over_ruled(&ruled, input, call);
    record(&ruled, input, call);
    taken?;
    Ok(true)
}

/// Returns whether some rule denies anything, or may do so in a file with an error.
pub(super) fn may_deny(input: &HookInput) -> bool {
    let denies = |rule: &Rule| rule.decision == Decision::Deny;
    tiers(input).load().files.iter().any(|file| file.lost().is_some() || file.rules.iter().any(denies))
}

fn record(ruled: &Ruled, input: &HookInput, call: &ToolCall) {
    let id = call.tool_use_id.clone().unwrap_or_else(|| Uuid::new_v4().to_string());
    let subject = journals::Subject { provider: PROVIDER, request_id: &id, input, call };
    journals::record_ruling(&subject, ruled);
}
