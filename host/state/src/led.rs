//! The cards of sessions that are led from a chat, so that the next gateway goes on with them.

mod handled;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::PathBuf;

use dmplz_core::messenger::MessageRef;
use serde::{Deserialize, Serialize};

pub use self::handled::Handled;
use crate::dir::{self, found};
use crate::lock::{FileError, open_ours};
use crate::replace::replace_soon;
use crate::{AccountKey, StateDir};

/// A longer file was not written by this program.
const MAX_BYTES: u64 = 4 << 20;

/// What is remembered of one chat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Led {
    /// Makes the ids that follow from messages unguessable.
    pub secret: String,
    /// The id of the chat that all of this is about.
    pub chat: String,
    /// The tag of the chat's own card.
    pub home_tag: String,
    /// The message that shows the chat's own card.
    pub home: Option<MessageRef>,
    /// The card in whose place that one was posted, because somebody deleted it. Texts between the two may not have been read.
    pub former_home: Option<MessageRef>,
    /// The texts of people in the chat that were handled.
    #[serde(flatten)]
    pub handled: Handled,
    /// The sessions, by their ids.
    pub sessions: BTreeMap<String, LedSession>,
}

impl Led {
    /// Remembers the message that shows the chat's own card. Texts before the first one were written to nobody, so they
    /// are past. One that takes the place of a deleted card leaves them as they are: they wait for the gateway.
    pub fn show_home(&mut self, home: MessageRef) {
        match self.home.take() {
            None => self.handled.pass(home.sequence),
            // Of several the first one: it stands before all texts that wait.
            Some(deleted) => drop(self.former_home.get_or_insert(deleted)),
        }
        self.home = Some(home);
    }

    /// Remembers that a text in the chat itself was handled. Texts come in their order, so the first one after the chat's own
    /// card says that none before it waits any more.
    pub fn handle(&mut self, text: &MessageRef) {
        self.handled.add(text);
        if self.home.as_ref().is_some_and(|home| home.sequence < text.sequence) {
            self.former_home = None;
        }
    }
}

/// What is remembered of one session in a chat.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LedSession {
    /// The tag that its card and each of its buttons carry.
    pub tag: String,
    /// The message that shows its card.
    pub card: Option<MessageRef>,
    /// Other messages about the session, to which people may reply, oldest first.
    pub messages: Vec<MessageRef>,
    /// The number of the session's last event that a message told.
    pub told: u64,
    /// Whether the card shows the session's end.
    pub over: bool,
    /// Where its card and messages are posted.
    pub place: LedPlace,
}

/// Where a session is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LedPlace {
    /// It is not known yet whether the session gets a thread.
    #[default]
    Undecided,
    /// In the chat itself: there are no threads, or the session's was deleted.
    Chat,
    /// In a thread of its own.
    Thread(LedThread),
}

/// The thread of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LedThread {
    /// The id of the thread.
    pub id: String,
    /// The name that it was given last.
    pub name: String,
    /// Whether it was closed.
    pub closed: bool,
    /// The texts in it that were handled.
    #[serde(flatten)]
    pub handled: Handled,
}

impl LedSession {
    /// Returns the session's thread, if it has one.
    pub fn thread(&self) -> Option<&LedThread> {
        match &self.place {
            LedPlace::Thread(thread) => Some(thread),
            LedPlace::Undecided | LedPlace::Chat => None,
        }
    }

    /// Returns the session's thread to change it, if it has one.
    pub fn thread_mut(&mut self) -> Option<&mut LedThread> {
        match &mut self.place {
            LedPlace::Thread(thread) => Some(thread),
            LedPlace::Undecided | LedPlace::Chat => None,
        }
    }
}

/// The file that holds it, one an account. Only the gateway, which is first in the account's queue, reads and writes it.
#[derive(Debug, Clone)]
pub struct LedFile {
    path: PathBuf,
}

impl LedFile {
    /// Names the file of an account. No file is touched yet.
    pub fn new(state: &StateDir, account: &AccountKey) -> Self {
        Self { path: state.path().join("led").join(account.as_str()) }
    }

    /// Returns what was stored last. Empty where there is nothing that can be read.
    pub fn load(&self) -> Result<Led, FileError> {
        let read = || -> io::Result<Vec<u8>> {
            let file = open_ours(OpenOptions::new().read(true), &self.path)?;
            let mut content = Vec::new();
            file.take(MAX_BYTES).read_to_end(&mut content)?;
            Ok(content)
        };
        let content = found(read()).map_err(|error| self.io(error))?;
        Ok(content.and_then(|content| serde_json::from_slice(&content).ok()).unwrap_or_default())
    }

