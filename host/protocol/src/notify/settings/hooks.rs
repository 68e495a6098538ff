//! The hooks that run where `dmplz` runs them, and the trust in them.

use std::collections::BTreeMap;

use dmplz_core::text::Lang;
use serde::{Deserialize, Serialize};

/// Params of `hooks.list`: the hooks that people wrote for the client, in a folder.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListHooks {
    /// The folder of a project; an absolute path. Without it, only the person's own hooks are listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The language of the explanations.
    #[serde(with = "crate::push::lang")]
    pub lang: Lang,
}

/// The result of `hooks.list`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookList {
    /// The folder of the project; absent where none was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The settings files that may hold hooks.
    pub sources: Vec<HookSource>,
    /// The hooks, in the order of the files.
    pub hooks: Vec<Hook>,
    /// How many hooks there are of each type that is not run.
    pub unsupported: BTreeMap<String, usize>,
}

/// Params of `hooks.changes`: what a person would trust in a folder.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShowHookChanges {
    /// The folder of a project; an absolute path.
    pub folder: String,
    /// The language of the explanations.
    #[serde(with = "crate::push::lang")]
    pub lang: Lang,
}

/// The result of `hooks.changes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookChanges {
    /// The folder of the project.
    pub folder: String,
    /// Whether its hooks are trusted, as they are now or as they were.
    pub trusted: HookTrusted,
    /// Identifies all of what is shown; trusting names it. Absent where there is nothing to trust.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// All of what would be trusted, or what changed in it since it was trusted.
    pub lines: Vec<ChangedLine>,
    /// Why it cannot be trusted, in the language that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

/// Whether the hooks of a folder are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookTrusted {
    /// The folder has no hooks that need trust.
    NoHooks,
    /// Nobody has trusted these hooks yet.
    New,
    /// They were trusted, and are others now.
    Changed,
    /// They are trusted as they are.
    Trusted,
}

/// A line of what would be trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedLine {
    /// What became of the line since the folder was trusted.
    pub change: LineChange,
    /// The text, with invisible characters made visible.
    pub text: String,
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineChange {
    /// The line is as it was, or nothing was trusted before.
    Same,
    /// The line is new.
    Added,
    /// The line is there no more.
    Removed,
    /// Lines that are as they were are left out here.
    Gap,
}

/// Params of `hooks.trust`, which lets the hooks of a folder run as they were shown, or takes that back.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrustHooks {
    /// The folder of a project; an absolute path.
    pub folder: String,
    /// What was shown: [`HookChanges::digest`]. Without it, the folder is trusted no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The language of the explanations.
    #[serde(with = "crate::push::lang")]
    pub lang: Lang,
}

/// A settings file with hooks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookSource {
    /// `user`, `project` or `local`.
    pub source: String,
    /// The path of the file.
    pub path: String,
    /// `on`, `off`, `missing`, `broken`, `untrusted` or `changed`.
    pub standing: String,
    /// What that means, in the language that was asked for.
    pub means: String,
    /// What is wrong in the file, in the same language.
    pub problems: Vec<String>,
}

/// One hook, and whether it would run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hook {
    /// `user`, `project` or `local`.
    pub source: String,
    /// The event that it is for.
    pub event: String,
    /// The matcher, as it is written.
    pub matcher: String,
    /// The type of the handler, such as `command`.
    pub r#type: String,
    /// The command, masked; empty for a type that has none.
    pub command: String,
    /// The limit of its time, in milliseconds.
    pub timeout_ms: u64,
    /// Whether nobody waits for it.
    pub r#async: bool,
    /// The condition, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#if: Option<String>,
    /// Words of whoever wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Why it would not run, in the language that was asked for; absent where it would.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
    /// What to know of one that would run, in the same language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}
