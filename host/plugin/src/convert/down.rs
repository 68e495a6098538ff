//! Converts what is passed into a component.

use dmplz_core::messenger as core;

use crate::bindings::types;

impl From<&core::Chat> for types::Chat {
    fn from(chat: &core::Chat) -> Self {
        match chat {
            core::Chat::Room(id) => Self::Room(id.clone()),
            core::Chat::Person(id) => Self::Person(id.clone()),
        }
    }
}

impl From<&core::OpenChat> for types::OpenChat {
    fn from(chat: &core::OpenChat) -> Self {
        Self { id: chat.id.clone(), owner: chat.owner.clone() }
    }
}

impl From<&core::MessageRef> for types::MessageRef {
    fn from(message: &core::MessageRef) -> Self {
        Self { chat: message.chat.clone(), id: message.id.clone(), sequence: message.sequence }
    }
}

impl From<&core::Card> for types::Card {
    fn from(card: &core::Card) -> Self {
        let block = |block: &core::Block| match block {
            core::Block::Text(text) => types::Block::Text(text.clone()),
            core::Block::Hint(text) => types::Block::Hint(text.clone()),
            core::Block::Code(text) => types::Block::Code(text.clone()),
            core::Block::File(file) => types::Block::File(types::Attachment {
                name: file.name.clone(),
                media_type: file.media_type.clone(),
                data: file.data.clone(),
            }),
        };
        Self {
            tag: card.tag.clone(),
            title: card.title.clone(),
            body: card.body.iter().map(block).collect(),
            choices: card.choices.iter().map(Into::into).collect(),
            reply_to: card.reply_to.as_ref().map(Into::into),
            wants_text: card.wants_text,
            silent: card.silent,
        }
    }
}

impl From<&core::Choice> for types::Choice {
    fn from(choice: &core::Choice) -> Self {
        Self {
            id: choice.id.clone(),
            label: choice.label.clone(),
            emoji: choice.emoji.clone(),
            style: match choice.style {
                core::ButtonStyle::Primary => types::Style::Primary,
                core::ButtonStyle::Success => types::Style::Success,
                core::ButtonStyle::Danger => types::Style::Danger,
                core::ButtonStyle::Secondary => types::Style::Secondary,
            },
            row: choice.row,
            field: choice.field.as_ref().map(|field| types::TextField {
                title: field.title.clone(),
                label: field.label.clone(),
                placeholder: field.placeholder.clone(),
                max: u32::try_from(field.max).unwrap_or(u32::MAX),
            }),
        }
    }
}

impl From<&core::Command> for types::Command {
    fn from(command: &core::Command) -> Self {
        let words = |words: &core::Words| types::Words { en: words.en.clone(), ko: words.ko.clone() };
        Self {
            name: command.name.clone(),
            help: words(&command.help),
            takes: command.takes.as_ref().map(words),
            file: command.file,
        }
    }
}

impl From<&core::SentFile> for types::SentFile {
    fn from(file: &core::SentFile) -> Self {
        Self { id: file.id.clone(), name: file.name.clone(), size: file.size }
    }
}

impl From<&core::Watch> for types::Watch {
    fn from(watch: &core::Watch) -> Self {
        Self {
            message: (&watch.message).into(),
            choices: watch.choices.iter().map(Into::into).collect(),
            text: watch.text,
        }
    }
}

impl From<&core::Chosen> for types::Chosen {
    fn from(chosen: &core::Chosen) -> Self {
        Self {
            message: (&chosen.message).into(),
            tag: chosen.tag.clone(),
            choice: chosen.choice.clone(),
            user: types::User {
                id: chosen.user.id.clone(),
                name: chosen.user.name.clone(),
                is_bot: chosen.user.is_bot,
            },
            token: chosen.token.clone(),
            text: chosen.text.clone(),
        }
    }
}
