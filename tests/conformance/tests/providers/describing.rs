//! `describe`, and what a component is before it is anything.

use dmplz_conformance::{Bench, Platform, every_provider};
use dmplz_core::messenger::SecretPlace;
use dmplz_guest_build::{RUST_IMPORTS, SOCKET_IMPORT};

every_provider! {
    the_description_needs_no_network_and_is_always_the_same,
    the_manifest_says_what_the_contract_allows,
    the_secret_belongs_only_to_the_servers_that_are_named,
    the_secret_stands_only_where_the_messenger_wants_it,
    exactly_these_imports_are_linked,
}

async fn the_description_needs_no_network_and_is_always_the_same<P: Platform>(it: &Bench<P>) {
    let (first, second) = (it.described().await, it.described().await);
    assert_eq!(first.manifest(), second.manifest());
    assert_eq!(first.manifest(), it.manifest());
    assert_eq!(it.platform.wire().calls().len(), 0);
}

async fn the_manifest_says_what_the_contract_allows<P: Platform>(it: &Bench<P>) {
    let (manifest, transport) = (it.manifest(), it.transport());
    assert_eq!(manifest.name, P::NAME);
    assert_eq!(manifest.version.split('.').filter(|number| number.parse::<u32>().is_ok()).count(), 3);
    assert!((1000..=P::LONGEST).contains(&transport.limits.text), "{:?}", transport.limits);
    assert!(transport.limits.choices >= 3, "approve, session, deny");
    assert!(transport.limits.attachment <= 16 << 20);
    assert!(transport.limits.notice >= 100, "room for a sentence");
    assert!(transport.poll_interval <= 2000, "a press is seen soon");
    assert_eq!((transport.persistent, transport.reads_chat), (P::PERSISTENT, P::READS_CHAT));
    assert_eq!((transport.threads, transport.commands), (P::THREADS, P::COMMANDS));
    let settings = manifest.settings.iter().map(|it| (&it.name, &it.help));
    let secrets = manifest.secrets.iter().map(|it| (&it.name, &it.help));
    let chats = manifest.chats.iter().map(|it| (&it.name, &it.help));
    for (name, help) in settings.chain(secrets).chain(chats) {
        assert!(!name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{name}");
        for line in [&help.en, &help.ko] {
            assert!(!line.is_empty() && !line.contains('\n'), "{name}: {line}, for people of either language");
        }
    }
}

async fn the_secret_belongs_only_to_the_servers_that_are_named<P: Platform>(it: &Bench<P>) {
    let manifest = it.manifest();
    let names: Vec<_> = manifest.secrets.iter().map(|secret| secret.name.as_str()).collect();
    assert_eq!(names, [P::SECRET].into_iter().chain(P::OTHER_SECRET).chain(P::EXCHANGED).collect::<Vec<_>>());
    for secret in &manifest.secrets {
        let is_exchanged = P::EXCHANGED == Some(&secret.name);
        assert_eq!(secret.instead_of.as_deref(), is_exchanged.then_some(P::SECRET));
        assert_eq!(secret.required, P::NEEDS_SECRET && !is_exchanged);
        assert_eq!(secret.origins, P::SECRET_ORIGINS);
    }
    assert_eq!(manifest.origins, P::ORIGINS);
    let base = manifest.settings.iter().find(|setting| setting.name == P::SERVER).unwrap();
    assert!(base.default.as_ref().map_or(base.required, |url| url.starts_with("https://")), "{base:?}");
}

async fn the_secret_stands_only_where_the_messenger_wants_it<P: Platform>(it: &Bench<P>) {
    let places = it.manifest().secrets.iter().flat_map(|secret| &secret.places);
    let written = places.map(|place| match place {
        SecretPlace::Path(path) => format!("path {path}"),
        SecretPlace::Header { name, value } => format!("header {name}: {value}"),
        SecretPlace::Frame { pointer, kind: Some(kind) } => {
            format!("frame {pointer} where {} is {}", kind.pointer, kind.value)
        }
        SecretPlace::Frame { pointer, kind: None } => format!("frame {pointer}"),
        SecretPlace::Json(pointer) => format!("json {pointer}"),
        SecretPlace::Form(field) => format!("form {field}"),
    });
    assert_eq!(written.collect::<Vec<_>>(), P::SECRET_PLACES);
}

async fn exactly_these_imports_are_linked<P: Platform>(it: &Bench<P>) {
    let mut imports = it.component().imports();
    imports.sort();
    let sockets = P::HAS_SOCKETS.then_some(SOCKET_IMPORT);
    let mut expected = RUST_IMPORTS.iter().copied().chain(sockets).collect::<Vec<_>>();
    expected.sort_unstable();
    assert_eq!(imports, expected);
}
