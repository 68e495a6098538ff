//! The policy, as the gateway asks it about commands. The files are read for every judgement, so that an edit counts at once.

use std::path::Path;

use dmplz_gateway::Verdict;
use dmplz_policy::{Call, Policy, Ruled};
use dmplz_protocol::Request;

use crate::policy::disk::with_disk;
use crate::policy::load::Tiers;
use crate::policy::ruling::remarks;
use crate::settings::environment;
use crate::time;

/// The tiers of the policy for a call in a folder. Where somebody started the gateway says nothing of where its callers work.
pub(super) fn tiers(cwd: Option<&Path>) -> Tiers {
    let elsewhere = |name: &str| environment(name).filter(|_| name != "CLAUDE_PROJECT_DIR");
    Tiers::of(cwd, &elsewhere)
}

/// What becomes of a request. Whatever is in doubt, a person decides.
pub(super) fn judge(request: &Request) -> Verdict {
    let cwd = Some(Path::new(&request.cwd)).filter(|cwd| cwd.is_absolute());
    let tiers = tiers(cwd);
    let files = tiers.load().files;
    if files.is_empty() {
        return Verdict::Ask(Vec::new());
    }
    let (policy, protected) = (Policy::new(files), tiers.protected());
    let call = Call {
        cwd,
        home: tiers.home(),
        interactive: true,
        places: &protected,
        ..Call::new(&request.tool, &request.input, time::timestamp())
    };
    let judgement = with_disk(call, |call| policy.check(call));
    match Ruled::of(&judgement) {
        Some(ruled) => Verdict::Ruled(ruled),
        None => Verdict::Ask(remarks(&policy, &judgement)),
    }
}
