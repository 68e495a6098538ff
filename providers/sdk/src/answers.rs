//! Constructors for what a provider answers.

use crate::text::split_at_units;
use crate::{
    Attachment, Card, Chat, Check, Chosen, Error, Host, Identity, Introduction, MessageRef, OpenChat, SentFile,
    Subject, User, words,
};

/// The most bytes of an id (`wit/types.wit`).
const ID: usize = 512;
/// The most units of a file's name; our choice. The host takes 1 KiB, and a unit takes at most three bytes.
const FILE_NAME: usize = 256;

impl Check {
    /// Returns one check of a diagnosis, with what was found.
    pub fn new(subject: Subject, ok: bool, detail: impl Into<String>) -> Self {
        Self { subject, ok, detail: detail.into() }
    }

    /// Returns a check that found nothing wrong.
    pub fn fine(subject: Subject, detail: impl Into<String>) -> Self {
        Self::new(subject, true, detail)
    }

    /// Returns a check that found something wrong.
    pub fn wrong(subject: Subject, detail: impl Into<String>) -> Self {
        Self::new(subject, false, detail)
    }

    /// Returns the check of something that was tried, with what was found, or with what is wrong in words.
    ///
    /// ```
    /// use dmplz_provider_sdk::{Check, Error, Subject};
    ///
    /// assert!(Check::tried(Subject::Events, Ok("the server says hello")).ok);
    /// let check = Check::tried(Subject::Events, Err::<String, _>(Error::Deadline));
    /// assert_eq!((check.ok, check.detail.as_str()), (false, "the messenger did not answer in time"));
    /// ```
    pub fn tried(subject: Subject, found: Result<impl Into<String>, Error>) -> Self {
        match found {
            Ok(detail) => Self::fine(subject, detail),
            Err(error) => Self::wrong(subject, words(&error)),
        }
    }

    /// Returns the check of how large a file `server` takes, in bytes, if it says so. Less than 1 MiB is too little; our choice, as
    /// requests are seldom longer.
    ///
    /// ```
    /// use dmplz_provider_sdk::Check;
    ///
    /// assert!(!Check::attaching("the server", Some(1_000)).ok);
    /// assert_eq!(Check::attaching("the server", None).detail, "the server does not say how large a file may be");
    /// ```
    pub fn attaching(server: &str, most: Option<u64>) -> Self {
        match most {
            Some(most) => {
                Self::new(Subject::Attach, most >= 1 << 20, format!("{server} takes files of up to {most} bytes"))
            }
            None => Self::fine(Subject::Attach, format!("{server} does not say how large a file may be")),
        }
    }

    /// Returns the check of a chat that could not be looked at: `absent` is said of one that is not found.
    ///
    /// # Errors
    /// Returns the error, if it is about something else than the chat.
    pub fn no_chat(error: Error, absent: &str) -> Result<Self, Error> {
        match error {
            Error::NotFound => Ok(Self::wrong(Subject::Chat, absent)),
            Error::Denied(said) => Ok(Self::wrong(Subject::Chat, said.unwrap_or_default())),
            error => Err(error),
        }
    }
}

impl Identity {
    /// Returns who a bot is.
    pub fn new(id: &str, name: &str) -> Self {
        Self { id: id.to_owned(), name: name.to_owned() }
    }
}

impl User {
    /// Returns a person by the first of their names that is there and not empty, or else by their id.
    ///
    /// ```
    /// use dmplz_provider_sdk::User;
    ///
    /// assert_eq!(User::named("U1", [None, Some(""), Some("Jin")]).name, "Jin");
    /// assert_eq!(User::named("U1", [None]).name, "U1");
    /// ```
    pub fn named<'a>(id: &'a str, names: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let name = names.into_iter().flatten().find(|name| !name.is_empty()).unwrap_or(id);
        Self { id: id.to_owned(), name: name.to_owned(), is_bot: false }
    }
}

impl OpenChat {
    /// Opens a chat by its id, which was checked: a room as it is, without an owner; for a person the private chat with them,
    /// whose id `direct` returns.
    ///
    /// ```
    /// use dmplz_provider_sdk::{Chat, OpenChat};
    ///
    /// let open = |chat: Chat| OpenChat::of(&chat, "7".to_owned(), |person| Ok(format!("with {person}")));
    /// assert_eq!(open(Chat::Room("7".into())), Ok(OpenChat { id: "7".into(), owner: None }));
    /// assert_eq!(open(Chat::Person("7".into())), Ok(OpenChat { id: "with 7".into(), owner: Some("7".into()) }));
    /// ```
    ///
    /// # Errors
    /// Returns the error of `direct`.
    pub fn of(chat: &Chat, id: String, direct: impl FnOnce(&str) -> Result<String, Error>) -> Result<Self, Error> {
        Ok(match chat {
            Chat::Room(_) => Self { id, owner: None },
            Chat::Person(_) => Self { id: direct(&id)?, owner: Some(id) },
        })
    }
}

impl Introduction {
    /// Returns an introduction to a bot to which people write the code itself, without an invitation and a link.
    pub fn new(bot: Identity, checks: Vec<Check>, code: &str) -> Self {
        Self { bot, checks, invite: None, link: None, message: code.to_owned() }
    }
}

