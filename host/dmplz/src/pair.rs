//! `dmplz pair`: shows a code that lets one browser in, lists the browsers that were let in, and ends pairings. A user
//! who can run this could answer requests anyway.

mod list;
mod revoke;

use clap::Subcommand;
use dmplz_core::text::fill;
use dmplz_protocol::method::CreatePairing;

use crate::gateway::{Place, soon};
use crate::terminal::{OnlyJson, Tone, columns, say, tell};
use crate::{qr, time};

/// The text of `dmplz pair --help`.
pub(crate) const ABOUT: &str = "\
Lets a browser into the page of the gateway: open the link, scan the code with a phone, or type the code at the
address. It counts once, for 5 minutes. The browser stays paired for 30 days, or until you revoke it here or on the page.

브라우저를 게이트웨이 페이지에 연결합니다. 링크를 열거나, 휴대폰으로 QR 코드를 찍거나, 주소에 코드를 입력해 주세요. 한 번만,
5분 동안 쓸 수 있습니다. 연결은 30일 동안, 또는 여기나 페이지에서 해제할 때까지 유지됩니다.";

/// The arguments of `pair`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the paired browsers · 연결된 브라우저 보기
    List(OnlyJson),
    /// End pairings: the browser is logged out at once · 연결을 해제하고 바로 로그아웃
    Revoke(revoke::Args),
}

/// Runs it. Returns the exit code.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    match &args.command {
        None => create(args.json),
        Some(Command::List(args)) => list::run(args),
        Some(Command::Revoke(args)) => revoke::run(args),
    }
}

/// Shows a new code.
fn create(json: bool) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let pairing = place.connect()?.call(&CreatePairing {}, soon())?;
    tell(&pairing, json, |pairing, paint| {
        let [code, link] = [&pairing.code, &pairing.link].map(|text| paint.tone(Tone::Strong, text));
        let left = pairing.expires_ms.saturating_sub(time::now_ms()).div_ceil(60_000).to_string();
        let words = say(
            place.lang,
            "{}\n\n{} 에 이 코드를 입력해 주세요. {}분 동안, 한 번만 쓸 수 있습니다.\n\
             또는 코드가 들어 있는 이 링크를 열어 주세요(휴대폰이면 QR 코드를 찍어 주세요). 다른 사람에게 보내지 마세요:\n  {}\n",
            "{}\n\nType this code at {} within {} minutes; it counts once.\n\
             Or open this link, which has the code in it (or scan it with your phone). Send it to nobody else:\n  {}\n",
        );
        let drawn = qr::of(&pairing.link, columns(), paint).map(|drawn| format!("\n{drawn}"));
        fill(words, &[&code, &pairing.url, &left, &link]) + &drawn.unwrap_or_default()
    })
}
