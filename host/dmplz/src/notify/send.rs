//! `dmplz notify send` and `dmplz notify test`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::bail;
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_protocol::notify::{Delivery, SendNotice, SentNotice};

use super::{Place, dry_run};
use crate::exit;
use crate::terminal::{say, show, show_json};

/// How long a test waits for the first attempt.
const TEST: Duration = Duration::from_secs(30);
/// How much longer the gateway may take to answer.
const SLACK: Duration = Duration::from_secs(10);

/// The arguments of `send`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The channel's name
    #[arg(required_unless_present = "dry_run")]
    channel: Option<String>,
    /// The text
    #[arg(required_unless_present = "dry_run", conflicts_with = "dry_run")]
    text: Option<String>,
    /// Send nothing: show what the channels (or this one) would get of a recorded event, at each detail
    /// · 보내지 않고, 기록된 이벤트로 채널이 받을 것을 단계별로 보기
    #[arg(long)]
    dry_run: bool,
    /// The event's JSON, as a hook gets it; stdin by default
    #[arg(long, value_name = "FILE", requires = "dry_run")]
    event: Option<PathBuf>,
    /// JSON for programs
    #[arg(long)]
    json: bool,
}

/// The arguments of `test`.
#[derive(Debug, clap::Args)]
pub(super) struct TestArgs {
    /// The channel's name
    channel: String,
    /// JSON for programs
    #[arg(long)]
    json: bool,
}

/// Queues a text.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    if args.dry_run {
        return dry_run::run(&place, args.channel.as_deref(), args.event.as_deref(), args.json);
    }
    let (channel, text) = (args.channel.as_deref().unwrap_or_default(), args.text.as_deref().unwrap_or_default());
    let sent = send(&place, channel, text, Duration::ZERO)?;
    tell(&sent, channel, args.json, place.lang)?;
    Ok(exit::OK)
}

/// Sends a test message, and waits for how that ends. Exit code 1 where it was not sent.
pub(super) fn test(args: &TestArgs) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let sent = send(&place, &args.channel, test_text(place.lang), TEST)?;
    tell(&sent, &args.channel, args.json, place.lang)?;
    Ok(if sent.delivery == Delivery::Sent { exit::OK } else { exit::FAILED })
}

/// Returns the text of a test message.
pub(super) fn test_text(lang: Lang) -> &'static str {
    say(lang, "dmplz notify test: 이 채널로 알림이 도착합니다.", "dmplz notify test: notices arrive on this channel.")
}

fn send(place: &Place, channel: &str, text: &str, wait: Duration) -> anyhow::Result<SentNotice> {
    known(place, channel)?;
    let wait_ms = u64::try_from(wait.as_millis()).unwrap_or_default();
    let params = SendNotice { channel: channel.to_owned(), text: text.to_owned(), wait_ms };
    Ok(place.gateway.connect()?.call(&params, Some(Instant::now() + wait + SLACK))?)
}

/// Checks that a channel has this name.
pub(super) fn known(place: &Place, channel: &str) -> anyhow::Result<()> {
    if place.notify.channels.contains_key(channel) {
        return Ok(());
    }
    let names: Vec<&str> = place.notify.channels.keys().map(String::as_str).collect();
    match names.as_slice() {
        [] => bail!("there is no channel {channel:?}: config.toml has no [notify.channels]"),
        names => bail!("there is no channel {channel:?}; there is {}", names.join(", ")),
    }
}

fn tell(sent: &SentNotice, channel: &str, json: bool, lang: Lang) -> anyhow::Result<()> {
    if json {
        return show_json(sent);
    }
    let (number, why) = (sent.number.to_string(), sent.why.as_deref().map(visible_line));
    let line = match (sent.delivery, &why) {
        (Delivery::Sent, _) => fill(say(lang, "{}(으)로 보냈습니다.", "Sent over {}."), &[channel]),
        (Delivery::Dead, why) => {
            let words = say(lang, "{}(으)로 보내지 못했습니다: {}", "Not sent over {}: {}");
            fill(words, &[channel, why.as_deref().unwrap_or_default()])
        }
        (Delivery::Waiting, Some(why)) => {
            let words = say(
                lang,
                "아직 {}(으)로 보내지 못했고 다시 시도합니다 (알림 {}): {}",
                "Not sent over {} yet, and tried again (notice {}): {}",
            );
            fill(words, &[channel, &number, why])
        }
        (Delivery::Waiting, None) => {
            let words = say(lang, "{}의 대기열에 넣었습니다 (알림 {}).", "In the queue of {} (notice {}).");
            fill(words, &[channel, &number])
        }
    };
    show(&format!("{line}\n"))
}
