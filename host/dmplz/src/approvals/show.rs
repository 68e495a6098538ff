//! `dmplz approvals show`.

use dmplz_protocol::list::StatusFilter;

use super::Which;
use super::card::Look;
use crate::gateway::Place;
use crate::named::{Kind, Named};
use crate::terminal::tell;

/// Shows all of a request.
pub(super) fn run(which: &Which) -> anyhow::Result<u8> {
    let named = Named::read_for(Kind::REQUEST, &which.id, which.json)?;
    let place = Place::find()?;
    let standing = super::find(&mut place.connect()?, named, StatusFilter::All)?;
    tell(&standing, which.json, |standing, _| Look::of_stdout(place.lang).whole(standing))
}
