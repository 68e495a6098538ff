use bytes::Bytes;

/// What a person can press on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// ✅
    Approve,
    /// 🔄
    Session,
    /// ❌
    Deny,
    /// ⏳, exactly this for 30 minutes
    HalfHour,
    /// 🕒, exactly this for the session
    ForSession,
    /// 🚫, on an ended card
    Revoke,
    /// What its label begins with.
    Is(&'static str),
}

impl Choice {
    /// What its button begins with, or the reaction.
    pub fn emoji(self) -> &'static str {
        match self {
            Self::Approve => "✅",
            Self::Session => "🔄",
            Self::Deny => "❌",
            Self::HalfHour => "⏳",
            Self::ForSession => "🕒",
            Self::Revoke => "🚫",
            Self::Is(label) => label,
        }
    }

    /// The label of its button on a card.
    #[track_caller]
    pub(crate) fn label_on(self, card: &Message) -> &str {
        let label = card.choices.iter().find(|label| label.starts_with(self.emoji()));
        label.unwrap_or_else(|| panic!("{self:?} on {card:#?}"))
    }
}

/// A message as a person sees it, on whichever messenger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The messenger's id in the chat; grows.
    pub id: u64,
    /// Whether the bot wrote it.
    pub by_bot: bool,
    /// What can be read on it, without markup.
    pub text: String,
    /// The labels of its buttons, or the bot's reactions.
    pub choices: Vec<String>,
    /// The files that are attached, by name.
    pub files: Vec<(String, Bytes)>,
    /// What could be read on it before, oldest first.
    pub before: Vec<String>,
    /// Whether it is gone.
    pub deleted: bool,
}

impl Message {
    /// Whether a decision can be pressed on it.
    pub fn is_open(&self) -> bool {
        !self.deleted && self.choices.iter().any(|choice| choice.starts_with(Choice::Deny.emoji()))
    }

    /// Whether it is, or was, the card of a request.
    pub fn is_card(&self) -> bool {
        let first = self.before.first().unwrap_or(&self.text);
        self.by_bot && first.starts_with(['🔐', '📋', '❓'])
    }

    /// The request id that its last line tells.
    pub fn request_id(&self) -> String {
        let line = self.text.lines().find_map(|line| line.strip_prefix("request_id: "));
        line.unwrap_or_else(|| panic!("a card with its id: {self:?}")).to_owned()
    }
}
