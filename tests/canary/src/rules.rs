//! The rule files that judge the lines, and the intention of each.

/// A policy, and the effects that an allowed line may have.
#[derive(Debug)]
pub struct RuleFile {
    /// The name in reports.
    pub name: &'static str,
    /// The text of the policy file.
    pub text: &'static str,
    /// The agent's permission mode.
    pub mode: &'static str,
    /// Whether ordinary files may be changed.
    pub writes: bool,
    /// The only canaries that count, if everything else may be started.
    pub only: Option<&'static [&'static str]>,
    /// The relative frequency with which it is chosen.
    pub weight: usize,
}

/// Programs that may start others. None of them deletes a file, because that would look like `rm`.
const STARTING: &[&str] =
    &["ls", "echo", "cat", "git diff", "git log", "sort", "awk", "env", "timeout", "nice", "xargs"];

const fn small(name: &'static str, text: &'static str, writes: bool) -> RuleFile {
    RuleFile { name, text, mode: "default", writes, only: None, weight: 2 }
}

/// Every rule file under which lines are judged.
pub const RULE_FILES: &[RuleFile] = &[
    RuleFile { weight: 12, ..small("starter", dmplz_policy::authoring::starter::STARTER, false) },
    small("files", include_str!("../rules/files.toml"), true),
    small("archives", include_str!("../rules/archives.toml"), true),
    small("edit", include_str!("../rules/edit.toml"), true),
    small("read", include_str!("../rules/read.toml"), false),
    small("git", include_str!("../rules/git.toml"), true),
    RuleFile { weight: 1, ..small("npm", include_str!("../rules/npm.toml"), true) },
    small("find", include_str!("../rules/find.toml"), false),
    small("search", include_str!("../rules/search.toml"), false),
    RuleFile { weight: 1, ..small("docker", include_str!("../rules/docker.toml"), false) },
    small("walk", include_str!("../rules/walk.toml"), false),
    small("wrappers", include_str!("../rules/wrappers.toml"), false),
    RuleFile { only: Some(&["canary", "rm"]), ..small("denied", include_str!("../rules/denied.toml"), true) },
    RuleFile { mode: "acceptEdits", ..small("edits", include_str!("../rules/edits.toml"), true) },
];

impl RuleFile {
    /// Finds a rule file by its name.
    pub fn named(name: &str) -> Option<&'static Self> {
        RULE_FILES.iter().find(|file| file.name == name)
    }

    /// Returns the prefixes of commands that the rule file allows. For a file that allows everything: those that it
    /// denies, and some that may start them.
    pub fn prefixes(&self) -> Vec<String> {
        let table: toml::Table = self.text.parse().unwrap_or_default();
        let rules = table.get("rule").and_then(toml::Value::as_array).cloned().unwrap_or_default();
        let wanted = if self.only.is_some() { "deny" } else { "allow" };
        let of = |rule: &toml::Value| match rule.get("commandPrefix") {
            Some(toml::Value::Array(all)) => all.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect(),
            Some(toml::Value::String(one)) => vec![one.clone()],
            _ => Vec::new(),
        };
        let decides = |rule: &&toml::Value| rule.get("decision").and_then(toml::Value::as_str) == Some(wanted);
        let starting = STARTING.iter().filter(|_| self.only.is_some()).map(ToString::to_string);
        rules.iter().filter(decides).flat_map(of).chain(starting).collect()
    }
}
