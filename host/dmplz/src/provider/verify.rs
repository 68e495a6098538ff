//! `dmplz provider verify`.

use std::io::ErrorKind;
use std::path::Path;

use dmplz_core::text::Lang;
use dmplz_plugin::{Digest, Engine, LoadError};
use dmplz_state::{InstalledProvider, Providers};
use serde::Serialize;

use super::{Place, compile};
use crate::component::choice;
use crate::component::signature::{self, Signed};
use crate::terminal::{Paint, Tone, pad, say, tell_findings};

/// The arguments of `verify`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Compile what is not compiled for this version of dmplz, so that no hook has to · 이 버전용으로 컴파일되지 않은 것을 미리 컴파일
    #[arg(long)]
    compile: bool,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// The result for all providers.
#[derive(Debug, Serialize)]
struct Verified {
    ok: bool,
    providers: Vec<Found>,
}

/// The result for one provider.
#[derive(Debug, Serialize)]
pub(crate) struct Found {
    pub(crate) name: String,
    sha256: String,
    pub(crate) state: State,
}

/// How an installed provider is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    /// The file is the one that was installed, and is compiled.
    Ok,
    /// The file is the one that was installed; the next hook would have to compile it.
    NotCompiled,
    /// The file is the one that was installed, and the signature in the list is not of it.
    Unsigned,
    /// The file holds something else.
    Changed,
    /// The file is gone.
    Missing,
    /// The file cannot be read.
    Unreadable,
}

/// Looks at each. Exit code 4 where one is not as it must be.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let providers = verified(&place.state, args.compile)?;
    let verified = Verified { ok: providers.iter().all(|found| found.state == State::Ok), providers };
    tell_findings(&verified, args.json, verified.ok, |verified, paint| verified.text(&place, paint))
}

/// Looks at every installed provider. With `compiling`, what is not compiled is compiled.
pub(crate) fn verified(state_dir: &Path, compiling: bool) -> anyhow::Result<Vec<Found>> {
    let mut all = Vec::new();
    for provider in Providers::of(state_dir).list()? {
        let mut state = look(&provider, state_dir)?;
        if compiling && state == State::NotCompiled {
            compile::apart(&dmplz_plugin::read(&Providers::of(state_dir).component(&provider))?, state_dir)?;
            state = look(&provider, state_dir)?;
        }
        all.push(Found { name: provider.manifest.name, sha256: provider.sha256, state });
    }
    Ok(all)
}

fn look(provider: &InstalledProvider, state: &Path) -> anyhow::Result<State> {
    let file = Providers::of(state).component(provider);
    let (digest, signed) = match dmplz_plugin::read(&file) {
        Ok(wasm) => (Digest::of(&wasm), signature::of_installed(provider, &wasm)),
        Err(LoadError::Read(error)) if error.kind() == ErrorKind::NotFound => return Ok(State::Missing),
        Err(_) => return Ok(State::Unreadable),
    };
    Ok(if digest.to_string() != provider.sha256 {
        State::Changed
    } else if !matches!(signed, Signed::No | Signed::Yes { .. }) {
        State::Unsigned
    } else if choice::cache(state)?.holds(&Engine::new()?, &digest) {
        State::Ok
    } else {
        State::NotCompiled
    })
}

impl State {
    /// Returns its mark and its words.
    pub(crate) fn told(self, lang: Lang) -> (&'static str, Tone, &'static str) {
        match self {
            Self::Ok => ("✓", Tone::Good, say(lang, "설치한 그대로입니다", "is what was installed")),
            Self::NotCompiled => (
                "!",
                Tone::Doubtful,
                say(
                    lang,
                    "설치한 그대로이지만, 이 버전의 dmplz로 컴파일되지 않았습니다 (dmplz provider verify --compile)",
                    "is what was installed, but is not compiled for this version of dmplz (dmplz provider verify --compile)",
                ),
            ),
            Self::Unsigned => {
                let words =
                    say(lang, "목록의 서명이 파일과 맞지 않습니다", "the signature in the list is not of its file");
                ("✗", Tone::Bad, words)
            }
            Self::Changed => ("✗", Tone::Bad, say(lang, "파일이 바뀌었습니다", "its file is another one")),
            Self::Missing => ("✗", Tone::Bad, say(lang, "파일이 없습니다", "its file is gone")),
            Self::Unreadable => ("✗", Tone::Bad, say(lang, "파일을 읽을 수 없습니다", "its file cannot be read")),
        }
    }
}

impl Verified {
    fn text(&self, place: &Place, paint: Paint) -> String {
        let lang = place.lang;
        let mut text = String::new();
        for found in &self.providers {
            let (mark, tone, words) = found.state.told(lang);
            text.push_str(&format!("{} {} {words}\n", paint.tone(tone, mark), pad(&found.name, 16)));
        }
        if self.providers.is_empty() {
            text.push_str(say(lang, "설치한 프로바이더가 없습니다.\n", "No provider is installed.\n"));
        }
        text
    }
}
