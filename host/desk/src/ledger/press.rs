//! Classifies input: whether it concerns the open request, in which order it counts, and whether it was handled before.

use dmplz_core::flow::{Act, Action};
use dmplz_core::messenger::{Chosen, Event, MessageRef};

/// Returns whether a press is on one of the request's messages. It compares the message or the tag, because a card may
/// have further copies with the same tag if a reply of the messenger was lost.
pub(crate) fn is_on<'a>(press: &Chosen, mut messages: impl Iterator<Item = &'a MessageRef>, tag: &str) -> bool {
    messages.any(|message| message.is_same(&press.message))
        || press.tag.as_deref().is_some_and(|pressed| is_tag_of(pressed, tag))
}

/// Returns the key of a reaction, so that it is handled once. A press with a token is reported once anyway.
pub(crate) fn standing(press: &Chosen) -> Option<String> {
    let key = || format!("{}{}:{}", place(&press.message), press.user.id, press.choice);
    press.token.is_empty().then(key)
}

/// Returns the prefix of the keys of all reactions on a message.
pub(crate) fn place(message: &MessageRef) -> String {
    format!("{}:{}:", message.chat, message.id)
}

/// Returns whether a press denies.
pub(crate) fn denies(press: &Chosen) -> bool {
    Action::parse(&press.choice).is_some_and(Action::denies)
}

/// Returns whether a press that does not count must get a notice each time. This is so for a button that denies,
/// because a bare acknowledgement would look as if the denial counted.
pub(crate) fn must_be_told(press: &Chosen) -> bool {
    !press.token.is_empty() && denies(press)
}

/// Sorts denials first: if several presses arrive in one poll, the messenger may not know their order, and a denial
/// must not lose against an approval that may have come after it. Presses that go to the next step come last, because
/// the other choices belong to the present step.
pub(crate) fn deny_first(mut events: Vec<Event>) -> Vec<Event> {
    events.sort_by_key(|event| match event {
        Event::Chosen(press) if denies(press) => 0,
        Event::Chosen(press) => match Action::parse(&press.choice) {
            Some(Action::Submit | Action::Question { act: Act::Next, .. }) => 2,
            _ => 1,
        },
        Event::Said(_) => 1,
    });
    events
}

/// Returns the tag of a card's prompt for a reason. A messenger that refuses duplicates must tell the two apart.
pub(crate) fn prompt_tag(tag: &str) -> String {
    format!("{}r", tag.chars().take(21).collect::<String>())
}

/// Returns the tag of a message that follows a card, by its number.
pub(crate) fn follower_tag(tag: &str, number: u32) -> String {
    format!("{}f{number}", follower_stem(tag))
}

/// How many characters of a card's tag remain before `f` and a number.
const STEM: usize = 16;

fn follower_stem(tag: &str) -> String {
    tag.chars().take(STEM).collect()
}

/// Returns whether a tag belongs to a card or to one of its other messages.
fn is_tag_of(pressed: &str, tag: &str) -> bool {
    let number = || pressed.strip_prefix(&follower_stem(tag))?.strip_prefix('f')?.parse::<u32>().ok();
    pressed == tag || pressed == prompt_tag(tag) || number().is_some()
}
