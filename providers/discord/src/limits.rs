//! What Discord takes at most, each with its source. "docs" is <https://discord.com/developers/docs>.

/// Units of a message's content (docs/resources/message#create-message: "up to 2000 characters").
pub(crate) const CONTENT: usize = 2000;

/// Units of [`CONTENT`] that emphasis, fences and line ends of a card may take; ours. Escapes come on top, and a card
/// that they make too long is answered `too-large`.
const MARKUP: usize = 80;

/// Units of all texts of one card.
pub(crate) const CARD_TEXT: u32 = (CONTENT - MARKUP) as u32;

/// Units of a notice: escaping doubles it at worst.
pub(crate) const NOTICE: u32 = (CONTENT / 2) as u32;

/// Different reactions of one message (docs/topics/opcodes-and-status-codes: 30010, "Maximum number of reactions
/// reached (20)").
pub(crate) const REACTIONS: u32 = 20;

/// Bytes of one file without anybody's paid plan (docs/reference#uploading-files: "10 MiB").
pub(crate) const ATTACHMENT: u32 = 10 << 20;

/// Files of one message (the OpenAPI description of `create_message`: `files[0]` to `files[9]`).
pub(crate) const ATTACHMENTS: usize = 10;

/// Bytes of all files of one message: what a request of the host takes, less the rest of the form.
pub(crate) const UPLOAD_BYTES: usize = 24 << 20;

/// Milliseconds that sending files may take; ours.
pub(crate) const UPLOAD: u32 = 60_000;

/// Units of a nonce (docs/resources/message#create-message: "up to 25 characters").
pub(crate) const NONCE: usize = 25;

/// Messages and users of one page (docs/resources/message#get-reactions and docs/resources/channel#get-channel-messages:
/// "max number ... (1-100)").
pub(crate) const PAGE: usize = 100;

/// Pages of users of one reaction that are read at most; ours. Who reacted beyond that is reported in the log.
pub(crate) const USER_PAGES: usize = 5;

/// Milliseconds between two polls: each costs a request per open card, and a route takes about five a second.
pub(crate) const POLL_INTERVAL: u32 = 1000;

/// How often one reaction is tried again after 429; ours.
pub(crate) const REACTION_TRIES: u32 = 5;

/// Milliseconds to wait after a 429 that does not say how long. Adding a reaction is limited to one per 250 ms and
/// channel (observed in the headers; docs/topics/rate-limits wants them read, not assumed).
pub(crate) const REACTION_SPACING: u32 = 250;

/// Milliseconds of an export that a pause must leave; ours.
pub(crate) const RESERVE: u32 = 500;
