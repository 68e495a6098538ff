use super::*;
use crate::request::{ExpiredCause, Outcome, Resolver, Trouble};

fn line(second: u32, fields: &str) -> String {
    let ids = r#""request_id":"r","session_id":"s","provider":"telegram","tool_name":"Bash""#;
    format!(r#"{{"timestamp":"2026-11-22T01:00:{second:02}.000Z",{ids},{fields}}}"#)
}

fn figures(lines: &[String], period: Period) -> Figures {
    let mut stats = Stats::new(period);
    lines.iter().for_each(|line| stats.add(line.as_bytes()));
    stats.figures()
}

fn day() -> Vec<String> {
    let ends = [
        r#""outcome":"approved","asked_ms":1000"#,
        r#""outcome":"approved","asked_ms":2000"#,
        r#""outcome":"approved_session","asked_ms":3000"#,
        r#""outcome":"rejected_with_reason","reason_source":"user_input","asked_ms":4000"#,
        r#""outcome":"rejected_with_reason","reason_source":"user_input","asked_ms":90000"#,
        r#""outcome":"rejected_no_reason","reason_source":"explicit_skip","asked_ms":500"#,
        r#""outcome":"rejected_no_reason","reason_source":"timeout","asked_ms":600"#,
        r#""outcome":"expired","cause":"nobody""#,
        r#""outcome":"expired","cause":"failed""#,
        r#""outcome":"resolved_elsewhere","cause":"terminal""#,
        r#""outcome":"allowed_by_rule","rule":"policy.toml:3""#,
        r#""outcome":"allowed_by_rule","rule":"policy.toml:3""#,
        r#""outcome":"denied_by_rule","reason_source":"policy","rule":"policy.toml:9""#,
    ];
    ends.iter().zip(0..).map(|(end, second)| line(second, end)).collect()
}

#[test]
fn figures_follow_from_the_lines() {
    insta::assert_snapshot!(serde_json::to_string_pretty(&figures(&day(), Period::default())).unwrap(), @r#"
    {
      "requests": 13,
      "unreadable_lines": 0,
      "by_policy": {
        "count": 3,
        "of": 13,
        "rate": 0.23076923076923078
      },
      "allowed_by_rule": 2,
      "denied_by_rule": 1,
      "approved": 2,
      "approved_for_session": 1,
      "denied": {
        "count": 4,
        "of": 7,
        "rate": 0.5714285714285714
      },
      "with_reason": {
        "count": 2,
        "of": 4,
        "rate": 0.5
      },
      "explicit_skip": {
        "count": 1,
        "of": 4,
        "rate": 0.25
      },
      "reason_timeout": {
        "count": 1,
        "of": 4,
        "rate": 0.25
      },
      "hook_timeout": {
        "count": 1,
        "of": 10,
        "rate": 0.1
      },
      "failed": {
        "count": 1,
        "of": 10,
        "rate": 0.1
      },
      "elsewhere": {
        "count": 1,
        "of": 10,
        "rate": 0.1
      },
      "answers": {
        "count": 7,
        "median_ms": 2000,
        "p90_ms": 90000
      }
    }
    "#);
}

#[test]
fn figures_of_nothing_have_no_rates() {
    let figures = figures(&[], Period::default());
    assert_eq!((figures.requests, figures.denied.rate, figures.answers.median_ms), (0, None, None));
}

#[test]
fn lines_that_nobody_can_read_are_counted_and_change_nothing_else() {
    let garbage = ["", "{", "null", "\u{0}", r#"{"outcome":"approved"}"#];
    let mut lines = day();
    lines.extend(garbage.map(str::to_owned));
    lines.push(line(1, r#""outcome":"approved_by_magic""#));
    lines.push(line(1, r#""outcome":"approved","asked_ms":-1"#));
    lines.push(line(1, r#""outcome":"approved""#).replace("T01", "T25"));
    let expected = Figures { unreadable_lines: 8, ..figures(&day(), Period::default()) };
    assert_eq!(figures(&lines, Period::default()), expected);
}

#[test]
fn a_period_counts_from_its_first_moment_up_to_its_last() {
    let at = |text: &str| Some(text.parse().unwrap());
    let requests = |since, until| figures(&day(), Period { since, until }).requests;
    assert_eq!(requests(None, None), 13);
    assert_eq!(requests(at("2026-11-22T01:00:03Z"), None), 10);
    assert_eq!(requests(None, at("2026-11-22T01:00:03Z")), 3);
    assert_eq!(requests(at("2026-11-22T10:00:03+09:00"), at("2026-11-22T01:00:05Z")), 2);
    assert_eq!(requests(at("2026-11-23T00:00:00Z"), None), 0);
}

#[test]
fn median_and_percentile_are_times_that_occurred() {
    let answers = |times: &[u64]| {
        let lines: Vec<_> =
            times.iter().map(|ms| line(0, &format!(r#""outcome":"approved","asked_ms":{ms}"#))).collect();
        let answers = figures(&lines, Period::default()).answers;
        (answers.median_ms.unwrap(), answers.p90_ms.unwrap())
    };
    assert_eq!(answers(&[7]), (7, 7));
    assert_eq!(answers(&[9, 1]), (1, 9));
    assert_eq!(answers(&[3, 1, 2]), (2, 3));
    assert_eq!(answers(&[10, 20, 30, 40, 50, 60, 70, 80, 90, 100]), (50, 90));
}

#[test]
fn a_line_is_written_as_it_is_read() {
    let end = RequestEnd {
        timestamp: "2026-11-22T01:32:07.1204Z".parse().unwrap(),
        request_id: "r".into(),
        session_id: "s".into(),
        provider: "discord".into(),
        tool_name: "Bash".into(),
        outcome: End::RejectedNoReason,
        reason_source: Some(ReasonSource::ExplicitSkip),
        cause: None,
        asked_ms: Some(1500),
        rule: None,
        subject: Some(Subject::masked("git push")),
        cwd: Some("/home/u/project".into()),
    };
    let line = serde_json::to_string(&end).unwrap();
    insta::assert_snapshot!(line, @r#"{"timestamp":"2026-11-22T01:32:07.120Z","request_id":"r","session_id":"s","provider":"discord","tool_name":"Bash","outcome":"rejected_no_reason","reason_source":"explicit_skip","asked_ms":1500,"subject":"git push","cwd":"/home/u/project"}"#);
    let read: RequestEnd = serde_json::from_str(&line).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), line);
}

#[test]
fn every_outcome_has_its_word() {
    let outcomes = [
        Outcome::Expired(ExpiredCause::Nobody),
        Outcome::Expired(ExpiredCause::Failed(Trouble::Other("no network".into()))),
        Outcome::ResolvedElsewhere(Resolver::Terminal),
        Outcome::ResolvedElsewhere(Resolver::Stopped),
        Outcome::ResolvedElsewhere(Resolver::ClientGone),
    ];
    let named = outcomes.map(|outcome| {
        let (end, cause) = End::of(&outcome);
        format!("{end}: {cause:?}")
    });
    insta::assert_snapshot!(named.join("\n"), @r"
    expired: Some(Nobody)
    expired: Some(Failed)
    resolved_elsewhere: Some(Terminal)
    resolved_elsewhere: Some(Stopped)
    resolved_elsewhere: Some(ClientGone)
    ");
}
