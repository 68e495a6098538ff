//! Everything that a provider may access, as sentences. A person agrees to them, and an update is compared by them.
//!
//! Each sentence is complete, so an update without a new sentence wants nothing more than the old version.

use std::collections::BTreeSet;

use dmplz_core::described::variable;
use dmplz_core::messenger::{Manifest, Renewal, SecretPlace, Users};
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_plugin::wanted;

use crate::terminal::say;

/// Returns the lines that describe everything that a provider may reach and use. `imports` are the interfaces that the
/// component imports.
pub(super) fn of(manifest: &Manifest, imports: &[String], lang: Lang) -> BTreeSet<String> {
    let of = |ko, en, values: &[&str]| visible_line(&fill(say(lang, ko, en), values));
    let mut all = BTreeSet::new();
    for origin in wanted(manifest) {
        all.insert(of("{}에 접근합니다", "it reaches {}", &[&origin]));
    }
    for server in servers(manifest) {
        all.insert(of("{}에 적은 서버에 접근합니다", "it reaches the server that you write into {}", &[&server]));
    }
    for secret in &manifest.secrets {
        let name = variable(&manifest.name, &secret.name);
        for origin in &secret.origins {
            let origin = origin_words(manifest, origin, lang);
            all.insert(of("{} 값을 {}에 보냅니다", "it has {} sent to {}", &[&name, &origin]));
        }
        for place in secret.places.iter().map(|place| place_words(place, lang)) {
            all.insert(of("{}의 자리: {}", "it puts {} into {}", &[&name, &place]));
        }
        if let Some(renewal) = &secret.renewal {
            all.insert(exchange_words(manifest, &name, renewal, lang));
        }
    }
    for import in imports {
        let (interface, _) = import.split_once('@').unwrap_or((import, ""));
        all.insert(of("{} 인터페이스를 사용합니다", "it uses {}", &[interface]));
    }
    if manifest.users == Users::Anonymous {
        all.insert(of(
            "누가 답했는지 알려 주지 않습니다: 채팅에 접근하는 누구나 답할 수 있습니다",
            "it does not tell who answers: whoever reaches the chat can",
            &[],
        ));
    }
    all
}

/// Says where a secret is exchanged for what the requests carry.
pub(super) fn exchange_words(manifest: &Manifest, name: &str, renewal: &Renewal, lang: Lang) -> String {
    let url = match renewal.on_setting() {
        Some((setting, path)) => {
            let server = origin_words(manifest, &format!("{{setting:{setting}}}"), lang);
            fill(say(lang, "{}의 {}", "{}, path {}"), &[&server, path])
        }
        None => renewal.url.clone(),
    };
    let template =
        say(lang, "호스트가 먼저 {} 값을 {}에서 토큰으로 바꿉니다", "the host first exchanges {} for a token, at {}");
    visible_line(&fill(template, &[name, &url]))
}

/// Returns the variables of the settings whose servers it may reach.
pub(super) fn servers(manifest: &Manifest) -> Vec<String> {
    let named = |origin: &String| Some(origin.strip_prefix("{setting:")?.strip_suffix('}')?.to_owned());
    manifest.origins.iter().filter_map(named).map(|name| variable(&manifest.name, &name)).collect()
}

/// Formats an origin of the manifest for people.
pub(super) fn origin_words(manifest: &Manifest, origin: &str, lang: Lang) -> String {
    match origin.strip_prefix("{setting:").and_then(|rest| rest.strip_suffix('}')) {
        Some(setting) => fill(say(lang, "{}의 서버", "the server in {}"), &[&variable(&manifest.name, setting)]),
        None => origin.to_owned(),
    }
}

/// Formats a place of a secret for people.
pub(super) fn place_words(place: &SecretPlace, lang: Lang) -> String {
    match place {
        SecretPlace::Path(path) => fill(say(lang, "경로 {}", "the path {}"), &[path]),
        SecretPlace::Header { name, value } => fill(say(lang, "헤더 {}: {}", "the header {}: {}"), &[name, value]),
        SecretPlace::Frame { pointer, kind } => {
            let within = kind.as_ref().map(|kind| format!(" ({} = {})", kind.pointer, kind.value)).unwrap_or_default();
            let at = if pointer.is_empty() { say(lang, "전체", "all of it") } else { pointer.as_str() };
            fill(say(lang, "WebSocket 프레임 {}", "a WebSocket frame, {}"), &[&format!("{at}{within}")])
        }
        SecretPlace::Json(pointer) => fill(say(lang, "JSON 본문의 {}", "{} of a JSON body"), &[pointer]),
        SecretPlace::Form(field) => fill(say(lang, "폼 본문의 필드 {}", "the field {} of a form"), &[field]),
    }
}
