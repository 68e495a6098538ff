//! The templates: a provider for an imaginary messenger, once for each language. They live in `providers/templates`; that of
//! Rust is a crate of this workspace.

use std::path::Path;

use crate::told::{Tell, Told};

/// The SDK that a new provider in Rust depends on: that of this version of the contract.
pub(super) const SDK: &str = "0.10";

/// A language that a provider can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::provider) enum Language {
    /// Small and quick: about 200 KB
    Rust,
    /// QuickJS, by componentize-qjs: 1.1 MB
    #[value(alias = "js")]
    Javascript,
    /// CPython, by componentize-py: 18 MB
    #[value(alias = "py")]
    Python,
}

type File = (&'static str, &'static str);

/// Files of the repository: where they are in the new folder, and their contents.
macro_rules! files {
    ($from:literal, $($file:literal,)+) => {
        &[$(($file, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../", $from, $file)))),+]
    };
}

const SHARED: &[File] = files!["providers/templates/", "wire.json",];

const RUST: &[File] = files![
    "providers/templates/rust/", "README.md", "src/card.rs", "src/lib.rs", "src/manifest.rs", "src/server.rs",
    "tests/provider.rs",
];

const JAVASCRIPT: &[File] = files![
    "providers/templates/javascript/",
    "README.md",
    "package.json",
    "src/card.js",
    "src/json.js",
    "src/manifest.js",
    "src/provider.js",
    "src/server.js",
];

const PYTHON: &[File] = files![
    "providers/templates/python/", "README.md", "requirements.txt", "src/card.py", "src/manifest.py",
    "src/provider.py", "src/reply.py", "src/server.py",
];

/// The contract, where no SDK brings it.
const WIT: &[File] = files![
    "", "wit/clock.wit", "wit/http.wit", "wit/log.wit", "wit/provider.wit", "wit/socket.wit", "wit/store.wit",
    "wit/types.wit", "wit/world.wit",
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

impl Language {
    /// Returns the files of the template, without the Cargo.toml.
    pub(in crate::provider) fn files(self) -> impl Iterator<Item = File> {
        let (own, contract, ignored): (_, &[File], _) = match self {
            Self::Rust => (RUST, &[], "/target\n"),
            Self::Javascript => (JAVASCRIPT, WIT, "/node_modules\n/*.wasm\n"),
            Self::Python => (PYTHON, WIT, "/.venv\n/bindings\n/*.wasm\n__pycache__\n"),
        };
        [(".gitignore", ignored)].into_iter().chain([own, contract, SHARED].into_iter().flatten().copied())
    }

    /// Returns the language of a folder that was written from a template, by the file that only its template has.
    pub(in crate::provider) fn of(folder: &Path) -> Option<Self> {
        let known =
            [(Self::Rust, "Cargo.toml"), (Self::Javascript, "package.json"), (Self::Python, "requirements.txt")];
        known.into_iter().find(|(_, file)| folder.join(file).is_file()).map(|(language, _)| language)
    }

    /// Returns the path of the component that the build writes, in the folder of the template.
    pub(in crate::provider) fn component(self) -> &'static str {
        match self {
            Self::Rust => "target/wasm32-wasip2/release/acme.wasm",
            Self::Javascript | Self::Python => "acme.wasm",
        }
    }

    /// Returns what is needed once before the first build: a folder that is there afterwards, and the command that makes it.
    pub(in crate::provider) fn preparation(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Rust => None,
            Self::Javascript => Some(("node_modules", "npm install")),
            Self::Python => Some((".venv", "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt")),
        }
    }

    /// Returns the command that builds the component.
    pub(in crate::provider) fn build(self) -> &'static str {
        match self {
            Self::Rust => "cargo build --release --target wasm32-wasip2",
            Self::Javascript => "npm run build",
            Self::Python => ".venv/bin/componentize-py -d wit -w messenger componentize -p src provider -o acme.wasm",
        }
    }

    /// Returns the command that tests it.
    pub(in crate::provider) fn test(self) -> &'static str {
        match self {
            Self::Rust => "cargo test && dmplz provider test target/wasm32-wasip2/release/acme.wasm --wire wire.json",
            Self::Javascript | Self::Python => "dmplz provider test acme.wasm --wire wire.json",
        }
    }
}

/// Returns the Cargo.toml of a provider in Rust. `sdk` is the folder of the SDK; without it, a registry has it.
pub(super) fn manifest(sdk: Option<&Path>) -> anyhow::Result<String> {
    let Some(path) = sdk else { return Ok(CARGO.replace("SDK", &format!("{SDK:?}"))) };
    let shown = path.display().to_string();
    let path = path.canonicalize().told("SDK로 쓸 수 없습니다: {}", "{} cannot be used as the SDK", &[&shown])?;
    if !path.join("Cargo.toml").is_file() {
        return Told::err(
            "SDK로 쓸 수 없습니다: {} (Cargo.toml이 없습니다)",
            "{} cannot be used as the SDK: there is no Cargo.toml",
            &[&path.display().to_string()],
        );
    }
    Ok(CARGO.replace("SDK", &format!("{{ path = {} }}", toml_edit::Value::from(path.display().to_string()))))
}
