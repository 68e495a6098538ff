//! Chats of Discord, for the end-to-end tests.

use dmplz_fakes::Fake;
use dmplz_fakes::discord::{self, FakeDiscord, User};

use crate::{Chat, Choice, JIN, Message, Person, Place, Press, Room, SOON};

/// The chats that cases about every messenger run in.
pub const PLACES: &[Place] = &[
    Place { has_buttons: false, ..Place::new("discord", Chat::discord) },
    Place { is_for_hooks: false, ..Place::new("discord_buttons", Chat::discord_with_buttons) },
    Place { is_private: false, has_buttons: false, ..Place::new("discord_channel", Chat::discord_group) },
    Place {
        is_private: false,
        is_for_hooks: false,
        ..Place::new("discord_channel_buttons", Chat::discord_group_with_buttons)
    },
];

/// A channel, or direct messages, with a bot.
#[derive(Clone, Debug)]
pub struct DiscordRoom {
    /// The server that stands in for Discord.
    pub fake: FakeDiscord,
    /// The id of the channel where the cards are.
    pub channel: u64,
    is_private: bool,
    /// Whether cards have buttons, which requires a gateway.
    has_buttons: bool,
}

impl Chat {
    /// Creates Jin's direct messages with a Discord bot.
    pub fn discord() -> Self {
        DiscordRoom::direct(false)
    }

    /// Creates the same with buttons, for hooks that ask through `dmplz serve`.
    pub fn discord_with_buttons() -> Self {
        DiscordRoom::direct(true)
    }

    /// Creates a channel of a Discord server.
    pub fn discord_group() -> Self {
        DiscordRoom::channel(false)
    }

    /// Creates the same with buttons, for hooks that ask through `dmplz serve`.
    pub fn discord_group_with_buttons() -> Self {
        DiscordRoom::channel(true)
    }
}

impl Room for DiscordRoom {
    fn provider(&self) -> &'static str {
        "discord"
    }

    fn id(&self) -> String {
        self.channel.to_string()
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("DMPLZ_DISCORD_API_BASE", self.fake.base_url()),
            ("DMPLZ_DISCORD_GATEWAY_URL", self.fake.gateway().url().to_owned()),
            // Where they press reactions and write, they do also where a gateway could do better.
            ("DMPLZ_DISCORD_TRANSPORT", if self.has_buttons { "gateway" } else { "reactions" }.to_owned()),
            ("DMPLZ_DISCORD_BOT_TOKEN", self.token()),
            match self.is_private {
                true => ("DMPLZ_DISCORD_DM_USER_ID", JIN.id.to_string()),
                false => ("DMPLZ_DISCORD_CHANNEL_ID", self.id()),
            },
        ]
    }

    fn server(&self) -> &dyn Fake {
        &self.fake
    }

    fn posting(&self) -> &'static str {
        "POST /channels/{channel_id}/messages"
    }

    fn editing(&self) -> &'static str {
        "PATCH /channels/{channel_id}/messages/{message_id}"
    }

    fn polling(&self) -> &'static str {
        "GET /channels/{channel_id}/messages/{message_id}"
    }

    /// Returns whether a card appears at once. The bot's reactions are added one after the other.
    fn posts_whole(&self) -> bool {
        self.has_buttons
    }

    fn polling_texts(&self) -> &'static str {
        "GET /channels/{channel_id}/messages"
    }

    fn watch(&self, is_there: &mut dyn FnMut(&[Message]) -> bool) -> bool {
        // Asked before, because the server is held while the messages are looked at.
        let bot = self.fake.bot().id;
        let seen = |messages: &[discord::Message]| is_there(&all_seen(messages, bot)).then_some(());
        self.fake.watch_with_threads_blocking(self.channel, SOON, seen).is_some()
    }

    fn press(&self, card: &Message, choice: Choice, by: Person, is_old: bool) -> Press {
        let (at, user) = (self.at(card), user(by));
        if !self.has_buttons {
            self.fake.react(at, choice.emoji(), &user);
            return Press(card.id.to_string());
        }
        let label = choice.label_on(card);
        assert!(self.fake.gateway().await_ready_blocking(SOON), "somebody hears of it");
        let pressed = match is_old {
            true => self.fake.press_on_old_screen(at, label, &user),
            false => self.fake.press(at, label, &user),
        };
        Press(pressed.unwrap().to_string())
    }

    fn skip(&self, _: &Message, by: Person) {
        self.say(by, "no_reason");
    }

    fn say(&self, by: Person, text: &str) {
        self.fake.say(self.channel, &user(by), text);
    }

    fn reply(&self, to: &Message, by: Person, text: &str) {
        self.fake.reply(self.at(to), &user(by), text);
    }

    fn delete(&self, message: &Message) {
        self.fake.delete(self.at(message));
    }

    fn say_elsewhere(&self, by: Person, text: &str) {
        let other = self.fake.channel(self.fake.guild("another"), "general");
        self.fake.say(other, &user(by), text);
    }

    fn await_told(&self, press: &Press, text: &str) {
        if !self.has_buttons {
            let told = self.watch(&mut |messages| messages.iter().any(|it| it.by_bot && it.text == text));
            assert!(told, "{text} did not come; the chat shows {:#?}", self.messages());
            return;
        }
        let press = press.0.parse().unwrap();
        let told = self.fake.await_interaction_blocking(press, SOON, |seen| plain(seen.whisper()) == text);
        assert!(told.is_some(), "{text} was not said to {:#?}", self.fake.interaction(press));
    }
}

