//! The settings of messengers, and texts about them. They follow from the manifests.

use dmplz_bundled::{MESSENGERS, Messenger, Takes};
use dmplz_core::messenger::Users;
use dmplz_core::text::{Lang, fill, title};

use super::spec::{Help, Kind, Spec};
use crate::terminal::say;

/// Returns the settings of one messenger.
pub(super) fn of(messenger: &'static Messenger) -> impl Iterator<Item = Spec> {
    let own = messenger.settings.iter().map(|setting| {
        let kind = match setting.takes {
            Takes::Secret => Kind::Secret,
            Takes::Chat(_) | Takes::Text => Kind::Text,
            Takes::Url => Kind::Url,
            Takes::SocketUrl => Kind::SocketUrl,
        };
        Spec::new(setting.variable, kind, setting.default, Help::Words(setting.help))
    });
    let transport = Help::OfMessenger(messenger, help_of_transports);
    let allowed_users = Help::OfMessenger(messenger, help_of_allowed_users);
    own.chain([
        Spec::new(messenger.transport, Kind::Transport(messenger), Some("auto"), transport),
        Spec::new(messenger.allowed_users, Kind::List, None, allowed_users),
    ])
}

/// Describes the values of `DMPLZ_PROVIDER` and `DMPLZ_GATEWAY_PROVIDERS`.
pub(crate) fn what_a_provider_is(lang: Lang) -> String {
    let names = MESSENGERS.iter().map(|messenger| messenger.name).collect::<Vec<_>>().join(", ");
    let takes = say(
        lang,
        "{}, 설치한 프로바이더의 이름(dmplz provider list), 또는 .wasm 파일의 전체 경로",
        "{}, the name of an installed provider (dmplz provider list), or the whole path of a .wasm file",
    );
    fill(takes, &[&names])
}

fn help_of_transports(messenger: &Messenger, lang: Lang) -> String {
    let title = title(messenger.name);
    let Some((alone, served)) = messenger.usual_transports().map(|(alone, served)| (alone.name, served.name)) else {
        return title;
    };
    let others: Vec<&str> = messenger.transports.iter().map(|it| it.name).filter(|name| *name != alone).collect();
    if alone != served {
        let template = say(
            lang,
            "{} 연결 방식: auto는 훅 혼자면 {}, dmplz serve면 {}",
            "how {} is reached: auto takes {} for a hook alone, and {} under dmplz serve",
        );
        return fill(template, &[&title, alone, served]);
    }
    match others.as_slice() {
        [] => fill(say(lang, "{} 연결 방식, 하나뿐", "how {} is reached; there is one transport"), &[&title]),
        others => fill(
            say(lang, "{} 연결 방식: auto는 {}, 다른 것은 {}", "how {} is reached: auto takes {}; the other one is {}"),
            &[&title, alone, &others.join(", ")],
        ),
    }
}

fn help_of_allowed_users(messenger: &Messenger, lang: Lang) -> String {
    let help = match messenger.users {
        Users::Identified => say(
            lang,
            "{}에서 답할 수 있는 사용자 id 목록, *는 채팅의 모두. 정하지 않으면 DMPLZ_ALLOWED_USERS",
            "ids of those who may answer on {}; * for everyone in the chat; where it is not set, DMPLZ_ALLOWED_USERS",
        ),
        Users::Anonymous => say(
            lang,
            "{}에서는 누가 답했는지 알 수 없습니다. *로 두면 채팅에 접근할 수 있는 모두가 답할 수 있고, 아니면 아무도 답할 수 없습니다",
            "{} does not tell who answers: * lets everybody who reaches the chat, and without it nobody may",
        ),
    };
    fill(help, &[&title(messenger.name)])
}

/// Lists the first setting that each messenger needs, as `A or B`.
pub(crate) fn keys(or: &str) -> String {
    let keys = MESSENGERS.iter().filter_map(|messenger| Some(messenger.keys().first()?.variable));
    listed(&keys.collect::<Vec<_>>(), or)
}

/// Returns the titles of the messengers: `A, B or C`.
pub(crate) fn titles(or: &str) -> String {
    let titles: Vec<String> = MESSENGERS.iter().map(|messenger| title(messenger.name)).collect();
    listed(&titles.iter().map(String::as_str).collect::<Vec<_>>(), or)
}

/// Joins a list: `a`, `a or b`, `a, b or c`.
pub(crate) fn listed(words: &[&str], or: &str) -> String {
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, before)) => format!("{}{or}{last}", before.join(", ")),
        None => String::new(),
    }
}