impl SentFile {
    /// Returns a file that somebody sent, as far as the host takes it: the sender's device chose the name, so a longer one is cut.
    /// `None` if the id is longer.
    ///
    /// ```
    /// use dmplz_provider_sdk::SentFile;
    ///
    /// let file = |id: &str, name: &str| SentFile::new(id, name, Some(5));
    /// assert_eq!(file("F1", "a.txt"), Some(SentFile { id: "F1".into(), name: "a.txt".into(), size: Some(5) }));
    /// assert_eq!(file("F1", &"가".repeat(2_000)).map(|file| file.name.len()), Some(768));
    /// assert_eq!(file(&"F".repeat(513), "a.txt"), None);
    /// ```
    pub fn new(id: &str, name: &str, size: Option<u64>) -> Option<Self> {
        let name = split_at_units(name, FILE_NAME).0.to_owned();
        (id.len() <= ID).then(|| Self { id: id.to_owned(), name, size })
    }
}

impl Chosen {
    /// Returns a press that is not acknowledged and brings no words, on a message by which the host knows the card.
    pub fn new(message: MessageRef, choice: &str, user: User) -> Self {
        Self { message, tag: None, choice: choice.to_owned(), user, token: String::new(), text: None }
    }
}

/// Constructors for errors with what is said of them.
///
/// ```
/// use dmplz_provider_sdk::Error;
///
/// assert_eq!(Error::denied("the bot is not in the room"), Error::Denied(Some("the bot is not in the room".to_owned())));
/// ```
impl Error {
    /// Returns the error for what the bot may not do.
    pub fn denied(said: impl Into<String>) -> Self {
        Self::Denied(Some(said.into()))
    }

    /// Returns the error for a bot whose events another program receives.
    pub fn conflict(said: impl Into<String>) -> Self {
        Self::Conflict(Some(said.into()))
    }

    /// Returns the error for a messenger that cannot be reached, or whose reply makes no sense.
    pub fn unavailable(said: impl Into<String>) -> Self {
        Self::Unavailable(Some(said.into()))
    }

    /// Returns the error for a request that the messenger calls malformed.
    pub fn rejected(said: impl Into<String>) -> Self {
        Self::Rejected(Some(said.into()))
    }

    /// Returns the error for anything else, which is not tried again.
    pub fn other(said: impl Into<String>) -> Self {
        Self::Other(Some(said.into()))
    }

    /// Returns the error for a setting that cannot be used, by its name and what it should be.
    pub fn bad_setting(name: &str, expected: impl Into<String>) -> Self {
        Self::BadSetting((name.to_owned(), expected.into()))
    }

    /// Returns the error for a status of 404 that the messenger's own server would not reply, such as for "a path of the API": the
    /// URL in `setting` may be that of another server.
    ///
    /// ```
    /// use dmplz_provider_sdk::{Error, words};
    ///
    /// let error = Error::wrong_server("a path of the API", "server");
    /// assert_eq!(words(&error), "the provider failed: status 404 for a path of the API; is server right?");
    /// ```
    pub fn wrong_server(what: &str, setting: &str) -> Self {
        Self::other(format!("status 404 for {what}; is {setting} right?"))
    }

    /// Returns whether the host calls again with the same card: the messenger is busy or down, or the time was over.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::RateLimited(_) | Self::Unavailable(_) | Self::Deadline)
    }
}

impl Card {
    /// Returns the files of the card, if the messenger takes so many choices and files of these sizes.
    ///
    /// # Errors
    /// Returns [`Error::TooLarge`] if there are more than `choices`, or a file has more than `bytes`.
    pub fn files_within(&self, choices: u32, bytes: u32) -> Result<Vec<&Attachment>, Error> {
        let files = self.files().collect::<Vec<_>>();
        if self.choices.len() > choices as usize || files.iter().any(|file| file.data.len() > bytes as usize) {
            return Err(Error::TooLarge);
        }
        Ok(files)
    }
}

impl MessageRef {
    /// Returns the reference to a message, by the id of its chat, its own, and its place in the chat.
    pub fn new(chat: &str, id: &str, sequence: u64) -> Self {
        Self { chat: chat.to_owned(), id: id.to_owned(), sequence }
    }

    /// Returns the reference to a card whose reactions were added as a menu, with that result. A card without its menu is deleted
    /// by `delete`, because nobody could answer it, and no process would know of it to end it; unless the host posts it again.
    ///
    /// # Errors
    /// Returns the error of `offered`.
    pub fn with_menu(
        self,
        host: &dyn Host,
        offered: Result<(), Error>,
        delete: impl FnOnce(&Self) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        let Err(error) = offered else { return Ok(self) };
        // The host calls again with the same tag, and then receives the message that exists.
        if !error.is_passing()
            && let Err(error) = delete(&self)
        {
            host.warn("a card without its menu could not be deleted", &error);
        }
        Err(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Block;
    use crate::testing::{FakeHost, card, choice};

    #[test]
    fn a_card_has_at_most_the_choices_and_bytes_of_the_limits() {
        let file = Attachment { name: "a".to_owned(), media_type: "text/plain".to_owned(), data: vec![0; 3] };
        let card = Card { choices: vec![choice("deny", "", "")], ..card("", vec![Block::File(file)]) };
        assert_eq!(card.files_within(1, 3).map(|files| files.len()), Ok(1));
        assert_eq!(card.files_within(1, 2), Err(Error::TooLarge));
        assert_eq!(card.files_within(0, 3), Err(Error::TooLarge));
    }

    #[test]
    fn a_card_without_its_menu_is_deleted_unless_it_comes_again() {
        let message = MessageRef::new("c", "m", 1);
        for (offered, deleted) in [(Ok(()), 0), (Err(Error::Deadline), 0), (Err(Error::NotFound), 1)] {
            let (host, mut count) = (FakeHost::new(), 0);
            let posted = message.clone().with_menu(&host, offered.clone(), |it| {
                assert_eq!(it, &message);
                count += 1;
                Err(Error::TooLarge)
            });
            assert_eq!((posted, count), (offered.map(|()| message.clone()), deleted));
            assert_eq!(host.lines().len(), deleted);
        }
    }
}
