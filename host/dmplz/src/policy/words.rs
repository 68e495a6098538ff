//! The texts about rules for people, in both languages. Programs get those of the engine, which are English; the modules have them
//! in Korean, chosen by type.

mod finding;
mod note;
mod problem;
mod why;

use dmplz_core::text::Lang;
use dmplz_policy::{Condition, Decision, Judgement, Tier, Why};

pub(super) use self::finding::{finding, hint};
pub(super) use self::note::note;
pub(super) use self::problem::because;
pub(crate) use self::problem::problem;
pub(super) use self::why::why;
pub(super) use crate::environment::from_home as place;
pub(super) use crate::settings::language as lang;
use crate::terminal::{Paint, Tone, say};
pub(super) use dmplz_core::visible::visible_line as line;

/// Formats a decision as a mark and a word.
pub(super) fn verdict(decision: Decision, lang: Lang, paint: Paint) -> String {
    let (mark, word, tone) = look(decision, lang);
    paint.tone(tone, &format!("{mark} {word}"))
}

/// Returns the mark, the word and the tone of a decision.
pub(super) fn look(decision: Decision, lang: Lang) -> (&'static str, &'static str, Tone) {
    match decision {
        Decision::Allow => ("✓", say(lang, "허용", "allow"), Tone::Good),
        Decision::AskUser => ("?", say(lang, "질문", "ask"), Tone::Doubtful),
        Decision::Deny => ("✗", say(lang, "거부", "deny"), Tone::Bad),
    }
}

pub(super) fn tier(tier: Tier, lang: Lang) -> &'static str {
    match tier {
        Tier::Workspace => say(lang, "작업 폴더", "workspace"),
        Tier::User => say(lang, "사용자", "user"),
        Tier::Admin => say(lang, "관리자", "admin"),
    }
}

/// Returns the reason of a decision, in the words of the rule's author if there are any.
pub(super) fn reason(judgement: &Judgement<'_>, lang: Lang) -> String {
    match (&judgement.why, judgement.rule) {
        (Why::Rule, Some(rule)) => {
            let own = rule.reason.as_deref().or(rule.deny_message.as_deref()).or(rule.name.as_deref());
            own.map_or_else(|| why(&judgement.why, lang), line)
        }
        (other, _) => why(other, lang),
    }
}

/// Returns why a rule does not match a call: the condition that does not hold.
pub(super) fn differs(condition: Condition, lang: Lang) -> &'static str {
    match condition {
        Condition::Trust => say(lang, "신뢰하지 않은 파일", "its file is not trusted"),
        Condition::Expires => say(lang, "기한이 지남", "it has expired"),
        Condition::Tool => say(lang, "다른 도구", "another tool"),
        Condition::Command => say(lang, "다른 명령", "another command"),
        Condition::Arguments => say(lang, "argsPattern이 맞지 않음", "argsPattern does not match"),
        Condition::Paths => say(lang, "다른 경로", "other paths"),
        Condition::Domains => say(lang, "다른 호스트", "other hosts"),
        Condition::Cwd => say(lang, "다른 작업 폴더", "another working folder"),
        Condition::Modes => say(lang, "다른 모드", "another mode"),
        Condition::Interactive => say(lang, "interactive가 다름", "interactive differs"),
        Condition::Annotations => say(lang, "toolAnnotations가 다름", "toolAnnotations differ"),
        Condition::Subagent => say(lang, "다른 서브에이전트", "another subagent"),
        Condition::Agent => say(lang, "다른 에이전트", "another agent"),
    }
}

/// Returns the lines of a file from one line up to, but not including, another; without that one up to the end.
/// Comments and empty lines after the last rule are left out.
pub(super) fn source(text: &str, from: u32, to: Option<u32>) -> String {
    let index = |line: u32| usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
    let count = to.map_or(usize::MAX, |to| index(to).saturating_sub(index(from)));
    let lines: Vec<&str> = text.lines().skip(index(from)).take(count).collect();
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let end = lines.iter().rposition(is_code).map_or(0, |last| last + 1);
    lines.iter().take(end).map(|text| format!("  {}\n", line(text))).collect()
}
