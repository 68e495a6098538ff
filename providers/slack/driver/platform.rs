//! The driver of Slack for the conformance suite.

use dmplz_core::messenger::{Answering, Chat, Choice, MessageRef, Subject};
use dmplz_fakes::slack::{FakeSlack, Message, User};
use dmplz_fakes::{Fake, Fault, On};

use crate::{Doing, JIN, MINA, Person, Platform, SOON, Shown, Trouble, Visitor, WRITE};

/// Shows its only transport.
pub fn platforms(visitor: &mut impl Visitor) {
    visitor.visit::<Slack>("slack");
}

/// Slack as the conformance suite drives it.
pub struct Slack(FakeSlack);

const CONNECTING: &str = "apps.connections.open";

impl Platform for Slack {
    const NAME: &'static str = "slack";
    const OTHER_SECRET: Option<&'static str> = Some("app-token");
    const ID_PREFIX: &'static str = "U";
    const LACKS: &'static [(&'static str, &'static str)] = &[
        ("a_program_that_presses_is_called_one", "no program can press a button"),
        ("a_program_that_writes_is_called_one", "nor fill a form"),
        ("presses_survive_the_instance", "Slack keeps no press: its person reads that it failed"),
        ("a_fresh_instance_goes_on_at_the_cursor", "Slack keeps no text of a form either"),
        (
            "words_after_the_time_for_them_are_told_that_they_came_late",
            "without a connection the form says that it failed",
        ),
    ];
    const MALFORMED: &'static [&'static str] =
        &["", "0", "12a", "C12", "c012AB3CD", "C012 AB3CD", "../../U012AB3CD", "X012AB3CD", "Ｕ012AB3CD"];
    const HAS_SOCKETS: bool = true;
    const ORIGINS: &'static [&'static str] = &["{setting:api-base}", "wss://*.slack.com", "https://files.slack.com"];
    const SECRET_ORIGINS: &'static [&'static str] = &["{setting:api-base}"];
    const SECRET_PLACES: &'static [&'static str] =
        &["header authorization: Bearer {secret:bot-token}", "header authorization: Bearer {secret:app-token}"];
    const TRANSPORT: &'static str = "socket-mode";
    const ANSWERING: Answering = Answering::Buttons;
    const LONGEST: usize = 8000;
    const FORM: usize = 3000;
    const REFUSES_COPIES: bool = false;
    const TELLS_OF_WITHHELD_TEXTS: bool = false;
    const TELLS_OF_EVERY_PRESS: bool = true;
    const PERSISTENT: bool = true;
    const READS_CHAT: bool = false;
    const AILMENTS: &'static [Subject] = &[Subject::Events, Subject::Chat, Subject::Post, Subject::Attach];

    async fn start() -> Self {
        Self(FakeSlack::start().await)
    }

    async fn start_strict() -> Self {
        let fake = FakeSlack::start().await;
        fake.limit_messages();
        Self(fake)
    }

    fn server(&self) -> &dyn Fake {
        &self.0
    }

    fn other_token(&self) -> String {
        self.0.app_token().to_owned()
    }

    fn group(&self) -> Chat {
        self.0.meet(&user(JIN));
        self.0.meet(&user(MINA));
        Chat::Room(self.0.channel("approvals"))
    }

    fn private(&self, person: Person) -> Chat {
        self.0.meet(&user(person));
        Chat::Person(user(person).id)
    }

    fn nowhere(&self) -> Chat {
        Chat::Room("C999999999".to_owned())
    }

    fn shown(&self, chat: &str) -> Vec<Shown> {
        self.see(&self.0.messages(chat))
    }

    async fn await_shown<R>(&self, chat: &str, mut find: impl FnMut(&[Shown]) -> Option<R>) -> Option<R> {
        let bot = self.0.bot().id;
        self.0.watch(chat, SOON, |messages| find(&all_seen(messages, &bot))).await
    }

    fn press(&self, on: &MessageRef, choice: &Choice, by: Person) -> String {
        self.0.press((&on.chat, &on.id), &choice.label, &user(by)).unwrap().to_string()
    }

    fn open_form(&self, prompt: &MessageRef, by: Person) -> Option<String> {
        let shown = self.0.messages(&prompt.chat).into_iter().find(|message| message.ts == prompt.id).unwrap();
        let write = shown.now().buttons().into_iter().find(|button| button.label.starts_with(WRITE)).unwrap();
        Some(self.0.press((&prompt.chat, &prompt.id), &write.label, &user(by)).unwrap().to_string())
    }

    async fn fill(&self, press: &str, text: &str) -> Option<String> {
        let press = press.parse().unwrap();
        assert!(self.0.await_press(press, SOON, |press| press.modal.is_some()).await.is_some(), "a form opens");
        Some(self.0.submit(press, text).unwrap().to_string())
    }

    fn forge(&self, on: &MessageRef, by: Person) {
        for value in
            ["", "deny", ":", "Tag:", ":deny", "Tag:DENY", "Tag with blanks:deny", "T:d:e", "\u{0}:\u{0}", "{}"]
        {
            self.0.forge((&on.chat, &on.id), value, &user(by));
        }
        for payload in ["null", "[]", "{}", r#"{"type":"block_actions"}"#, r#"{"type":"view_submission","view":{}}"#] {
            self.0.send(&format!(r#"{{"envelope_id":"forged","type":"interactive","payload":{payload}}}"#));
        }
    }

    fn say(&self, chat: &str, by: Person, text: &str) -> MessageRef {
        reference(&self.0.say(chat, &user(by), text, None))
    }

    fn reply(&self, to: &MessageRef, by: Person, text: &str) -> MessageRef {
        reference(&self.0.say(&to.chat, &user(by), text, Some(&to.id)))
    }

    fn attach(&self, chat: &str, by: Person, caption: &str) -> MessageRef {
        reference(&self.0.attach(chat, &user(by), "notes.txt", "notes", caption))
    }

    fn delete(&self, message: &MessageRef) {
        self.0.delete((&message.chat, &message.id));
    }

    async fn await_told(&self, _: &str, on: &MessageRef, text: &str) -> bool {
        self.0.await_whisper(SOON, |it| it.channel == on.chat && it.said.screen().text == text).await
    }

    /// An ephemeral message needs no press; but nobody can be told who left.
    fn outdate(&self, _: &str, on: &MessageRef) {
        self.0.leave(&on.chat, &user(JIN).id);
    }

    fn ail(&self, chat: &str, what: Subject) {
        match what {
            Subject::Events => self.0.refuse(Some(503)),
            Subject::Chat => self.0.set_member(chat, false),
            Subject::Post => self.0.revoke("chat:write"),
            Subject::Attach => self.0.revoke("files:write"),
            other => panic!("nothing is checked about {other:?}"),
        }
    }

    /// What people write is not read.
    fn withhold_texts(&self, _: &str) {}

    fn side_effects(&self, chat: &str) -> Vec<String> {
        let bot = self.0.bot().id;
        let messages = self.0.messages(chat).into_iter().filter(|it| it.user.id == bot && it.files.is_empty());
        let mut effects = Vec::new();
        for message in messages {
            let texts = message.revisions.iter().map(|revision| &revision.text);
            effects.extend(texts.filter(|text| text.contains('<')).map(|text| format!("mentions: {text}")));
            effects.extend(message.unfurls.then(|| format!("unfolds links: {message:?}")));
        }
        let whispers = self.0.whispers().into_iter().filter(|it| it.said.text.contains('<'));
        effects.into_iter().chain(whispers.map(|it| format!("mentions: {it:?}"))).collect()
    }

    fn request(doing: Doing) -> &'static str {
        match doing {
            Doing::Post => "chat.postMessage",
            Doing::Revise => "chat.update",
            Doing::Receive | Doing::ReceiveTexts => CONNECTING,
            Doing::Acknowledge => "chat.postEphemeral",
            Doing::Diagnose => "auth.test",
        }
    }

    fn fault(trouble: Trouble) -> Option<Fault> {
        match trouble {
            Trouble::NoChat => Some(Fault::Status(404)),
            Trouble::Malformed => Some(Fault::Status(400)),
            Trouble::Reversed => None,
            other => other.of_any_server(),
        }
    }

    /// A look is troubled where it connects, so its connection is cut first.
    fn fail(&self, doing: Doing, trouble: Trouble, times: usize) -> bool {
        let looks = matches!(doing, Doing::Receive | Doing::ReceiveTexts);
        match trouble {
            // It is told of two connections in a row.
            Trouble::Conflict if looks => self.0.share_connections(times.saturating_mul(2)),
            Trouble::Doubled if looks => {
                self.0.double_envelopes(true);
                return true;
            }
            other => {
                let Some(fault) = Self::fault(other) else { return false };
                self.wire().fail(On::call(Self::request(doing)).times(times), fault);
            }
        }
        if looks {
            self.0.cut();
        }
        true
    }

    fn strike(&self, trouble: Trouble) -> bool {
        match trouble {
            Trouble::LineCut => self.0.cut(),
            Trouble::Closed(code) => self.0.close(code),
            Trouble::SentAway => self.0.refresh(),
            Trouble::Nonsense => ["", "{", "[]", r#"{"type":7}"#, r#"{"type":"x"}"#].map(|it| self.0.send(it))[0],
            Trouble::Doubted | Trouble::Forgotten => return false,
            other => return self.fail(Doing::Receive, other, 1),
        }
        true
    }

    /// Slack keeps nothing for an app whose connection is gone.
    fn forgets(trouble: Trouble) -> bool {
        !matches!(trouble, Trouble::SentAway | Trouble::Nonsense)
    }

    async fn heard(&self) {
        assert!(self.0.await_ready(SOON).await, "a connection");
    }

    fn heal(&self) {
        self.wire().heal();
        self.0.share_connections(0);
    }
}

impl Slack {
    fn see(&self, messages: &[Message]) -> Vec<Shown> {
        all_seen(messages, &self.0.bot().id)
    }
}

fn all_seen(messages: &[Message], bot: &str) -> Vec<Shown> {
    messages.iter().filter(|message| !message.deleted).map(|message| see(message, bot)).collect()
}

fn see(message: &Message, bot: &str) -> Shown {
    let now = message.now();
    let screen = now.screen();
    Shown {
        id: message.ts.clone(),
        sequence: message.sequence(),
        by_bot: message.user.id == bot,
        text: screen.text,
        bold: screen.bold,
        code: screen.code,
        markup: screen.markup,
        files: message.files.iter().map(|(name, bytes)| (name.clone(), bytes.to_vec())).collect(),
        choices: now.buttons().into_iter().map(|button| button.label).collect(),
        reply_to: message.thread_ts.clone(),
    }
}

fn user(person: Person) -> User {
    User { is_bot: person.is_bot, ..User::person(person.id_on::<Slack>(), person.name) }
}

fn reference(message: &Message) -> MessageRef {
    MessageRef { chat: message.channel.clone(), id: message.ts.clone(), sequence: message.sequence() }
}
