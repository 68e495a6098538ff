//! One line of the list.

use dmplz_core::grant::Change;
use dmplz_core::grant::change::{Line, Over};
use dmplz_core::request::{Cause, End};
use dmplz_core::stats::{RequestEnd, stamp};
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use jiff::Timestamp;
use serde::Serialize;

use crate::named::short;
use crate::settings::Verbosity;
use crate::terminal::{Paint, Tone, pad, say};
use crate::time;
use crate::trouble::kept::Kept;

/// Reads a line of one log. `None` if it is no record, as after a crash.
pub(super) type Reader = fn(&[u8]) -> Option<Entry>;

/// A line with its time and level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Entry {
    #[serde(serialize_with = "stamp::serialize")]
    pub(super) at: Timestamp,
    pub(super) level: Verbosity,
    /// `hook`, `gateway`, `request`, `grant`, or the name of a provider.
    source: String,
    #[serde(flatten)]
    what: What,
}

/// What is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum What {
    Line {
        text: String,
        pid: u32,
    },
    Request {
        request_id: String,
        tool: String,
        outcome: End,
        cause: Option<Cause>,
        provider: String,
        cwd: Option<String>,
    },
    Grant {
        grant_id: String,
        change: &'static str,
        why: Option<Over>,
    },
}

impl Entry {
    /// Reads a line of `log.jsonl`.
    pub(super) fn of_line(line: &[u8]) -> Option<Self> {
        let Kept { timestamp, level, source, pid, text } = serde_json::from_slice(line).ok()?;
        Some(Self { at: timestamp, level, source, what: What::Line { text, pid } })
    }

    /// Reads a line of `requests.jsonl`.
    pub(super) fn of_request(line: &[u8]) -> Option<Self> {
        let end = serde_json::from_slice(line).ok()?;
        let RequestEnd { timestamp, request_id, provider, tool_name, outcome, cause, cwd, .. } = end;
        let level = if cause == Some(Cause::Failed) { Verbosity::Error } else { Verbosity::Info };
        let what = What::Request { request_id, tool: tool_name, outcome, cause, provider, cwd };
        Some(Self { at: timestamp, level, source: "request".to_owned(), what })
    }

    /// Reads a line of `grants.jsonl`.
    pub(super) fn of_grant(line: &[u8]) -> Option<Self> {
        let line: Line = serde_json::from_slice(line).ok()?;
        let (change, why) = match &line.change {
            Change::Made { .. } => ("made", None),
            Change::Revoked { .. } => ("revoked", None),
            Change::Ended { why, .. } => ("ended", Some(*why)),
        };
        let what = What::Grant { grant_id: line.change.grant().id.clone(), change, why };
        Some(Self { at: line.timestamp, level: Verbosity::Info, source: "grant".to_owned(), what })
    }

    /// One JSON object, with a line end.
    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).map(|object| format!("{object}\n")).unwrap_or_default()
    }

    /// One line for people, with a line end.
    pub(super) fn text(&self, lang: Lang, paint: Paint) -> String {
        let at = time::local(self.at);
        let (level, tone) = match self.level {
            Verbosity::Error => (say(lang, "오류", "error"), Tone::Bad),
            Verbosity::Warn => (say(lang, "경고", "warn"), Tone::Doubtful),
            Verbosity::Info => (say(lang, "정보", "info"), Tone::Strong),
            Verbosity::Debug => (say(lang, "상세", "debug"), Tone::Faint),
        };
        let source = pad(&format!("{} ", visible_line(&self.source)), 9);
        format!(
            "{}  {}{source}{}\n",
            paint.tone(Tone::Faint, &at),
            paint.tone(tone, &pad(level, 7)),
            visible_line(&self.words(lang))
        )
    }

    fn words(&self, lang: Lang) -> String {
        match &self.what {
            What::Line { text, .. } => text.clone(),
            What::Request { request_id, tool, outcome, cause, provider, cwd } => {
                let id = short(request_id);
                let place = cwd.as_ref().map(|cwd| format!(", {cwd}")).unwrap_or_default();
                let end = match cause {
                    Some(Cause::Failed) => say(lang, "물어볼 수 없었음", "nobody could be asked").to_owned(),
                    _ => outcome.to_string(),
                };
                format!("{id} {tool}: {end} ({provider}{place})")
            }
            What::Grant { grant_id, change, why } => {
                let id = short(grant_id);
                let words = match (*change, why) {
                    ("made", _) => say(lang, "{} 일정 시간 허용됨", "{} given for a while"),
                    ("revoked", _) => say(lang, "{} 사람이 취소함", "{} taken back by a person"),
                    (_, Some(Over::Session)) => say(lang, "{} 세션과 함께 끝남", "{} ended with its session"),
                    (_, Some(Over::NotTaken)) => {
                        say(lang, "{} 답이 전달되지 않아 취소됨", "{} dropped: its answer was not delivered")
                    }
                    _ => say(lang, "{} 시간이 끝남", "{} its time is over"),
                };
                fill(words, &[&id])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: &str = r#"{"timestamp":"2026-11-22T01:00:00.000Z","level":"warn","source":"telegram","pid":7,"text":"slow\u001b[31m"}"#;
    const FAILED: &str = r#"{"timestamp":"2026-11-22T01:00:00.000Z","request_id":"3f0c1a52-6f3b","session_id":"s","provider":"telegram","tool_name":"Bash","outcome":"expired","cause":"failed","subject":"curl -H 'x: hunter2'","cwd":"/home/ann/shop"}"#;

    #[test]
    fn a_line_tells_what_happened_and_nothing_of_the_input() {
        let kept = Entry::of_line(KEPT.as_bytes()).unwrap();
        assert_eq!(kept.words(Lang::En), "slow\u{1b}[31m");
        let failed = Entry::of_request(FAILED.as_bytes()).unwrap();
        assert_eq!(failed.words(Lang::En), "3f0c1a52 Bash: nobody could be asked (telegram, /home/ann/shop)");
        assert_eq!(failed.level, Verbosity::Error);
        assert!(!failed.json().contains("hunter2"), "{}", failed.json());
        let line = kept.text(Lang::En, Paint::PLAIN);
        assert!(line.contains("warn   telegram slow␛[31m\n"), "{line}");
    }

    #[test]
    fn half_a_line_is_passed_over() {
        for read in [Entry::of_line, Entry::of_request, Entry::of_grant] {
            assert_eq!(read(KEPT.get(..40).unwrap().as_bytes()), None);
        }
    }

    #[test]
    fn programs_get_one_object_a_line() {
        insta::assert_snapshot!(Entry::of_request(FAILED.as_bytes()).unwrap().json(), @r#"{"at":"2026-11-22T01:00:00.000Z","level":"error","source":"request","request_id":"3f0c1a52-6f3b","tool":"Bash","outcome":"expired","cause":"failed","provider":"telegram","cwd":"/home/ann/shop"}"#);
        insta::assert_snapshot!(Entry::of_line(KEPT.as_bytes()).unwrap().json(), @r#"{"at":"2026-11-22T01:00:00.000Z","level":"warn","source":"telegram","text":"slow\u001b[31m","pid":7}"#);
    }
}
