//! `dmplz provider update`.

use std::collections::BTreeSet;

use anyhow::bail;
use clap::builder::NonEmptyStringValueParser;
use dmplz_core::text::{Lang, fill};
use dmplz_plugin::{is_within, wanted};
use dmplz_state::{InstalledProvider, Providers, SignedBy};
use serde::Serialize;

use super::add::Looked;
use super::index::Index;
use super::inspection::Inspection;
use super::location::{Location, is_location};
use super::{Place, add, reach};
use crate::component::choice;
use crate::component::signature::{self, Fetched, Signer};
use crate::settings::third_party;
use crate::terminal::{Paint, Tone, say, show, show_json, tell};
use crate::told::{Tell, Told};
use crate::{consent, exit};

/// The arguments of `update`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The component to put in the place of the installed one of its name: a file, a place in a registry, or the name of a provider
    /// that was installed from a registry, which is asked again · 바꿀 컴포넌트: 파일, 레지스트리의 위치, 또는 레지스트리에서 설치한
    /// 프로바이더의 이름
    #[arg(value_name = "FILE|oci://...|NAME", value_parser = NonEmptyStringValueParser::new())]
    component: String,
    /// Install it only if this key of minisign signed it. An installed provider that was signed needs no key: the update must be
    /// signed with the same one · 이 minisign 키로 서명된 것만 설치. 서명된 것을 설치했다면 업데이트도 같은 키여야 합니다
    #[arg(long, value_name = "KEY")]
    signer: Option<String>,
    /// Agree without being asked, for scripts, to one that wants nothing more · 더 원하는 것이 없으면 묻지 않고 동의(스크립트용)
    #[arg(long)]
    yes: bool,
    /// Agree also to what it newly wants · 새로 원하는 것에도 동의
    #[arg(long, requires = "yes")]
    more: bool,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long, requires = "yes")]
    json: bool,
}

/// The difference between an update and the installed version.
#[derive(Debug, Serialize)]
struct Difference {
    name: String,
    versions: [String; 2],
    sha256: [String; 2],
    /// What it wants in addition, which needs a separate confirmation.
    more: Vec<String>,
    /// What it does not want any more.
    less: Vec<String>,
    /// The variables that are new, and those that are gone.
    new_variables: Vec<&'static str>,
    gone_variables: Vec<&'static str>,
}

/// Shows what is new, asks, and puts it in its place.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let mut place = Place::find()?;
    let location = location(&args.component, &place)?;
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
    let looked = add::look(&location, signer, &mut place).told(ko, en, &[&shown])?;
    let Looked { fetched: Fetched { wasm, signature }, mut signed, inspection, admission } = looked;
    let messenger = third_party::of(&inspection.manifest);
    let Some(old) = Providers::of(&place.state).find(messenger.name)? else {
        bail!(Told::new(
            "설치되어 있지 않습니다: {}. `dmplz provider add {}`",
            "{} is not installed: `dmplz provider add {}`",
            &[messenger.name, &shown],
        ));
    };
    let others = third_party::installed(&place.state)?.into_iter().filter(|other| other.name != messenger.name);
    choice::is_free(messenger, &others.collect::<Vec<_>>()).told(ko, en, &[&shown])?;
    if let (Some(before), None) = (&old.signed, &args.signer) {
        let same = Signer::parse(&before.signer).into_iter().collect::<Vec<_>>();
        let checked = signature::checked(&wasm, signature.as_deref(), &same).told(ko, en, &[&shown]);
        signed = Some(checked.told(
            "서명된 것으로 설치되어 있습니다: {} ({})",
            "{} was installed as signed by {}",
            &[messenger.name, &before.signer],
        )?);
    }
    let difference = Difference::of(&old, &inspection, signed.as_ref(), place.lang);
    let granted = granted(&old, &inspection);
    let new = inspection.installed(granted, signed);
    if new.sha256 == old.sha256 {
        let same = say(place.lang, "이미 이 파일입니다.\n", "It is this file already.\n");
        return tell(&difference, args.json, |_, _| same.to_owned());
    }
    admission.lets_reach(messenger, &new.granted, &place.table)?;
    if !args.json {
        show(&difference.text(place.lang, Paint::of_stdout()))?;
        show(&format!("\n{}\n", add::granted_in_words(&new.granted, place.lang)))?;
    }
    if !agreed(args, &difference, place.lang)? {
        show(say(place.lang, "그대로 두었습니다.\n", "Left as it was.\n"))?;
        return Ok(exit::FAILED);
    }
    add::keep(&new, &wasm, &place)?;
    if args.json { show_json(&difference).map(|()| exit::OK) } else { add::tell(&new, false, place.lang) }
}

