//! Calls the policy. No other file depends on the interface of the engine.

use std::path::Path;

use dmplz_policy::authoring::examples::checked;
use dmplz_policy::shell::Shell as Reader;
use dmplz_policy::{Call, Decision, File, Origin, Places, Policy, Roots, Tier};
use serde_json::{Map, Value};

use crate::layout::{HOME, STATE, WORKSPACE};
use crate::shell::Shell;

/// A policy, with the facts about the sandbox that the hook would pass to it.
#[derive(Debug)]
pub struct Judge {
    policy: Policy,
    places: Places,
    mode: String,
}

impl Judge {
    /// Parses a policy file as one of the user. `mode` is the agent's permission mode.
    ///
    /// # Errors
    /// If the file has problems, because it would allow nothing.
    pub fn new(rules: &str, mode: &str) -> anyhow::Result<Self> {
        let path = Path::new(STATE).join("policy.toml");
        let policy = Policy::new(vec![checked(File::parse(
            rules,
            Origin { tier: Tier::User, path, root: None, trusted: true },
        ))]);
        let problems: Vec<_> = policy.problems().iter().map(ToString::to_string).collect();
        anyhow::ensure!(problems.is_empty(), "read a rule file: {}", problems.join("; "));
        Ok(Self { policy, places: places(), mode: mode.to_owned() })
    }

    /// Returns whether the line runs without a person being asked.
    pub fn allows(&self, line: &str, shell: Shell) -> bool {
        let input = Map::from_iter([("command".to_owned(), Value::String(line.to_owned()))]);
        let call = Call {
            mode: Some(&self.mode),
            cwd: Some(Path::new(WORKSPACE)),
            home: Some(Path::new(HOME)),
            places: &self.places,
            shell: match shell {
                Shell::Bash => Reader::Bash,
                Shell::Zsh => Reader::Zsh,
            },
            real_path: &real_path::each_once(),
            entries_in: &below::entries_once(),
            holds_rules: &below::holds_rules,
            links_below: &below::links_once(),
            repository: &repository::repository,
            ..Call::new("Bash", &input, jiff::Timestamp::UNIX_EPOCH)
        };
        self.policy.check(&call).decision == Decision::Allow
    }
}

/// Returns the protected places as `host/dmplz/src/policy/load.rs` builds them.
fn places() -> Places {
    Places::of(Roots {
        home: Some(HOME.into()),
        state: Some(STATE.into()),
        admin: Some("/etc/dmplz".into()),
        client: Some(Path::new(HOME).join(".claude")),
        workspaces: vec![WORKSPACE.into()],
        components: vec!["/usr/local/bin/dmplz".into()],
    })
}

// These are the hook's own functions, which belong to a binary.
#[path = "../../../host/dmplz/src/policy/below.rs"]
mod below;
#[path = "../../../host/dmplz/src/policy/real_path.rs"]
mod real_path;
#[path = "../../../host/dmplz/src/policy/repository.rs"]
mod repository;
