//! Formats an answer for a person.

use dmplz_core::text::Lang;
use dmplz_policy::{Judgement, Rule};

use crate::policy::words;
use crate::terminal::{Paint, Tone, pad, say};

/// Formats the verdict, the rule and the reason.
pub(super) fn text(judgement: &Judgement<'_>, lang: Lang, paint: Paint) -> String {
    let verdict = words::verdict(judgement.decision, lang);
    let command = judgement.command.as_deref().map(|command| format!("  {}", words::line(command))).unwrap_or_default();
    let mut text = format!("{}{command}\n", paint.tone(words::tone(judgement.decision), &verdict));
    let mut row = |name: &str, value: &str| {
        text.push_str(&format!("  {}{value}\n", paint.tone(Tone::Faint, &pad(name, 8))));
    };
    if let Some(place) = judgement.rule.map(Rule::place) {
        row(say(lang, "규칙", "rule"), &words::place(&place));
    }
    row(say(lang, "이유", "reason"), &words::reason(judgement, lang));
    text
}
