//! Limits the size of what a provider returns: untrusted text passes through a component into memory, a database and
//! a card.
//!
//! | what | at most |
//! |---|---|
//! | an id, tag, choice or token | 512 bytes |
//! | a name | 1 KiB |
//! | a message text | 64 KiB |
//! | events or greetings in one batch | 1,000 |
//! | files of one message | 10 |
//! | a link of an introduction | 512 bytes |
//! | a cursor | 1 KiB |

use dmplz_core::messenger::{
    Batch, Chat, Diagnosis, Download, Event, Greeting, Introduction, Meeting, MessageRef, OpenChat, SentFile, User,
};

use crate::Fault;

const ID: usize = 512;
const NAME: usize = 1 << 10;
const TEXT: usize = 64 << 10;
const EVENTS: usize = 1_000;
const FILES: usize = 10;
const LINK: usize = 512;
const CURSOR: usize = 1 << 10;

/// A result of an export.
pub(crate) trait Answer {
    /// Returns what exceeds a limit.
    fn check(&self) -> Result<(), Fault> {
        Ok(())
    }
}

impl Answer for () {}

/// Every text is accepted: it is truncated and shown, but not stored.
impl Answer for Diagnosis {}

impl<A: Answer> Answer for Option<A> {
    fn check(&self) -> Result<(), Fault> {
        self.as_ref().map_or(Ok(()), A::check)
    }
}

impl Answer for Introduction {
    /// Checks the fields that are stored. The others are only shown.
    fn check(&self) -> Result<(), Fault> {
        let links = [&self.invite, &self.link].into_iter().flatten();
        links.chain([&self.message]).try_for_each(|text| within(text, LINK, "a link is longer than 512 bytes"))
    }
}

impl Answer for Meeting {
    fn check(&self) -> Result<(), Fault> {
        within(&self.cursor, CURSOR, "its cursor is longer than 1 KiB")?;
        if self.greetings.len() > EVENTS {
            return Err(Fault::Contract("it brought more than 1,000 greetings at once"));
        }
        self.greetings.iter().try_for_each(Greeting::check)
    }
}

impl Answer for Greeting {
    fn check(&self) -> Result<(), Fault> {
        let (Chat::Room(chat) | Chat::Person(chat)) = &self.chat;
        id(chat)?;
        self.user.check()?;
        within(&self.code, TEXT, "a text is longer than 64 KiB")
    }
}

impl Answer for OpenChat {
    fn check(&self) -> Result<(), Fault> {
        id(&self.id)?;
        self.owner.as_deref().map_or(Ok(()), id)
    }
}

impl Answer for MessageRef {
    fn check(&self) -> Result<(), Fault> {
        id(&self.chat)?;
        id(&self.id)
    }
}

impl Answer for User {
    fn check(&self) -> Result<(), Fault> {
        id(&self.id)?;
        within(&self.name, NAME, "a name is longer than 1 KiB")
    }
}

impl Answer for Batch {
    fn check(&self) -> Result<(), Fault> {
        within(&self.cursor, CURSOR, "its cursor is longer than 1 KiB")?;
        if self.events.len() > EVENTS {
            return Err(Fault::Contract("it brought more than 1,000 events at once"));
        }
        self.events.iter().try_for_each(Event::check)
    }
}

impl Answer for Event {
    fn check(&self) -> Result<(), Fault> {
        match self {
            Self::Chosen(chosen) => {
                chosen.message.check()?;
                chosen.user.check()?;
                id(chosen.tag.as_deref().unwrap_or_default())?;
                id(&chosen.choice)?;
                id(&chosen.token)
            }
            Self::Said(said) => {
                said.message.check()?;
                said.user.check()?;
                said.reply_to.check()?;
                within(&said.text, TEXT, "a text is longer than 64 KiB")?;
                if said.files.len() > FILES {
                    return Err(Fault::Contract("a message has more than 10 files"));
                }
                said.files.iter().try_for_each(SentFile::check)
            }
        }
    }
}

impl Answer for SentFile {
    fn check(&self) -> Result<(), Fault> {
        id(&self.id)?;
        within(&self.name, NAME, "a name is longer than 1 KiB")
    }
}

/// Every request is accepted: it is judged before it is sent.
impl Answer for Download {}

fn id(id: &str) -> Result<(), Fault> {
    within(id, ID, "an id is longer than 512 bytes")
}

fn within(text: &str, most: usize, why: &'static str) -> Result<(), Fault> {
    if text.len() <= most { Ok(()) } else { Err(Fault::Contract(why)) }
}
