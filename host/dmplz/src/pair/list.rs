//! `dmplz pair list`.

use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_protocol::browser::{Browsers, ListBrowsers, PairedBrowser};

use crate::gateway::{Place, soon};
use crate::named::short;
use crate::terminal::{OnlyJson, Paint, Tone, pad, say, tell};
use crate::time;

/// Prints the paired browsers of the running gateway.
pub(super) fn run(args: &OnlyJson) -> anyhow::Result<u8> {
    let place = Place::find()?;
    let listed = place.connect()?.call(&ListBrowsers {}, soon())?;
    tell(&listed, args.json, |listed, paint| text(listed, place.lang, paint, time::now_ms()))
}

fn text(listed: &Browsers, lang: Lang, paint: Paint, now_ms: u64) -> String {
    if listed.browsers.is_empty() {
        return say(lang, "연결된 브라우저가 없습니다.\n", "No browser is paired.\n").to_owned();
    }
    listed.browsers.iter().map(|browser| line(browser, lang, paint, now_ms)).collect()
}

/// Returns a browser's line: the beginning of its id, its name, and its times.
fn line(browser: &PairedBrowser, lang: Lang, paint: Paint, now_ms: u64) -> String {
    let span = |from: u64, to: u64| time::span(lang, to.saturating_sub(from));
    let times = say(lang, "{} 전에 연결, {} 전에 접속, {} 남음{}", "paired {} ago, seen {} ago, {} left{}");
    let push = if browser.is_notified { say(lang, ", 알림 켜짐", ", notified") } else { "" };
    let times = fill(
        times,
        &[&span(browser.paired_ms, now_ms), &span(browser.seen_ms, now_ms), &span(now_ms, browser.ends_ms), push],
    );
    format!("{}  {}  {times}\n", paint.tone(Tone::Strong, &short(&browser.id)), pad(&name(browser, lang), 24))
}

/// Returns the name of a browser for people.
pub(super) fn name(browser: &PairedBrowser, lang: Lang) -> String {
    match browser.name.as_str() {
        "" => say(lang, "알 수 없는 브라우저", "unknown browser").to_owned(),
        name => visible_line(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_shown_by_its_id_its_name_and_its_times() {
        let browser = |id: &str, name: &str, is_notified| PairedBrowser {
            id: id.to_owned(),
            name: name.to_owned(),
            paired_ms: 0,
            seen_ms: 90_000_000,
            ends_ms: 2_592_000_000,
            is_notified,
            is_own: false,
        };
        let browsers =
            vec![browser("0011223344556677", "Chrome, Android", true), browser("8899aabbccddeeff", "", false)];
        let listed = Browsers { browsers };
        insta::assert_snapshot!(text(&listed, Lang::En, Paint::PLAIN, 90_061_000), @r"
        00112233  Chrome, Android           paired 1d 1h ago, seen 1m 1s ago, 28d 22h left, notified
        8899aabb  unknown browser           paired 1d 1h ago, seen 1m 1s ago, 28d 22h left
        ");
        insta::assert_snapshot!(text(&listed, Lang::Ko, Paint::PLAIN, 90_061_000), @r"
        00112233  Chrome, Android           1일 1시간 전에 연결, 1분 1초 전에 접속, 28일 22시간 남음, 알림 켜짐
        8899aabb  알 수 없는 브라우저       1일 1시간 전에 연결, 1분 1초 전에 접속, 28일 22시간 남음
        ");
        let none = Browsers { browsers: Vec::new() };
        assert_eq!(text(&none, Lang::En, Paint::PLAIN, 0), "No browser is paired.\n");
    }
}
