//! The state of channels in the gateway's store, for `notify list`, `status` and `doctor`.

use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_state::StateDir;
use dmplz_state::store::ChannelRow;

use crate::terminal::say;
use crate::time;

/// A channel whose last attempt failed.
#[derive(Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Failing {
    pub(crate) channel: String,
    /// Since when, in Unix milliseconds.
    pub(crate) since_ms: u64,
    pub(crate) why: String,
    /// Notices that wait.
    pub(crate) waiting: u64,
    /// Notices that are not sent any more by themselves.
    pub(crate) dead: u64,
}

/// Returns the channels whose last attempt failed, and that the settings still contain.
pub(crate) fn failing(state: &StateDir, named: impl Fn(&str) -> bool) -> anyhow::Result<Vec<Failing>> {
    let Some(store) = super::store(state)? else { return Ok(Vec::new()) };
    let rows = store.reads().notice_channels()?;
    Ok(rows.into_iter().filter(|row| named(&row.channel)).filter_map(Failing::of).collect())
}

impl Failing {
    pub(super) fn of(row: ChannelRow) -> Option<Self> {
        let ChannelRow { channel, failing_since_ms, why, waiting, dead, failures, .. } = row;
        (failures > 0).then(|| Self {
            channel,
            since_ms: failing_since_ms.unwrap_or_default(),
            why: why.unwrap_or_default(),
            waiting,
            dead,
        })
    }

    /// Returns one line for people.
    pub(crate) fn line(&self, lang: Lang, now_ms: u64) -> String {
        let Self { channel, since_ms, why, waiting, dead } = self;
        let lasts = time::span(lang, now_ms.saturating_sub(*since_ms));
        let words = say(
            lang,
            "알림 채널 {}이(가) {}째 실패합니다 (대기 {}, 실패 {}): {}",
            "the channel {} has failed for {} ({} waiting, {} dead): {}",
        );
        fill(words, &[channel, &lasts, &waiting.to_string(), &dead.to_string(), &visible_line(why)])
    }
}
