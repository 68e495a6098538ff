//! Chats of Slack, for the end-to-end tests.

use dmplz_fakes::Wire;
use dmplz_fakes::slack::{self, FakeSlack, User};

use crate::{Chat, Choice, JIN, MIN, Message, Person, Place, Press, Room, SOON};

/// The chats that cases about every messenger run in.
pub const PLACES: &[Place] = &[
    Place { name: "slack", is_private: true, is_for_hooks: true, has_buttons: true, lacks: &[], open: Chat::slack },
    Place {
        name: "slack_channel",
        is_private: false,
        is_for_hooks: true,
        has_buttons: true,
        lacks: &[],
        open: Chat::slack_channel,
    },
];

/// A channel, or a direct message, with the app.
#[derive(Clone, Debug)]
pub struct SlackRoom {
    /// The server that stands in for Slack.
    pub fake: FakeSlack,
    /// The channel where the cards are.
    pub channel: String,
    is_private: bool,
}

impl Chat {
    /// Jin's direct message with the app.
    pub fn slack() -> Self {
        let fake = FakeSlack::spawn_thread();
        let channel = fake.dm(&user(JIN));
        Self::of(SlackRoom { fake, channel, is_private: true })
    }

    /// A channel of Jin and Min.
    pub fn slack_channel() -> Self {
        let fake = FakeSlack::spawn_thread();
        for person in [JIN, MIN] {
            fake.meet(&user(person));
        }
        let channel = fake.channel("approvals");
        Self::of(SlackRoom { fake, channel, is_private: false })
    }
}

impl Room for SlackRoom {
    fn provider(&self) -> &'static str {
        "slack"
    }

    fn token(&self) -> String {
        self.fake.token().to_owned()
    }

    fn id(&self) -> String {
        self.channel.clone()
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("DMPLZ_SLACK_API_BASE", self.fake.base_url()),
            ("DMPLZ_SLACK_BOT_TOKEN", self.token()),
            ("DMPLZ_SLACK_APP_TOKEN", self.fake.app_token().to_owned()),
            match self.is_private {
                true => ("DMPLZ_SLACK_DM_USER_ID", self.id_of(JIN)),
                false => ("DMPLZ_SLACK_CHANNEL_ID", self.id()),
            },
        ]
    }

    fn wire(&self) -> &Wire {
        self.fake.wire()
    }

    fn posting(&self) -> &'static str {
        "chat.postMessage"
    }

    fn editing(&self) -> &'static str {
        "chat.update"
    }

    fn polling(&self) -> &'static str {
        "apps.connections.open"
    }

    fn messages(&self) -> Vec<Message> {
        all_seen(&self.fake.messages(&self.channel), &self.fake.bot().id)
    }

    fn watch(&self, is_there: &mut dyn FnMut(&[Message]) -> bool) -> bool {
        // Asked before, because the server is held while the messages are looked at.
        let bot = self.fake.bot().id;
        let found =
            self.fake.watch_blocking(&self.channel, SOON, |messages| is_there(&all_seen(messages, &bot)).then_some(()));
        found.is_some()
    }

    /// An old screen may show what the message showed before.
    fn press(&self, card: &Message, choice: Choice, by: Person, _is_old: bool) -> Press {
        let label = choice.label_on(card);
        assert!(self.fake.await_ready_blocking(SOON), "somebody hears of it");
        let pressed = self.fake.press((&self.channel, &ts(card.id)), label, &user(by));
        Press(pressed.expect("the button").to_string())
    }

    /// The prompt's only button that opens no form.
    fn skip(&self, prompt: &Message, by: Person) {
        let skip = prompt.choices.last().expect("a button").clone();
        assert!(self.fake.await_ready_blocking(SOON), "somebody hears of it");
        self.fake.press((&self.channel, &ts(prompt.id)), &skip, &user(by)).expect("the button");
    }

    fn say(&self, by: Person, text: &str) {
        self.fake.say(&self.channel, &user(by), text, None);
    }

    fn reply(&self, to: &Message, by: Person, text: &str) {
        self.fake.say(&self.channel, &user(by), text, Some(&ts(to.id)));
    }

    fn delete(&self, message: &Message) {
        self.fake.delete((&self.channel, &ts(message.id)));
    }

    fn say_elsewhere(&self, by: Person, text: &str) {
        self.fake.say(&self.fake.channel("general"), &user(by), text, None);
    }

    fn id_of(&self, person: Person) -> String {
        user(person).id
    }

    fn await_told(&self, press: &Press, text: &str) {
        let press = self.fake.pressed(press.0.parse().unwrap()).expect("a press");
        let is_it = |it: &slack::Whisper| it.user == press.user.id && it.said.screen().text == text;
        let told = self.fake.await_whisper_blocking(SOON, is_it);
        assert!(told, "{text} was not said; {:#?}", self.fake.whispers());
    }

    fn await_silence(&self, press: &Press) {
        let press = press.0.parse().unwrap();
        let taken = self.fake.await_press_blocking(press, SOON, |press| press.acknowledged);
        assert!(taken.is_some(), "the press was not acknowledged");
    }
}

fn user(person: Person) -> User {
    User::person(format!("U{:09}", person.id), person.name)
}

/// The time of a message, of which its number is all digits.
fn ts(id: u64) -> String {
    format!("{}.{:06}", id / 1_000_000, id % 1_000_000)
}

fn all_seen(messages: &[slack::Message], bot: &str) -> Vec<Message> {
    messages.iter().map(|message| seen(message, bot)).collect()
}

fn seen(message: &slack::Message, bot: &str) -> Message {
    let now = message.now();
    let earlier = &message.revisions[..message.revisions.len() - 1];
    Message {
        id: message.sequence(),
        by_bot: message.user.id == bot,
        text: now.screen().text,
        choices: now.buttons().into_iter().map(|button| button.label).collect(),
        files: message.files.clone(),
        before: earlier.iter().map(|revision| revision.screen().text).collect(),
        deleted: message.deleted,
    }
}
