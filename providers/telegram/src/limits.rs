//! The limits of Telegram, each with its source. "api" is <https://core.telegram.org/bots/api>. A limit without a
//! source is chosen here.

/// The maximum UTF-16 code units of one message (api#sendmessage: "1-4096 characters after entities parsing").
pub(crate) const MESSAGE_TEXT: usize = 4096;

/// The code units of [`MESSAGE_TEXT`] that are reserved for line ends between the parts of a card. Chosen here.
const LINE_ENDS: usize = 32;

/// The maximum code units of all texts of one card.
pub(crate) const CARD_TEXT: u32 = (MESSAGE_TEXT - LINE_ENDS) as u32;

/// The maximum number of buttons of one message. It is not documented; the server refuses more with "reply markup is
/// too long". Client libraries use the same number (aiogram's `InlineKeyboardBuilder`).
pub(crate) const BUTTONS: u32 = 100;

/// The maximum bytes of a button's payload (api#inlinekeyboardbutton: "1-64 bytes").
pub(crate) const CALLBACK_DATA: usize = 64;

/// The maximum bytes of one file. Telegram accepts 50 MB (api#senddocument); the host gives a component files of at
/// most 16 MiB.
pub(crate) const ATTACHMENT: u32 = 16 << 20;

/// The maximum code units of the answer to a press (api#answercallbackquery: "0-200 characters").
pub(crate) const NOTICE: u32 = 200;

/// The maximum number of updates in one reply (api#getupdates: "Values between 1-100 are accepted"), and the smaller ones with which it
/// is tried again when a reply is larger than the host takes: a message of the maximum length that replies to another one takes up to
/// 49 KB, because the server writes each character outside of ASCII with six bytes or more.
pub(crate) const UPDATES: [u32; 3] = [100, 20, 1];

/// The seconds that one long poll waits. The documentation names no maximum (api#getupdates); servers end a poll after
/// about 50.
pub(crate) const POLL_SECONDS: u32 = 50;

/// The seconds for which the server keeps a press for a bot that does not ask for it. The documentation does not say so; Telegram's own
/// server for bots does: `Client.cpp` of <https://github.com/tdlib/telegram-bot-api>, `add_update_impl` of `CallbackQuery`.
pub(crate) const PRESSES_KEPT: u32 = 150;

/// The milliseconds by which the reply to a long poll may be late. Chosen here.
pub(crate) const POLL_GRACE: u32 = 5_000;

/// The milliseconds of an export's time limit that a long poll does not use, so that its reply is read before the
/// limit. Chosen here.
pub(crate) const POLL_RESERVE: u32 = 1_000;
