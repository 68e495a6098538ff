//! Matrix's limits, each with its source. "spec" is <https://spec.matrix.org/v1.16/client-server-api/>; "Synapse" is the
//! default configuration of the most common homeserver.

/// Bytes of the content that we put into one event; our choice. A whole event may have 65,536 (spec, "Size limits"), with what
/// the homeserver adds to it.
pub(crate) const CONTENT_BYTES: usize = 60_000;
/// The most units of one message; our choice. Twice as text and HTML they take at most six bytes each, unless most of
/// them are escaped.
pub(crate) const MESSAGE_UNITS: usize = 8_000;
/// The units of [`MESSAGE_UNITS`] reserved for line ends between the parts of a card; our choice.
const LINE_ENDS: usize = 64;
/// The most units of all texts of one card.
pub(crate) const CARD_TEXT: u32 = (MESSAGE_UNITS - LINE_ENDS) as u32;
/// The most units of a notice; our choice.
pub(crate) const NOTICE: u32 = 1_000;
/// Choices of one card; our choice. Synapse takes 10 events at once, and then one every 5 seconds (`rc_message`). A card
/// with four reactions, its end, and the removal of the reactions are 10 events.
pub(crate) const CHOICES: u32 = 4;
/// Choices of one card that are codes in its text; as many as the host writes.
pub(crate) const CODES: u32 = 12;
/// Bytes of one file; our choice. Synapse takes 50 MB (`max_upload_size`), other servers take less.
pub(crate) const ATTACHMENT: u32 = 10 << 20;
/// The milliseconds to wait after a 429 that does not specify them (Synapse: 0.2 events a second).
pub(crate) const PAUSE: u32 = 5_000;
/// The milliseconds that the reply to a long poll may be late; our choice.
pub(crate) const SLACK: u32 = 8_000;
/// The events of one page, or of one room in a sync; our choice. Servers take 100 and more.
pub(crate) const PAGE: usize = 100;
/// The most pages that are read of one list; our choice. What is beyond them is reported in the log.
pub(crate) const PAGES: usize = 5;
/// The most events of one kind in a batch; our choice, so that those of both kinds and of [`UNWATCHED`] are together no more than
/// the 1,000 of the contract.
pub(crate) const BATCH: usize = 480;
/// The most units of a name; Synapse takes 256 characters in a profile, but a member's own event is only limited by its size.
pub(crate) const NAME: usize = 128;
/// The most invitations that are accepted in one poll of a setup; our choice.
pub(crate) const INVITATIONS: usize = 3;
/// The most presses of one sync on cards that are not watched; our choice, because each costs a request.
pub(crate) const UNWATCHED: usize = 20;
/// The milliseconds between two syncs of one poll; our choice.
pub(crate) const AGAIN: u32 = 100;
