//! What somebody does in a chat. Nothing here insists on anything: a card may be gone by the time somebody presses it.

use std::time::Duration;

use dmplz_e2e::{Chat, Choice, Fake, Message, Person};
use dmplz_fakes::{discord, telegram};

/// A press that reached the messenger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Press {
    /// Telegram's id of it.
    Query(String),
    /// Discord's id of it.
    Interaction(u64),
    /// An emoji on a message, where reactions are the menu.
    Reaction,
}

fn telegram_user(person: Person) -> telegram::User {
    telegram::User::person(person.id.into(), person.name)
}

fn discord_user(person: Person) -> discord::User {
    discord::User::person(person.id.into(), person.name)
}

/// Presses a choice that a screen shows or once showed; none where it never did, or nobody takes presses now.
pub(crate) fn press(chat: &Chat, card: &Message, choice: Choice, by: Person) -> Option<Press> {
    let label = card.choices.iter().find(|label| label.starts_with(choice.emoji()))?;
    match chat.fake() {
        Fake::Telegram(fake, room) => {
            let at = (*room, i64::try_from(card.id).ok()?);
            fake.press_on_old_screen(at, label, &telegram_user(by)).ok().map(Press::Query)
        }
        Fake::Discord(fake, room) if has_buttons(fake, *room, card.id) => {
            // Without a session the person reads "This interaction failed", and tries again.
            fake.gateway().await_ready_blocking(Duration::from_secs(2)).then_some(())?;
            fake.press_on_old_screen((*room, card.id), label, &discord_user(by)).ok().map(Press::Interaction)
        }
        Fake::Discord(fake, room) => {
            fake.react((*room, card.id), choice.emoji(), &discord_user(by));
            Some(Press::Reaction)
        }
    }
}

/// Whether a message of Discord has ever had buttons.
fn has_buttons(fake: &discord::FakeDiscord, room: u64, id: u64) -> bool {
    fake.message((room, id)).is_some_and(|message| message.revisions.iter().any(|shown| !shown.components.is_empty()))
}

/// Says why, once that is asked for.
pub(crate) fn give_reason(chat: &Chat, card: &Message, by: Person, words: &str, wait: Duration) -> Option<()> {
    let prompt = await_prompt(chat, card, wait)?;
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

/// Denies without a reason, once one is asked for.
pub(crate) fn skip_reason(chat: &Chat, card: &Message, by: Person, wait: Duration) -> Option<()> {
    let prompt = await_prompt(chat, card, wait)?;
    match chat.fake() {
        Fake::Telegram(fake, room) => {
            let at = (*room, i64::try_from(prompt).ok()?);
            let label = fake.message(at)?.keyboard().first()?.first()?.text.clone();
            fake.press_on_old_screen(at, &label, &telegram_user(by)).ok()?;
        }
        Fake::Discord(fake, room) => {
            let button = fake.message((*room, prompt))?.buttons().first().and_then(|row| Some(row.first()?.label.clone()));
            match button {
                Some(label) => _ = fake.press_on_old_screen((*room, prompt), &label, &discord_user(by)).ok()?,
                None => _ = fake.reply((*room, prompt), &discord_user(by), "no_reason"),
            }
        }
    }
    Some(())
}

/// Waits for the message under a card that asks for a reason.
fn await_prompt(chat: &Chat, card: &Message, wait: Duration) -> Option<u64> {
    match chat.fake() {
        Fake::Telegram(fake, room) => {
            let (bot, card) = (fake.bot().id, i64::try_from(card.id).ok()?);
            let is_prompt = |message: &&telegram::Message| message.reply_to == Some(card) && message.from.id == bot;
            let found = fake.watch_blocking(*room, wait, |all| all.iter().find(is_prompt).map(|message| message.id))?;
            u64::try_from(found).ok()
        }
        Fake::Discord(fake, room) => {
            let (bot, card) = (fake.bot().id, card.id);
            let is_prompt = |message: &&discord::Message| message.reply_to == Some(card) && message.author.id == bot;
            fake.watch_blocking(*room, wait, |all| all.iter().find(is_prompt).map(|message| message.id))
        }
    }
}
