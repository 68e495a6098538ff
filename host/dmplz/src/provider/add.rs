//! `dmplz provider add`.

use anyhow::bail;
use clap::builder::NonEmptyStringValueParser;
use dmplz_core::text::{Lang, fill};
use dmplz_plugin::{Digest, Engine, Outline, is_within, wanted};
use dmplz_state::{InstalledProvider, Providers, SignedBy, StateDir};
use serde::Serialize;

use super::inspection::Inspection;
use super::location::Location;
use super::{Place, compile};
use crate::component::administrator::{self, Admission, Candidate, Held};
use crate::component::choice;
use crate::component::signature::{self, Fetched, Signed, Signer};
use crate::settings::third_party;
use crate::terminal::{self, Paint, say, show};
use crate::told::{Tell, Told};
use crate::{consent, exit};

/// The arguments of `add`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The component to install: a file, its place in a registry, such as oci://ghcr.io/ann/acme:1.0.0, or its name in the index
    /// · 설치할 컴포넌트: 파일, 레지스트리의 위치, 또는 색인의 이름
    #[arg(value_name = "FILE|oci://...|NAME", value_parser = NonEmptyStringValueParser::new())]
    component: String,
    /// Grant only this one of the origins that it wants; may be given more than once · 접근하려는 곳 가운데 이곳만 허락. 여러 번 쓸 수 있습니다
    #[arg(long, value_name = "ORIGIN")]
    origin: Vec<String>,
    /// Install it only if this key of minisign signed it, and every update too: the line, or the .pub file
    /// · 이 minisign 키(한 줄 또는 .pub 파일)로 서명된 것만 설치. 업데이트도 마찬가지
    #[arg(long, value_name = "KEY")]
    signer: Option<String>,
    /// Agree without being asked, for scripts · 묻지 않고 동의(스크립트용)
    #[arg(long)]
    yes: bool,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long, requires = "yes")]
    json: bool,
}

/// The result as JSON.
#[derive(Debug, Serialize)]
pub(super) struct Done<'a> {
    pub(super) installed: &'a str,
    pub(super) version: &'a str,
    pub(super) sha256: &'a str,
    pub(super) granted: &'a [String],
}

/// Shows what it is, asks, and installs it.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let mut place = Place::find()?;
    if dmplz_bundled::messenger(&args.component).is_some() {
        bail!(Told::new(
            "dmplz에 들어 있어 설치할 것이 없습니다: {}. 고르려면: DMPLZ_PROVIDER={}",
            "{} comes with dmplz, so there is nothing to install: DMPLZ_PROVIDER={} chooses it",
            &[&args.component, &args.component],
        ));
    }
    let Some(location) = Location::named(&args.component, &place)? else {
        bail!(Told::new(
            ".wasm 파일도, 레지스트리의 위치(oci://...)도, 색인에 있는 프로바이더도 아닙니다: {}",
            "{} is neither a .wasm file, nor a place in a registry (oci://...), nor in an index of providers",
            &[&args.component],
        ));
    };
    let (ko, en) = ("설치할 수 없습니다: {}", "{} cannot be installed");
    let shown = location.to_string();
    if !args.yes {
        consent::possible().told(
            "--yes 없이는 설치할 수 없습니다: {}",
            "{} cannot be installed without --yes",
            &[&shown],
        )?;
    }
    let signer = args.signer.as_deref().map(Signer::named).transpose()?;
    let Looked { fetched, inspection, signed, admission } =
        look(&location, signer, &mut place).told(ko, en, &[&shown])?;
    let messenger = third_party::of(&inspection.manifest);
    let name = messenger.name;
    if Providers::of(&place.state).find(name)?.is_some() {
        bail!(Told::new(
            "이미 설치되어 있습니다: {}. 새로워진 것을 보려면: `dmplz provider update {}`",
            "{} is installed already: `dmplz provider update {}` shows what is new",
            &[name, &args.component],
        ));
    }
    choice::is_free(messenger, &third_party::installed(&place.state)?).told(ko, en, &[&shown])?;
    let granted = granted(&inspection, &args.origin).told(ko, en, &[&shown])?;
    admission.lets_reach(messenger, &granted, &place.table)?;
    if !args.json {
        show(&inspection.text(place.lang, Paint::of_stdout()))?;
        show(&format!("\n{}\n", granted_in_words(&granted, place.lang)))?;
    }
    let question = say(place.lang, "설치할까요?", "Install it?");
    if !args.yes && !consent::ask(question)? {
        show(say(place.lang, "설치하지 않았습니다.\n", "It was not installed.\n"))?;
        return Ok(exit::FAILED);
    }
    let provider = inspection.installed(granted, signed);
    keep(&provider, &fetched.wasm, &place)?;
    tell(&provider, args.json, place.lang)
}

