//! What people do, sorted out: what is about the open request, in which order it counts, what was dealt with before.

use dmplz_core::flow::choice;
use dmplz_core::messenger::{Chosen, Event, MessageRef};

/// Whether a press is on one of the request's messages: by the message, or by the tag, which a second copy of a card
/// carries when a reply of the messenger was lost.
pub(crate) fn is_on(press: &Chosen, messages: [Option<&MessageRef>; 2], tags: [&str; 2]) -> bool {
    let on = |message: &MessageRef| message.chat == press.message.chat && message.id == press.message.id;
    messages.into_iter().flatten().any(on) || press.tag.as_deref().is_some_and(|tag| tags.contains(&tag))
}

/// Names a standing reaction, so that it is dealt with once. A press with a token happens once by itself.
pub(crate) fn standing(press: &Chosen) -> Option<String> {
    let key = || format!("{}:{}:{}:{}", press.message.chat, press.message.id, press.user.id, press.choice);
    press.token.is_empty().then(key)
}

/// Puts denials first: where several presses come in one look, the messenger may not know their order, and a deny must
/// not lose against an approval that may have come after it.
pub(crate) fn deny_first(mut events: Vec<Event>) -> Vec<Event> {
    events.sort_by_key(|event| !matches!(event, Event::Chosen(press) if press.choice == choice::DENY));
    events
}

/// The tag of a card's prompt: a messenger that refuses a second copy must tell the two apart.
pub(crate) fn prompt_tag(tag: &str) -> String {
    format!("{}r", tag.chars().take(21).collect::<String>())
}
