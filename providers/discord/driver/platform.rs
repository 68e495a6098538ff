//! The driver of Discord for the conformance suite.

mod gateway;
mod markdown;

pub use gateway::DiscordGateway;

use dmplz_core::messenger::{Answering, Chat, Choice, MessageRef, Subject};
use dmplz_fakes::discord::{FakeDiscord, Message, Permissions, User};
use dmplz_fakes::{Fake, Fault, On};

use self::markdown::read;
use crate::{Doing, JIN, MINA, Person, Platform, SOON, Shown, Trouble, Visitor};

/// Shows both of its transports.
pub fn platforms(visitor: &mut impl Visitor) {
    visitor.visit::<Discord>("discord");
    visitor.visit::<DiscordGateway>("gateway");
}

/// Discord as the conformance suite drives it.
pub struct Discord {
    fake: FakeDiscord,
    bot: u64,
}

/// `SUPPRESS_EMBEDS` of a message's flags.
const SUPPRESS_EMBEDS: u64 = 1 << 2;

const REACTIONS: &str = "GET /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}";

impl Platform for Discord {
    const NAME: &'static str = "discord";
    const HAS_SOCKETS: bool = true;
    const SECRET_ORIGINS: &'static [&'static str] =
        &["{setting:api-base}", "{setting:gateway-url}", "wss://*.discord.gg"];
    const ORIGINS: &'static [&'static str] =
        &["{setting:api-base}", "{setting:gateway-url}", "wss://*.discord.gg", "https://cdn.discordapp.com"];
    const SECRET_PLACES: &'static [&'static str] = &[
        "header authorization: Bot {secret:bot-token}",
        "frame /d/token where /op is 2",
        "frame /d/token where /op is 6",
    ];
    const TRANSPORT: &'static str = "reactions";
    const ANSWERING: Answering = Answering::Reactions;
    const LONGEST: usize = 2000;
    const REFUSES_COPIES: bool = true;
    const TELLS_OF_WITHHELD_TEXTS: bool = true;
    const TELLS_OF_EVERY_PRESS: bool = false;
    const PERSISTENT: bool = false;
    const READS_CHAT: bool = true;
    const THREADS: bool = true;
    const FILES: bool = true;
    const AILMENTS: &'static [Subject] =
        &[Subject::Chat, Subject::Post, Subject::React, Subject::Attach, Subject::Read];

    async fn start() -> Self {
        let fake = FakeDiscord::start().await;
        Self { bot: fake.bot().id, fake }
    }

    async fn start_strict() -> Self {
        let fake = FakeDiscord::setup().limits(true).start().unwrap();
        Self { bot: fake.bot().id, fake }
    }

    fn server(&self) -> &dyn Fake {
        &self.fake
    }

    fn group(&self) -> Chat {
        self.fake.meet(&user(JIN));
        self.fake.meet(&user(MINA));
        Chat::Room(self.fake.channel(self.fake.guild("office"), "approvals").to_string())
    }

    fn private(&self, person: Person) -> Chat {
        self.fake.meet(&user(person));
        Chat::Person(person.id.to_string())
    }

    fn nowhere(&self) -> Chat {
        Chat::Room("999999999999999999".to_owned())
    }

    fn threads(&self, chat: &str) -> Vec<(String, bool)> {
        self.fake.threads(number(chat)).into_iter().map(|thread| (thread.name, thread.archived)).collect()
    }

    fn delete_thread(&self, thread: &str) {
        self.fake.delete_thread(number(thread));
    }

    fn shown(&self, chat: &str) -> Vec<Shown> {
        self.see(&self.fake.messages(number(chat)))
    }

    async fn await_shown<R>(&self, chat: &str, mut find: impl FnMut(&[Shown]) -> Option<R>) -> Option<R> {
        self.fake.watch(number(chat), SOON, |messages| find(&self.see(messages))).await
    }

    fn press(&self, on: &MessageRef, choice: &Choice, by: Person) -> String {
        self.fake.react(place(on), &choice.emoji, &user(by));
        String::new()
    }

    fn forge(&self, on: &MessageRef, by: Person) {
        for emoji in ["👍", "✅\u{200d}", "❌:424242", "deny:424242"] {
            self.fake.react(place(on), emoji, &user(by));
        }
    }

    fn say(&self, chat: &str, by: Person, text: &str) -> MessageRef {
        reference(self.fake.say(number(chat), &user(by), text))
    }

    fn reply(&self, to: &MessageRef, by: Person, text: &str) -> MessageRef {
        reference(self.fake.reply(place(to), &user(by), text))
    }

    fn gone_file(&self) -> String {
        format!("{}/attachments/1/2/notes.txt", self.base_url().trim_end_matches("/api/v10"))
    }

    fn attach(&self, chat: &str, by: Person, caption: &str) -> MessageRef {
        reference(self.fake.attach(number(chat), &user(by), "notes.txt", "notes", caption))
    }

    fn delete(&self, message: &MessageRef) {
        self.fake.delete(place(message));
    }

    async fn await_told(&self, _: &str, on: &MessageRef, text: &str) -> bool {
        let is_it = |shown: &&Shown| shown.by_bot && shown.text == text && shown.reply_to.as_deref() == Some(&on.id);
        self.await_shown(&on.chat, |shown| shown.iter().find(is_it).map(|_| ())).await.is_some()
    }

    fn ail(&self, chat: &str, what: Subject) {
        let lost = match what {
            Subject::Chat => Permissions::VIEW_CHANNEL,
            Subject::Post => Permissions::SEND_MESSAGES,
            Subject::React => Permissions::ADD_REACTIONS,
            Subject::Attach => Permissions::ATTACH_FILES,
            Subject::Read => return self.fake.set_message_content(false),
            Subject::Events => panic!("nobody can take Discord's events"),
        };
        self.fake.set_permissions(number(chat), Permissions::USUAL.without(lost));
    }

    fn withhold_texts(&self, _: &str) {
        self.fake.set_message_content(false);
    }

    fn side_effects(&self, chat: &str) -> Vec<String> {
        let mut effects = Vec::new();
        for message in self.fake.messages(number(chat)).iter().filter(|message| message.author.id == self.bot) {
            if message.mention_everyone || !message.mentions.is_empty() {
                effects.push(format!("pings: {}", message.content()));
            }
            if message.flags & SUPPRESS_EMBEDS == 0 {
                effects.push(format!("unfolds links: {}", message.content()));
            }
        }
        effects
    }

    fn request(doing: Doing) -> &'static str {
        match doing {
            Doing::Post | Doing::Acknowledge => "POST /channels/{channel_id}/messages",
            Doing::Revise => "PATCH /channels/{channel_id}/messages/{message_id}",
            Doing::Receive => "GET /channels/{channel_id}/messages/{message_id}",
            Doing::ReceiveTexts => "GET /channels/{channel_id}/messages",
            Doing::Diagnose => "GET /users/@me",
        }
    }

    fn last_of_post() -> (&'static str, usize) {
        ("PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me", 1)
    }

    fn fail(&self, doing: Doing, trouble: Trouble, times: usize) -> bool {
        let Some(fault) = Self::fault(trouble) else { return false };
        // The users who reacted are a separate list.
        let request = match (doing, trouble) {
            (Doing::Receive, Trouble::Doubled | Trouble::Reversed) => REACTIONS,
            _ => Self::request(doing),
        };
        self.wire().fail(On::call(request).times(times), fault);
        true
    }

    fn fault(trouble: Trouble) -> Option<Fault> {
        let refused = |status, code, message: &str| Fault::Refused { status, code, message: message.to_owned() };
        match trouble {
            Trouble::NoChat => Some(Fault::Status(404)),
            Trouble::Malformed => Some(refused(400, 50035, "Invalid Form Body")),
            other => other.of_any_server(),
        }
    }
}

