//! Values that only the running program knows. What cannot be looked up is completed as nothing.

use std::ffi::OsStr;

use clap_complete::CompletionCandidate;
use dmplz_core::visible::visible_line;
use dmplz_protocol::list::ListApprovals;
use dmplz_state::{Grants, StateDir};

use crate::gateway::{Place, soon};
use crate::settings::{self, environment};
use crate::terminal;
use crate::time;

/// Returns the ids of the newest open requests, with tool and folder. Their input is not shown, because it could
/// contain a secret.
pub(crate) fn requests(begun: &OsStr) -> Vec<CompletionCandidate> {
    let open = || {
        let mut client = Place::find().ok()?.connect().ok()?;
        client.call(&ListApprovals::default(), soon()).ok()
    };
    let Some(page) = open() else { return Vec::new() };
    let named = page.approvals.iter().map(|standing| {
        let request = &standing.request;
        (request.id.to_string(), visible_line(&format!("{} · {}", request.tool, request.cwd)))
    });
    beginning(begun, named)
}

/// Ids of the grants in force.
pub(crate) fn grants(begun: &OsStr) -> Vec<CompletionCandidate> {
    let kept = || {
        let state = StateDir::find(&settings::state_dir(&environment).ok()?).ok()??;
        Grants::read(state.path()).ok()
    };
    let (now, lang) = (time::both_clocks(), terminal::lang(&environment));
    let held = kept().unwrap_or_default().into_iter().filter(|grant| grant.holds(now));
    beginning(begun, held.map(|grant| (grant.short().to_string(), visible_line(&grant.line(lang)))))
}

fn beginning(begun: &OsStr, named: impl Iterator<Item = (String, String)>) -> Vec<CompletionCandidate> {
    let begun = begun.to_string_lossy();
    let candidate = |(name, help): (String, String)| {
        CompletionCandidate::new(name).help(Some(help).filter(|help| !help.is_empty()).map(Into::into))
    };
    named.filter(|(name, _)| name.starts_with(&*begun)).map(candidate).collect()
}
