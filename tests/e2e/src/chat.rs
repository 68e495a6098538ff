use dmplz_fakes::discord::{self, FakeDiscord};
use dmplz_fakes::telegram::{self, FakeTelegram};
use dmplz_fakes::{Fault, On, Wire};

use crate::SOON;
use crate::message::{Choice, Message, of_discord, of_telegram, plain};

/// Somebody in the chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Person {
    /// The messenger's number for them.
    pub id: u32,
    /// The name that cards show.
    pub name: &'static str,
}

/// The person whom the hook asks.
pub const JIN: Person = Person { id: 7001, name: "jin" };
/// Somebody else.
pub const MIN: Person = Person { id: 7002, name: "min" };

/// A chat of a messenger: the one that the hook asks in.
#[derive(Clone, Debug)]
pub struct Chat {
    fake: Fake,
    is_private: bool,
    /// Discord only: whether it is asked by buttons, which only a gateway can.
    has_buttons: bool,
}

/// The messenger's server, and the chat's id.
#[derive(Clone, Debug)]
pub enum Fake {
    /// The Bot API.
    Telegram(FakeTelegram, i64),
    /// The REST API.
    Discord(FakeDiscord, u64),
}

/// A press, by which its answer can be found.
#[derive(Clone, Debug)]
pub struct Press(String);

impl Chat {
    /// Jin's private chat with a Telegram bot.
    pub fn telegram() -> Self {
        let fake = FakeTelegram::spawn_thread();
        let chat = fake.private_chat(&telegram_user(JIN));
        Self { fake: Fake::Telegram(fake, chat), is_private: true, has_buttons: true }
    }

    /// A Telegram group with Jin and Min; the bot reads everything there.
    pub fn telegram_group() -> Self {
        Self::in_telegram_group(false)
    }

    /// A Telegram group where the bot reads only what answers it, as new bots do.
    pub fn telegram_group_with_privacy() -> Self {
        Self::in_telegram_group(true)
    }

    fn in_telegram_group(privacy: bool) -> Self {
        let fake = FakeTelegram::setup().privacy(privacy).spawn_thread().unwrap();
        let chat = fake.group_chat("office", &[telegram_user(JIN), telegram_user(MIN)]);
        Self { fake: Fake::Telegram(fake, chat), is_private: false, has_buttons: true }
    }

    /// Jin's direct messages with a Discord bot.
    pub fn discord() -> Self {
        let fake = FakeDiscord::spawn_thread();
        let channel = fake.dm(&discord_user(JIN));
        Self { fake: Fake::Discord(fake, channel), is_private: true, has_buttons: false }
    }

    /// The same with buttons, for hooks that ask through `dmplz serve`.
    pub fn discord_with_buttons() -> Self {
        Self { has_buttons: true, ..Self::discord() }
    }

    /// A channel of a Discord server.
    pub fn discord_group() -> Self {
        let fake = FakeDiscord::spawn_thread();
        let channel = fake.channel(fake.guild("office"), "approvals");
        Self { fake: Fake::Discord(fake, channel), is_private: false, has_buttons: false }
    }

    /// The same with buttons, for hooks that ask through `dmplz serve`.
    pub fn discord_group_with_buttons() -> Self {
        Self { has_buttons: true, ..Self::discord_group() }
    }

    /// The server.
    pub fn fake(&self) -> &Fake {
        &self.fake
    }

