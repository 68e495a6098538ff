//! `dmplz provider new`: a folder with a provider that builds, passes its tests and posts a card. It is the template of
//! `providers/template`, a crate of this workspace, under another name.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use dmplz_core::text::fill;
use serde::Serialize;

use super::{Place, messenger};
use crate::exit;
use crate::settings::specs;
use crate::terminal::{say, tell};

/// The SDK that a new provider depends on: that of this version of the contract.
const SDK: &str = "0.7";

macro_rules! template {
    ($($file:literal,)+) => {
        &[$(($file, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../providers/template/", $file)))),+]
    };
}

const TEMPLATE: &[(&str, &str)] = template![
    "README.md",
    "src/card.rs",
    "src/lib.rs",
    "src/manifest.rs",
    "src/server.rs",
    "tests/provider.rs",
    "wire.json",
];

const CARGO: &str = "\
[package]
name = \"acme\"
version = \"0.1.0\"
edition = \"2024\"

[lib]
# The component, and a library for its tests.
crate-type = [\"cdylib\", \"rlib\"]

[dependencies]
dmplz-provider-sdk = SDK

# Small and quick to load.
[profile.release]
opt-level = \"s\"
lto = true
codegen-units = 1
panic = \"abort\"
strip = true

# A workspace of its own, wherever the folder is.
[workspace]
";

/// The arguments of `new`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The provider's name, [a-z0-9-]: the folder's, the crate's, and in the names of its settings
    #[arg(value_name = "NAME")]
    name: String,
    /// The language that it is written in
    #[arg(long, value_enum, default_value_t = Language::Rust)]
    lang: Language,
    /// The SDK as a folder, where it cannot be had from a registry: `providers/sdk` of dmplz's repository
    #[arg(long, value_name = "PATH")]
    sdk: Option<PathBuf>,
    /// JSON for programs
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Language {
    Rust,
}

/// The result as JSON.
#[derive(Debug, Serialize)]
struct Written {
    name: String,
    folder: PathBuf,
    files: Vec<String>,
    component: String,
}

/// Writes the folder.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let Language::Rust = args.lang;
    let name = args.name.as_str();
    is_usable(name).with_context(|| format!("{name} cannot be the name of a provider"))?;
    let sdk = match &args.sdk {
        None => format!("{SDK:?}"),
        Some(path) => {
            let path = path.canonicalize().with_context(|| format!("{} cannot be used as the SDK", path.display()))?;
            if !path.join("Cargo.toml").is_file() {
                bail!("{} cannot be used as the SDK: there is no Cargo.toml", path.display());
            }
            format!("{{ path = {} }}", toml::Value::String(path.display().to_string()))
        }
    };
    let folder = PathBuf::from(name);
    fs::create_dir(&folder).with_context(|| format!("the folder {name} cannot be made"))?;
    let mut files = Vec::new();
    let cargo = CARGO.replace("SDK", &sdk);
    let more = [("Cargo.toml", cargo.as_str()), (".gitignore", "/target\n")];
    for (file, text) in more.iter().chain(TEMPLATE) {
        write(&folder.join(file), &named(text, name)).with_context(|| format!("{file} cannot be written"))?;
        files.push((*file).to_owned());
    }
    let component = format!("target/wasm32-wasip2/release/{}.wasm", name.replace('-', "_"));
    let written = Written { name: name.to_owned(), folder, files, component };
    tell(&written, args.json, |written, _| {
        let next = say(
            place.lang,
            "{} 폴더를 만들었습니다. 다음으로:\n  cd {}\n  cargo build --release --target wasm32-wasip2\n  cargo test && dmplz provider test {} --wire wire.json\n",
            "The folder {} is written. Next:\n  cd {}\n  cargo build --release --target wasm32-wasip2\n  cargo test && dmplz provider test {} --wire wire.json\n",
        );
        let mut text = fill(next, &[&written.name, &written.name, &written.component]);
        if args.sdk.is_none() {
            let where_from = say(
                place.lang,
                "crates.io에 dmplz-provider-sdk {}이(가) 없으면 --sdk로 저장소의 providers/sdk를 알려 주세요.\n",
                "Where no registry has dmplz-provider-sdk {}, name providers/sdk of dmplz's repository with --sdk.\n",
            );
            text.push_str(&fill(where_from, &[SDK]));
        }
        text
    })?;
    Ok(exit::OK)
}

fn write(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text)
}

/// Checks that Cargo, the contract and the settings accept a name.
fn is_usable(name: &str) -> anyhow::Result<()> {
    /// Names that Cargo does not take for a crate: Rust's keywords, and libraries that every crate has.
    const TAKEN: &[&str] = &[
        "abstract",
        "alloc",
        "as",
        "async",
        "await",
        "become",
        "box",
        "break",
        "const",
        "continue",
        "core",
        "crate",
        "do",
        "dyn",
        "else",
        "enum",
        "extern",
        "false",
        "final",
        "fn",
        "for",
        "gen",
        "if",
        "impl",
        "in",
        "let",
        "loop",
        "macro",
        "match",
        "mod",
        "move",
        "mut",
        "override",
        "priv",
        "proc-macro",
        "pub",
        "ref",
        "return",
        "self",
        "static",
        "std",
        "struct",
        "super",
        "test",
        "trait",
        "true",
        "try",
        "type",
        "typeof",
        "unsafe",
        "unsized",
        "use",
        "virtual",
        "where",
        "while",
        "yield",
    ];
    let of_letters = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let begins = name.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
    if !begins || name.ends_with('-') || name.contains("--") || name.len() > 32 || !name.bytes().all(of_letters) {
        bail!("it takes 1 to 32 of [a-z0-9-], begins with a letter, and has no two dashes in a row");
    }
    if TAKEN.contains(&name) {
        bail!("Rust has it for itself");
    }
    if dmplz_bundled::messenger(name).is_some() {
        bail!("a messenger that comes with dmplz has it");
    }
    let variables =
        ["server", "token", "room", "transport", "allowed-users"].map(|setting| messenger::variable(name, setting));
    match variables.iter().find(|variable| specs().iter().any(|spec| spec.name == variable.as_str())) {
        Some(variable) => bail!("its setting {variable} would mean something else already"),
        None => Ok(()),
    }
}

/// Returns the template's text under another name.
fn named(text: &str, name: &str) -> String {
    let identifier = name.replace('-', "_");
    let part = |part: &str| {
        let mut letters = part.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    text.replace("acme::", &format!("{identifier}::"))
        .replace("acme.wasm", &format!("{identifier}.wasm"))
        .replace("ACME", &identifier.to_uppercase())
        .replace("Acme", &name.split('-').map(part).collect::<String>())
        .replace("acme", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_that_cargo_and_the_contract_take() {
        for name in ["acme", "my-chat", "x2"] {
            assert!(is_usable(name).is_ok(), "{name}");
        }
        for name in ["", "2x", "-x", "x-", "a--b", "Acme", "a_b", "../x", "fn", "core", "telegram", &"x".repeat(33)] {
            assert!(is_usable(name).is_err(), "{name}");
        }
    }

    #[test]
    fn every_name_of_the_template_becomes_the_new_one() {
        for (file, text) in TEMPLATE {
            let named = named(text, "my-chat");
            assert!(!named.to_lowercase().contains("acme"), "{file}");
            assert!(!named.contains("my-chat::") && !named.contains("my-chat.wasm"), "{file}");
        }
        assert_eq!(named("use acme::Acme; DMPLZ_ACME_ROOM", "my-chat"), "use my_chat::MyChat; DMPLZ_MY_CHAT_ROOM");
    }
}
