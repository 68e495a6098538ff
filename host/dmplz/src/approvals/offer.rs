//! Formats the answers that a request offers besides yes and no. The terminal shows in full what would be stored
//! before anybody can choose to store it.

use dmplz_core::claude::{Answered, Breadth, PermissionUpdate, Question, Scope};
use dmplz_core::request::Offer;
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::{visible, visible_line};

use super::card::{Hints, Look};
use crate::terminal::say;

impl Look {
    /// Returns the lines about the offer, without a bar: only text between guillemets is untrusted.
    pub(super) fn offers(&self, offer: &Offer) -> String {
        let lang = self.lang;
        let mut lines: Vec<String> = Vec::new();
        if !offer.always.is_empty() {
            let key = self.hint("--always", "A", "a");
            lines.push(fill(say(lang, "항상 허용하면 저장되는 것 ({}):", "Always stores ({}):"), &[key]));
            lines.extend(self.stored(offer, false).into_iter().map(|line| format!("  {line}")));
        }
        if offer.granted {
            let (half_hour, session) = (self.hint("--for 30m", "G", "g"), self.hint("--for session", "GS", "G"));
            let words = say(
                lang,
                "똑같은 것을 한동안 허용: {} (30분), {} (세션 동안)",
                "Exactly the same for a while: {} for 30 minutes, {} for the session",
            );
            lines.push(fill(words, &[half_hour, session]));
        }
        if offer.plan {
            let (accept, ask) = (self.hint("--auto-accept", "1", "1"), self.hint("--manual", "2", "2"));
            let words = say(
                lang,
                "계획 승인: {} (편집은 자동 승인) 또는 {} (편집은 하나씩 승인)",
                "A plan: {} (accept its edits) or {} (approve them one by one)",
            );
            lines.push(fill(words, &[accept, ask]));
        }
        lines.into_iter().map(|line| format!("  {line}\n")).collect()
    }

    /// Returns what "always" would store, one line each, and why a suggestion is broad. `broad` includes broad
    /// suggestions.
    pub(super) fn stored(&self, offer: &Offer, broad: bool) -> Vec<String> {
        let line = |suggestion: &dmplz_core::claude::Suggestion| {
            let what = items(&suggestion.update).into_iter().map(|item| format!("«{}»", visible_line(&item)));
            let what = what.collect::<Vec<_>>().join(", ");
            let place = match &suggestion.update {
                PermissionUpdate::SetMode { destination, .. } => format!(" → {}", place_name(*destination, self.lang)),
                _ => String::new(),
            };
            let why = suggestion.broad.map(|why| match broad {
                true => format!(" ⚠️ {}", self.broad(why)),
                false => {
                    let broad = self.hint("--broad", "W", "w");
                    let left_out = fill(say(self.lang, "{} 없이는 빠짐", "left out without {}"), &[broad]);
                    format!(" ⚠️ {} ({left_out})", self.broad(why))
                }
            });
            format!("{what}{place}{}", why.unwrap_or_default())
        };
        offer.always.iter().map(line).collect()
    }

    /// Formats a question with its options, numbered from 1.
    pub(super) fn question(&self, question: &Question, at: usize, count: usize) -> String {
        let title =
            fill(say(self.lang, "질문 {}/{}", "Question {} of {}"), &[&(at + 1).to_string(), &count.to_string()]);
        let several = if question.multi_select {
            say(self.lang, " (여러 개 선택 가능)", " (several may be chosen)")
        } else {
            ""
        };
        let mut text = format!("{title}{several}\n");
        let header =
            if question.header.is_empty() { String::new() } else { format!("[{}] ", visible_line(&question.header)) };
        text.push_str(&self.behind_a_bar(&format!("{header}{}", visible(&question.question)), false));
        for (at, option) in question.options.iter().enumerate() {
            let description = if option.description.trim().is_empty() { "" } else { ": " };
            let line = format!("{}. {}{description}{}", at + 1, visible_line(&option.label), option.description.trim());
            text.push_str(&self.behind_a_bar(&line, false));
        }
        text
    }

    /// Formats an answer, before it is sent.
    pub(super) fn answer(&self, answer: &Answered) -> String {
        let labels = answer.labels.iter().map(|label| visible_line(label));
        let all: Vec<String> = labels.chain(answer.text.as_deref().map(visible_line)).collect();
        self.behind_a_bar(&format!("{}\n→ {}", visible(&answer.question), all.join(", ")), false)
    }

    /// The option, line or key that gives an answer.
    fn hint<'a>(&self, option: &'a str, line: &'a str, key: &'a str) -> &'a str {
        match self.hints {
            Hints::Options => option,
            Hints::Lines => line,
            Hints::Keys => key,
        }
    }

    fn broad(&self, broad: Breadth) -> &'static str {
        let [ko, en] = match broad {
            Breadth::Shell => ["넓음: 다른 명령을 실행할 수 있음", "broad: it starts any other command"],
            Breadth::Interpreter => ["넓음: 어떤 코드든 실행할 수 있음", "broad: it runs any code"],
            Breadth::Wildcard => ["넓음: 이 요청보다 많이 허용함", "broad: it allows more than calls like this one"],
            Breadth::Tool => ["넓음: 이 도구 전체를 허용함", "broad: it allows all that the tool can do"],
        };
        say(self.lang, ko, en)
    }
}

/// Returns the name of a scope for people, with its file.
pub(super) fn place_name(scope: Scope, lang: Lang) -> &'static str {
    match scope {
        Scope::Local => say(
            lang,
            "이 프로젝트, 나만 (.claude/settings.local.json)",
            "this project, just you (.claude/settings.local.json)",
        ),
        Scope::User => say(lang, "모든 프로젝트 (~/.claude/settings.json)", "all projects (~/.claude/settings.json)"),
        Scope::Project => {
            say(lang, "이 프로젝트, 공유 (.claude/settings.json)", "this project, shared (.claude/settings.json)")
        }
        Scope::Session => say(lang, "이 세션", "this session"),
    }
}

fn items(update: &PermissionUpdate) -> Vec<String> {
    match update {
        PermissionUpdate::AddRules { rules, .. } => rules.iter().map(ToString::to_string).collect(),
        PermissionUpdate::AddDirectories { directories, .. } => directories.clone(),
        PermissionUpdate::SetMode { mode, .. } => vec![mode.name().to_owned()],
    }
}
