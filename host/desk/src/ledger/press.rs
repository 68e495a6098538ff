//! What people do, sorted out: what is about the open request, in which order it counts, what was dealt with before.

use dmplz_core::flow::{Act, Action};
use dmplz_core::messenger::{Chosen, Event, MessageRef};

use crate::ledger::view::Page;

/// Whether a press is on one of the request's messages: by the message, or by the tag, which a second copy of a card
/// carries when a reply of the messenger was lost.
pub(crate) fn is_on<'a>(press: &Chosen, mut messages: impl Iterator<Item = &'a MessageRef>, tag: &str) -> bool {
    let on = |message: &MessageRef| message.chat == press.message.chat && message.id == press.message.id;
    messages.any(on) || press.tag.as_deref().is_some_and(|pressed| is_tag_of(pressed, tag))
}

/// All messages of a request.
pub(crate) fn messages_of<'a>(
    card: Option<&'a MessageRef>,
    prompt: Option<&'a MessageRef>,
    pages: &'a [Page],
) -> impl Iterator<Item = &'a MessageRef> {
    card.into_iter().chain(prompt).chain(pages.iter().map(|page| &page.message))
}

/// Names a standing reaction, so that it is dealt with once. A press with a token happens once by itself.
pub(crate) fn standing(press: &Chosen) -> Option<String> {
    let key = || format!("{}{}:{}", place(&press.message), press.user.id, press.choice);
    press.token.is_empty().then(key)
}

/// What the names of all reactions on a message begin with.
pub(crate) fn place(message: &MessageRef) -> String {
    format!("{}:{}:", message.chat, message.id)
}

/// Whether a press denies.
fn denies(press: &Chosen) -> bool {
    matches!(Action::parse(&press.choice), Some(Action::Deny | Action::Tell))
}

/// Whether a press that does not count has to be answered with words each time: a button that denies, because a bare
/// acknowledgement would look as if it counted.
pub(crate) fn must_be_told(press: &Chosen) -> bool {
    !press.token.is_empty() && denies(press)
}

/// Puts denials first: where several presses come in one look, the messenger may not know their order, and a deny must
/// not lose against an approval that may have come after it. What goes on to the next step comes last: what was chosen
/// before belongs to this one.
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

/// The tag of a card's prompt for a reason: a messenger that refuses a second copy must tell the two apart.
pub(crate) fn prompt_tag(tag: &str) -> String {
    format!("{}r", tag.chars().take(21).collect::<String>())
}

/// The tag of a message that follows a card, by its number.
pub(crate) fn follower_tag(tag: &str, number: u32) -> String {
    format!("{}f{number}", follower_stem(tag))
}

/// Characters of a card's tag that are left when `f` and a number stand behind it.
const STEM: usize = 16;

fn follower_stem(tag: &str) -> String {
    tag.chars().take(STEM).collect()
}

/// Whether a tag is of a card or of what belongs to it.
fn is_tag_of(pressed: &str, tag: &str) -> bool {
    let number = || pressed.strip_prefix(&follower_stem(tag))?.strip_prefix('f')?.parse::<u32>().ok();
    pressed == tag || pressed == prompt_tag(tag) || number().is_some()
}