/// Returns where the new component is. A name means the registry that the installed one is from, and there what the index says of it.
fn location(component: &str, place: &Place) -> anyhow::Result<Location> {
    if is_location(component) {
        return component.parse();
    }
    let Some(installed) = Providers::of(&place.state).find(component)? else {
        if dmplz_bundled::messenger(component).is_some() {
            bail!(Told::new(
                "dmplz에 들어 있어 dmplz와 함께 업데이트됩니다: {} (dmplz update)",
                "{} comes with dmplz, and is updated with it (dmplz update)",
                &[component],
            ));
        }
        bail!(Told::new(
            "설치한 프로바이더도, .wasm 파일도, 레지스트리의 위치(oci://...)도 아닙니다: {}",
            "{} is neither an installed provider, nor a .wasm file, nor a place in a registry (oci://...)",
            &[component],
        ));
    };
    match installed.reference {
        Some(reference) => match Index::fetch(place)?.and_then(|index| index.find(component)) {
            Some(entry) if entry.is_of(&reference) => Ok(Location::Index(entry)),
            _ => reference.parse(),
        },
        None => Told::err(
            "파일에서 설치한 것입니다: {}. 새 파일을 적어 주세요: `dmplz provider update 파일`",
            "{} was installed from a file: name the new one, `dmplz provider update FILE`",
            &[component],
        ),
    }
}

/// Asks for a confirmation, and for another one if the provider wants more than before.
fn agreed(args: &Args, difference: &Difference, lang: Lang) -> anyhow::Result<bool> {
    let wants_more = !difference.more.is_empty();
    if args.yes {
        if wants_more && !args.more {
            return Told::err(
                "전보다 더 많은 것을 원합니다: {} ({}). 동의하면 --more를 붙여 주세요",
                "{} wants more than before ({}): --more agrees to that",
                &[&difference.name, &difference.more.join("; ")],
            );
        }
        return Ok(true);
    }
    let more = say(lang, "새로 원하는 것(+)을 허락할까요?", "Let it have what it newly wants (+)?");
    let update = say(lang, "업데이트할까요?", "Update it?");
    Ok((!wants_more || consent::ask(more)?) && consent::ask(update)?)
}

/// Returns the origins that were granted and are still wanted, and those that are newly wanted. Origins that were not
/// granted before stay so.
fn granted(old: &InstalledProvider, new: &Inspection) -> Vec<String> {
    let wants = wanted(&new.manifest);
    let before = wanted(&old.manifest);
    let kept = old.granted.iter().filter(|origin| is_within(origin, &wants)).cloned();
    let added = wants.iter().filter(|origin| !is_within(origin, &before)).cloned();
    kept.chain(added).collect()
}

impl Difference {
    fn of(old: &InstalledProvider, new: &Inspection, signed: Option<&SignedBy>, lang: Lang) -> Self {
        let reach_of = |manifest, imports: &[String]| reach::of(manifest, imports, lang);
        let (before, after) = (reach_of(&old.manifest, &old.imports), reach_of(&new.manifest, &new.imports));
        let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| one.difference(other).cloned().collect();
        let variables = |manifest| third_party::variables(third_party::of(manifest)).collect::<BTreeSet<_>>();
        let (known, taken) = (variables(&old.manifest), variables(&new.manifest));
        let mut more: Vec<String> = only(&after, &before);
        let signers = [old.signed.as_ref(), signed].map(|it| it.map(|it| it.signer.as_str()));
        if let [Some(before), Some(after)] = signers
            && before != after
        {
            more.push(fill(say(lang, "다른 키로 서명함: {}", "it is signed with another key: {}"), &[after]));
        }
        Self {
            name: old.manifest.name.clone(),
            versions: [old.manifest.version.clone(), new.manifest.version.clone()],
            sha256: [old.sha256.clone(), new.sha256.clone()],
            more,
            less: only(&before, &after),
            new_variables: taken.difference(&known).copied().collect(),
            gone_variables: known.difference(&taken).copied().collect(),
        }
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let [old, new] = &self.versions;
        let [was, is] = &self.sha256;
        let title = paint.tone(Tone::Strong, &format!("{} {old} → {new}", self.name));
        let mut text = format!("{title}\n  sha256 {was}\n       → {is}\n");
        let lines = self.more.iter().map(|line| (Tone::Bad, '+', line.as_str()));
        let lines = lines.chain(self.less.iter().map(|line| (Tone::Good, '-', line.as_str())));
        for (tone, sign, line) in lines {
            text.push_str(&format!("{}\n", paint.tone(tone, &format!("{sign} {line}"))));
        }
        if self.more.is_empty() {
            text.push_str(say(lang, "전보다 더 원하는 것이 없습니다.\n", "It wants nothing more than before.\n"));
        }
        let variables = self.new_variables.iter().map(|name| ('+', name));
        for (sign, name) in variables.chain(self.gone_variables.iter().map(|name| ('-', name))) {
            text.push_str(&format!("  {sign} {} {name}\n", say(lang, "설정", "setting")));
        }
        text
    }
}
