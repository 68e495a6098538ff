//! `dmplz pair revoke`.

use std::io::IsTerminal;

use dmplz_protocol::browser::{ListBrowsers, PairedBrowser, RevokeBrowsers};

use super::list::name;
use crate::gateway::{Place, soon};
use crate::named::{Kind, Named, short};
use crate::terminal::{say, tell};

/// The arguments of `revoke`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Which {
    /// Which: ids of `list`, or at a terminal the first 4 characters of one, or more · 연결을 해제할 브라우저의 id
    #[arg(value_name = "ID")]
    ids: Vec<String>,
    /// All of them · 모두
    #[arg(long)]
    all: bool,
}

/// Ends pairings by their ids, or all of them.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let ids: Vec<Named<'_>> =
        args.which.ids.iter().map(|id| Named::read(Kind::BROWSER, id)).collect::<Result<_, _>>()?;
    let place = Place::find()?;
    let mut gateway = place.connect()?;
    let mut revoked: Vec<PairedBrowser> = Vec::new();
    if args.which.all {
        revoked = gateway.call(&RevokeBrowsers { id: None, all: true }, soon())?.revoked;
    } else {
        let listed = gateway.call(&ListBrowsers {}, soon())?.browsers;
        // A program has to write whole ids; all are looked up before one is revoked.
        let may_shorten = std::io::stdin().is_terminal() && !args.json;
        let meant = ids.iter().map(|named| {
            let id = named.among(listed.iter().map(|browser| browser.id.as_str()))?;
            if may_shorten { Ok(id) } else { named.must_be(id) }
        });
        for id in meant.collect::<Result<Vec<_>, _>>()? {
            let one = gateway.call(&RevokeBrowsers { id: Some(id.to_owned()), all: false }, soon())?;
            revoked.extend(one.revoked);
        }
    }
    let done = say(place.lang, "연결을 해제했습니다", "revoked");
    let line = |browser: &PairedBrowser| format!("{done}: {}  {}\n", short(&browser.id), name(browser, place.lang));
    tell(&revoked, args.json, |revoked, _| match revoked.as_slice() {
        [] => say(place.lang, "연결된 브라우저가 없습니다.\n", "No browser is paired.\n").to_owned(),
        revoked => revoked.iter().map(line).collect(),
    })
}
