//! What Telegram takes at most, each with its source. "api" is <https://core.telegram.org/bots/api>.

/// Units of one message (api#sendmessage: "1-4096 characters after entities parsing").
pub(crate) const MESSAGE_TEXT: usize = 4096;

/// Units that line ends between the parts of a card may take of [`MESSAGE_TEXT`]; ours.
const LINE_ENDS: usize = 32;

/// Units of all texts of one card.
pub(crate) const CARD_TEXT: u32 = (MESSAGE_TEXT - LINE_ENDS) as u32;

/// Buttons of one message. Not in the documentation; the server answers more with "reply markup is too long". The
/// number is the one that client libraries keep to (aiogram's `InlineKeyboardBuilder`).
pub(crate) const BUTTONS: u32 = 100;

/// Bytes of a button's payload (api#inlinekeyboardbutton: "1-64 bytes").
pub(crate) const CALLBACK_DATA: usize = 64;

/// Bytes of one file. Telegram takes 50 MB (api#senddocument); the host gives a component files of at most 16 MiB.
pub(crate) const ATTACHMENT: u32 = 16 << 20;

/// Units of the answer to a press (api#answercallbackquery: "0-200 characters").
pub(crate) const NOTICE: u32 = 200;

/// Updates of one reply (api#getupdates: "Values between 1-100 are accepted"). So many of the longest messages stay
/// under the 4 MiB that the host takes.
pub(crate) const UPDATES: u32 = 100;

/// Seconds that one long poll waits. The documentation names no maximum (api#getupdates); servers cut at about 50.
pub(crate) const POLL_SECONDS: u32 = 50;

/// Milliseconds that the reply to a long poll may come late; ours.
pub(crate) const POLL_GRACE: u32 = 5_000;

/// Milliseconds of an export that a long poll leaves, so that its reply is read before the end; ours.
pub(crate) const POLL_RESERVE: u32 = 1_000;

/// Milliseconds that sending a file may take; ours.
pub(crate) const UPLOAD: u32 = 60_000;
