//! The chat, the cards and the press that exports are called with.

use dmplz_core::card;
use dmplz_core::messenger::{ButtonStyle, Card, Choice, Chosen, MessageRef, User};

/// A chat, and a message, of which most messengers could have one.
pub(super) const CHAT: &str = "123456789012345678";
/// The tag of the cards.
pub(super) const TAG: &str = "RecordedCard01";

/// Returns the choices of a card.
pub(super) fn choices() -> Vec<Choice> {
    vec![
        Choice::new("approve", "✅ Approve", ButtonStyle::Success),
        Choice::new("session", "🔄 For the session", ButtonStyle::Primary),
        Choice::new("deny", "❌ Deny", ButtonStyle::Danger),
    ]
}

/// Returns a card that asks.
pub(super) fn question() -> Card {
    Card { choices: choices(), ..end() }
}

/// Returns a card that has ended.
pub(super) fn end() -> Card {
    Card { title: "May I run this?".to_owned(), ..card::notice("rm -rf ./target", TAG, None) }
}

/// Returns the press of a button.
pub(super) fn press(message: MessageRef) -> Chosen {
    let user = User { id: CHAT.to_owned(), name: "Jin".to_owned(), is_bot: false };
    Chosen { message, tag: Some(TAG.to_owned()), choice: "deny".to_owned(), user, token: CHAT.to_owned(), text: None }
}
