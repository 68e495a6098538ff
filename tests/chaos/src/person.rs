//! The actions of a person in a chat. None of them fails if a card has disappeared before the press.

use std::time::Duration;

use dmplz_e2e::{Chat, Choice, Fake, Person};
use dmplz_fakes::{discord, telegram};

/// The number of recent messages that are searched for a card.
const RECENT: usize = 200;

/// The card of a request, as a person sees it.
#[derive(Debug, Clone)]
pub(crate) struct Card {
    /// The messenger's id of the message.
    pub(crate) id: u64,
    /// The labels of its buttons, or the bot's reactions.
    labels: Vec<String>,
}

fn telegram_user(person: Person) -> telegram::User {
    telegram::User::person(person.id.into(), person.name)
}

fn discord_user(person: Person) -> discord::User {
    discord::User::person(person.id.into(), person.name)
}

/// Waits for a card that can be answered and contains a text.
pub(crate) fn await_card(chat: &Chat, shows: &str, wait: Duration) -> Option<Card> {
    match chat.fake() {
        Fake::Telegram(fake, room) => fake.watch_blocking(*room, wait, |all| {
            let found = all.iter().rev().take(RECENT).find(|message| message.text().contains(shows))?;
            let labels = found.keyboard().iter().flatten().map(|button| button.text.clone()).collect();
            Card { id: u64::try_from(found.id).ok()?, labels }.if_open()
        }),
        Fake::Discord(fake, room) => fake.watch_blocking(*room, wait, |all| {
            let found = all.iter().rev().take(RECENT).find(|message| is_about(message, shows))?;
            let buttons = found.buttons().into_iter().flatten().map(|button| button.label);
            let labels = found.reactions.iter().map(|reaction| reaction.emoji.clone()).chain(buttons).collect();
            Card { id: found.id, labels }.if_open()
        }),
    }
}

/// Returns whether a message of Discord contains a text, in its content or in an embed.
pub(crate) fn is_about(message: &discord::Message, shows: &str) -> bool {
    let embeds = || message.revisions.last().into_iter().flat_map(|shown| &shown.embeds);
    message.content().contains(shows) || embeds().any(|embed| embed.to_string().contains(shows))
}

impl Card {
    fn if_open(self) -> Option<Self> {
        self.labels.iter().any(|label| label.starts_with(Choice::Deny.emoji())).then_some(self)
    }
}

/// Presses a choice that the card shows or once showed. `None` if it never did, or if presses are not accepted now.
pub(crate) fn press(chat: &Chat, card: &Card, choice: Choice, by: Person) -> Option<()> {
    let label = card.labels.iter().find(|label| label.starts_with(choice.emoji()))?;
    match chat.fake() {
        Fake::Telegram(fake, room) => {
            let at = (*room, i64::try_from(card.id).ok()?);
            fake.press_on_old_screen(at, label, &telegram_user(by)).ok().map(drop)
        }
        Fake::Discord(fake, room) if has_buttons(fake, *room, card.id) => {
            // Without a session the person reads "This interaction failed", and tries again.
            fake.gateway().await_ready_blocking(Duration::from_secs(2)).then_some(())?;
            fake.press_on_old_screen((*room, card.id), label, &discord_user(by)).ok().map(drop)
        }
        Fake::Discord(fake, room) => {
            fake.react((*room, card.id), choice.emoji(), &discord_user(by));
            Some(())
        }
    }
}

/// Returns whether a message of Discord ever had buttons.
fn has_buttons(fake: &discord::FakeDiscord, room: u64, id: u64) -> bool {
    fake.message((room, id)).is_some_and(|message| message.revisions.iter().any(|shown| !shown.components.is_empty()))
}

/// Writes a reason after the prompt for it appeared.
pub(crate) fn give_reason(chat: &Chat, card: &Card, by: Person, words: &str, wait: Duration) -> Option<()> {
    let prompt = await_prompt(chat, card, wait)?;
    reply(chat, prompt, by, words)
}

/// Replies to a message with a text.
pub(crate) fn reply(chat: &Chat, prompt: u64, by: Person, words: &str) -> Option<()> {
    match chat.fake() {
        Fake::Telegram(fake, room) => {
            fake.reply((*room, i64::try_from(prompt).ok()?), &telegram_user(by), words);
        }
        Fake::Discord(fake, room) => {
            fake.reply((*room, prompt), &discord_user(by), words);
        }
    }
    Some(())
}

/// Chooses to give no reason after the prompt for one appeared.
pub(crate) fn skip_reason(chat: &Chat, card: &Card, by: Person, wait: Duration) -> Option<()> {
    let prompt = await_prompt(chat, card, wait)?;
    skip(chat, prompt, by)
}

/// Presses the only button of the prompt, or writes the word for no reason.
pub(crate) fn skip(chat: &Chat, prompt: u64, by: Person) -> Option<()> {
    match chat.fake() {
        Fake::Telegram(fake, room) => {
            let at = (*room, i64::try_from(prompt).ok()?);
            let label = fake.message(at)?.keyboard().first()?.first()?.text.clone();
            fake.press_on_old_screen(at, &label, &telegram_user(by)).ok()?;
        }
        Fake::Discord(fake, room) => {
            let button =
                fake.message((*room, prompt))?.buttons().first().and_then(|row| Some(row.first()?.label.clone()));
            match button {
                Some(label) => _ = fake.press_on_old_screen((*room, prompt), &label, &discord_user(by)).ok()?,
                None => _ = fake.reply((*room, prompt), &discord_user(by), "no_reason"),
            }
        }
    }
    Some(())
}

/// Waits for the prompt for a reason, which is below the card.
pub(crate) fn await_prompt(chat: &Chat, card: &Card, wait: Duration) -> Option<u64> {
    match chat.fake() {
        Fake::Telegram(fake, room) => {
            let (bot, card) = (fake.bot().id, i64::try_from(card.id).ok()?);
            let is_prompt = |message: &&telegram::Message| message.reply_to == Some(card) && message.from.id == bot;
            let found =
                fake.watch_blocking(*room, wait, |all| all.iter().rev().find(is_prompt).map(|message| message.id))?;
            u64::try_from(found).ok()
        }
        Fake::Discord(fake, room) => {
            let (bot, card) = (fake.bot().id, card.id);
            let is_prompt = |message: &&discord::Message| message.reply_to == Some(card) && message.author.id == bot;
            fake.watch_blocking(*room, wait, |all| all.iter().rev().find(is_prompt).map(|message| message.id))
        }
    }
}
