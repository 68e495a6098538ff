//! Polls everything that is watched.

use dmplz_provider_sdk::prelude::*;

use crate::api::Api;
use crate::cursor::Cursor;
use crate::{presses, texts};

/// Reads the reactions of each watched card with choices, then the texts of each channel whose texts are wanted.
/// Reactions have no time, so presses come first; texts have one, and are in order.
///
/// Events that were found before an error are returned.
pub(crate) fn receive(api: Api<'_>, cursor: &str, watching: &[Watch]) -> Result<Batch> {
    let mut cursor = Cursor::parse(cursor);
    let mut events = Vec::new();
    match look(api, watching, &mut cursor, &mut events) {
        Err(error) if events.is_empty() => return Err(error),
        Err(error) => api.warn("not everything could be looked at", &error),
        Ok(()) => {}
    }
    let channels = texts::channels(watching).into_keys().collect::<Vec<_>>();
    Ok(Batch { events, cursor: cursor.write(&channels) })
}

fn look(api: Api<'_>, watching: &[Watch], cursor: &mut Cursor, events: &mut Vec<Event>) -> Result<()> {
    for watch in watching.cards() {
        match presses::read(api, watch) {
            Ok(presses) => events.extend(presses.into_iter().map(Event::Chosen)),
            // The card was deleted; the others are still read.
            Err(Error::NotFound) => api.log(Level::Debug, &format!("card {} is gone", watch.message.id)),
            Err(error) => return Err(error),
        }
    }
    let channels = texts::channels(watching);
    let several = channels.len() > 1;
    for (channel, first) in channels {
        match texts::read(api, channel, first, cursor) {
            Ok(said) => events.extend(said.into_iter().map(Event::Said)),
            // A thread was deleted; the others are still read.
            Err(Error::NotFound) if several => api.log(Level::Debug, &format!("channel {channel} is gone")),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
