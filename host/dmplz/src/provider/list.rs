//! `dmplz provider list`.

use dmplz_bundled::MESSENGERS;
use dmplz_core::text::fill;
use dmplz_core::visible::visible_line;
use dmplz_state::{InstalledProvider, Providers};
use serde::Serialize;

use super::Place;
use crate::terminal::{OnlyJson, Paint, Tone, pad, say, tell};

/// All providers that can be named.
#[derive(Debug, Serialize)]
struct Listed {
    bundled: Vec<&'static str>,
    installed: Vec<InstalledProvider>,
}

/// Shows them.
pub(super) fn run(args: &OnlyJson) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let bundled = MESSENGERS.iter().map(|messenger| messenger.name).collect();
    let listed = Listed { bundled, installed: Providers::of(&place.state).list()? };
    tell(&listed, args.json, |listed, paint| listed.text(&place, paint))
}

impl Listed {
    fn text(&self, place: &Place, paint: Paint) -> String {
        let with = say(place.lang, "dmplz에 포함됨", "with dmplz");
        let mut text = format!("{}: {}\n", paint.tone(Tone::Faint, with), self.bundled.join(", "));
        for InstalledProvider { manifest, sha256, granted, signed, .. } in &self.installed {
            let name = paint.tone(Tone::Strong, &pad(&manifest.name, 16));
            let digest: String = sha256.chars().take(12).collect();
            let signed =
                signed.as_ref().map(|it| fill(say(place.lang, " (서명: {})", " (signed by {})"), &[&it.signer]));
            let line = format!("{} {digest}{} {}", manifest.version, signed.unwrap_or_default(), granted.join(" "));
            text.push_str(&format!("{name} {}\n", visible_line(&line)));
        }
        if self.installed.is_empty() {
            text.push_str(say(place.lang, "설치한 프로바이더가 없습니다.\n", "No provider is installed.\n"));
        }
        text
    }
}
