//! A topic of ntfy, for the end-to-end tests.

use dmplz_fakes::Fake;
use dmplz_fakes::ntfy::{self, FakeNtfy};

use crate::{Chat, Choice, Message, Person, Place, Press, Room, SOON};

/// The chats that cases about every messenger run in.
pub const PLACES: &[Place] = &[Place {
    lacks: &[
        ("unknown_chat_is_one_clear_line", "every topic is there"),
        ("a_session_is_started_written_to_and_ended_in_the_chat", "it does not tell who writes"),
        ("a_killed_gateway_finds_its_cards_again_and_sends_nothing_twice", "it does not tell who writes"),
        ("buttons_change_and_end_a_session", "it does not tell who writes"),
        (
            "a_mode_that_the_terminal_wants_is_confirmed_in_the_chat_and_not_at_the_terminal",
            "it does not tell who writes",
        ),
    ],
    ..Place::new("ntfy", Chat::ntfy)
}];

const TOPIC: &str = "u4J0q-dmplz";
const ANSWERS: &str = "u4J0q-dmplz-answers";
/// Pages that a card has at most.
const PAGES: usize = 12;
/// The mark of the button that turns the pages of choices.
const MORE: char = '➕';

/// A topic to which Jin's phone is subscribed.
#[derive(Clone, Debug)]
pub struct NtfyRoom {
    /// The server that stands in for ntfy.sh.
    pub fake: FakeNtfy,
}

impl Chat {
    /// Creates a topic on an ntfy server.
    pub fn ntfy() -> Self {
        Self::of(NtfyRoom { fake: FakeNtfy::spawn_thread() })
    }
}

impl Room for NtfyRoom {
    fn provider(&self) -> &'static str {
        "ntfy"
    }

    fn id(&self) -> String {
        TOPIC.to_owned()
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("DMPLZ_NTFY_API_BASE", self.fake.base_url()),
            ("DMPLZ_NTFY_ALLOWED_USERS", "*".to_owned()),
            ("DMPLZ_NTFY_POLL_INTERVAL", "100".to_owned()),
            ("DMPLZ_NTFY_ACCESS_TOKEN", self.token()),
            ("DMPLZ_NTFY_TOPIC", self.id()),
        ]
    }

    fn server(&self) -> &dyn Fake {
        &self.fake
    }

    fn posting(&self) -> &'static str {
        "publish"
    }

    fn editing(&self) -> &'static str {
        "update"
    }

    fn polling(&self) -> &'static str {
        "poll"
    }

    fn watch(&self, is_there: &mut dyn FnMut(&[Message]) -> bool) -> bool {
        let found = self.fake.watch_blocking(TOPIC, SOON, |messages| is_there(&all_seen(messages)).then_some(()));
        found.is_some()
    }

    /// Presses a choice. A phone shows three buttons, so the pages are turned until the choice is shown. An old screen
    /// shows an earlier revision.
    fn press(&self, card: &Message, choice: Choice, _: Person, is_old: bool) -> Press {
        let mut shown = self.shown(card);
        for _ in 0..PAGES {
            if is_old || offers(&shown, choice) {
                break;
            }
            let before = shown.now().actions.clone();
            self.push(&shown, |label| label.starts_with(MORE)).expect("more choices");
            let is_turned = |it: &&ntfy::Message| it.id == shown.id && it.now().actions != before;
            let turned = self.fake.watch_blocking(TOPIC, SOON, |all| all.iter().find(is_turned).cloned());
            shown = turned.expect("the next page of choices");
        }
        Press(self.push(&shown, |label| label.starts_with(choice.emoji())).expect("the choice"))
    }

    fn skip(&self, prompt: &Message, _: Person) {
        self.push(&self.shown(prompt), |label| label == prompt.choices[0]).expect("a button");
    }

    fn say(&self, _: Person, text: &str) {
        self.fake.say(ANSWERS, text);
    }

    fn reply(&self, _: &Message, by: Person, text: &str) {
        self.say(by, text);
    }

    fn delete(&self, message: &Message) {
        self.fake.delete(TOPIC, &self.shown(message).id);
    }

    fn say_elsewhere(&self, _: Person, text: &str) {
        self.fake.say("another-answers", text);
    }

    fn name_of(&self, _: Person) -> &'static str {
        "anonymous"
    }

    fn listing(&self, _: Person) -> String {
        "*".to_owned()
    }

    fn await_told(&self, _: &Press, text: &str) {
        let is_told = |messages: &[ntfy::Message]| messages.iter().any(|it| it.now().text() == text).then_some(());
        self.fake.watch_blocking(TOPIC, SOON, is_told).expect("a word about the press");
    }
}

impl NtfyRoom {
    /// Returns the message as the phone shows it now. Its number is the time of its arrival.
    fn shown(&self, message: &Message) -> ntfy::Message {
        let all = self.fake.messages(TOPIC);
        all.into_iter().find(|it| it.time() == message.id).expect("the message is there")
    }

    /// Presses the newest button that it ever had whose label is the one.
    fn push(&self, on: &ntfy::Message, is_it: impl Fn(&str) -> bool) -> Option<String> {
        let actions = on.revisions.iter().rev().flat_map(|revision| &revision.actions);
        let label = actions.map(|action| action.label.as_str()).find(|label| is_it(label))?;
        self.fake.press(TOPIC, &on.id, label)
    }
}

fn offers(shown: &ntfy::Message, choice: Choice) -> bool {
    shown.now().actions.iter().any(|action| action.label.starts_with(choice.emoji()))
}

fn all_seen(messages: &[ntfy::Message]) -> Vec<Message> {
    messages.iter().map(seen).collect()
}

fn seen(message: &ntfy::Message) -> Message {
    let now = message.now();
    let earlier = &message.revisions[..message.revisions.len() - 1];
    Message {
        id: message.time(),
        by_bot: now.by_bot,
        text: now.text(),
        choices: now.actions.iter().map(|action| action.label.clone()).collect(),
        files: now.attachment.iter().cloned().collect(),
        before: earlier.iter().map(|revision| revision.text()).collect(),
        deleted: message.deleted,
    }
}
