//! What a user who presses or writes is told in return.

use crate::text::Lang;

/// What a user who pressed is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// The press counts; there is nothing to add.
    Taken,
    /// The user may not answer.
    NotAllowed,
    /// The request was answered already.
    AlreadyAnswered,
    /// The request's time is over, and nobody answered in time.
    Expired,
    /// Only the person who denied may say why.
    NotTheDenier,
    /// The user's message arrived without its text (Discord without the message content intent).
    Unreadable,
    /// The choice is not on the card any more, or has no meaning there.
    Outdated,
    /// No open request has this card: it is old, or belongs to another program that uses the same bot.
    UnknownCard,
    /// The earlier choices on the card are too old to answer with. The user may check them and press again.
    Stale,
    /// The user denied several requests, and the text does not say which one it is about.
    WhichCard,
    /// Nobody asked the messenger for presses for so long that it has dropped some. Told to everybody in the chat.
    PressAgain,
}

impl Notice {
    /// Returns the text for the person who pressed, if there is one.
    pub fn text(self, lang: Lang) -> Option<&'static str> {
        let words = lang.words();
        match self {
            Self::Taken => None,
            Self::NotAllowed => Some(words.not_allowed),
            Self::AlreadyAnswered => Some(words.already),
            Self::Expired => Some(words.too_late),
            Self::NotTheDenier => Some(words.not_the_denier),
            Self::Unreadable => Some(words.unreadable),
            Self::Outdated => Some(words.outdated),
            Self::UnknownCard => Some(words.unknown_card),
            Self::Stale => Some(words.stale),
            Self::WhichCard => Some(words.which_card),
            Self::PressAgain => Some(words.press_again),
        }
    }
}
