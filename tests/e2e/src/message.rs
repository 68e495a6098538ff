use bytes::Bytes;

/// A choice on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// ✅ Allows this call.
    Approve,
    /// 🔄 Allows similar calls for the session.
    Session,
    /// ❌ Denies the call.
    Deny,
    /// ⏳ Grants exactly this call for 30 minutes.
    HalfHour,
    /// 🕒 Grants exactly this call for the session.
    ForSession,
    /// 🚫 Revokes a grant, on an ended card.
    Revoke,
    /// Another choice, by the beginning of its label.
    Is(&'static str),
}

impl Choice {
    /// Returns the beginning of its button's label, or its reaction.
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

    /// Returns the label of its button on a card.
    #[track_caller]
    pub(crate) fn label_on(self, card: &Message) -> &str {
        let label = card.choices.iter().find(|label| label.starts_with(self.emoji()));
        label.unwrap_or_else(|| panic!("{self:?} on {card:#?}"))
    }
}

/// A message as a person sees it, on any messenger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The messenger's id in the chat; it increases.
    pub id: u64,
    /// Whether the bot wrote it.
    pub by_bot: bool,
    /// Its text, without markup.
    pub text: String,
    /// The labels of its buttons, or the bot's reactions.
    pub choices: Vec<String>,
    /// The names of its attached files.
    pub files: Vec<(String, Bytes)>,
    /// Its earlier texts, oldest first.
    pub before: Vec<String>,
    /// Whether it was deleted.
    pub deleted: bool,
}

impl Message {
    /// Returns whether it offers a decision.
    pub fn is_open(&self) -> bool {
        !self.deleted && self.choices.iter().any(|choice| choice.starts_with(Choice::Deny.emoji()))
    }

    /// Returns whether it is, or was, the card of a request.
    pub fn is_card(&self) -> bool {
        let first = self.before.first().unwrap_or(&self.text);
        self.by_bot && first.starts_with(['🔐', '📋', '❓'])
    }

    /// Returns the request id in its last line.
    pub fn request_id(&self) -> String {
        let line = self.text.lines().find_map(|line| line.strip_prefix("request_id: "));
        line.unwrap_or_else(|| panic!("a card with its id: {self:?}")).to_owned()
    }
}
