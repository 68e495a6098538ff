//! Rooms of Matrix, for the end-to-end tests.

use dmplz_fakes::Fake;
use dmplz_fakes::matrix::{self, FakeMatrix, User};

use crate::{Chat, Choice, JIN, MIN, Message, Person, Place, Press, Room, SOON};

/// The chats that cases about every messenger run in.
pub const PLACES: &[Place] = &[
    Place { has_buttons: false, lacks: LACKS, ..Place::new("matrix", Chat::matrix) },
    Place { is_private: false, has_buttons: false, lacks: LACKS, ..Place::new("matrix_room", Chat::matrix_room) },
    Place { lacks: LACKS_TYPED, ..Place::new("matrix_typed", Chat::matrix_typed) },
];

/// The cases that are about what Matrix does not do.
const LACKS: &[(&str, &str)] = &[
    ("unknown_chat_is_one_clear_line", "a number is no id of a room, which is told before anybody is asked"),
    ("lists_doubled_or_reversed_change_nothing", "the order of a room's events is the homeserver's"),
];

/// The cases that are about what codes do not do.
const LACKS_TYPED: &[(&str, &str)] = &[
    ("unknown_chat_is_one_clear_line", "a number is no id of a room, which is told before anybody is asked"),
    ("lists_doubled_or_reversed_change_nothing", "the order of a room's events is the homeserver's"),
    ("killed_while_its_card_is_being_posted", "no process knows the codes of a card whose reply was lost"),
    (
        "a_killed_gateway_comes_back_to_a_grant_that_can_be_taken_back",
        "the next gateway does not watch an ended card for codes: dmplz grants revoke",
    ),
];

/// The line above the codes of a card, in each language.
const HEADINGS: [&str; 2] =
    ["답하려면 선택 앞의 코드를 보내주세요:\n", "To answer, send the code in front of your choice:\n"];
/// Pages that a card has at most.
const PAGES: usize = 12;
/// The reaction that turns the pages of choices.
const MORE: &str = "➕";

/// A room, or the direct chat of a person, with the bot.
#[derive(Clone, Debug)]
pub struct MatrixRoom {
    /// The server that stands in for the homeserver.
    pub fake: FakeMatrix,
    /// The id of the room where the cards are.
    pub room: String,
    is_private: bool,
    /// Whether people write codes instead of leaving reactions.
    typed: bool,
}

impl Chat {
    /// Creates Jin's direct chat with a bot.
    pub fn matrix() -> Self {
        let fake = FakeMatrix::spawn_thread();
        let room = fake.dm(&user(JIN));
        Self::of(MatrixRoom { fake, room, is_private: true, typed: false })
    }

    /// Creates Jin's direct chat with a bot whose cards are answered by codes.
    pub fn matrix_typed() -> Self {
        let fake = FakeMatrix::spawn_thread();
        let room = fake.dm(&user(JIN));
        Self::of(MatrixRoom { fake, room, is_private: true, typed: true })
    }

    /// Creates a room of Jin, Min and a bot.
    pub fn matrix_room() -> Self {
        let fake = FakeMatrix::spawn_thread();
        let room = fake.room(&[JIN, MIN].map(user));
        Self::of(MatrixRoom { fake, room, is_private: false, typed: false })
    }
}

