//! Slack's limits, each with its source. "docs" is <https://docs.slack.dev>.

/// Units of all texts of one message; our choice. Slack refuses blocks of about 13,000 characters of JSON with
/// `msg_blocks_too_long`, which it does not document (observed in slackapi/bolt-js#2509). Escapes add to them, and a card
/// that becomes too long fails with `too-large`.
pub(crate) const MESSAGE: usize = 8000;

/// The most units of all texts of one card: line ends come between them.
pub(crate) const CARD_TEXT: u32 = MESSAGE as u32 - 80;

/// The most units of a notice; our choice.
pub(crate) const NOTICE: u32 = 3000;

/// Buttons of a card; our choice. An `actions` block takes 25 (docs/reference/block-kit/blocks/actions-block), and a
/// message 50 blocks.
pub(crate) const BUTTONS: u32 = 25;

/// Units of a button's text (docs/reference/block-kit/block-elements/button-element: "max 75").
pub(crate) const BUTTON_LABEL: usize = 75;

/// Units of a modal's title and of its buttons (docs/reference/views/modal-views: "max 24").
pub(crate) const MODAL_TITLE: usize = 24;

/// Units of an input's placeholder, and of the text that it takes
/// (docs/reference/block-kit/block-elements/plain-text-input-element: "max 150", "max 3000").
pub(crate) const PLACEHOLDER: usize = 150;
pub(crate) const FIELD_UNITS: u32 = 3000;

/// Units of the text that a notification shows; our choice. `chat.update` takes 4,000 characters
/// (<https://docs.slack.dev/reference/methods/chat.update#errors>, `msg_too_long`).
pub(crate) const PREVIEW: usize = 3900;

/// Bytes of one file: the most that the contract knows. Slack takes 1 GB.
pub(crate) const ATTACHMENT: u32 = 16 << 20;

/// The time limit for opening a modal, in milliseconds: its `trigger_id` lives for 3 s
/// (docs/surfaces/modals#trigger_response).
pub(crate) const TRIGGER: u32 = 2500;

/// The most events of one batch; our choice. More stay on the connection.
pub(crate) const BATCH: usize = 50;
