//! `dmplz provider remove`.

use clap::builder::NonEmptyStringValueParser;
use dmplz_core::text::fill;
use dmplz_state::{Providers, Stored, StoredFor};
use serde_json::json;

use super::Place;
use crate::terminal::{say, tell};
use crate::told::{Tell, Told};

/// The arguments of `remove`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The name of an installed provider · 설치한 프로바이더의 이름
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    name: String,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// Takes it out, with what it has stored. Its settings stay where they are.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let Some(removed) = Providers::of(&place.state).remove(&args.name)? else {
        if dmplz_bundled::messenger(&args.name).is_some() {
            let bundled = "dmplz에 들어 있는 메신저라 제거할 수 없습니다: {}";
            return Told::err(bundled, "{} comes with dmplz, and cannot be removed", &[&args.name]);
        }
        let missing = "설치되어 있지 않습니다: {} (dmplz provider list)";
        return Told::err(missing, "{} is not installed (dmplz provider list)", &[&args.name]);
    };
    let stored = StoredFor::Installed(removed.manifest.name.clone());
    Stored::forget(&place.state, &stored).told(
        "프로바이더는 제거했지만 프로바이더가 저장한 것은 지우지 못했습니다",
        "the provider is removed, and what it has stored is not",
        &[],
    )?;
    let report = json!({ "removed": removed.manifest.name, "sha256": removed.sha256 });
    let done = say(place.lang, "제거했습니다: {} {}\n", "{} {} was removed.\n");
    tell(&report, args.json, |_, _| fill(done, &[&removed.manifest.name, &removed.manifest.version]))
}