impl Room for MatrixRoom {
    fn provider(&self) -> &'static str {
        "matrix"
    }

    fn token(&self) -> String {
        if self.typed { self.fake.refresh_token() } else { self.fake.token() }.to_owned()
    }

    fn id(&self) -> String {
        self.room.clone()
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("DMPLZ_MATRIX_HOMESERVER", self.fake.base_url()),
            // Either secret does, so each transport is tried with one of them.
            (if self.typed { "DMPLZ_MATRIX_REFRESH_TOKEN" } else { "DMPLZ_MATRIX_ACCESS_TOKEN" }, self.token()),
            ("DMPLZ_MATRIX_TRANSPORT", if self.typed { "typed" } else { "sync" }.to_owned()),
            match self.is_private {
                true => ("DMPLZ_MATRIX_DM_USER_ID", self.id_of(JIN)),
                false => ("DMPLZ_MATRIX_ROOM_ID", self.id()),
            },
        ]
    }

    fn server(&self) -> &dyn Fake {
        &self.fake
    }

    fn posting(&self) -> &'static str {
        "message"
    }

    fn editing(&self) -> &'static str {
        "edit"
    }

    fn polling(&self) -> &'static str {
        "sync"
    }

    /// Returns whether a card appears at once. The bot's reactions are added one after the other.
    fn posts_whole(&self) -> bool {
        false
    }

    fn watch(&self, is_there: &mut dyn FnMut(&[Message]) -> bool) -> bool {
        let bot = self.fake.bot();
        let seen = |messages: &[matrix::Message]| is_there(&all_seen(messages, bot)).then_some(());
        self.fake.watch_blocking(&self.room, SOON, seen).is_some()
    }

    /// Presses a choice. A card shows few, so further ones are asked for until the choice is shown. An old screen shows an
    /// earlier menu.
    fn press(&self, card: &Message, choice: Choice, by: Person, is_old: bool) -> Press {
        if self.typed {
            // The newest code that it ever had: an old screen shows an earlier one.
            let contents = self.event(card).contents;
            let mut codes =
                contents.iter().rev().flat_map(|content| codes(content["body"].as_str().unwrap_or_default()).1);
            let code = codes.find(|(_, label)| label.starts_with(choice.emoji())).map(|(code, _)| code);
            self.say(by, &code.unwrap_or_else(|| panic!("{choice:?} on {card:#?}")));
            return Press(card.id.to_string());
        }
        let mut shown = self.event(card);
        for _ in 0..PAGES {
            let menu = offered(&shown);
            // Only an approver turns pages; anybody can add any reaction.
            if is_old
                || by != JIN
                || menu.iter().any(|key| key == choice.emoji())
                || !menu.iter().any(|key| key == MORE)
            {
                break;
            }
            self.fake.tap((&self.room, &shown.id), &user(by), MORE);
            let next = |messages: &[matrix::Message]| {
                let newest = messages.iter().rfind(|it| !offered(it).is_empty())?;
                (newest.id != shown.id && is_whole(newest, self.fake.bot())).then(|| newest.clone())
            };
            shown = self.fake.watch_blocking(&self.room, SOON, next).expect("the next page of choices");
        }
        self.fake.tap((&self.room, &shown.id), &user(by), choice.emoji());
        Press(card.id.to_string())
    }

    fn skip(&self, prompt: &Message, by: Person) {
        let (_, codes) = codes(self.event(prompt).now()["body"].as_str().unwrap_or_default());
        self.say(by, codes.first().map_or("no_reason", |(code, _)| code));
    }

    fn say(&self, by: Person, text: &str) {
        self.fake.say(&self.room, &user(by), text);
    }

    fn reply(&self, to: &Message, by: Person, text: &str) {
        self.fake.reply((&self.room, &self.event(to).id), &user(by), text);
    }

    fn delete(&self, message: &Message) {
        self.fake.delete((&self.room, &self.event(message).id), &user(JIN));
    }

    fn say_elsewhere(&self, by: Person, text: &str) {
        let other = self.fake.room(&[user(by)]);
        self.fake.say(&other, &user(by), text);
    }

    fn id_of(&self, person: Person) -> String {
        user(person).id
    }

    fn recorded(&self, message: &Message) -> String {
        self.event(message).id
    }
}

impl MatrixRoom {
    /// Returns the message as a client shows it now. Its number is the time of its event.
    fn event(&self, message: &Message) -> matrix::Message {
        self.fake.messages(&self.room).into_iter().find(|it| it.at == message.id).expect("the message is there")
    }
}

fn user(person: Person) -> User {
    User { id: format!("@{}:example.org", person.name), name: person.name.to_owned() }
}

/// Returns the emoji that a card offers now, by what it says itself.
fn offered(message: &matrix::Message) -> Vec<String> {
    let choices = message.now()["dmplz.card"]["choices"].as_object();
    choices.into_iter().flatten().map(|(emoji, _)| emoji.clone()).collect()
}

/// Returns whether all that a card offers is in its menu.
fn is_whole(message: &matrix::Message, bot: &str) -> bool {
    let menu = message.reactions_of(bot);
    offered(message).iter().all(|emoji| menu.contains(emoji))
}

fn all_seen(messages: &[matrix::Message], bot: &str) -> Vec<Message> {
    messages.iter().map(|message| seen(message, bot)).collect()
}

fn seen(message: &matrix::Message, bot: &str) -> Message {
    let words = |content: &serde_json::Value| codes(content["body"].as_str().unwrap_or_default()).0;
    let (_, codes) = codes(message.now()["body"].as_str().unwrap_or_default());
    let is_file = message.file.is_some();
    Message {
        id: message.at,
        by_bot: message.sender == bot,
        text: if is_file { String::new() } else { words(message.now()) },
        // A menu comes reaction by reaction, and nobody answers before it is there.
        choices: match is_whole(message, bot) {
            true => message.reactions_of(bot).into_iter().chain(codes.into_iter().map(|(_, label)| label)).collect(),
            false => Vec::new(),
        },
        files: message.file.iter().cloned().collect(),
        before: message.contents[..message.contents.len() - 1].iter().map(words).collect(),
        deleted: message.deleted,
    }
}

/// Splits the text of a card into what stands above its codes, and the codes with their labels.
fn codes(text: &str) -> (String, Vec<(String, String)>) {
    let (above, below) = HEADINGS.iter().find_map(|heading| text.split_once(heading)).unwrap_or((text, ""));
    let code = |line: &str| {
        let (code, label) = line.split_once(" · ")?;
        Some((code.trim_end_matches(" …").to_owned(), label.to_owned()))
    };
    (above.trim_end_matches('\n').to_owned(), below.lines().filter_map(code).collect())
}
