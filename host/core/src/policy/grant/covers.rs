//! What a grant is about: the table of [`super`].

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::claude::{input_digest, path_pattern};
use crate::policy::call::Call;
use crate::policy::names::{self, Kind};
use crate::policy::pattern::Site;
use crate::redact::mask;
use crate::visible::visible_line;

/// Characters of a command or an input that are kept for people.
const SHOWN: usize = 160;

/// Exactly one thing that a tool does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Covers {
    /// A command of a shell.
    Command {
        /// The tool.
        tool: String,
        /// Of the whole input without its description: [`input_digest`].
        digest: String,
        /// The command as people see it: secrets masked, on one line, cut.
        shown: String,
    },
    /// A file.
    File {
        /// The tool.
        tool: String,
        /// Its absolute path, as the agent writes it.
        path: String,
        /// Where that led when links were followed, where that was elsewhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        leads: Option<String>,
    },
    /// What a server on the web has.
    Site {
        /// The tool.
        tool: String,
        /// Scheme, host, and a port that is not the scheme's own: `https://example.org`.
        origin: String,
    },
    /// A whole input.
    Input {
        /// The tool.
        tool: String,
        /// The MCP server, where the agent names it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<String>,
        /// Of the whole input: [`input_digest`].
        digest: String,
        /// The input as people see it: secrets masked, on one line, cut.
        shown: String,
    },
}

impl Covers {
    /// What a grant for this call would be about. None where none can be given.
    pub fn of(call: &Call<'_>) -> Option<Self> {
        if names::kind(call.tool) == Kind::Question {
            return None;
        }
        match call.tool {
            _ if call.server.is_some() => Some(whole(call)),
            "Bash" | "PowerShell" => command(call),
            "Read" | "Write" | "Edit" | "MultiEdit" => file(call, "file_path"),
            "NotebookEdit" => file(call, "notebook_path"),
            "WebFetch" => site(call),
            _ => Some(whole(call)),
        }
    }

    /// The tool.
    pub fn tool(&self) -> &str {
        match self {
            Self::Command { tool, .. }
            | Self::File { tool, .. }
            | Self::Site { tool, .. }
            | Self::Input { tool, .. } => tool,
        }
    }

    /// Whether it is the same thing. What is shown of it to people does not matter.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Command { tool, digest, .. }, Self::Command { tool: tool_2, digest: digest_2, .. }) => {
                tool == tool_2 && digest == digest_2
            }
            (
                Self::Input { tool, server, digest, .. },
                Self::Input { tool: tool_2, server: server_2, digest: digest_2, .. },
            ) => tool == tool_2 && server == server_2 && digest == digest_2,
            (one, other) => one == other,
        }
    }
}

fn command(call: &Call<'_>) -> Option<Covers> {
    let text = call.input.get("command")?.as_str().filter(|text| !text.trim().is_empty())?;
    let mut input = call.input.clone();
    // It is for people; a command does the same whatever it says.
    if input.get("description").is_some_and(Value::is_string) {
        input.shift_remove("description");
    }
    Some(Covers::Command { tool: call.tool.to_owned(), digest: input_digest(&input), shown: shown(text) })
}

fn file(call: &Call<'_>, key: &str) -> Option<Covers> {
    let written = call.input.get(key)?.as_str()?;
    // Tools differ in what they take these for.
    if written.starts_with(['~', ' ']) || written.chars().any(char::is_control) {
        return None;
    }
    // Under the tool's own key alone: what stands under another one is not what it opens.
    let named = Map::from_iter([("file_path".to_owned(), Value::from(written))]);
    let path = path_pattern(&named, super::folder(call)?)?.split_off(1);
    let leads = match (call.real_path)(Path::new(&path)) {
        // A place that cannot be written down cannot be compared.
        Some(real) => Some(real.to_str()?.to_owned()),
        None => None,
    };
    Some(Covers::File { tool: call.tool.to_owned(), path, leads })
}

fn site(call: &Call<'_>) -> Option<Covers> {
    let origin = Site::plain_origin(call.input.get("url")?.as_str()?)?;
    // With a field that nobody knows, all of the input counts.
    let known = call.input.keys().all(|key| matches!(key.as_str(), "url" | "prompt"));
    Some(if known { Covers::Site { tool: call.tool.to_owned(), origin } } else { whole(call) })
}

fn whole(call: &Call<'_>) -> Covers {
    let text = Value::Object(call.input.clone()).to_string();
    Covers::Input {
        tool: call.tool.to_owned(),
        server: call.server.map(str::to_owned),
        digest: input_digest(call.input),
        shown: shown(&text),
    }
}

/// What people see of a text: masked before it is cut, so that no half of a secret is left.
fn shown(text: &str) -> String {
    let mut line = visible_line(mask(text).as_str());
    if let Some((end, _)) = line.char_indices().nth(SHOWN) {
        line.truncate(end);
        line.push('…');
    }
    line
}
