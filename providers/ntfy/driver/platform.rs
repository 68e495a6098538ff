//! The driver of ntfy for the conformance suite.

use std::collections::BTreeMap;

use dmplz_core::messenger::{Answering, Chat, Choice, MessageRef, Subject};
use dmplz_fakes::ntfy::{FakeNtfy, Message, Published};
use dmplz_fakes::{Fake, Fault};

use crate::{Doing, Person, Platform, SOON, Shown, Trouble, Visitor};

/// Shows the visitor its only transport, on a current server and on one without sequences.
pub fn platforms(visitor: &mut impl Visitor) {
    visitor.visit::<Ntfy<true>>("ntfy");
    visitor.visit::<Ntfy<false>>("ntfy_before_2_16");
}

/// ntfy as the conformance suite drives it.
pub struct Ntfy<const SEQUENCES: bool> {
    fake: FakeNtfy,
    topics: std::sync::atomic::AtomicU32,
}

/// Users are not identified.
const PEOPLE: &str = "nobody is identified";
/// A topic exists as soon as a client uses it.
const TOPICS: &str = "every topic is there";
/// A card's message cannot be replaced.
const STAYS: &str = "nothing takes a message's place: what is published later stands below, and the buttons stay";
/// A press belongs to a card, and does not name its message.
const TAG: &str = "a press tells the card's tag, and not its message";

/// The cases that no server has, followed by others.
macro_rules! lacks {
    ($($more:tt)*) => {
        &[
            ("several_people_can_press_on_one_card", PEOPLE),
            ("a_program_that_presses_is_called_one", PEOPLE),
            ("a_program_that_writes_is_called_one", PEOPLE),
            ("strangers_and_programs_decide_nothing", PEOPLE),
            ("only_words_of_the_denier_after_the_prompt_count", PEOPLE),
            ("each_person_who_comes_late_is_told_once", PEOPLE),
            ("a_chat_that_is_not_there_is_a_failed_check", TOPICS),
            ("a_chat_that_is_not_there_is_not_found", TOPICS),
            ("a_text_that_is_withheld_comes_empty_or_not_at_all", "who reads a topic reads all of it"),
            ("a_card_answers_the_message_it_is_about", "no message answers another one"),
            ("an_answer_to_the_prompt_says_so", "no message answers another one"),
            ("a_message_that_somebody_deleted_is_not_found", "the server is not told what people delete on their phones"),
            ("a_message_that_never_was_is_not_found", "what is published under any sequence id is taken"),
            $($more)*
        ]
    };
}

/// The cases that a current server does not have.
const LACKS: &[(&str, &str)] = lacks![];
/// The cases that a server without sequences does not have: a card without choices is a separate message below, and
/// the card keeps its buttons.
const LACKS_BEFORE_2_16: &[(&str, &str)] = lacks![
    ("revising", STAYS),
    ("desk::forms", STAYS),
    ("desk::grants", STAYS),
    ("desk::late", STAYS),
    ("a_choice_that_stays_on_an_ended_card_can_be_pressed_and_goes", STAYS),
    ("a_denial_takes_the_reason_of_the_denier", STAYS),
    ("an_approval_for_the_session_is_one", STAYS),
    ("a_deny_stands_when_the_prompt_cannot_be_posted", STAYS),
    ("a_prompt_for_text_can_still_show_its_end", STAYS),
    ("a_server_that_keeps_its_rate_limits_takes_a_card_and_its_end", STAYS),
    ("a_press_says_who_pressed_what_on_which_card", TAG),
    ("presses_on_two_cards_are_told_apart", TAG),
    ("a_press_that_comes_twice_is_the_same_press", TAG),
    ("a_press_on_a_card_of_the_past_is_told_when_it_is_looked_at", TAG),
    ("a_press_in_a_private_chat_is_seen", TAG),
    ("a_deleted_card_does_not_hide_the_others", TAG),
    ("presses_survive_the_instance", TAG),
];

