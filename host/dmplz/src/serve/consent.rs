//! The policy and the grants, as the gateway asks them about calls of its sessions: the same judgement as a hook's. The files are read
//! for every call, so that an edit counts at once.

use std::path::Path;

use dmplz_core::claude::{HookInput, Permission, ToolCall};
use dmplz_core::grant::Covers;
use dmplz_core::request::Outcome;
use dmplz_gateway::sessions;
use dmplz_policy::Policy;
use dmplz_protocol::RequestId;
use dmplz_state::StateDir;

use super::judge::tiers;
use crate::grants::tell;
use crate::hook::{grants, rules};
use crate::install::remove_permission;
use crate::settings::Settings;
use crate::{journals, time};

/// What a log says instead of a surface's name when a rule or a grant decided.
const POLICY: &str = "policy";
/// What it says when nobody answered.
const NOBODY: &str = "gateway";

/// The rules and grants of this user.
#[derive(Debug)]
pub(super) struct Consent {
    pub(super) state: StateDir,
    pub(super) settings: Settings,
}

impl sessions::Consent for Consent {
    fn judge(&self, input: &HookInput, call: &ToolCall) -> sessions::Ruling {
        let tiers = tiers(rules::cwd(input));
        rules::ruling(&Policy::new(tiers.load().files), &tiers, input, call)
    }

    fn keep(&self, outcome: &Outcome, covers: Option<Covers>, input: &HookInput, request: RequestId) {
        let request = request.to_string();
        let state = self.state.path();
        grants::keep(outcome, covers.as_ref(), input, &request, state).settle(true, &request, state).tell(state);
    }

    fn record(&self, ended: &sessions::Ended) {
        let surface = match (&ended.resolution.rule, &ended.resolution.by) {
            (Some(_), _) => POLICY,
            (None, Some(by)) => &by.surface,
            (None, None) => NOBODY,
        };
        let request = ended.request.to_string();
        let (input, call) = (&ended.input, &ended.call);
        let subject = journals::Subject { provider: surface, request_id: &request, input, call };
        journals::record(&subject, &ended.resolution, ended.answered_after.map(time::millis), &self.settings);
    }

    fn take_back(&self, request: RequestId) {
        let changes = grants::taken_back(&request.to_string(), self.state.path());
        if !changes.is_empty() {
            tell(&changes, self.state.path());
        }
    }

    fn ended(&self, session: &str) {
        grants::end_session(&self.state, session);
    }

    fn remove(&self, permission: &Permission, settings: &Path) -> Result<(), String> {
        remove_permission(settings, permission).map_err(|error| format!("{error:#}"))
    }
}