/// A component that was looked at before it is installed.
pub(super) struct Looked {
    pub(super) fetched: Fetched,
    /// The signature, if it was checked.
    pub(super) signed: Option<SignedBy>,
    pub(super) inspection: Inspection,
    pub(super) admission: Admission,
}

/// Fetches a component, compiles it so that no hook has to, and looks at it. If a signer is given, here or by the index, it must be
/// signed by that one.
pub(super) fn look(location: &Location, signer: Option<Signer>, place: &mut Place) -> anyhow::Result<Looked> {
    let signer = signer.map_or_else(|| location.signer(), |signer| Ok(Some(signer)))?;
    let fetched = location.fetch(place)?;
    let (wasm, signature) = (&fetched.wasm, fetched.signature.as_deref());
    // Before anything is made for it, or any of it runs.
    Outline::of(wasm)?;
    let administrator = administrator::of_this_machine();
    let must_be_signed = signer.is_some();
    let signers = signer.map_or_else(|| administrator.signers(), |signer| vec![signer]);
    let signed = match signature::checked(wasm, signature, &signers) {
        Err(why) if must_be_signed => return Err(why),
        checked => checked.ok(),
    };
    let (sha256, provider) = (Digest::of(wasm).to_string(), location.to_string());
    let candidate = Candidate { provider: &provider, sha256: &sha256, held: Held::Memory(wasm), signature };
    let admission = administrator.admits(candidate)?;
    let state = StateDir::open(&place.state)?;
    let component = compile::apart(wasm, state.path())?;
    let shown = Signed::of(wasm, signature, &signers);
    let inspection = Inspection::of_fetched(location, &fetched, &component, shown, place)?;
    location.means(&inspection.manifest.name)?;
    Ok(Looked { fetched, signed, inspection, admission })
}

/// Returns the origins to grant: all that the provider wants, or those that were named.
fn granted(inspection: &Inspection, named: &[String]) -> anyhow::Result<Vec<String>> {
    let wants = wanted(&inspection.manifest);
    match named.iter().find(|origin| !is_within(origin, &wants)) {
        Some(origin) => Err(not_wanted(origin, &wants).into()),
        None if named.is_empty() => Ok(wants),
        None => Ok(named.to_vec()),
    }
}

fn not_wanted(origin: &str, wants: &[String]) -> Told {
    match wants {
        [] => Told::new(
            "이 프로바이더가 접근하려는 곳이 아닙니다: {}. 설정에 적은 서버에만 접근하니 --origin을 빼 주세요",
            "it does not want to reach {}, nor anything but the servers of its settings: leave --origin out",
            &[origin],
        ),
        wants => Told::new(
            "이 프로바이더가 접근하려는 곳이 아닙니다: {}. 접근하려는 곳: {}",
            "it does not want to reach {}; it wants {}",
            &[origin, &wants.join(", ")],
        ),
    }
}

/// Puts it into its place, and sees that its compiled form is there.
pub(super) fn keep(provider: &InstalledProvider, wasm: &[u8], place: &Place) -> anyhow::Result<()> {
    Providers::of(&place.state).put(provider.clone(), wasm)?;
    choice::pinned(provider, &place.state, &Engine::new()?)
        .told("설치한 컴포넌트를 불러올 수 없습니다", "the installed component cannot be loaded", &[])
        .map(drop)
}

pub(super) fn granted_in_words(granted: &[String], lang: Lang) -> String {
    match granted {
        [] => say(lang, "허락: 설정에 적은 서버만", "Granted: only the servers that you write into its settings")
            .to_owned(),
        granted => fill(say(lang, "허락: {}", "Granted: {}"), &[&granted.join(", ")]),
    }
}

pub(super) fn tell(provider: &InstalledProvider, json: bool, lang: Lang) -> anyhow::Result<u8> {
    let InstalledProvider { manifest, sha256, granted, .. } = provider;
    let (installed, version) = (manifest.name.as_str(), manifest.version.as_str());
    let done = say(lang, "설치했습니다: {} {} (DMPLZ_PROVIDER={})\n", "{} {} is installed: DMPLZ_PROVIDER={}\n");
    let report = Done { installed, version, sha256, granted };
    terminal::tell(&report, json, |_, _| fill(done, &[installed, version, installed]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_that_is_not_wanted_is_told_with_those_that_are() {
        let wants = ["https://a.example".to_owned(), "wss://a.example".to_owned()];
        let told = not_wanted("https://b.example", &wants).to_string();
        assert_eq!(told, "it does not want to reach https://b.example; it wants https://a.example, wss://a.example");
        let told = not_wanted("https://b.example", &[]).to_string();
        assert!(told.ends_with("nor anything but the servers of its settings: leave --origin out"), "{told}");
    }
}
