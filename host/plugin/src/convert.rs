//! Converts between the contract's generated types and the host's own. It decides nothing, except that a wait of zero is none.

use dmplz_core::messenger as core;

use crate::LogLevel;
use crate::bindings::{log, provider as wit, types};

/// A value that has the same meaning in another type.
pub(crate) trait Convert<T> {
    /// Returns the value in that type.
    fn convert(self) -> T;
}

/// Converts records field by field. The fields before the semicolon have the same type in both.
macro_rules! records {
    ($($from:ty => $to:ty { $($same:ident),*; $($other:ident),* })*) => {
        $(impl Convert<$to> for $from {
            fn convert(self) -> $to {
                type To = $to;
                To { $($same: self.$same,)* $($other: self.$other.convert(),)* }
            }
        })*
    };
}

/// Converts variants one by one. What they hold has the same type in both.
macro_rules! variants {
    ($($from:ty => $to:ty { $($variant:ident $(($held:ident))?),* })*) => {
        $(impl Convert<$to> for $from {
            fn convert(self) -> $to {
                type From = $from;
                type To = $to;
                match self { $(From::$variant $(($held))? => To::$variant $(($held))?,)* }
            }
        })*
    };
}

records! {
    wit::Manifest => core::Manifest { name, version, origins; settings, secrets, chats, users, transports }
    wit::SettingSpec => core::SettingSpec { name, required, default; help, kind }
    wit::SecretSpec => core::SecretSpec { name, required, instead_of, origins; help, places, renewal }
    wit::Renewal => core::Renewal { url, form, fields, token, successor; lifetime }
    wit::FrameKind => core::FrameKind { pointer, value; }
    wit::ChatSpec => core::ChatSpec { name; help, kind }
    wit::Transport => core::Transport {
        name, help, poll_interval, presses_kept, persistent, reads_chat, threads, commands, files, drafts;
        limits, answering
    }
    wit::Limits => core::Limits { ; text, choices, attachment, notice }
    wit::Check => core::Check { ok, detail; subject }
    wit::Meeting => core::Meeting { cursor; greetings }
    wit::Greeting => core::Greeting { code; chat, user }
    types::Words => core::Words { en, ko; }
    types::MessageRef => core::MessageRef { chat, id, sequence; }
    types::User => core::User { id, name, is_bot; }
    types::Batch => core::Batch { cursor; events }
    types::Chosen => core::Chosen { tag, choice, token, text; message, user }
    types::Said => core::Said { text; message, reply_to, user, files }
    types::SentFile => core::SentFile { id, name, size; }
}

// What is passed into a component.
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

variants! {
    wit::SettingKind => core::SettingKind { Text, Url, SocketUrl }
    wit::Lifetime => core::Lifetime { Seconds(pointer), Milliseconds(pointer) }
    wit::ChatKind => core::ChatKind { Room, Person }
    wit::Users => core::Users { Identified, Anonymous }
    wit::Answering => core::Answering { Buttons, Reactions, Typed }
    wit::Subject => core::Subject { Events, Chat, Post, React, Attach, Read }
    types::Chat => core::Chat { Room(id), Person(id) }
    core::Chat => types::Chat { Room(id), Person(id) }
    log::Level => LogLevel { Debug, Info, Warn, Error }
    core::ButtonStyle => types::Style { Primary, Success, Danger, Secondary }
}

impl<T: Convert<U>, U> Convert<Vec<U>> for Vec<T> {
    fn convert(self) -> Vec<U> {
        self.into_iter().map(T::convert).collect()
    }
}

impl<T: Convert<U>, U> Convert<Option<U>> for Option<T> {
    fn convert(self) -> Option<U> {
        self.map(T::convert)
    }
}

impl Convert<()> for () {
    fn convert(self) {}
}

impl Convert<usize> for u32 {
    fn convert(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
}

impl Convert<u32> for usize {
    fn convert(self) -> u32 {
        u32::try_from(self).unwrap_or(u32::MAX)
    }
}

impl Convert<types::Block> for core::Block {
    fn convert(self) -> types::Block {
        match self {
            Self::Text(text) => types::Block::Text(text),
            Self::Hint(text) => types::Block::Hint(text),
            Self::Code(text) => types::Block::Code(text),
            Self::File(file) => types::Block::File(file.convert()),
        }
    }
}

impl Convert<core::SecretPlace> for wit::SecretPlace {
    fn convert(self) -> core::SecretPlace {
        use core::SecretPlace as To;
        match self {
            Self::Path(path) => To::Path(path),
            Self::Header(header) => To::Header { name: header.name, value: header.value },
            Self::Frame(frame) => To::Frame { pointer: frame.pointer, kind: frame.kind.convert() },
            Self::Json(pointer) => To::Json(pointer),
            Self::Form(field) => To::Form(field),
        }
    }
}

impl Convert<core::OpenChat> for types::OpenChat {
    fn convert(self) -> core::OpenChat {
        // `people` corrects it.
        core::OpenChat { id: self.id, owner: self.owner, users: core::Users::Anonymous }
    }
}

impl Convert<core::Diagnosis> for wit::Diagnosis {
    fn convert(self) -> core::Diagnosis {
        core::Diagnosis { bot_id: self.bot.id, bot_name: self.bot.name, checks: self.checks.convert() }
    }
}

impl Convert<core::Introduction> for wit::Introduction {
    fn convert(self) -> core::Introduction {
        let Self { bot, checks, invite, link, message } = self;
        core::Introduction { found: wit::Diagnosis { bot, checks }.convert(), invite, link, message }
    }
}

impl Convert<core::Event> for types::Event {
    fn convert(self) -> core::Event {
        match self {
            Self::Chosen(chosen) => core::Event::Chosen(chosen.convert()),
            Self::Said(said) => core::Event::Said(said.convert()),
        }
    }
}

impl Convert<core::Download> for wit::Download {
    fn convert(self) -> core::Download {
        let headers = self.headers.into_iter().map(|header| (header.name, header.value)).collect();
        core::Download { url: self.url, headers }
    }
}

/// Converts an error that a provider returned. Every text in it passes through `clean`.
pub(crate) fn error(error: types::Error, clean: impl Fn(String) -> String) -> core::ProviderError {
    use core::ProviderError as To;
    use types::Error as From;
    match error {
        // A server that rounds down says zero, and one whose limit is broken says it again and again.
        From::RateLimited(wait) => To::RateLimited(wait.filter(|wait| *wait > 0)),
        From::Unauthorized => To::Unauthorized,
        From::Denied(why) => To::Denied(why.map(clean)),
        From::NotFound => To::NotFound,
        From::Conflict(why) => To::Conflict(why.map(clean)),
        From::TooLarge => To::TooLarge,
        From::BadSetting((name, why)) => To::BadSetting(clean(name), clean(why)),
        From::Unavailable(why) => To::Unavailable(why.map(clean)),
        From::Deadline => To::Deadline,
        From::Refused(why) => To::Refused(clean(why)),
        From::Rejected(why) => To::Rejected(why.map(clean)),
        From::Other(why) => To::Other(why.map(clean)),
    }
}

#[cfg(test)]
mod tests {
    use dmplz_core::messenger::ProviderError;

    use super::{error, types};

    #[test]
    fn a_messenger_that_says_zero_names_no_wait() {
        let limited = |wait| error(types::Error::RateLimited(wait), |text| text);
        assert_eq!(limited(Some(0)), ProviderError::RateLimited(None));
        assert_eq!(limited(Some(1)), ProviderError::RateLimited(Some(1)));
        assert_eq!(limited(None), ProviderError::RateLimited(None));
    }
}
