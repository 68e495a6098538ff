//! The texts about a messenger that cannot be used, for the journal, the terminal and the doctor.

use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_protocol::health::MessengerStatus;

use crate::terminal::say;
use crate::time;

/// Returns the text that a messenger has not been reachable since `since_ms` (Unix milliseconds), and why, if that is
/// known.
pub(crate) fn unreachable(lang: Lang, messenger: &str, since_ms: u64, why: Option<&str>, now_ms: u64) -> String {
    let lasts = time::span(lang, now_ms.saturating_sub(since_ms));
    let words = match why {
        Some(_) => say(
            lang,
            "{}에 {}째 연결할 수 없어 그곳에서는 답할 수 없습니다: {}",
            "{} has not been reachable for {}, so nobody can answer there: {}",
        ),
        None => say(
            lang,
            "{}에 {}째 연결하지 못해 그곳에서는 답할 수 없습니다",
            "{} has not been reached for {} since it was started, so nobody can answer there",
        ),
    };
    fill(words, &[&visible_line(messenger), &lasts, &visible_line(why.unwrap_or_default())])
}

/// Returns the text that the outage is over.
pub(crate) fn over(lang: Lang, messenger: &str) -> String {
    let words = say(lang, "{}에 다시 연결되었습니다", "{} can be reached again");
    fill(words, &[&visible_line(messenger)])
}

/// Returns the texts about all messengers with a long outage, as the gateway reports them.
pub(crate) fn alerts(lang: Lang, messengers: &[MessengerStatus], now_ms: u64) -> Vec<String> {
    let alerts = messengers.iter().filter(|messenger| messenger.alert && !messenger.reachable);
    alerts.map(|messenger| of(lang, messenger, now_ms)).collect()
}

/// Returns the text about one messenger.
pub(crate) fn of(lang: Lang, messenger: &MessengerStatus, now_ms: u64) -> String {
    let MessengerStatus { name, since_ms, why, .. } = messenger;
    unreachable(lang, name, since_ms.unwrap_or(now_ms), why.as_deref(), now_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(name: &str, why: Option<&str>, alert: bool) -> MessengerStatus {
        let (name, why) = (name.to_owned(), why.map(str::to_owned));
        MessengerStatus { name, reachable: false, since_ms: Some(1_000), why, alert }
    }

    #[test]
    fn an_outage_is_told_with_how_long_it_lasts_and_why() {
        let told = [
            status("telegram", Some("it cannot be reached\u{202e}"), true),
            status("discord", None, true),
            status("x", None, false),
        ];
        insta::assert_snapshot!(alerts(Lang::En, &told, 91_000).join("\n"), @r"
        telegram has not been reachable for 1m 30s, so nobody can answer there: it cannot be reached⟨U+202E⟩
        discord has not been reached for 1m 30s since it was started, so nobody can answer there
        ");
        insta::assert_snapshot!(alerts(Lang::Ko, &told, 91_000).join("\n"), @r"
        telegram에 1분 30초째 연결할 수 없어 그곳에서는 답할 수 없습니다: it cannot be reached⟨U+202E⟩
        discord에 1분 30초째 연결하지 못해 그곳에서는 답할 수 없습니다
        ");
        insta::assert_snapshot!(format!("{}\n{}", over(Lang::En, "telegram"), over(Lang::Ko, "telegram")), @r"
        telegram can be reached again
        telegram에 다시 연결되었습니다
        ");
    }
}