impl DiscordRoom {
    /// Returns the channel or thread of a message, and its id.
    pub fn at(&self, message: &Message) -> (u64, u64) {
        let found = self.fake.messages_with_threads(self.channel).into_iter().find(|it| it.id == message.id);
        (found.map_or(self.channel, |found| found.channel), message.id)
    }

    /// Waits for a thread whose name contains this.
    #[track_caller]
    pub fn await_thread(&self, name: &str, archived: bool) -> u64 {
        let is_it = |thread: &discord::Thread| thread.name.contains(name) && thread.archived == archived;
        let found = self.fake.await_thread_blocking(self.channel, SOON, is_it);
        found.unwrap_or_else(|| panic!("no thread {name} came: {:?}", self.fake.threads(self.channel))).id
    }

    /// Uses a command in the channel or in a thread, once it is registered and somebody hears of it.
    #[track_caller]
    pub fn command(&self, at: u64, by: Person, name: &str, text: &str) -> u64 {
        self.command_with(at, by, name, text, None)
    }

    /// Does the same with a file.
    #[track_caller]
    pub fn command_with(&self, at: u64, by: Person, name: &str, text: &str, file: Option<(&str, &[u8])>) -> u64 {
        assert!(self.fake.gateway().await_ready_blocking(SOON), "somebody hears of it");
        let used = self.fake.await_command_blocking(at, SOON, &user(by), name, text, file);
        used.unwrap_or_else(|| panic!("there is no command {name}"))
    }

    fn direct(has_buttons: bool) -> Chat {
        let fake = FakeDiscord::spawn_thread();
        let channel = fake.dm(&user(JIN));
        Chat::of(Self { fake, channel, is_private: true, has_buttons })
    }

    fn channel(has_buttons: bool) -> Chat {
        let fake = FakeDiscord::spawn_thread();
        let channel = fake.channel(fake.guild("office"), "approvals");
        Chat::of(Self { fake, channel, is_private: false, has_buttons })
    }
}

fn user(person: Person) -> User {
    User::person(person.id.into(), person.name)
}

fn all_seen(messages: &[discord::Message], bot: u64) -> Vec<Message> {
    messages.iter().map(|message| seen(message, bot)).collect()
}

/// Returns a message as the tests see it. With buttons its text is in an embed.
fn seen(message: &discord::Message, bot: u64) -> Message {
    let earlier = &message.revisions[..message.revisions.len() - 1];
    let buttons = message.buttons().into_iter().flatten().map(|button| button.label);
    let by_bot = |reaction: &&discord::Reaction| reaction.users.iter().any(|user| user.id == bot);
    Message {
        id: message.id,
        by_bot: message.author.id == bot,
        text: words(&message.now()),
        choices: message.reactions.iter().filter(by_bot).map(|it| it.emoji.clone()).chain(buttons).collect(),
        files: message.attachments().iter().map(|file| (file.filename.clone(), file.bytes.clone())).collect(),
        before: earlier.iter().map(words).collect(),
        deleted: message.deleted,
    }
}

fn words(revision: &discord::Revision) -> String {
    let embeds = revision.embeds.iter().flat_map(|embed| ["title", "description"].map(|part| embed[part].as_str()));
    let parts = std::iter::once(revision.content.as_str()).chain(embeds.flatten()).filter(|part| !part.is_empty());
    parts.map(plain).collect::<Vec<_>>().join("\n")
}

/// Returns Discord's Markdown as it is shown: escapes, bold, code spans and code blocks, which is all that cards use.
fn plain(markdown: &str) -> String {
    let mut shown = String::new();
    for (number, piece) in markdown.split("```").enumerate() {
        match number % 2 {
            1 => shown.push_str(piece.strip_prefix('\n').unwrap_or(piece).trim_end_matches('\n')),
            _ => push_words(&mut shown, piece),
        }
    }
    shown
}

fn push_words(shown: &mut String, words: &str) {
    let mut characters = words.chars().peekable();
    let mut in_code = false;
    while let Some(character) = characters.next() {
        match character {
            '`' => in_code = !in_code,
            _ if in_code => shown.push(character),
            '\\' if characters.peek().is_some_and(char::is_ascii_punctuation) => shown.extend(characters.next()),
            '*' if characters.peek() == Some(&'*') => _ = characters.next(),
            _ => shown.push(character),
        }
    }
}
