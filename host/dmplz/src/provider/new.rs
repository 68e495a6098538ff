//! `dmplz provider new`: a folder with a provider that builds, passes its tests and posts a card. It is a template of
//! `providers/templates` under another name.

mod template;

use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::NonEmptyStringValueParser;
use dmplz_core::described::variable;
use dmplz_core::text::{fill, title};
use serde::Serialize;

use super::Place;
use crate::settings::specs;
use crate::terminal::{say, tell};
use crate::told::{Tell, Told};
pub(super) use template::Language;

/// The arguments of `new`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The provider's name, [a-z0-9-]: the folder's, the package's, and in the names of its settings
    /// · 프로바이더의 이름 [a-z0-9-]: 폴더, 패키지, 설정의 이름이 됩니다
    #[arg(value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    name: String,
    /// The language that it is written in · 작성할 언어
    #[arg(long, value_enum, default_value_t = Language::Rust)]
    lang: Language,
    /// For Rust: the SDK as a folder, where it cannot be had from a registry: `providers/sdk` of dmplz's repository
    /// · Rust: 레지스트리에서 받을 수 없을 때 SDK의 폴더(저장소의 `providers/sdk`)
    #[arg(long, value_name = "PATH")]
    sdk: Option<PathBuf>,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// The result as JSON.
#[derive(Debug, Serialize)]
struct Written {
    name: String,
    folder: PathBuf,
    files: Vec<String>,
    /// The component that the build writes, as a path in the folder.
    component: String,
}

/// Writes the folder.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let (name, language) = (args.name.as_str(), args.lang);
    let (ko, en) = ("프로바이더의 이름으로 쓸 수 없습니다: {}", "{} cannot be the name of a provider");
    is_usable(name, language).told(ko, en, &[name])?;
    let mut contents: Vec<_> = language.files().map(|(file, text)| (file, named(text, name))).collect();
    match (language, &args.sdk) {
        (Language::Rust, sdk) => contents.push(("Cargo.toml", named(&template::manifest(sdk.as_deref())?, name))),
        (Language::Javascript | Language::Python, None) => {}
        (Language::Javascript | Language::Python, Some(_)) => {
            let ko = "--sdk는 Rust에만 씁니다. 다른 언어에는 SDK가 필요 없습니다";
            return Told::err(ko, "--sdk is for Rust: other languages need no SDK", &[]);
        }
    }
    let folder = PathBuf::from(name);
    fs::create_dir(&folder).told("폴더를 만들 수 없습니다: {}", "the folder {} cannot be made", &[name])?;
    let mut files = Vec::new();
    for (file, text) in contents {
        let path = folder.join(file);
        let made = fs::create_dir_all(path.parent().unwrap_or(&folder));
        made.and_then(|()| fs::write(&path, text)).not_written(Path::new(file))?;
        files.push(file.to_owned());
    }
    let component = named(language.component(), name);
    let written = Written { name: name.to_owned(), folder, files, component };
    tell(&written, args.json, |written, _| {
        let next = say(place.lang, "{} 폴더를 만들었습니다. 다음으로:\n", "The folder {} is written. Next:\n");
        let mut text = fill(next, &[&written.name]);
        let preparation = language.preparation().map(|(_, command)| command);
        let commands = preparation.into_iter().chain([language.build(), language.test()]);
        text.push_str(&format!("  cd {name}\n"));
        commands.for_each(|command| text.push_str(&format!("  {}\n", named(command, name))));
        if language == Language::Rust && args.sdk.is_none() {
            let where_from = say(
                place.lang,
                "crates.io에 dmplz-provider-sdk {} 버전이 없으면 --sdk로 저장소의 providers/sdk를 알려 주세요.\n",
                "Where no registry has dmplz-provider-sdk {}, name providers/sdk of dmplz's repository with --sdk.\n",
            );
            text.push_str(&fill(where_from, &[template::SDK]));
        }
        text
    })
}