impl<const SEQUENCES: bool> Platform for Ntfy<SEQUENCES> {
    const NAME: &'static str = "ntfy";
    const SECRET: &'static str = "access-token";
    const NEEDS_SECRET: bool = false;
    const LACKS: &'static [(&'static str, &'static str)] = if SEQUENCES { LACKS } else { LACKS_BEFORE_2_16 };
    const HAS_SOCKETS: bool = false;
    const ORIGINS: &'static [&'static str] = &["{setting:api-base}"];
    const SECRET_PLACES: &'static [&'static str] = &["header authorization: Bearer {secret:access-token}"];
    const TRANSPORT: &'static str = "polling";
    const ANSWERING: Answering = Answering::Buttons;
    const IDENTIFIES: bool = false;
    const MALFORMED: &'static [&'static str] = &[
        "",
        " ",
        "../../users/@me",
        "1 2",
        "９９",
        "a,b",
        "12345678-12345678-12345678-12345678-12345678-12345678-123",
    ];
    const CHOICES: usize = 3;
    const SHOWS_CODE: bool = false;
    const HAS_REPLIES: bool = false;
    /// 4,096 bytes.
    const LONGEST: usize = 1365;
    const REFUSES_COPIES: bool = false;
    const TELLS_OF_WITHHELD_TEXTS: bool = false;
    const TELLS_OF_EVERY_PRESS: bool = true;
    const PERSISTENT: bool = false;
    const READS_CHAT: bool = true;
    const AILMENTS: &'static [Subject] = &[Subject::Chat, Subject::Read];

    async fn start() -> Self {
        let fake = FakeNtfy::start().await;
        if !SEQUENCES {
            fake.forget_sequences();
        }
        Self { fake, topics: Default::default() }
    }

    async fn start_strict() -> Self {
        let it = Self::start().await;
        it.fake.limit_visitors();
        it
    }

    fn server(&self) -> &dyn Fake {
        &self.fake
    }

    /// Returns the settings. People press at once here, so the server may be polled without pauses.
    fn settings(&self) -> BTreeMap<String, String> {
        let settings = [(Self::SERVER, self.base_url()), ("poll-interval", "100".to_owned())];
        settings.map(|(name, value)| (name.to_owned(), value)).into()
    }

    fn group(&self) -> Chat {
        let number = self.topics.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Chat::Room(format!("office_{number}"))
    }

    fn private(&self, person: Person) -> Chat {
        Chat::Room(format!("to-{}", person.id))
    }

    fn nowhere(&self) -> Chat {
        Chat::Room("nowhere".to_owned())
    }

    fn shown(&self, chat: &str) -> Vec<Shown> {
        see(&self.fake.messages(chat))
    }

    async fn await_shown<R>(&self, chat: &str, mut find: impl FnMut(&[Shown]) -> Option<R>) -> Option<R> {
        self.fake.watch(chat, SOON, |messages| find(&see(messages))).await
    }

    fn press(&self, on: &MessageRef, choice: &Choice, _: Person) -> String {
        self.fake.press(&on.chat, &on.id, &choice.label).expect("a button")
    }

    fn forge(&self, on: &MessageRef, _: Person) {
        for body in
            ["dmplz:", "dmplz::deny", "dmplz:Tag:", "dmplz:Tag:DENY", "dmplz:Tag with blanks:deny", "dmplz:T:d:e"]
        {
            self.fake.say(&answers(&on.chat), body);
        }
    }

    fn guess(&self, chat: &str, choice: &str) {
        self.fake.say(&answers(chat), &format!("dmplz:Guess:{choice}"));
    }

    fn say(&self, chat: &str, _: Person, text: &str) -> MessageRef {
        reference(chat, &self.fake.say(&answers(chat), text))
    }

    fn reply(&self, to: &MessageRef, by: Person, text: &str) -> MessageRef {
        self.say(&to.chat, by, text)
    }

    fn attach(&self, chat: &str, _: Person, caption: &str) -> MessageRef {
        reference(chat, &self.fake.attach(&answers(chat), "notes.txt", "notes", caption))
    }

    fn delete(&self, message: &MessageRef) {
        self.fake.delete(&message.chat, &message.id);
    }

    async fn await_told(&self, _: &str, on: &MessageRef, text: &str) -> bool {
        let is_told = |messages: &[Message]| messages.iter().any(|it| it.now().text() == text).then_some(());
        self.fake.watch(&on.chat, SOON, is_told).await.is_some()
    }

    /// Does nothing, because a message in the chat never becomes outdated.
    fn outdate(&self, _: &str, _: &MessageRef) {}

    fn ail(&self, chat: &str, what: Subject) {
        match what {
            Subject::Chat => self.fake.protect(chat),
            Subject::Read => self.fake.protect(&answers(chat)),
            other => panic!("ntfy cannot take away {other:?}"),
        }
    }

    /// Does nothing, because all texts for the bot are published to the topic for answers, which it reads.
    fn withhold_texts(&self, _: &str) {}

    /// Returns nothing, because ntfy has neither pings nor link previews.
    fn side_effects(&self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn request(doing: Doing) -> &'static str {
        match doing {
            Doing::Revise if SEQUENCES => "update",
            Doing::Post | Doing::Revise | Doing::Acknowledge => "publish",
            Doing::Receive | Doing::ReceiveTexts => "poll",
            Doing::Diagnose => "health",
        }
    }

    fn fault(trouble: Trouble) -> Option<Fault> {
        let refused = |status, code, message: &str| Fault::Refused { status, code, message: message.to_owned() };
        match trouble {
            Trouble::NoChat => Some(refused(404, 40401, "page not found")),
            Trouble::Malformed => Some(refused(400, 40024, "invalid request: request body must be valid JSON")),
            other => other.of_any_server(),
        }
    }
}

fn answers(chat: &str) -> String {
    format!("{chat}-answers")
}

fn see(messages: &[Message]) -> Vec<Shown> {
    messages.iter().filter(|message| !message.deleted).map(shown).collect()
}

fn shown(message: &Message) -> Shown {
    let now = message.now();
    let file = now.attachment.as_ref();
    Shown {
        id: message.id.clone(),
        sequence: 2 * message.time(),
        by_bot: now.by_bot,
        text: now.text(),
        bold: Some(now.title.clone()).filter(|title| !title.is_empty()).into_iter().collect(),
        files: file.map(|(name, bytes)| (name.clone(), bytes.to_vec())).into_iter().collect(),
        choices: now.actions.iter().map(|action| action.label.clone()).collect(),
        ..Shown::default()
    }
}

fn reference(chat: &str, published: &Published) -> MessageRef {
    MessageRef { chat: chat.to_owned(), id: published.id.clone(), sequence: 2 * published.time + 1 }
}
