//! `dmplz notify send` and `dmplz notify test`.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::bail;
use dmplz_core::notify::{Notice, Sequence};
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_gateway::notices::PATIENCE;
use dmplz_protocol::client::Client;
use dmplz_protocol::notify::settings::TestChannel;
use dmplz_protocol::notify::{AwaitPress, Delivery, Press, SendNotice, SentNotice};

use super::settings::Service;
use super::{Place, dry_run};
use crate::duration;
use crate::exit;
use crate::settings::environment;
use crate::terminal::{say, show, show_json, tell};

/// How long a test waits for the first attempt.
const TEST: Duration = Duration::from_secs(30);
/// How much longer the gateway may take to answer.
const SLACK: Duration = Duration::from_secs(10);

/// The arguments of `send`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The channel's name · 채널의 이름
    #[arg(required_unless_present = "dry_run")]
    channel: Option<String>,
    /// The text · 글
    #[arg(required_unless_present = "dry_run", conflicts_with = "dry_run")]
    text: Option<String>,
    /// Send nothing: show what the channels (or this one) would get of a recorded event, at each detail
    /// · 보내지 않고, 기록된 이벤트로 채널이 받을 것을 단계별로 보기
    #[arg(long)]
    dry_run: bool,
    /// The event's JSON, as a hook gets it; stdin by default · 훅이 받는 이벤트의 JSON 파일(기본값: stdin)
    #[arg(long, value_name = "FILE", requires = "dry_run")]
    event: Option<PathBuf>,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// The arguments of `test`.
#[derive(Debug, clap::Args)]
pub(crate) struct TestArgs {
    /// The channel's name · 채널의 이름
    channel: String,
    /// How long a press is waited for, such as 90s or 5m, where the channel has buttons: 5m on a terminal, otherwise not at all
    /// · 버튼이 있는 채널에서 누르기를 기다릴 시간
    #[arg(long, value_name = "TIME", value_parser = duration::patience)]
    wait: Option<Duration>,
    /// JSON for programs · 프로그램이 읽을 JSON
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
    place.has_channel(channel)?;
    if let Some(sequence) = terminal(&place, channel) {
        return notify_terminal(sequence, text, args.json, &place);
    }
    let params = SendNotice { channel: channel.to_owned(), text: text.to_owned(), wait_ms: 0 };
    let sent = place.gateway.connect()?.call(&params, Some(Instant::now() + SLACK))?;
    tell(&sent, args.json, |sent, _| outcome(sent, channel, place.lang))
}

/// Sends a test message, and waits for how that ends, and for a press where the channel has buttons. Exit code 1 where it was not
/// sent, or nobody pressed.
pub(super) fn test(args: &TestArgs) -> anyhow::Result<u8> {
    let place = Place::find()?;
    place.has_channel(&args.channel)?;
    if let Some(sequence) = terminal(&place, &args.channel) {
        return notify_terminal(sequence, test_text(place.lang), args.json, &place);
    }
    let test = TestChannel { channel: args.channel.clone() };
    let mut gateway = place.gateway.connect()?;
    let mut tested = gateway.call(&test, Some(Instant::now() + TEST + SLACK))?;
    if !args.json {
        show(&outcome(&tested.sent, &args.channel, place.lang))?;
    }
    let is_waited = !args.json && std::io::stdout().is_terminal();
    let wait = args.wait.or(is_waited.then_some(PATIENCE)).filter(|_| tested.press == Some(Press::Waiting));
    if let Some(wait) = wait {
        if !args.json {
            show(say(place.lang, "거기서 버튼을 눌러 주세요.\n", "Now press its button there.\n"))?;
        }
        tested.press = press_within(wait, &mut gateway, tested.sent.number)?;
    }
    if args.json {
        show_json(&tested)?;
    } else if wait.is_some() {
        show(&format!("{}\n", press_line(tested.press.as_ref(), place.lang)))?;
    }
    let is_pressed = wait.is_none() || matches!(tested.press, Some(Press::Pressed { .. }));
    Ok(if tested.sent.delivery == Delivery::Sent && is_pressed { exit::OK } else { exit::FAILED })
}

