//! `dmplz provider try`: a sample card in the real chat, answered, without Claude Code.

use std::path::Path;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use dmplz_core::text::{Lang, fill, title};
use dmplz_state::{Providers, StateDir};

use super::location::is_location;
use crate::account;
use crate::component::choice;
use crate::duration;
use crate::settings::{Settings, Table, environment};
use crate::setup::{Failure, Proof, Test, Trial};
use crate::terminal::{Paint, Tone, say, show, tell};
use crate::told::{Phrase, Tell, Told};

/// The arguments of `try`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A .wasm file, or the name of a bundled messenger or an installed provider · .wasm 파일, 들어 있는 메신저나 설치한 프로바이더의 이름
    #[arg(value_name = "FILE|NAME", value_parser = NonEmptyStringValueParser::new())]
    provider: String,
    /// How long the press is waited for, such as 90s or 5m · 누르기를 기다리는 시간(예: 90s, 5m)
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = duration::patience)]
    wait: Duration,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// Starts the hook as Claude Code does, with a request that Claude Code once wrote, and shows what it would get.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let provider = whole(&args.provider)?;
    let overlaid = |name: &str| if name == "DMPLZ_PROVIDER" { Some(provider.clone()) } else { environment(name) };
    let mut table = Table::load(&overlaid)?;
    let lang = table.lang()?;
    is_there(&args.provider, &table)?;
    let chosen = account::choose(&mut table, &overlaid)?;
    let state = StateDir::open(&Settings::of(&table)?.state_dir)?;
    let trial = Trial { prefix: "dmplz-try-", command: None, settings: vec![("DMPLZ_PROVIDER", provider)] };
    let proof = Proof::start(&chosen, &state, args.wait, trial)?;
    if !args.json {
        let sent = say(
            lang,
            "{}에 테스트 카드를 보냅니다. 아무 버튼이나 눌러 주세요. 실제로 실행되는 것은 없습니다.\n",
            "A sample card is on its way to {}: answer it. Nothing runs.\n",
        );
        show(&fill(sent, &[&title(&chosen.name)]))?;
    }
    let test = crate::runtime::runtime()?.block_on(proof.ended()).map_err(|error| in_words(error, args.wait))?;
    tell(&test, args.json, |test, paint| text(test, lang, paint))
}

/// Checks that a name is one of a provider. Otherwise the error would be about a setting, which nobody set.
fn is_there(name: &str, table: &Table) -> anyhow::Result<()> {
    let is_bundled = || dmplz_bundled::messenger(name).is_some();
    if is_location(name) || is_bundled() || Providers::of(&table.state_dir()?).find(name)?.is_some() {
        return Ok(());
    }
    Err(choice::unknown(name).into())
}

/// Returns the absolute path of a file, or a name unchanged.
fn whole(provider: &str) -> anyhow::Result<String> {
    if !is_location(provider) {
        return Ok(provider.to_owned());
    }
    let path = Path::new(provider).canonicalize().told("써 볼 수 없습니다: {}", "{} cannot be tried", &[provider])?;
    let path = path.to_str().told(
        "써 볼 수 없습니다: {} (경로가 UTF-8이 아닙니다)",
        "{} cannot be tried: its path is not UTF-8",
        &[provider],
    )?;
    if !path.ends_with(".wasm") {
        return Told::err(
            "써 볼 수 없습니다: {} (컴포넌트의 이름은 .wasm으로 끝납니다)",
            "{} cannot be tried: the name of a component ends in .wasm",
            &[provider],
        );
    }
    Ok(path.to_owned())
}

/// Converts a failure of a setup's test to an error, without the setup's next steps.
fn in_words(error: anyhow::Error, wait: Duration) -> anyhow::Error {
    match error.downcast_ref::<Failure>() {
        Some(Failure::TestUnanswered) => Told::new(
            "제한 시간 안에 아무도 카드에 답하지 않았습니다({})",
            "nobody answered the card within {}",
            &[&duration::short(wait)],
        )
        .into(),
        Some(Failure::TestFailed(why)) => Told::from(Phrase::from([
            fill("카드로 물을 수 없었습니다: {}", &[why.of(Lang::Ko)]),
            fill("the card could not be asked: {}", &[why.of(Lang::En)]),
        ]))
        .into(),
        _ => error,
    }
}

fn text(test: &Test, lang: Lang, paint: Paint) -> String {
    let answered = say(
        lang,
        "카드에 답했습니다. Claude Code는 이것을 받게 됩니다:",
        "The card was answered. Claude Code would get:",
    );
    format!("{} {answered}\n  {}\n", paint.tone(Tone::Good, "✓"), test.written)
}
