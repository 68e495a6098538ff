//! `dmplz approvals show`.

use clap_complete::ArgValueCompleter;
use dmplz_protocol::list::StatusFilter;

use super::card::Look;
use crate::completions::requests;
use crate::gateway::Place;
use crate::terminal::tell;

/// What it is told.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its id; at a terminal 4 characters of it or more
    #[arg(add = ArgValueCompleter::new(requests))]
    id: String,
    /// JSON for programs
    #[arg(long)]
    json: bool,
}

/// Shows all of a request.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let named = super::named(&args.id, args.json)?;
    let place = Place::find()?;
    let standing = super::find(&mut place.connect()?, named, StatusFilter::All)?;
    tell(&standing, args.json, |standing, _| Look::of_stdout(place.lang).whole(standing))
}
