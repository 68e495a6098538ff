//! `dmplz stats`: figures from the log of requests.

use dmplz_core::stats::{Figures, Period, Share, Stats, stamp};
use dmplz_core::text::{Lang, fill};
use jiff::Timestamp;
use serde::Serialize;

use crate::settings::{self, Settings, Table};
use crate::terminal::{Paint, Tone, pad, say, tell};
use crate::time::since::since;
use crate::told::Tell;
use crate::{journals, time};

/// The arguments of `stats`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Count only what ended since then: 7d, 12h, 2026-11-01, or 2026-11-01T09:00:00Z · 그때부터 끝난 것만 세기
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<Timestamp>,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// The report as JSON.
#[derive(Debug, Serialize)]
struct Report {
    since: Option<Moment>,
    #[serde(flatten)]
    figures: Figures,
}

/// A moment as the logs write it.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(transparent)]
struct Moment(#[serde(serialize_with = "stamp::serialize")] Timestamp);

/// Shows them.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let settings = Settings::of(&Table::load(&settings::environment)?)?;
    let mut stats = Stats::new(Period { since: args.since, until: None });
    let journal = journals::requests(&settings);
    for line in journal.lines()? {
        stats.add(&line.not_read(journal.path())?);
    }
    let report = Report { since: args.since.map(Moment), figures: stats.figures() };
    tell(&report, args.json, |report, paint| report.text(settings.lang, paint))
}

impl Report {
    fn text(&self, lang: Lang, paint: Paint) -> String {
        let figures = &self.figures;
        let heading = match self.since {
            Some(Moment(since)) => format!("{} {}", say(lang, "이후:", "since"), time::local(since)),
            None => say(lang, "전체 기간", "all that is kept").to_owned(),
        };
        let mut text = format!("{}\n\n", paint.tone(Tone::Faint, &heading));
        let mut row = |name: &str, value: String| text.push_str(&format!("{}{value}\n", pad(name, 32)));
        row(say(lang, "요청", "requests"), figures.requests.to_string());
        let of_all = say(lang, "전체 중 {}", "{} of all");
        row(say(lang, "  규칙이 처리", "  settled by a rule"), share(figures.by_policy, of_all));
        row(say(lang, "    허용", "    allowed"), figures.allowed_by_rule.to_string());
        row(say(lang, "    거부", "    denied"), figures.denied_by_rule.to_string());
        row(say(lang, "  승인", "  approved"), figures.approved.to_string());
        row(say(lang, "  세션 허용", "  approved for the session"), figures.approved_for_session.to_string());
        row(say(lang, "  거부", "  denied"), share(figures.denied, say(lang, "답한 것 중 {}", "{} of those answered")));
        let of_denied = say(lang, "거부 중 {}", "{} of those denied");
        row(say(lang, "    사유 있음", "    with a reason"), share(figures.with_reason, of_denied));
        row(say(lang, "    사유 생략", "    reason skipped"), share(figures.explicit_skip, of_denied));
        row(say(lang, "    사유 시간 초과", "    no reason in time"), share(figures.reason_timeout, of_denied));
        let of_asked = say(lang, "물어본 것 중 {}", "{} of those asked");
        row(say(lang, "  답 없음", "  nobody answered"), share(figures.hook_timeout, of_asked));
        row(say(lang, "  메신저 장애", "  messenger not usable"), share(figures.failed, of_asked));
        row(say(lang, "  다른 곳에서 처리", "  settled elsewhere"), share(figures.elsewhere, of_asked));
        let answers = figures.answers;
        row(say(lang, "응답 시간 중앙값", "time to answer, median"), seconds(answers.median_ms));
        row(say(lang, "응답 시간 90%", "time to answer, 90 %"), seconds(answers.p90_ms));
        if figures.unreadable_lines > 0 {
            let count = figures.unreadable_lines.to_string();
            row(&paint.tone(Tone::Doubtful, say(lang, "읽을 수 없는 줄", "lines that cannot be read")), count);
        }
        text
    }
}

fn share(share: Share, of: &str) -> String {
    match share.rate {
        Some(rate) => format!("{} ({})", share.count, fill(of, &[&format!("{:.1} %", rate * 100.0)])),
        None => share.count.to_string(),
    }
}

fn seconds(milliseconds: Option<u64>) -> String {
    milliseconds.map_or("-".to_owned(), |ms| format!("{:.1} s", ms as f64 / 1_000.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_as_a_table() {
        let mut stats = Stats::new(Period::default());
        for end in [
            r#""outcome":"approved","asked_ms":1000"#,
            r#""outcome":"rejected_with_reason","reason_source":"user_input","asked_ms":4250"#,
            r#""outcome":"expired","cause":"nobody""#,
            r#""outcome":"allowed_by_rule","rule":"policy.toml:3""#,
        ] {
            let ids = r#""request_id":"r","session_id":"s","provider":"telegram","tool_name":"Bash""#;
            stats.add(format!(r#"{{"timestamp":"2026-11-22T01:00:00.000Z",{ids},{end}}}"#).as_bytes());
        }
        stats.add(b"half a li");
        let report = Report { since: None, figures: stats.figures() };
        insta::assert_snapshot!(report.text(Lang::En, Paint::PLAIN), @"
        all that is kept

        requests                        4
          settled by a rule             1 (25.0 % of all)
            allowed                     1
            denied                      0
          approved                      1
          approved for the session      0
          denied                        1 (50.0 % of those answered)
            with a reason               1 (100.0 % of those denied)
            reason skipped              0 (0.0 % of those denied)
            no reason in time           0 (0.0 % of those denied)
          nobody answered               1 (33.3 % of those asked)
          messenger not usable          0 (0.0 % of those asked)
          settled elsewhere             0 (0.0 % of those asked)
        time to answer, median          1.0 s
        time to answer, 90 %            4.2 s
        lines that cannot be read       1
        ");
        insta::assert_snapshot!(report.text(Lang::Ko, Paint::PLAIN), @"
        전체 기간

        요청                            4
          규칙이 처리                   1 (전체 중 25.0 %)
            허용                        1
            거부                        0
          승인                          1
          세션 허용                     0
          거부                          1 (답한 것 중 50.0 %)
            사유 있음                   1 (거부 중 100.0 %)
            사유 생략                   0 (거부 중 0.0 %)
            사유 시간 초과              0 (거부 중 0.0 %)
          답 없음                       1 (물어본 것 중 33.3 %)
          메신저 장애                   0 (물어본 것 중 0.0 %)
          다른 곳에서 처리              0 (물어본 것 중 0.0 %)
        응답 시간 중앙값                1.0 s
        응답 시간 90%                   4.2 s
        읽을 수 없는 줄                 1
        ");
    }
}
