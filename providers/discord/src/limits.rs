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

/// Units of an embed's title, of its description, and of all its texts together
/// (docs/resources/message#embed-object-embed-limits).
pub(crate) const EMBED_TITLE: usize = 256;
pub(crate) const EMBED_DESCRIPTION: usize = 4096;
pub(crate) const EMBED_TOTAL: usize = 6000;

/// Units of all texts of one card with buttons; of [`EMBED_DESCRIPTION`], because the code on a card is most of it.
pub(crate) const EMBED_TEXT: u32 = (EMBED_DESCRIPTION - MARKUP) as u32;

/// Buttons of a row, rows of a message (docs/components/reference#action-row, and docs/components/using-message-components),
/// and so buttons of a message.
pub(crate) const ROW: usize = 5;
pub(crate) const ROWS: usize = 5;
pub(crate) const BUTTONS: u32 = (ROW * ROWS) as u32;

/// Units of a button's label (docs/components/reference#button: "max 80 characters").
pub(crate) const BUTTON_LABEL: usize = 80;

/// Units of a form's title and of a field's label ("max 45 characters"), of its placeholder ("max 100 characters"), and of
/// what is written into it ("max 4000": docs/components/reference#label, #text-input).
pub(crate) const FORM_TITLE: usize = 45;
pub(crate) const PLACEHOLDER: usize = 100;
pub(crate) const FIELD_UNITS: u32 = 4000;

/// Milliseconds that a response to an interaction may take: after 3 s Discord has told the person that it failed
/// (docs/interactions/receiving-and-responding#responding-to-an-interaction).
pub(crate) const RESPONSE: u32 = 2500;

/// Bytes of a press's token (`types.wit`).
pub(crate) const TOKEN: usize = 512;

/// Events of one batch at most; ours. More wait on the connection.
pub(crate) const BATCH: usize = 50;

/// Milliseconds that are waited for a route that is used up; ours. The host waits longer, and does something else.
pub(crate) const PAUSE: u32 = 1000;
