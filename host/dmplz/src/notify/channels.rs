//! The state of channels in the gateway's store, for `notify list`, `status` and `doctor`.

use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_protocol::notify::settings::Failing;
use dmplz_state::StateDir;
use dmplz_state::store::ChannelRow;

use crate::terminal::say;
use crate::time;

/// Returns the channels whose last attempt failed, and that the settings still contain.
pub(crate) fn failing(state: &StateDir, named: impl Fn(&str) -> bool) -> anyhow::Result<Vec<Failing>> {
    let Some(store) = super::store(state)? else { return Ok(Vec::new()) };
    let rows = store.reads().notice_channels()?;
    Ok(rows.iter().filter(|row| named(&row.channel)).filter_map(trouble).collect())
}

/// Returns the trouble of a channel, if its last attempt failed.
pub(super) fn trouble(row: &ChannelRow) -> Option<Failing> {
    (row.failures > 0).then(|| Failing {
        channel: row.channel.clone(),
        since_ms: row.failing_since_ms.unwrap_or_default(),
        why: row.why.clone().unwrap_or_default(),
        waiting: row.waiting,
        dead: row.dead,
    })
}

/// Returns one line for people.
pub(crate) fn line(failing: &Failing, lang: Lang, now_ms: u64) -> String {
    let Failing { channel, since_ms, why, waiting, dead } = failing;
    let lasts = time::span(lang, now_ms.saturating_sub(*since_ms));
    let words = say(
        lang,
        "알림 채널 {}에서 {}째 실패합니다 (대기 {}, 실패 {}): {}",
        "the channel {} has failed for {} ({} waiting, {} dead): {}",
    );
    fill(words, &[channel, &lasts, &waiting.to_string(), &dead.to_string(), &visible_line(why)])
}