/// Checks that the language, the contract and the settings accept a name.
fn is_usable(name: &str, language: Language) -> Result<(), Told> {
    /// Names that Cargo does not take for a crate: Rust's keywords, and libraries that every crate has.
    const TAKEN: &str = "\
        abstract alloc as async await become box break const continue core crate do dyn else enum extern false \
        final fn for gen if impl in let loop macro match mod move mut override priv proc-macro pub ref return \
        self static std struct super test trait true try type typeof unsafe unsized use virtual where while \
        yield";
    let of_letters = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let begins = name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
    if !begins || name.ends_with('-') || name.contains("--") || name.len() > 32 || !name.bytes().all(of_letters) {
        return Err(Told::new(
            "[a-z0-9-]로 1자부터 32자까지 쓸 수 있고, 영문자로 시작해야 하며, -를 끝에 두거나 이어 쓸 수 없습니다",
            "it takes 1 to 32 of [a-z0-9-], begins with a letter, and has no two dashes in a row",
            &[],
        ));
    }
    if language == Language::Rust && TAKEN.split(' ').any(|taken| taken == name) {
        return Err(Told::new("Rust가 쓰는 이름입니다", "Rust has it for itself", &[]));
    }
    if dmplz_bundled::messenger(name).is_some() {
        return Err(Told::new(
            "dmplz에 들어 있는 메신저의 이름입니다",
            "a messenger that comes with dmplz has it",
            &[],
        ));
    }
    let variables = ["server", "token", "room", "transport", "allowed-users"].map(|setting| variable(name, setting));
    match variables.iter().find(|variable| specs().iter().any(|spec| spec.name == variable.as_str())) {
        Some(variable) => Err(Told::new(
            "이 이름으로 생길 설정이 이미 다른 뜻으로 쓰입니다: {}",
            "its setting {} would mean something else already",
            &[variable],
        )),
        None => Ok(()),
    }
}

/// Returns the template's text under another name.
pub(super) fn named(text: &str, name: &str) -> String {
    let identifier = name.replace('-', "_");
    let names = [
        ("acme::", format!("{identifier}::")),
        ("acme.wasm", format!("{identifier}.wasm")),
        ("ACME", identifier.to_uppercase()),
        ("Acme", name.split('-').map(title).collect()),
        ("acme", name.to_owned()),
    ];
    // In one pass, because the new name may contain the old one.
    let mut rest = text;
    let mut named = String::with_capacity(text.len());
    while let Some((at, (old, new))) =
        names.iter().filter_map(|it| Some((rest.find(it.0)?, it))).min_by_key(|(at, _)| *at)
    {
        named.push_str(rest.get(..at).unwrap_or_default());
        named.push_str(new);
        rest = rest.get(at + old.len()..).unwrap_or_default();
    }
    named + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Language; 3] = [Language::Rust, Language::Javascript, Language::Python];

    #[test]
    fn a_name_is_one_that_the_language_and_the_contract_take() {
        for language in ALL {
            for name in ["acme", "my-chat", "x2"] {
                assert!(is_usable(name, language).is_ok(), "{name}");
            }
            for name in ["", "2x", "-x", "x-", "a--b", "Acme", "a_b", "../x", "telegram", &"x".repeat(33)] {
                assert!(is_usable(name, language).is_err(), "{name}");
            }
            for name in ["fn", "core"] {
                assert_eq!(is_usable(name, language).is_err(), language == Language::Rust, "{name}");
            }
        }
    }

    #[test]
    fn every_name_of_a_template_becomes_the_new_one() {
        for language in ALL {
            for (file, text) in language.files() {
                let named = named(text, "my-chat");
                assert!(!named.to_lowercase().contains("acme"), "{file}");
                assert!(!named.contains("my-chat::") && !named.contains("my-chat.wasm"), "{file}");
            }
        }
        for (name, expected) in [
            ("my-chat", "use my_chat::MyChat; my_chat.wasm; DMPLZ_MY_CHAT_ROOM; my-chat"),
            ("acme-2", "use acme_2::Acme2; acme_2.wasm; DMPLZ_ACME_2_ROOM; acme-2"),
        ] {
            assert_eq!(named("use acme::Acme; acme.wasm; DMPLZ_ACME_ROOM; acme", name), expected);
        }
    }
}