/// Waits this long for a press of a test message's button.
fn press_within(wait: Duration, gateway: &mut Client, number: u64) -> anyhow::Result<Option<Press>> {
    let end = Instant::now() + wait;
    let mut press = Some(Press::Waiting);
    // The gateway answers sooner where that is longer than it lets a call wait.
    while press == Some(Press::Waiting) && Instant::now() < end {
        let left = end.saturating_duration_since(Instant::now());
        let awaited = AwaitPress { number, wait_ms: u64::try_from(left.as_millis()).ok() };
        press = gateway.call(&awaited, Some(Instant::now() + SLACK + SLACK))?.press;
    }
    Ok(press)
}

fn press_line(press: Option<&Press>, lang: Lang) -> String {
    match press {
        Some(Press::Pressed { by }) => fill(
            say(
                lang,
                "{} 님이 눌렀습니다. 알림도 응답도 도착합니다.",
                "{} pressed it: notices arrive, and so do answers.",
            ),
            &[&visible_line(by)],
        ),
        _ => say(lang, "아무도 누르지 않았습니다.", "Nobody pressed it.").to_owned(),
    }
}

/// Returns the text of a test message.
pub(super) fn test_text(lang: Lang) -> &'static str {
    say(lang, "dmplz notify test: 이 채널로 알림이 도착합니다.", "dmplz notify test: notices arrive on this channel.")
}

/// Returns the sequence of a channel that is a terminal: the one that it names, or the one of this terminal.
fn terminal(place: &Place, channel: &str) -> Option<Sequence> {
    match place.notify.channels.get(channel)?.service {
        Service::Terminal(named) => Some(named.unwrap_or_else(|| Sequence::of_terminal(&environment))),
        _ => None,
    }
}

/// Has this terminal show a text, as that of Claude Code would.
fn notify_terminal(sequence: Sequence, text: &str, json: bool, place: &Place) -> anyhow::Result<u8> {
    if json || !std::io::stdout().is_terminal() {
        bail!(say(
            place.lang,
            "이 채널은 터미널이 보여 줍니다: 터미널에서 --json 없이 실행해 주세요",
            "that channel is shown by a terminal: run this at one, without --json"
        ));
    }
    let notice = Notice { title: text.to_owned(), body: String::new() };
    show(&sequence.write(&notice, place.lang, &environment))?;
    let words = say(
        place.lang,
        "이 터미널에 알림을 보냈습니다 (sequence = \"{}\"). 보이지 않으면 다른 것을 골라 주세요: 9, 777, 99, bell.",
        "This terminal was notified (sequence = \"{}\"). Where nothing is shown, name another: 9, 777, 99, bell.",
    );
    show(&format!("{}\n", fill(words, &[sequence.name()])))?;
    Ok(exit::OK)
}

fn outcome(sent: &SentNotice, channel: &str, lang: Lang) -> String {
    let (number, why) = (sent.number.to_string(), sent.why.as_deref().map(visible_line));
    let line = match (sent.delivery, &why) {
        (Delivery::Sent, _) => fill(say(lang, "{} 채널로 보냈습니다.", "Sent over {}."), &[channel]),
        (Delivery::Dead, why) => {
            let words = say(lang, "{} 채널로 보내지 못했습니다: {}", "Not sent over {}: {}");
            fill(words, &[channel, why.as_deref().unwrap_or_default()])
        }
        (Delivery::Waiting, Some(why)) => {
            let words = say(
                lang,
                "아직 {} 채널로 보내지 못했고 다시 시도합니다 (알림 {}): {}",
                "Not sent over {} yet, and tried again (notice {}): {}",
            );
            fill(words, &[channel, &number, why])
        }
        (Delivery::Waiting, None) => {
            let words = say(lang, "{}의 대기열에 넣었습니다 (알림 {}).", "In the queue of {} (notice {}).");
            fill(words, &[channel, &number])
        }
    };
    line + "\n"
}
