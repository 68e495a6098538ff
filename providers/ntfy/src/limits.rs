//! What ntfy takes at most, each with its source. "docs" is <https://docs.ntfy.sh/publish/#limitations>.

/// Bytes of one message (docs: "up to 4,096 bytes"); the server makes a file of a longer one.
const MESSAGE_BYTES: usize = 4096;
/// Units of one message: none of them takes more than three bytes.
pub(crate) const MESSAGE_UNITS: usize = MESSAGE_BYTES / 3;
/// Units that line ends between the parts of a card may take of [`MESSAGE_UNITS`]; ours.
const LINE_ENDS: usize = 32;
/// Units of all texts of one card.
pub(crate) const CARD_TEXT: u32 = (MESSAGE_UNITS - LINE_ENDS) as u32;
/// Bytes of a title (release 2.28.0; a longer one is refused).
pub(crate) const TITLE_BYTES: usize = 1024;
/// Buttons of one message (<https://docs.ntfy.sh/publish/#defining-actions>: "up to three").
pub(crate) const ACTIONS: u32 = 3;
/// Bytes of one file (docs: 2 MB at ntfy.sh; other servers usually take 15 MB).
pub(crate) const ATTACHMENT: u32 = 2_000_000;
/// Milliseconds that sending a file may take; ours.
pub(crate) const UPLOAD: u32 = 60_000;
/// Milliseconds in which the server allows one more request (docs: 60 at once, then one each 5 seconds).
pub(crate) const REFILL: u32 = 5_000;
/// Looks that follow sooner after something happened: the 60 requests at once last for a dozen presses; ours.
pub(crate) const QUICK_LOOKS: u8 = 5;
/// Milliseconds between those looks at most; ours.
pub(crate) const QUICK_PAUSE: u32 = 1_000;
/// Milliseconds without a new card after which looks are rarer, so that a gateway leaves the phone its requests; ours.
pub(crate) const QUIET_AFTER: u64 = 600_000;
/// Milliseconds between those looks at least; ours. The host looks at the end of each wait besides, every 25 seconds.
pub(crate) const QUIET_PAUSE: u32 = 60_000;
