//! Computes what a grant for a call would cover.

use std::path::Path;

use dmplz_core::claude::{input_digest, path_pattern};
use dmplz_core::grant::Covers;
use dmplz_core::redact::mask;
use dmplz_core::visible::short;
use serde_json::{Map, Value};

use crate::call::Call;
use crate::rules::pattern::Site;
use crate::tools::{self, Kind};

/// Characters of a command or an input that are kept for people.
const SHOWN: usize = 160;

/// Returns what a grant for a call would cover, whatever the rules decide: the table of [`grant`](dmplz_core::grant).
/// `None` if no grant can be given.
pub fn covers(call: &Call<'_>) -> Option<Covers> {
    if tools::kind(call.tool) == Kind::Question {
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
    // Only the tool's own key counts, because it does not open a path under another key.
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

/// Returns a text for people. It is masked before it is cut, so that no part of a secret remains.
fn shown(text: &str) -> String {
    short(mask(text).as_str(), SHOWN)
}
