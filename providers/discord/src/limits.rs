//! Discord's limits, each with its source. "docs" is <https://discord.com/developers/docs>.

/// Units of a message's content (docs/resources/message#create-message: "up to 2000 characters").
pub(crate) const CONTENT: usize = 2000;

/// The units of [`CONTENT`] reserved for emphasis, fences and line ends of a card; our choice. Escapes add to them,
/// and a card that becomes too long fails with `too-large`.
const MARKUP: usize = 80;

/// The most units of all texts of one card.
pub(crate) const CARD_TEXT: u32 = (CONTENT - MARKUP) as u32;

/// The most units of a notice, because escaping at most doubles it.
pub(crate) const NOTICE: u32 = (CONTENT / 2) as u32;

/// Different reactions of one message (docs/topics/opcodes-and-status-codes: 30010, "Maximum number of reactions
/// reached (20)").
pub(crate) const REACTIONS: u32 = 20;

/// Bytes of one file without anybody's paid plan (docs/reference#uploading-files: "10 MiB").
pub(crate) const ATTACHMENT: u32 = 10 << 20;

/// The most files of one message (the OpenAPI description of `create_message`: `files[0]` to `files[9]`).
pub(crate) const ATTACHMENTS: usize = 10;

/// The most bytes of all files of one message: the host's limit of a request, less the rest of the form.
pub(crate) const UPLOAD_BYTES: usize = 24 << 20;

/// Units of a nonce (docs/resources/message#create-message: "up to 25 characters").
pub(crate) const NONCE: usize = 25;

/// The messages or users of one page (docs/resources/message#get-reactions and
/// docs/resources/channel#get-channel-messages: "max number ... (1-100)").
pub(crate) const PAGE: usize = 100;

/// The most pages of users that are read per reaction; our choice. Users beyond them are reported in the log.
pub(crate) const USER_PAGES: usize = 5;

/// The milliseconds between two polls: each costs a request per open card, and a route accepts about five a second.
pub(crate) const POLL_INTERVAL: u32 = 1000;

/// The number of retries per reaction after a 429; our choice.
pub(crate) const REACTION_TRIES: u32 = 5;

/// The milliseconds to wait after a 429 that does not specify them. Adding a reaction is limited to one per 250 ms
/// and channel (observed in the headers; docs/topics/rate-limits requires reading them).
pub(crate) const REACTION_SPACING: u32 = 250;

/// Units of an embed's title, of its description, and of all its texts together
/// (docs/resources/message#embed-object-embed-limits).
pub(crate) const EMBED_TITLE: usize = 256;
pub(crate) const EMBED_DESCRIPTION: usize = 4096;
pub(crate) const EMBED_TOTAL: usize = 6000;

/// The most units of all texts of one card with buttons; that of [`EMBED_DESCRIPTION`], because code is most of a
/// card.
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

/// The time limit for responding to an interaction, in milliseconds: after 3 s Discord reports a failure to the
/// person (docs/interactions/receiving-and-responding#responding-to-an-interaction).
pub(crate) const RESPONSE: u32 = 2500;

/// Bytes of a press's token (`types.wit`).
pub(crate) const TOKEN: usize = 512;

/// The most events of one batch; our choice. More stay on the connection.
pub(crate) const BATCH: usize = 50;

/// The most milliseconds to wait for an exhausted route; our choice. The host waits longer, and does other work
/// meanwhile.
pub(crate) const PAUSE: u32 = 1000;

/// The most characters that are taken with a command
/// (docs/interactions/application-commands#application-command-object-application-command-option-structure: 6000).
pub(crate) const COMMAND_TEXT: u32 = 3000;