impl Discord {
    pub(crate) fn fake(&self) -> &FakeDiscord {
        &self.fake
    }

    pub(crate) fn see_one(&self, message: &Message) -> Shown {
        see(message, self.bot)
    }

    fn see(&self, messages: &[Message]) -> Vec<Shown> {
        messages.iter().filter(|message| !message.deleted).map(|message| see(message, self.bot)).collect()
    }
}

fn see(message: &Message, bot: u64) -> Shown {
    let read = read(message.content());
    let mine = message.reactions.iter().filter(|reaction| reaction.users.iter().any(|user| user.id == bot));
    Shown {
        id: message.id.to_string(),
        sequence: message.id,
        by_bot: message.author.id == bot,
        text: read.text,
        bold: read.bold,
        code: read.code,
        markup: read.markup,
        files: message.attachments().iter().map(|file| (file.filename.clone(), file.bytes.to_vec())).collect(),
        choices: mine.map(|reaction| reaction.emoji.clone()).collect(),
        reply_to: message.reply_to.map(|id| id.to_string()),
    }
}

fn user(person: Person) -> User {
    User { bot: person.is_bot, ..User::person(person.id, person.name) }
}

fn number(id: &str) -> u64 {
    id.parse().unwrap()
}

fn place(message: &MessageRef) -> (u64, u64) {
    (number(&message.chat), number(&message.id))
}

fn reference(at: dmplz_fakes::discord::MessageRef) -> MessageRef {
    MessageRef { chat: at.channel.to_string(), id: at.id.to_string(), sequence: at.id }
}
