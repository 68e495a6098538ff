//! The policy, as the gateway asks it about commands. The files are read for every judgement, so that an edit counts at once.

use std::path::Path;

use dmplz_core::flow::Outcome;
use dmplz_core::policy::{Call, Policy};
use dmplz_gateway::{Request, Verdict};

use crate::policy::below::{holds_rules, links_in};
use crate::policy::load::Places;
use crate::policy::real_path;
use crate::policy::repository::repository;
use crate::policy::ruling::{outcome, remarks};
use crate::settings::environment;
use crate::time;

/// What becomes of a request. Whatever is in doubt, a person decides.
pub(super) fn judge(request: &Request) -> Verdict {
    let cwd = Some(Path::new(&request.cwd)).filter(|cwd| cwd.is_absolute());
    // Where somebody started the gateway says nothing of where its callers work.
    let elsewhere = |name: &str| environment(name).filter(|_| name != "CLAUDE_PROJECT_DIR");
    let places = Places::of(cwd, &elsewhere);
    let files = places.load().files;
    if files.is_empty() {
        return Verdict::Ask(Vec::new());
    }
    let policy = Policy::new(files);
    let judgement = policy.check(&Call {
        cwd,
        home: places.home(),
        interactive: true,
        places: &places.protected(),
        real_path: &real_path::each_once(),
        links_in: &links_in,
        holds_rules: &holds_rules,
        repository: &repository,
        ..Call::new(&request.tool, &request.input, time::timestamp())
    });
    match outcome(&judgement) {
        Some(Outcome::AllowedByRule { by }) => Verdict::Allow(by),
        Some(Outcome::DeniedByRule(denial)) => Verdict::Deny(denial),
        _ => Verdict::Ask(remarks(&policy, &judgement)),
    }
}
