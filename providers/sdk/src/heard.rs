//! What one call has heard, for messengers that tell over a connection.

use crate::{Error, Event, Greeting, Host, Watch};

/// What a call of `receive` or `meet` has heard so far.
#[derive(Debug, Default)]
pub struct Heard<'a> {
    /// The cards that are watched.
    pub watching: &'a [Watch],
    /// Whether it matters what people write to the bot, as in `meet`.
    pub meets: bool,
    /// What people did.
    pub events: Vec<Event>,
    /// Who wrote to the bot.
    pub greetings: Vec<Greeting>,
}

impl<'a> Heard<'a> {
    /// Returns nothing yet, for `receive`.
    pub fn watching(watching: &'a [Watch]) -> Self {
        Self { watching, ..Self::default() }
    }

    /// Returns nothing yet, for `meet`.
    pub fn meeting() -> Self {
        Self { meets: true, ..Self::default() }
    }

    /// Returns the number of events and greetings.
    pub fn len(&self) -> usize {
        self.events.len() + self.greetings.len()
    }

    /// Returns whether nothing was heard.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns what was heard, by the result of listening. An error discards nothing that was heard before it: it is logged, and the next call meets
    /// it again.
    ///
    /// # Errors
    /// Returns the error, if nothing was heard.
    pub fn told_first(self, host: &dyn Host, listened: Result<(), Error>) -> Result<Self, Error> {
        match listened {
            Err(error) if self.is_empty() => return Err(error),
            Err(error) => host.warn("what was heard is told first", &error),
            Ok(()) => {}
        }
        Ok(self)
    }
}
