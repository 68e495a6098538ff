//! `dmplz provider inspect`.

use super::Place;
use super::inspection::Inspection;
use crate::exit;
use crate::terminal::tell;

/// The arguments of `inspect`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A .wasm file, or the name of a bundled messenger or an installed provider
    #[arg(value_name = "FILE|NAME")]
    provider: String,
    /// JSON for programs
    #[arg(long)]
    json: bool,
}

/// Shows what it is. Nothing is kept, and nothing but `describe` runs.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let mut place = Place::find()?;
    let inspection = Inspection::of(&args.provider, &mut place)?;
    tell(&inspection, args.json, |inspection, paint| inspection.text(place.lang, paint))?;
    Ok(exit::OK)
}
