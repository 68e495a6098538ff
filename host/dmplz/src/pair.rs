//! `dmplz pair`: shows a code that lets one browser in. A user who can run this could answer requests anyway.

use dmplz_core::text::fill;
use dmplz_protocol::method::CreatePairing;

use crate::gateway::{Place, soon};
use crate::settings::environment;
use crate::terminal::{Paint, Tone, say, show, show_json};
use crate::{exit, time};

/// The arguments of `pair`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// JSON for programs
    #[arg(long)]
    json: bool,
}

/// Shows a new one.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let pairing = place.connect()?.call(&CreatePairing {}, soon())?;
    if args.json {
        show_json(&pairing)?;
        return Ok(exit::OK);
    }
    let code = Paint::of_stdout(&environment).tone(Tone::Strong, &pairing.code);
    let left = pairing.expires_ms.saturating_sub(time::now_ms()).div_ceil(60_000).to_string();
    let words = say(
        place.lang,
        "{}\n\n{} 에 이 코드를 입력해 주세요. {}분 동안, 한 번만 쓸 수 있습니다.\n",
        "{}\n\nType this code at {} within {} minutes; it counts once.\n",
    );
    show(&fill(words, &[&code, &pairing.url, &left]))?;
    Ok(exit::OK)
}
