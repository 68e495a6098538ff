//! Converts between the contract's generated types and those of `dmplz_core::messenger`. It decides nothing.

use dmplz_core::messenger as core;

use crate::bindings::{provider as wit, types};

mod down;

/// Converts an error that a provider returned. Every text in it passes through `clean`.
pub(crate) fn error(error: types::Error, clean: impl Fn(String) -> String) -> core::ProviderError {
    use core::ProviderError as To;
    use types::Error as From;
    match error {
        From::RateLimited(wait) => To::RateLimited(wait),
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

impl From<wit::Manifest> for core::Manifest {
    fn from(manifest: wit::Manifest) -> Self {
        let setting = |spec: wit::SettingSpec| core::SettingSpec {
            name: spec.name,
            help: words(spec.help),
            kind: match spec.kind {
                wit::SettingKind::Text => core::SettingKind::Text,
                wit::SettingKind::Url => core::SettingKind::Url,
                wit::SettingKind::SocketUrl => core::SettingKind::SocketUrl,
            },
            required: spec.required,
            default: spec.default,
        };
        let secret = |spec: wit::SecretSpec| core::SecretSpec {
            name: spec.name,
            help: words(spec.help),
            required: spec.required,
            instead_of: spec.instead_of,
            origins: spec.origins,
            places: spec.places.into_iter().map(place).collect(),
            renewal: spec.renewal.map(|renewal| core::Renewal {
                url: renewal.url,
                form: renewal.form,
                fields: renewal.fields,
                token: renewal.token,
                successor: renewal.successor,
                lifetime: renewal.lifetime.map(|lifetime| match lifetime {
                    wit::Lifetime::Seconds(pointer) => core::Lifetime::Seconds(pointer),
                    wit::Lifetime::Milliseconds(pointer) => core::Lifetime::Milliseconds(pointer),
                }),
            }),
        };
        let chat = |spec: wit::ChatSpec| core::ChatSpec {
            name: spec.name,
            help: words(spec.help),
            kind: match spec.kind {
                wit::ChatKind::Room => core::ChatKind::Room,
                wit::ChatKind::Person => core::ChatKind::Person,
            },
        };
        Self {
            name: manifest.name,
            version: manifest.version,
            settings: manifest.settings.into_iter().map(setting).collect(),
            secrets: manifest.secrets.into_iter().map(secret).collect(),
            chats: manifest.chats.into_iter().map(chat).collect(),
            users: match manifest.users {
                wit::Users::Identified => core::Users::Identified,
                wit::Users::Anonymous => core::Users::Anonymous,
            },
            origins: manifest.origins,
            transports: manifest.transports.into_iter().map(transport).collect(),
        }
    }
}

fn words(words: types::Words) -> core::Words {
    core::Words { en: words.en, ko: words.ko }
}

fn place(place: wit::SecretPlace) -> core::SecretPlace {
    let kind = |kind: wit::FrameKind| core::FrameKind { pointer: kind.pointer, value: kind.value };
    match place {
        wit::SecretPlace::Path(path) => core::SecretPlace::Path(path),
        wit::SecretPlace::Header(header) => core::SecretPlace::Header { name: header.name, value: header.value },
        wit::SecretPlace::Frame(frame) => {
            core::SecretPlace::Frame { pointer: frame.pointer, kind: frame.kind.map(kind) }
        }
        wit::SecretPlace::Json(pointer) => core::SecretPlace::Json(pointer),
        wit::SecretPlace::Form(field) => core::SecretPlace::Form(field),
    }
}

fn transport(transport: wit::Transport) -> core::Transport {
    core::Transport {
        name: transport.name,
        help: transport.help,
        limits: core::Limits {
            text: size(transport.limits.text),
            choices: size(transport.limits.choices),
            attachment: size(transport.limits.attachment),
            notice: size(transport.limits.notice),
        },
        answering: match transport.answering {
            wit::Answering::Buttons => core::Answering::Buttons,
            wit::Answering::Reactions => core::Answering::Reactions,
            wit::Answering::Typed => core::Answering::Typed,
        },
        poll_interval: transport.poll_interval,
        presses_kept: transport.presses_kept,
        persistent: transport.persistent,
        reads_chat: transport.reads_chat,
        threads: transport.threads,
        commands: transport.commands,
        files: transport.files,
        drafts: transport.drafts,
    }
}

fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

impl From<types::OpenChat> for core::OpenChat {
    fn from(chat: types::OpenChat) -> Self {
        // `people` corrects it.
        Self { id: chat.id, owner: chat.owner, users: core::Users::Anonymous }
    }
}

impl From<types::MessageRef> for core::MessageRef {
    fn from(message: types::MessageRef) -> Self {
        Self { chat: message.chat, id: message.id, sequence: message.sequence }
    }
}

fn check(check: wit::Check) -> core::Check {
    core::Check {
        subject: match check.subject {
            wit::Subject::Events => core::Subject::Events,
            wit::Subject::Chat => core::Subject::Chat,
            wit::Subject::Post => core::Subject::Post,
            wit::Subject::React => core::Subject::React,
            wit::Subject::Attach => core::Subject::Attach,
            wit::Subject::Read => core::Subject::Read,
        },
        ok: check.ok,
        detail: check.detail,
    }
}

impl From<wit::Introduction> for core::Introduction {
    fn from(introduction: wit::Introduction) -> Self {
        let wit::Introduction { bot, checks, invite, link, message } = introduction;
        Self { found: wit::Diagnosis { bot, checks }.into(), invite, link, message }
    }
}

impl From<wit::Meeting> for core::Meeting {
    fn from(meeting: wit::Meeting) -> Self {
        let greeting = |greeting: wit::Greeting| core::Greeting {
            chat: match greeting.chat {
                types::Chat::Room(id) => core::Chat::Room(id),
                types::Chat::Person(id) => core::Chat::Person(id),
            },
            user: user(greeting.user),
            code: greeting.code,
        };
        Self { greetings: meeting.greetings.into_iter().map(greeting).collect(), cursor: meeting.cursor }
    }
}

impl From<wit::Diagnosis> for core::Diagnosis {
    fn from(diagnosis: wit::Diagnosis) -> Self {
        Self {
            bot_id: diagnosis.bot.id,
            bot_name: diagnosis.bot.name,
            checks: diagnosis.checks.into_iter().map(check).collect(),
        }
    }
}

impl From<types::Batch> for core::Batch {
    fn from(batch: types::Batch) -> Self {
        let event = |event| match event {
            types::Event::Chosen(chosen) => core::Event::Chosen(core::Chosen {
                message: chosen.message.into(),
                tag: chosen.tag,
                choice: chosen.choice,
                user: user(chosen.user),
                token: chosen.token,
                text: chosen.text,
            }),
            types::Event::Said(said) => core::Event::Said(core::Said {
                message: said.message.into(),
                reply_to: said.reply_to.map(Into::into),
                user: user(said.user),
                text: said.text,
                files: said.files.into_iter().map(file).collect(),
            }),
        };
        Self { events: batch.events.into_iter().map(event).collect(), cursor: batch.cursor }
    }
}

fn file(file: types::SentFile) -> core::SentFile {
    core::SentFile { id: file.id, name: file.name, size: file.size }
}

impl From<wit::Download> for core::Download {
    fn from(download: wit::Download) -> Self {
        let headers = download.headers.into_iter().map(|header| (header.name, header.value)).collect();
        Self { url: download.url, headers }
    }
}

fn user(user: types::User) -> core::User {
    core::User { id: user.id, name: user.name, is_bot: user.is_bot }
}