    /// `telegram` or `discord`, as settings and logs name it.
    pub fn provider(&self) -> &'static str {
        match self.fake {
            Fake::Telegram(..) => "telegram",
            Fake::Discord(..) => "discord",
        }
    }

    /// The bot's token.
    pub fn token(&self) -> String {
        match &self.fake {
            Fake::Telegram(fake, _) => fake.token().to_owned(),
            Fake::Discord(fake, _) => fake.token().to_owned(),
        }
    }

    /// The settings by which the hook asks here.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        match &self.fake {
            Fake::Telegram(fake, chat) => vec![
                ("DMPLZ_TELEGRAM_API_BASE", fake.base_url()),
                ("DMPLZ_TELEGRAM_BOT_TOKEN", fake.token().to_owned()),
                ("DMPLZ_TELEGRAM_CHAT_ID", chat.to_string()),
            ],
            Fake::Discord(fake, channel) => vec![
                ("DMPLZ_DISCORD_API_BASE", fake.base_url()),
                ("DMPLZ_DISCORD_GATEWAY_URL", fake.gateway().url().to_owned()),
                // Where they press reactions and write, they do also where a gateway could do better.
                ("DMPLZ_DISCORD_WAY", if self.has_buttons { "gateway" } else { "reactions" }.to_owned()),
                ("DMPLZ_DISCORD_BOT_TOKEN", fake.token().to_owned()),
                match self.is_private {
                    true => ("DMPLZ_DISCORD_DM_USER_ID", JIN.id.to_string()),
                    false => ("DMPLZ_DISCORD_CHANNEL_ID", channel.to_string()),
                },
            ],
        }
    }

    /// The requests of the bot.
    pub fn wire(&self) -> &Wire {
        match &self.fake {
            Fake::Telegram(fake, _) => fake.wire(),
            Fake::Discord(fake, _) => fake.wire(),
        }
    }

    /// The name of the request that posts, for faults.
    pub fn posting(&self) -> &'static str {
        match self.fake {
            Fake::Telegram(..) => "sendMessage",
            Fake::Discord(..) => "POST /channels/{channel_id}/messages",
        }
    }

    /// The name of the request that changes a message.
    pub fn editing(&self) -> &'static str {
        match self.fake {
            Fake::Telegram(..) => "editMessageText",
            Fake::Discord(..) => "PATCH /channels/{channel_id}/messages/{message_id}",
        }
    }

    /// The name of the request that looks for presses.
    pub fn polling(&self) -> &'static str {
        match self.fake {
            Fake::Telegram(..) => "getUpdates",
            Fake::Discord(..) => "GET /channels/{channel_id}/messages/{message_id}",
        }
    }

    /// Breaks something.
    pub fn fail(&self, on: impl Into<On>, fault: Fault) {
        self.wire().fail(on, fault);
    }

    /// All messages, as people see them.
    pub fn messages(&self) -> Vec<Message> {
        match &self.fake {
            Fake::Telegram(fake, chat) => {
                fake.messages(*chat).iter().map(|message| of_telegram(message, fake.bot().id)).collect()
            }
            Fake::Discord(fake, channel) => {
                fake.messages(*channel).iter().map(|message| of_discord(message, fake.bot().id)).collect()
            }
        }
    }

    /// The message with this id, as it is now.
    #[track_caller]
    pub fn message(&self, id: u64) -> Message {
        self.messages().into_iter().find(|message| message.id == id).expect("a message with this id")
    }

    /// The cards of all requests so far.
    pub fn cards(&self) -> Vec<Message> {
        self.messages().into_iter().filter(Message::is_card).collect()
    }

    /// Waits for a message of the bot.
    #[track_caller]
    pub fn await_message(&self, what: &str, mut wanted: impl FnMut(&Message) -> bool) -> Message {
        let found = match &self.fake {
            Fake::Telegram(fake, chat) => {
                let bot = fake.bot().id;
                fake.watch_blocking(*chat, SOON, |messages| {
                    let mut messages = messages.iter().map(|message| of_telegram(message, bot));
                    messages.find(|message| message.by_bot && wanted(message))
                })
            }
            Fake::Discord(fake, channel) => {
                let bot = fake.bot().id;
                fake.watch_blocking(*channel, SOON, |messages| {
                    let mut messages = messages.iter().map(|message| of_discord(message, bot));
                    messages.find(|message| message.by_bot && wanted(message))
                })
            }
        };
        found.unwrap_or_else(|| panic!("{what} did not come; the chat shows {:#?}", self.messages()))
    }

    /// Waits for a card that can be answered.
    #[track_caller]
    pub fn await_card(&self) -> Message {
        self.await_message("an open card", Message::is_open)
    }

    /// Waits for the prompt for a reason of the newest card: an earlier one may still be on its way to its end.
    #[track_caller]
    pub fn await_prompt(&self) -> Message {
        let card = self.cards().last().map_or(0, |card| card.id);
        let is_prompt = |message: &Message| message.text.contains("(선택)") || message.text.contains("(optional)");
        self.await_message("a prompt for a reason", |message| message.id > card && is_prompt(message))
    }

    /// Waits until a message shows this somewhere, and nothing to press any more.
    #[track_caller]
    pub fn await_retired(&self, card: &Message, shows: &str) -> Message {
        self.await_message(&format!("the end {shows:?} of {card:#?}"), |message| {
            message.id == card.id && message.text.contains(shows) && message.choices.is_empty()
        })
    }

    /// Presses a choice of a card.
    #[track_caller]
    pub fn press(&self, card: &Message, choice: Choice, by: Person) -> Press {
        self.press_as(card, choice, by, false)
    }

    /// Presses a choice that a screen may still show although the card is retired.
    #[track_caller]
    pub fn press_late(&self, card: &Message, choice: Choice, by: Person) -> Press {
        self.press_as(card, choice, by, true)
    }

    fn press_as(&self, card: &Message, choice: Choice, by: Person, is_old: bool) -> Press {
        match &self.fake {
            Fake::Telegram(fake, chat) => {
                let at = (*chat, i64::try_from(card.id).unwrap());
                let label = card.choices.iter().find(|label| label.starts_with(choice.emoji()));
                let label = label.unwrap_or_else(|| panic!("{choice:?} on {card:#?}"));
                let user = telegram_user(by);
                let pressed = match is_old {
                    true => fake.press_on_old_screen(at, label, &user),
                    false => fake.press(at, label, &user),
                };
                Press(pressed.unwrap())
            }
            Fake::Discord(fake, channel) if self.has_buttons => {
                let label = card.choices.iter().find(|label| label.starts_with(choice.emoji()));
                let label = label.unwrap_or_else(|| panic!("{choice:?} on {card:#?}"));
                assert!(fake.gateway().await_ready_blocking(SOON), "somebody hears of it");
                let (at, user) = ((*channel, card.id), discord_user(by));
                let pressed = match is_old {
                    true => fake.press_on_old_screen(at, label, &user),
                    false => fake.press(at, label, &user),
                };
                Press(pressed.unwrap().to_string())
            }
            Fake::Discord(fake, channel) => {
                fake.react((*channel, card.id), choice.emoji(), &discord_user(by));
                Press(card.id.to_string())
            }
        }
    }

    /// Denies without a reason: the button of the prompt, or the keyword.
    #[track_caller]
    pub fn skip(&self, by: Person) {
        let prompt = self.await_prompt();
        match &self.fake {
            Fake::Telegram(fake, chat) => {
                let at = (*chat, i64::try_from(prompt.id).unwrap());
                fake.press(at, &prompt.choices[0], &telegram_user(by)).unwrap();
            }
            Fake::Discord(..) => self.say(by, "no_reason"),
        }
    }

    /// Writes into the chat.
    pub fn say(&self, by: Person, text: &str) {
        match &self.fake {
            Fake::Telegram(fake, chat) => drop(fake.say(*chat, &telegram_user(by), text)),
            Fake::Discord(fake, channel) => drop(fake.say(*channel, &discord_user(by), text)),
        }
    }

    /// Answers a message.
    pub fn reply(&self, to: &Message, by: Person, text: &str) {
        match &self.fake {
            Fake::Telegram(fake, chat) => {
                let at = (*chat, i64::try_from(to.id).unwrap());
                fake.reply(at, &telegram_user(by), text);
            }
            Fake::Discord(fake, channel) => {
                fake.reply((*channel, to.id), &discord_user(by), text);
            }
        }
    }

    /// Deletes a message.
    pub fn delete(&self, message: &Message) {
        match &self.fake {
            Fake::Telegram(fake, chat) => fake.delete((*chat, i64::try_from(message.id).unwrap())),
            Fake::Discord(fake, channel) => fake.delete((*channel, message.id)),
        }
    }

    /// Writes into another chat of the same bot.
    pub fn say_elsewhere(&self, by: Person, text: &str) {
        match &self.fake {
            Fake::Telegram(fake, _) => {
                let other = fake.group_chat("another", &[telegram_user(by)]);
                fake.set_admin(other, true);
                fake.say(other, &telegram_user(by), text);
            }
            Fake::Discord(fake, _) => {
                let other = fake.channel(fake.guild("another"), "general");
                fake.say(other, &discord_user(by), text);
            }
        }
    }

    /// Waits until somebody who pressed is told something: in a dialog, or by a message that answers the card.
    #[track_caller]
    pub fn await_told(&self, press: &Press, text: &str) {
        match &self.fake {
            Fake::Telegram(fake, _) => {
                let answer = fake.await_answer_blocking(&press.0, SOON).expect("an answer to the press");
                assert_eq!((answer.text.as_str(), answer.alert), (text, true));
            }
            Fake::Discord(fake, _) if self.has_buttons => {
                let press = press.0.parse().unwrap();
                let told = fake.await_interaction_blocking(press, SOON, |seen| plain(seen.whisper()) == text);
                assert!(told.is_some(), "{text} was not said to {:#?}", fake.interaction(press));
            }
            Fake::Discord(..) => drop(self.await_message(text, |message| message.text == text)),
        }
    }

    /// Waits until a press is acknowledged without a word. A reaction shows no sign that waits for one.
    #[track_caller]
    pub fn await_silence(&self, press: &Press) {
        if let Fake::Telegram(fake, _) = &self.fake {
            let answer = fake.await_answer_blocking(&press.0, SOON).expect("an answer to the press");
            assert_eq!((answer.text.as_str(), answer.alert), ("", false));
        }
    }

    /// Insists that nothing broke the platform's rules.
    #[track_caller]
    pub fn assert_clean(&self) {
        self.wire().assert_clean();
    }
}

fn telegram_user(person: Person) -> telegram::User {
    telegram::User::person(person.id.into(), person.name)
}

fn discord_user(person: Person) -> discord::User {
    discord::User::person(person.id.into(), person.name)
}
