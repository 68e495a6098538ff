//! Mattermost's limits, each with its source. "model" is `server/public/model` of
//! <https://github.com/mattermost/mattermost>.

/// The most characters of a post (model, `PostMessageMaxRunesV2`). Servers that began before version 5.0 may take 4,000; they
/// refuse a longer post, and the host posts less text.
pub(crate) const POST_CHARS: usize = 16_383;
/// The most units of the texts of one card as people see them; our choice, so that most texts fit after they were escaped.
pub(crate) const CARD_UNITS: usize = 8_000;
/// The units of [`CARD_UNITS`] reserved for line ends between the parts of a card; our choice.
const LINE_ENDS: usize = 64;
/// The most units of all texts of one card.
pub(crate) const CARD_TEXT: u32 = (CARD_UNITS - LINE_ENDS) as u32;
/// The most units of a notice; our choice.
pub(crate) const NOTICE: u32 = 1_000;
/// Choices of one card; our choice. Each is a request, and a server takes 50 different reactions to one post
/// (`UniqueEmojiReactionLimitPerPost`).
pub(crate) const CHOICES: u32 = 8;
/// Bytes of one file; our choice. Servers take 100 MB by default (`MaxFileSize`).
pub(crate) const ATTACHMENT: u32 = 10 << 20;
/// The milliseconds to wait after a 429 that does not specify them. Servers count by the second.
pub(crate) const PAUSE: u32 = 1_000;
/// The events of one batch after which no more are listened for; our choice.
pub(crate) const BATCH: usize = 500;
/// The most events of one batch (`wit/types.wit`).
pub(crate) const EVENTS: usize = 1_000;
/// The most posts that a server returns since a time (`server/channels/store/sqlstore/post_store.go`).
pub(crate) const POSTS_SINCE: usize = 1_000;
