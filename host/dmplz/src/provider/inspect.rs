//! `dmplz provider inspect`.

use clap::builder::NonEmptyStringValueParser;

use super::Place;
use super::inspection::Inspection;
use crate::component::administrator;
use crate::component::signature::Signer;
use crate::terminal::tell;

/// The arguments of `inspect`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A .wasm file, a place in a registry, or the name of a bundled messenger or an installed provider
    /// · .wasm 파일, 레지스트리의 위치, 들어 있는 메신저나 설치한 프로바이더의 이름
    #[arg(value_name = "FILE|oci://...|NAME", value_parser = NonEmptyStringValueParser::new())]
    provider: String,
    /// Check its signature with this key of minisign: the line, or the .pub file · 이 minisign 키(한 줄 또는 .pub 파일)로 서명 확인
    #[arg(long, value_name = "KEY")]
    signer: Option<String>,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// Shows what it is. Nothing is kept, and nothing but `describe` runs.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let mut place = Place::find()?;
    let signers = match &args.signer {
        Some(signer) => vec![Signer::named(signer)?],
        None => administrator::of_this_machine().signers(),
    };
    let inspection = Inspection::of(&args.provider, &signers, &mut place)?;
    tell(&inspection, args.json, |inspection, paint| inspection.text(place.lang, paint))
}
