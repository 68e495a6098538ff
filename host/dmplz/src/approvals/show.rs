//! `dmplz approvals show`.

use super::card::Look;
use crate::exit;
use crate::gateway::Place;
use crate::terminal::{show, show_json};

/// What it is told.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Its id, or how it begins
    id: String,
    /// JSON for programs
    #[arg(long)]
    json: bool,
}

/// Shows all of a request.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let standing = super::get(&mut place.connect()?, &args.id)?;
    if args.json {
        show_json(&standing)?;
    } else {
        show(&Look::of_stdout(place.lang).whole(&standing))?;
    }
    Ok(exit::OK)
}
