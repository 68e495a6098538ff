//! What one call has heard, for messengers that tell over a connection.

use crate::{Error, Event, Greeting, Host, Watch};

/// The most connections that one call opens.
const CONNECTIONS: u8 = 3;

/// What a call of `receive` or `meet` has heard so far.
#[derive(Debug, Default)]
pub struct Heard<'a> {
    /// The cards that are watched.
    pub watching: &'a [Watch],
    /// Whether it matters what people write to the bot, as in `meet`.
    pub meets: bool,
    /// The presses and texts that came.
    pub events: Vec<Event>,
    /// The messages of people who wrote to the bot.
    pub greetings: Vec<Greeting>,
    connections: u8,
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

    /// Returns whether the call opens another connection. What was heard does not wait for one.
    ///
    /// # Errors
    /// Returns [`Error::Unavailable`] after three of them: a messenger that hangs up again and again is left to the host's back-off.
    pub fn connects(&mut self, messenger: &str) -> Result<bool, Error> {
        if !self.is_empty() {
            return Ok(false);
        }
        if self.connections == CONNECTIONS {
            return Err(Error::unavailable(format!("{messenger} hangs up again and again")));
        }
        self.connections += 1;
        Ok(true)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FakeHost;
    use crate::{Chat, User};

    fn greeted() -> Heard<'static> {
        let user = User { id: "jin".to_owned(), name: "Jin".to_owned(), is_bot: false };
        let mut heard = Heard::meeting();
        heard.greetings.push(Greeting { chat: Chat::Person("jin".to_owned()), user, code: "7".to_owned() });
        heard
    }

    #[test]
    fn an_error_is_told_after_what_was_heard_before_it() {
        let host = FakeHost::new();
        assert_eq!(Heard::meeting().told_first(&host, Err(Error::Deadline)).err(), Some(Error::Deadline));
        assert!(host.lines().is_empty());
        assert_eq!(greeted().told_first(&host, Err(Error::Deadline)).map(|heard| heard.len()), Ok(1));
        assert_eq!(host.lines().len(), 1);
    }

    #[test]
    fn a_call_connects_three_times_and_not_where_something_was_heard() {
        let mut heard = Heard::watching(&[]);
        (0..CONNECTIONS).for_each(|_| assert_eq!(heard.connects("Acme"), Ok(true)));
        assert!(heard.connects("Acme").is_err());
        assert_eq!(greeted().connects("Acme"), Ok(false));
    }
}
