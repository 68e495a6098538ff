//! The policy and the grants, as the gateway asks them about calls of its sessions: the same judgement as a hook's. The files are read
//! for every call, so that an edit counts at once.

use dmplz_core::claude::{HookInput, ToolCall};
use dmplz_gateway::sessions;
use dmplz_policy::Policy;

use crate::hook::rules;
use crate::policy::load::Tiers;
use crate::settings::environment;

/// The rules and grants of this user.
#[derive(Debug)]
pub(super) struct Consent;

impl sessions::Consent for Consent {
    fn judge(&self, input: &HookInput, call: &ToolCall) -> sessions::Ruling {
        // Where somebody started the gateway says nothing of where a session works.
        let elsewhere = |name: &str| environment(name).filter(|_| name != "CLAUDE_PROJECT_DIR");
        let tiers = Tiers::of(rules::cwd(input), &elsewhere);
        let policy = Policy::new(tiers.load().files);
        let ruling = rules::ruling(&policy, &tiers, input, call);
        sessions::Ruling { ruled: ruling.ruled, remarks: ruling.remarks }
    }
}
