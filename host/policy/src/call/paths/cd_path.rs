//! The folders of `CDPATH`, in which a shell looks for what `cd` names beside the current one.

use super::{At, absolute};
use crate::Call;
use crate::rules::pattern::fold;
use crate::shell::Word;

/// Returns the folders of `CDPATH` in which a shell may find what a `cd` names. A name that begins with a slash or a dot
/// is looked for in none of them, and one that is known in those that have such an entry.
pub(super) fn folders(step: &Word, from: &At, call: &Call<'_>) -> Vec<At> {
    let Some(listed) = call.cd_path else { return Vec::new() };
    let is_dots = matches!(step.text(), Some("." | ".."));
    if is_dots || ["/", "~", "./", "../"].iter().any(|begin| step.known.starts_with(begin)) {
        return Vec::new();
    }
    let name = step.text().map(|path| fold(path.split('/').next().unwrap_or_default()));
    let elsewhere = listed.split(':').filter(|folder| !matches!(*folder, "" | "."));
    let found = elsewhere.map(|folder| absolute(folder, from, call).map_or_else(At::anywhere, At::of));
    found.filter(|at| name.as_deref().is_none_or(|name| may_have(at, name, call))).collect()
}

/// Returns whether a folder may have an entry of this name that can be entered.
fn may_have(at: &At, name: &str, call: &Call<'_>) -> bool {
    let Some(entries) = at.path.as_deref().map(call.entries_in) else { return true };
    entries.is_none_or(|entries| {
        entries.links.iter().chain(&entries.folders).any(|entry| fold(&entry.to_string_lossy()) == name)
    })
}
