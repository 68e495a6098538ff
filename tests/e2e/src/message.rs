use bytes::Bytes;
use dmplz_fakes::{discord, telegram};

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
    /// Its files.
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

pub(crate) fn of_telegram(message: &telegram::Message, bot: i64) -> Message {
    let now = message.now();
    let earlier = &message.revisions[..message.revisions.len() - 1];
    let labels = message.keyboard().iter().flatten().map(|button| button.text.clone());
    Message {
        id: message.id.try_into().unwrap(),
        by_bot: message.from.id == bot,
        text: now.text.clone(),
        choices: labels.collect(),
        files: now.document.into_iter().map(|file| (file.name, file.bytes)).collect(),
        before: earlier.iter().map(|revision| revision.text.clone()).collect(),
        deleted: message.deleted,
    }
}

/// With buttons its words stand in an embed.
pub(crate) fn of_discord(message: &discord::Message, bot: u64) -> Message {
    let earlier = &message.revisions[..message.revisions.len() - 1];
    let buttons = message.buttons().into_iter().flatten().map(|button| button.label);
    let by_bot = |reaction: &&discord::Reaction| reaction.users.iter().any(|user| user.id == bot);
    Message {
        id: message.id,
        by_bot: message.author.id == bot,
        text: words(&message.now()),
        choices: message.reactions.iter().filter(by_bot).map(|it| it.emoji.clone()).chain(buttons).collect(),
        files: message.attachments().iter().map(|file| (file.filename.clone(), file.bytes.clone())).collect(),
        before: earlier.iter().map(words).collect(),
        deleted: message.deleted,
    }
}

fn words(revision: &discord::Revision) -> String {
    let embeds = revision.embeds.iter().flat_map(|embed| ["title", "description"].map(|part| embed[part].as_str()));
    let parts = std::iter::once(revision.content.as_str()).chain(embeds.flatten()).filter(|part| !part.is_empty());
    parts.map(plain).collect::<Vec<_>>().join("\n")
}

/// Discord's Markdown as it is shown: escapes, bold, code spans and code blocks, which is all that cards use.
pub(crate) fn plain(markdown: &str) -> String {
    let mut shown = String::new();
    for (number, piece) in markdown.split("```").enumerate() {
        match number % 2 {
            1 => shown.push_str(piece.strip_prefix('\n').unwrap_or(piece).trim_end_matches('\n')),
            _ => push_words(&mut shown, piece),
        }
    }
    shown
}

fn push_words(shown: &mut String, words: &str) {
    let mut characters = words.chars().peekable();
    let mut in_code = false;
    while let Some(character) = characters.next() {
        match character {
            '`' => in_code = !in_code,
            _ if in_code => shown.push(character),
            '\\' if characters.peek().is_some_and(char::is_ascii_punctuation) => shown.extend(characters.next()),
            '*' if characters.peek() == Some(&'*') => _ = characters.next(),
            _ => shown.push(character),
        }
    }
}
