//! ntfy's limits, each with its source. "docs" is <https://docs.ntfy.sh/publish/#limitations>.

/// Bytes of one message (docs: "up to 4,096 bytes"); the server makes a file of a longer one.
const MESSAGE_BYTES: usize = 4096;
/// The most units of one message, because a unit takes at most three bytes.
pub(crate) const MESSAGE_UNITS: usize = MESSAGE_BYTES / 3;
/// The units of [`MESSAGE_UNITS`] reserved for line ends between the parts of a card; our choice.
const LINE_ENDS: usize = 32;
/// The most units of all texts of one card.
pub(crate) const CARD_TEXT: u32 = (MESSAGE_UNITS - LINE_ENDS) as u32;
/// The bytes that a message may take on its way over Google's and Apple's services. Of a larger one the server cuts the text off, and
/// phones show what is left of it with its buttons (`server/server_firebase.go`, `fcmMessageLimit`).
pub(crate) const PUSH_BYTES: usize = 4_000;
/// Those of [`PUSH_BYTES`] that are no text, title or action: names, ids, times; our choice.
pub(crate) const PUSH_REST: usize = 700;
/// Bytes of a title (release 2.28.0; a longer one is refused).
pub(crate) const TITLE_BYTES: usize = 1024;
/// Buttons of one message (<https://docs.ntfy.sh/publish/#defining-actions>: "up to three").
pub(crate) const ACTIONS: u32 = 3;
/// Bytes of one file (docs: 2 MB at ntfy.sh; other servers usually take 15 MB).
pub(crate) const ATTACHMENT: u32 = 2_000_000;
/// The milliseconds between two polls; our choice. The server permits one more request every 5 seconds (docs: 60 at once, then one every
/// 5 seconds), and some of them are left to the phone, whose presses come from the same address at home.
pub(crate) const INTERVAL: u32 = 7_500;
/// The most events of one look; the contract allows 1,000. The next look brings those after them.
pub(crate) const EVENTS: usize = 1_000;
/// The number of faster polls after an event: the 60 requests at once last for a dozen presses; our choice.
pub(crate) const QUICK_LOOKS: u8 = 5;
/// The most milliseconds between faster polls; our choice.
pub(crate) const QUICK_PAUSE: u32 = 1_000;
/// The milliseconds without a new card after which polls are rarer, so that a gateway leaves requests for the phone;
/// our choice.
pub(crate) const QUIET_AFTER: u64 = 600_000;
/// The least milliseconds between rarer polls; our choice. The host also polls at the end of each wait, every 25
/// seconds.
pub(crate) const QUIET_PAUSE: u32 = 60_000;
