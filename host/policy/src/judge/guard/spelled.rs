//! The paths that a partly known word may name, compared with the names in the rules about files.
//!
//! | word | paths, if rules name `.env`, `*.pem` and `.env.*` |
//! |---|---|
//! | `{.env,x}`, `$HOME/x` | each of them |
//! | `a/*` | an unknown file of `a` |
//! | `.en*`, `.[e]nv`, `*/.env` | `.env` in that folder |
//! | `a*.pem`, `.env.[l]ocal` | an unknown file of that kind |
//! | `*`, `.*`, `$x` | none, because less than half of a name is known |

use std::borrow::Cow;
use std::path::Path;

use dmplz_core::wildcard::spells;

use crate::call::Call;
use crate::rules::pattern::fold;
use crate::shell::Part;

/// A name that no file has. It stands for an unknown part of a path.
pub(super) const UNKNOWN: &str = "\u{1}";

/// Returns the paths that a word of this shape may name. In the rules' `names`, `*` is any text.
pub(super) fn paths<'n>(shape: &[Part], call: &Call<'_>, names: impl Iterator<Item = &'n str> + Clone) -> Vec<String> {
    let texts = texts(shape, call);
    let Some((first, rest)) = texts.split_first() else { return Vec::new() };
    if rest.is_empty() {
        return vec![first.clone()];
    }
    let mut paths = Vec::new();
    if let Some((folder, _)) = first.rsplit_once('/') {
        paths.push(format!("{folder}/{UNKNOWN}"));
    }
    let steps = steps(first, rest);
    for (at, step) in steps.iter().enumerate() {
        for name in names.clone().filter(|name| may_be(step, name)) {
            let spelled = steps.iter().enumerate().map(|(other, texts)| match other == at {
                true => name.replace('*', UNKNOWN),
                false => texts.join(UNKNOWN),
            });
            paths.push(spelled.collect::<Vec<_>>().join("/"));
        }
    }
    paths
}

/// Returns the certain texts of a shape, with something unknown between each two.
fn texts(shape: &[Part], call: &Call<'_>) -> Vec<String> {
    let mut texts = vec![String::new()];
    for part in shape {
        let known = match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Variable { name, .. } if name == "HOME" => call.home.and_then(Path::to_str),
            Part::Variable { name, .. } if name == "PWD" => call.cwd.and_then(Path::to_str),
            _ => None,
        };
        match (known, texts.last_mut()) {
            (Some(known), Some(last)) => last.push_str(known),
            _ => texts.push(String::new()),
        }
    }
    texts
}

/// Returns the steps of the path in a word: the certain texts of each.
fn steps(first: &str, rest: &[String]) -> Vec<Vec<String>> {
    // The path may be the value of an option, or follow a colon.
    let path = first.rsplit(['=', ':']).next().unwrap_or_default();
    let mut steps: Vec<Vec<String>> = path.split('/').map(|step| vec![step.to_owned()]).collect();
    for text in rest {
        let mut pieces = text.split(['/', '=', ':']).map(str::to_owned);
        if let Some(step) = steps.last_mut() {
            step.extend(pieces.next());
        }
        steps.extend(pieces.map(|piece| vec![piece]));
    }
    steps
}

/// Returns whether a step may have a rule's name, of which at least half is known.
fn may_be(step: &[String], name: &str) -> bool {
    let texts: Vec<Cow<'_, str>> = step.iter().map(|text| fold(text)).collect();
    let (Some(first), Some(last)) = (texts.first(), texts.last()) else { return false };
    let is_known = texts.len() == 1;
    let is_half = |known: usize, of: usize| !is_known && known > 0 && known * 2 >= of;
    if let Some(ending) = name.strip_prefix('*') {
        return last.ends_with(ending) || is_half(last.len(), ending.len()) && ending.ends_with(&**last);
    }
    if let Some(beginning) = name.strip_suffix('*') {
        return first.starts_with(beginning)
            || is_half(first.len(), beginning.len()) && beginning.starts_with(&**first);
    }
    match is_known {
        true => first == name,
        false => {
            is_half(texts.iter().map(|text| text.len()).sum(), name.len())
                && spells(texts.iter().map(|text| &**text), name)
        }
    }
}
