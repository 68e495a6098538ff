//! Converts what is passed into a component.

use dmplz_core::messenger as core;

use super::Convert;
use crate::bindings::types;

/// Converts borrowed records field by field. The fields before the semicolon have the same type in both.
macro_rules! records {
    ($($from:ty => $to:ty { $($same:ident),*; $($other:ident),* })*) => {
        $(impl Convert<$to> for &$from {
            fn convert(self) -> $to {
                type To = $to;
                To { $($same: Clone::clone(&self.$same),)* $($other: Convert::convert(&self.$other),)* }
            }
        })*
    };
}

records! {
    core::OpenChat => types::OpenChat { id, owner; }
    core::MessageRef => types::MessageRef { chat, id, sequence; }
    core::Card => types::Card { tag, title, wants_text, silent; body, choices, reply_to }
    core::Attachment => types::Attachment { name, media_type, data; }
    core::Choice => types::Choice { id, label, emoji, row; style, field }
    core::TextField => types::TextField { title, label, placeholder; max }
    core::Command => types::Command { name, file; help, takes }
    core::Words => types::Words { en, ko; }
    core::SentFile => types::SentFile { id, name, size; }
    core::Watch => types::Watch { text; message, choices }
    core::Chosen => types::Chosen { tag, choice, token, text; message, user }
    core::User => types::User { id, name, is_bot; }
}

impl<'a, T, U> Convert<Vec<U>> for &'a Vec<T>
where
    &'a T: Convert<U>,
{
    fn convert(self) -> Vec<U> {
        self.iter().map(Convert::convert).collect()
    }
}

impl<'a, T, U> Convert<Option<U>> for &'a Option<T>
where
    &'a T: Convert<U>,
{
    fn convert(self) -> Option<U> {
        self.as_ref().map(Convert::convert)
    }
}

impl Convert<u32> for &usize {
    fn convert(self) -> u32 {
        u32::try_from(*self).unwrap_or(u32::MAX)
    }
}

impl Convert<types::Chat> for &core::Chat {
    fn convert(self) -> types::Chat {
        match self {
            core::Chat::Room(id) => types::Chat::Room(id.clone()),
            core::Chat::Person(id) => types::Chat::Person(id.clone()),
        }
    }
}

impl Convert<types::Block> for &core::Block {
    fn convert(self) -> types::Block {
        match self {
            core::Block::Text(text) => types::Block::Text(text.clone()),
            core::Block::Hint(text) => types::Block::Hint(text.clone()),
            core::Block::Code(text) => types::Block::Code(text.clone()),
            core::Block::File(file) => types::Block::File(file.convert()),
        }
    }
}

impl Convert<types::Style> for &core::ButtonStyle {
    fn convert(self) -> types::Style {
        match self {
            core::ButtonStyle::Primary => types::Style::Primary,
            core::ButtonStyle::Success => types::Style::Success,
            core::ButtonStyle::Danger => types::Style::Danger,
            core::ButtonStyle::Secondary => types::Style::Secondary,
        }
    }
}
