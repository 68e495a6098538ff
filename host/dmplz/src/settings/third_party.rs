//! A provider of a third party as a messenger: what the program knows of a bundled one, made of its manifest.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use dmplz_bundled::Messenger;
use dmplz_core::messenger::Manifest;
use dmplz_state::{Providers, ProvidersError};

use super::list::specs;

/// Returns the messenger of a manifest. It is kept for the life of the process, once for equal manifests, so there are
/// at most as many as components that the process inspects.
pub(crate) fn of(manifest: &Manifest) -> &'static Messenger {
    static KNOWN: Mutex<Vec<(Manifest, &'static Messenger)>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, messenger)) = known.iter().find(|(known, _)| known == manifest) {
        return messenger;
    }
    let messenger: &'static Messenger = Box::leak(Box::new(Messenger::of(manifest)));
    known.push((manifest.clone(), messenger));
    messenger
}

/// Returns the messengers that are installed in a state directory, by name.
pub(crate) fn installed(state: &Path) -> Result<Vec<&'static Messenger>, ProvidersError> {
    Ok(Providers::of(state).list()?.iter().map(|provider| of(&provider.manifest)).collect())
}

/// Returns every variable of a messenger.
pub(crate) fn variables(messenger: &'static Messenger) -> impl Iterator<Item = &'static str> {
    messenger.settings.iter().map(|setting| setting.variable).chain([messenger.transport, messenger.allowed_users])
}

/// Returns a variable of the messenger that already has another meaning: to this program, to a bundled messenger, or to
/// one of `others`. With it a provider could get the token of another one.
pub(crate) fn clash<'a>(
    messenger: &'static Messenger,
    others: impl IntoIterator<Item = &'a &'static Messenger>,
) -> Option<&'static str> {
    let of_others: Vec<&str> = others.into_iter().flat_map(|other| variables(other)).collect();
    variables(messenger).find(|name| specs().iter().any(|spec| spec.name == *name) || of_others.contains(name))
}

#[cfg(test)]
mod tests {
    use dmplz_core::messenger::{ChatKind, ChatSpec, SecretSpec, Users, Words};

    use super::*;

    fn manifest(name: &str, secret: &str, chat: &str) -> Manifest {
        let help = Words { en: "for\u{202e} tests".to_owned(), ko: String::new() };
        let secret = SecretSpec {
            name: secret.to_owned(),
            help: help.clone(),
            required: true,
            instead_of: None,
            origins: vec![],
            places: vec![],
            renewal: None,
        };
        let chat = ChatSpec { name: chat.to_owned(), help, kind: ChatKind::Room };
        Manifest {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            settings: vec![],
            secrets: vec![secret],
            chats: vec![chat],
            users: Users::Identified,
            origins: vec![],
            transports: vec![],
        }
    }

    #[test]
    fn variables_carry_the_name_of_the_manifest() {
        let messenger = of(&manifest("acme-chat", "api-key", "room"));
        let all: Vec<_> = variables(messenger).collect();
        assert_eq!(
            all,
            [
                "DMPLZ_ACME_CHAT_API_KEY", "DMPLZ_ACME_CHAT_ROOM", "DMPLZ_ACME_CHAT_TRANSPORT",
                "DMPLZ_ACME_CHAT_ALLOWED_USERS"
            ]
        );
        assert!(std::ptr::eq(messenger, of(&manifest("acme-chat", "api-key", "room"))), "it is kept once");
        assert_eq!(messenger.settings[0].help, ["for⟨U+202E⟩ tests"; 2]);
    }

    /// Each of these providers would get the value of another one's variable.
    #[test]
    fn a_variable_that_means_something_else_is_a_clash() {
        for (name, secret, chat, taken) in [
            ("telegram-bot", "token", "room", Some("DMPLZ_TELEGRAM_BOT_TOKEN")),
            ("discord", "bot-token", "room", Some("DMPLZ_DISCORD_BOT_TOKEN")),
            ("https", "proxy", "room", Some("DMPLZ_HTTPS_PROXY")),
            ("permission", "token", "chat-id", Some("DMPLZ_PERMISSION_CHAT_ID")),
            ("provider", "origins", "room", Some("DMPLZ_PROVIDER_ORIGINS")),
            ("acme", "chat-token", "room", Some("DMPLZ_ACME_CHAT_TOKEN")),
            ("acme", "token", "room", None),
        ] {
            let installed = of(&manifest("acme-chat", "token", "lobby"));
            assert_eq!(clash(of(&manifest(name, secret, chat)), &[installed]), taken, "{name} {secret} {chat}");
        }
    }
}