    /// Stores it in place of what was stored last. A killed process leaves the old content or the new one.
    pub fn store(&self, led: &Led) -> Result<(), FileError> {
        let write = || -> io::Result<()> {
            self.path.parent().map_or(Ok(()), dir::make)?;
            replace_soon(&self.path, &serde_json::to_vec(led)?)
        };
        write().map_err(|error| self.io(error))
    }

    /// Forgets all of it.
    pub fn remove(&self) -> Result<(), FileError> {
        found(fs::remove_file(&self.path)).map(drop).map_err(|error| self.io(error))
    }

    fn io(&self, source: io::Error) -> FileError {
        FileError::Io { path: self.path.clone(), source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (tempfile::TempDir, LedFile) {
        let temp = tempfile::tempdir().unwrap();
        let state = StateDir::open(temp.path().join("state")).unwrap();
        let file = LedFile::new(&state, &AccountKey::new("telegram", "", "token").unwrap());
        (temp, file)
    }

    #[test]
    fn what_was_stored_is_loaded_and_a_spoilt_file_is_as_good_as_none() {
        let (_temp, file) = file();
        assert_eq!(file.load().unwrap(), Led::default());
        let card = MessageRef { chat: "c".into(), id: "7".into(), sequence: 7 };
        let session = LedSession { tag: "T".into(), card: Some(card), told: 9, ..LedSession::default() };
        let mut led = Led { sessions: [("s".to_owned(), session)].into(), ..Led::default() };
        led.handled.add(&MessageRef { chat: "c".into(), id: "8".into(), sequence: 8 });
        file.store(&led).unwrap();
        file.store(&led).unwrap();
        assert_eq!(file.load().unwrap(), led);
        for garbage in [&b""[..], b"{\"handled\":", b"\0\0\0", b"[]", b"\xff"] {
            fs::write(&file.path, garbage).unwrap();
            assert_eq!(file.load().unwrap(), Led::default());
        }
        file.remove().unwrap();
        file.remove().unwrap();
        assert!(!file.path.exists());
    }

    #[test]
    fn texts_before_the_first_card_of_a_chat_are_past_and_those_before_a_later_one_count() {
        let message = |id: &str, sequence| MessageRef { chat: "c".into(), id: id.into(), sequence };
        let mut led = Led::default();
        led.show_home(message("first card", 5));
        let [before, waits] = [message("before", 4), message("waits", 8)];
        led.show_home(message("second card", 9));
        assert_eq!([&before, &waits].map(|text| led.handled.has(text)), [true, false]);
        assert_eq!(led.home, Some(message("second card", 9)));
    }

    #[test]
    fn a_deleted_card_is_remembered_until_a_text_after_the_next_one_was_handled() {
        let (_temp, file) = file();
        let message = |sequence: u64| MessageRef { chat: "c".into(), id: sequence.to_string(), sequence };
        let mut led = Led::default();
        led.show_home(message(5));
        assert_eq!(led.former_home, None);
        led.show_home(message(9));
        led.show_home(message(12));
        file.store(&led).unwrap();
        let mut led = file.load().unwrap();
        for waits in [8, 11] {
            assert_eq!(led.former_home, Some(message(5)), "texts wait from then on");
            led.handle(&message(waits));
        }
        assert_eq!(led.former_home, Some(message(5)));
        led.handle(&message(13));
        assert_eq!((&led.former_home, led.handled.has(&message(13))), (&None, true));
    }

    #[test]
    fn a_file_of_an_older_version_is_read() {
        let (_temp, file) = file();
        file.store(&Led::default()).unwrap();
        let thread = r#"{"id":"t","name":"n","closed":false,"handled":9}"#;
        let sessions = format!(r#"{{"s":{{"tag":"T","place":{{"thread":{thread}}}}}}}"#);
        fs::write(&file.path, format!(r#"{{"secret":"S","handled":8,"sessions":{sessions}}}"#)).unwrap();
        let led = file.load().unwrap();
        let text = |sequence| MessageRef { chat: "c".into(), id: "1".into(), sequence };
        assert_eq!([8, 9].map(|at| led.handled.has(&text(at))), [true, false]);
        let thread = led.sessions["s"].thread().unwrap();
        assert_eq!([9, 10].map(|at| thread.handled.has(&text(at))), [true, false]);
        file.store(&led).unwrap();
        assert_eq!(file.load().unwrap(), led);
    }

    #[test]
    fn a_file_that_cannot_be_used_is_an_error() {
        let (temp, file) = file();
        fs::write(temp.path().join("state/led"), "a file").unwrap();
        assert!(file.store(&Led::default()).is_err());
        assert!(file.load().is_err());
    }
}
