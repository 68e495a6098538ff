//! `dmplz provider remove`.

use anyhow::{Context, bail};
use clap::builder::NonEmptyStringValueParser;
use dmplz_core::text::fill;
use dmplz_state::{Providers, Stored, StoredFor};
use serde_json::json;

use super::Place;
use crate::terminal::{say, tell};

/// The arguments of `remove`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The name of an installed provider
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    name: String,
    /// JSON for programs
    #[arg(long)]
    json: bool,
}

/// Takes it out, with what it has stored. Its settings stay where they are.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let Some(removed) = Providers::of(&place.state).remove(&args.name)? else {
        if dmplz_bundled::messenger(&args.name).is_some() {
            bail!("{} comes with dmplz, and cannot be removed", args.name);
        }
        bail!("{} is not installed (dmplz provider list)", args.name);
    };
    let stored = StoredFor::Installed(removed.manifest.name.clone());
    Stored::forget(&place.state, &stored).context("the provider is removed, and what it has stored is not")?;
    let report = json!({ "removed": removed.manifest.name, "sha256": removed.sha256 });
    let done = say(place.lang, "제거했습니다: {} {}\n", "{} {} was removed.\n");
    tell(&report, args.json, |_, _| fill(done, &[&removed.manifest.name, &removed.manifest.version]))
}
