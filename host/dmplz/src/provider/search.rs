//! `dmplz provider search`.

use dmplz_core::visible::visible_line;
use dmplz_state::Providers;
use serde::Serialize;

use super::Place;
use super::index::{Entry, Index};
use crate::settings::SettingsError;
use crate::terminal::{Paint, Tone, pad, say, tell};

/// The arguments of `search`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Words of the name or of what it is; all providers of the index where there are none · 이름이나 설명의 낱말. 없으면 색인의 모두
    words: Vec<String>,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// What the index has.
#[derive(Debug, Serialize)]
struct Found {
    providers: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    #[serde(flatten)]
    entry: Entry,
    /// The version that is installed, if one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    installed: Option<String>,
}

/// Shows the providers of the index that have all of the words.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let index = Index::fetch(&place)?.ok_or(SettingsError::NoIndex)?;
    let installed = Providers::of(&place.state).list()?;
    let row = |entry: Entry| {
        let here = installed.iter().find(|provider| provider.manifest.name == entry.name);
        Row { installed: here.map(|provider| provider.manifest.version.clone()), entry }
    };
    let found = Found { providers: index.search(&args.words).into_iter().map(row).collect() };
    tell(&found, args.json, |found, paint| found.text(&place, paint))
}

impl Found {
    fn text(&self, place: &Place, paint: Paint) -> String {
        if self.providers.is_empty() {
            return say(place.lang, "색인에 그런 프로바이더가 없습니다.\n", "The index has no such provider.\n")
                .to_owned();
        }
        let line = |Row { entry, installed }: &Row| {
            let name = paint.tone(Tone::Strong, &pad(&visible_line(&entry.name), 16));
            let here =
                installed.as_ref().map(|version| format!(" ({} {version})", say(place.lang, "설치됨:", "installed:")));
            let rest = format!("{} {}{}", pad(&entry.version, 10), entry.about, here.unwrap_or_default());
            format!("{name} {}\n", visible_line(&rest))
        };
        let next = say(place.lang, "설치: dmplz provider add 이름\n", "To install one: dmplz provider add NAME\n");
        self.providers.iter().map(line).collect::<String>() + &paint.tone(Tone::Faint, next)
    }
}
