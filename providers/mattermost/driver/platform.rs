//! The driver of Mattermost for the conformance suite.

mod markdown;

use dmplz_core::messenger::{Answering, Chat, Choice, MessageRef, Subject};
use dmplz_fakes::mattermost::{FakeMattermost, Message, User};
use dmplz_fakes::{Fake, Fault, On};

use self::markdown::read;
use crate::{Doing, JIN, MINA, Person, Platform, ROBOT, SOON, Shown, Trouble, Visitor};

/// Shows the visitor its only transport.
pub fn platforms(visitor: &mut impl Visitor) {
    visitor.visit::<Mattermost>("mattermost");
}

/// Mattermost as the conformance suite drives it.
pub struct Mattermost {
    fake: FakeMattermost,
}

impl Platform for Mattermost {
    const NAME: &'static str = "mattermost";
    const SERVER: &'static str = "server";
    const SECRET: &'static str = "access-token";
    const ID_PREFIX: &'static str = "user0000000000000";
    const HAS_REPLIES: bool = false;
    const LACKS: &'static [(&'static str, &'static str)] = &[
        ("a_server_that_nobody_granted_is_never_reached", "its server is always a setting, and who sets it grants it"),
        ("a_chat_that_is_not_there_is_not_found", "a channel that is not there looks like one that the bot is not in"),
        ("a_card_answers_the_message_it_is_about", "a reply stands in a thread, where people would not see it"),
        (
            "as_many_choices_as_the_manifest_says_can_be_offered_and_no_more",
            "it takes emoji that no card of the host has",
        ),
        ("a_text_that_is_withheld_comes_empty_or_not_at_all", "members of a channel read everything"),
    ];
    const HAS_SOCKETS: bool = true;
    const ORIGINS: &'static [&'static str] = &["{setting:server}"];
    const SECRET_PLACES: &'static [&'static str] = &[
        "header authorization: Bearer {secret:access-token}",
        "frame /data/token where /action is \"authentication_challenge\"",
    ];
    const TRANSPORT: &'static str = "websocket";
    const ANSWERING: Answering = Answering::Reactions;
    const MALFORMED: &'static [&'static str] = &[
        "", "0", "12a", "../../users/me", "user0000000000000 00000001", "User0000000000000000000001",
        "user000000000000000000000", "user00000000000000000000001", "user00000000000000000000９", "~town-square",
    ];
    const CHOICES: usize = 8;
    /// Our own limit; 16,383 characters of a post allow it in any script.
    const LONGEST: usize = 8000;
    const REFUSES_COPIES: bool = true;
    const TELLS_OF_WITHHELD_TEXTS: bool = false;
    const TELLS_OF_EVERY_PRESS: bool = true;
    const PERSISTENT: bool = true;
    const READS_CHAT: bool = true;
    const FILES: bool = true;
    const AILMENTS: &'static [Subject] =
        &[Subject::Events, Subject::Chat, Subject::Post, Subject::React, Subject::Attach];

    async fn start() -> Self {
        Self { fake: FakeMattermost::start().await }
    }

    async fn start_strict() -> Self {
        let it = Self::start().await;
        it.fake.limit_requests();
        it
    }

    fn server(&self) -> &dyn Fake {
        &self.fake
    }

    fn group(&self) -> Chat {
        Chat::Room(self.fake.channel(&[JIN, MINA, ROBOT].map(user)))
    }

    fn private(&self, person: Person) -> Chat {
        self.fake.meet(&user(person));
        Chat::Person(user(person).id)
    }

    fn nowhere(&self) -> Chat {
        Chat::Room("nowhere0000000000000000000".to_owned())
    }

    fn shown(&self, chat: &str) -> Vec<Shown> {
        self.see(&self.fake.messages(chat))
    }

    async fn await_shown<R>(&self, chat: &str, mut find: impl FnMut(&[Shown]) -> Option<R>) -> Option<R> {
        self.fake.watch(chat, SOON, |messages| find(&self.see(messages))).await
    }

    fn press(&self, on: &MessageRef, choice: &Choice, by: Person) -> String {
        self.fake.tap((&on.chat, &on.id), &user(by), FakeMattermost::name_of(&choice.emoji));
        on.id.clone()
    }

    fn forge(&self, on: &MessageRef, by: Person) {
        for name in ["+1", "white_check_mark ", "deny", "", "✅", "not_an_emoji"] {
            self.fake.react((&on.chat, &on.id), &user(by), name);
        }
        let theirs = self.fake.say(&on.chat, &user(by), "May I?", None);
        self.fake.react((&on.chat, &theirs.id), &user(by), "white_check_mark");
    }

    fn say(&self, chat: &str, by: Person, text: &str) -> MessageRef {
        reference(&self.fake.say(chat, &user(by), text, None))
    }

    fn automate(&self, chat: &str, of: Person, text: &str) -> bool {
        self.fake.say_by_webhook(chat, &user(of), text);
        true
    }

    fn reply(&self, to: &MessageRef, by: Person, text: &str) -> MessageRef {
        reference(&self.fake.say(&to.chat, &user(by), text, Some(&to.id)))
    }

    fn attach(&self, chat: &str, by: Person, caption: &str) -> MessageRef {
        let file = ("notes.txt".to_owned(), "notes".into());
        reference(&self.fake.attach(chat, &user(by), vec![file], caption, None))
    }

    fn delete(&self, message: &MessageRef) {
        self.fake.delete((&message.chat, &message.id));
    }

    fn ail(&self, chat: &str, what: Subject) {
        match what {
            Subject::Events => self.fake.refuse(Some(503)),
            Subject::Chat => self.fake.set_member(chat, false),
            Subject::Post => self.fake.forbid("create_post"),
            Subject::React => self.fake.forbid("add_reaction"),
            Subject::Attach => self.fake.forbid_files(),
            other @ Subject::Read => panic!("a channel cannot take away {other:?}"),
        }
    }

    fn withhold_texts(&self, _: &str) {}

    /// Returns what an app or the server would make something of, such as an at sign for a mention.
    fn side_effects(&self, chat: &str) -> Vec<String> {
        let messages = self.fake.messages(chat);
        let texts = messages.iter().filter(|it| it.user == self.fake.bot()).flat_map(|it| &it.texts);
        texts.flat_map(|text| read(text).markup).collect()
    }

    fn request(doing: Doing) -> &'static str {
        match doing {
            Doing::Post | Doing::Acknowledge => "post",
            Doing::Revise => "post/get",
            Doing::Receive | Doing::ReceiveTexts => "channel/posts",
            Doing::Diagnose => "users/me",
        }
    }

    fn last_of_post() -> (&'static str, usize) {
        ("react", 1)
    }

    fn fault(trouble: Trouble) -> Option<Fault> {
        let refused = |status, message: &str| Fault::Refused { status, code: 0, message: message.to_owned() };
        match trouble {
            Trouble::NoChat => Some(Fault::Status(404)),
            Trouble::Malformed => Some(refused(400, "Invalid or missing post in request body.")),
            Trouble::Reversed | Trouble::Doubled => None,
            other => other.of_any_server(),
        }
    }

    /// A poll is troubled where it connects, so its connection is cut first.
    fn fail(&self, doing: Doing, trouble: Trouble, times: usize) -> bool {
        let Some(fault) = Self::fault(trouble) else { return false };
        self.wire().fail(On::call(Self::request(doing)).times(times), fault);
        if matches!(doing, Doing::Receive | Doing::ReceiveTexts) {
            self.fake.cut();
        }
        true
    }

    fn strike(&self, trouble: Trouble) -> bool {
        match trouble {
            Trouble::LineCut => self.fake.cut(),
            Trouble::Closed(code) => self.fake.close(code),
            Trouble::Nonsense => {
                for frame in ["", "{", "[]", "7", r#"{"event":7}"#, r#"{"event":"posted","data":{},"seq":1}"#] {
                    self.fake.send(frame);
                }
            }
            Trouble::SentAway | Trouble::Doubted | Trouble::Forgotten => return false,
            other => return self.fail(Doing::Receive, other, 1),
        }
        true
    }

    async fn heard(&self) {
        assert!(self.fake.await_ready(SOON).await, "a connection");
    }
}

impl Mattermost {
    fn see(&self, messages: &[Message]) -> Vec<Shown> {
        messages.iter().filter(|message| !message.deleted).map(|message| see(message, self.fake.bot())).collect()
    }
}

fn see(message: &Message, bot: &str) -> Shown {
    let by_bot = message.user == bot;
    let text = message.now().to_owned();
    let read = if by_bot { read(&text) } else { markdown::Read { text, ..markdown::Read::default() } };
    Shown {
        id: message.id.clone(),
        sequence: message.at,
        by_bot,
        text: read.text,
        bold: read.bold,
        code: read.code,
        markup: read.markup,
        files: message.files.iter().map(|(name, bytes)| (name.clone(), bytes.to_vec())).collect(),
        choices: message.reactions_of(bot).iter().map(|name| FakeMattermost::emoji_of(name).to_owned()).collect(),
        reply_to: message.root.clone(),
    }
}

fn user(person: Person) -> User {
    User { is_bot: person.is_bot, ..User::person(person.id_on::<Mattermost>(), person.name) }
}

fn reference(message: &Message) -> MessageRef {
    MessageRef { chat: message.channel.clone(), id: message.id.clone(), sequence: message.at }
}
