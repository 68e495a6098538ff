//! `dmplz notify retry`.

use dmplz_core::text::fill;
use dmplz_protocol::notify::RetryNotices;

use super::Place;
use crate::gateway::soon;
use crate::terminal::{say, tell};
use crate::{exit, trouble};

/// The arguments of `retry`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The number of one notice, as `dmplz notify log` shows it · `dmplz notify log`가 보여 주는 알림의 번호
    #[arg(required_unless_present_any = ["channel", "all"], conflicts_with_all = ["channel", "all"])]
    number: Option<u64>,
    /// All of this channel that could not be sent · 이 채널에서 보내지 못한 것 모두
    #[arg(long, conflicts_with = "all")]
    channel: Option<String>,
    /// All that could not be sent · 보내지 못한 것 모두
    #[arg(long)]
    all: bool,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// Puts them back into their queues. Exit code 1 where the one that was named is not dead.
pub(super) fn run(args: &Args) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let params = RetryNotices { number: args.number, channel: args.channel.clone() };
    let retried = place.gateway.connect()?.call(&params, soon())?;
    let words = say(place.lang, "다시 보낼 알림: {}\n", "Notices that are sent again: {}\n");
    tell(&retried, args.json, |retried, _| fill(words, &[&retried.notices.to_string()]))?;
    let Some(number) = args.number.filter(|_| retried.notices == 0) else { return Ok(exit::OK) };
    let none = say(
        place.lang,
        "보내지 못한 알림 가운데 이 번호가 없습니다: {}. 번호는 `dmplz notify log`가 보여 줍니다.",
        "no notice that could not be sent has the number {}; dmplz notify log shows the numbers",
    );
    trouble::error(&fill(none, &[&number.to_string()]));
    Ok(exit::FAILED)
}
