//! `dmplz policy check --explain`: explains a decision as a tree.
//!
//! Each branch is a command of the line; below it are the rules about its tool in order of precedence, and the commands
//! that it starts. Of the rules that do not match, only the first [`SHOWN`] are shown; `--json` has them all.

use dmplz_core::text::Lang;
use dmplz_policy::{Considered, Explained, Explanation, Match, Role, Why};

use super::call::Asked;
use super::words;
use crate::terminal::{Paint, Tone, pad, say, width};

/// The maximum number of rules that do not match and are shown for a command.
const SHOWN: usize = 12;

/// Formats the whole tree.
pub(super) fn tree(explanation: &Explanation, asked: &Asked, lang: Lang, paint: Paint) -> String {
    let tree = Tree { explanation, lang, paint };
    let title = paint.tone(Tone::Strong, &words::line(&asked.title()));
    let mut text = format!("{title}\n{}\n", tree.verdict());
    let roots = tree.started_by(None);
    for (at, unit) in roots.iter().enumerate() {
        tree.unit(*unit, "", at + 1 == roots.len(), &mut text);
    }
    text
}

struct Tree<'a> {
    explanation: &'a Explanation,
    lang: Lang,
    paint: Paint,
}

impl Tree<'_> {
    /// Formats the first line: the decision, its rule, and the reason.
    fn verdict(&self) -> String {
        let Explanation { decision, rule, why, .. } = self.explanation;
        let verdict = words::verdict(*decision, self.lang, self.paint);
        let rule = rule.as_deref().map(|rule| format!(" · {}", words::place(rule))).unwrap_or_default();
        format!("{verdict}{rule}{}", self.why(why))
    }

    /// Formats the reason, unless the rule already states it.
    fn why(&self, why: &Why) -> String {
        if *why == Why::Rule { String::new() } else { format!(" · {}", words::why(why, self.lang)) }
    }

    /// Returns the commands that a command starts, or those that no command starts. Started commands follow the one
    /// that starts them.
    fn started_by(&self, starter: Option<usize>) -> Vec<usize> {
        let units = self.explanation.units.iter().enumerate();
        let is_started = |at: usize, unit: &Explained| unit.within.filter(|within| *within < at) == starter;
        units.filter(|(at, unit)| is_started(*at, unit)).map(|(at, _)| at).collect()
    }

    fn unit(&self, at: usize, indent: &str, last: bool, text: &mut String) {
        let Some(unit) = self.explanation.units.get(at) else { return };
        let (branch, below) = if last { ("└─", "   ") } else { ("├─", "│  ") };
        let started = self.started_by(Some(at));
        let rows = self.rules(unit);
        let indent_below = format!("{indent}{below}");
        text.push_str(&format!("{}{}\n", self.faint(&format!("{indent}{branch} ")), self.headline(unit)));
        let count = rows.len();
        for (row, line) in rows.into_iter().enumerate() {
            let end = row + 1 == count && started.is_empty();
            let branch = format!("{indent_below}{} ", if end { "└╴" } else { "├╴" });
            text.push_str(&format!("{}{line}\n", self.faint(&branch)));
        }
        for (row, inner) in started.iter().enumerate() {
            self.unit(*inner, &indent_below, row + 1 == started.len(), text);
        }
    }

    /// Formats a command and its decision.
    fn headline(&self, unit: &Explained) -> String {
        let name = unit.command.as_deref().unwrap_or(say(self.lang, "이 호출", "this call"));
        let name = self.paint.tone(Tone::Strong, &words::line(name));
        let note = match unit.role {
            Role::Runs => "",
            Role::StandsAside => say(self.lang, " (다음 명령만 실행)", " (only starts the next one)"),
            Role::Reading => say(self.lang, " (다르게 읽으면)", " (read another way)"),
        };
        let outcome = match unit.decision {
            Some(decision) => {
                format!("{}{}", words::verdict(decision, self.lang, self.paint), self.why(&unit.why))
            }
            None => self.faint(say(self.lang, "– 세지 않음", "– not counted")),
        };
        format!("{name}{note}  {outcome}")
    }

    /// Formats the rules in aligned columns.
    fn rules(&self, unit: &Explained) -> Vec<String> {
        let holds = |rule: &Considered| rule.matched != Match::No || rule.won;
        let mut left = SHOWN;
        let mut drawn = Vec::new();
        for rule in &unit.considered {
            if holds(rule) || left > 0 {
                left = left.saturating_sub(usize::from(!holds(rule)));
                drawn.push(rule);
            }
        }
        let widest = |of: fn(&Considered) -> usize| drawn.iter().map(|rule| of(rule)).max().unwrap_or_default();
        let place = widest(|rule| width(&words::place(&rule.rule)));
        let name = widest(|rule| width(&words::line(rule.name.as_deref().unwrap_or_default())));
        let mut rows: Vec<String> = drawn.iter().map(|rule| self.rule(rule, place, name)).collect();
        let hidden = unit.considered.len() - drawn.len();
        if hidden > 0 {
            rows.push(self.faint(&match self.lang {
                Lang::Ko => format!("맞지 않는 규칙 {hidden}개 더 (--json에 모두)"),
                Lang::En => format!("{hidden} more that do not hold (--json has them all)"),
            }));
        }
        if unit.elsewhere > 0 {
            let count = unit.elsewhere;
            rows.push(self.faint(&match self.lang {
                Lang::Ko => format!("다른 도구의 규칙 {count}개"),
                Lang::En => format!("{count} about other tools"),
            }));
        }
        rows
    }

    fn rule(&self, rule: &Considered, place: usize, name: usize) -> String {
        let (mark, word, tone) = words::look(rule.decision, self.lang);
        let (mark, tone) = match (rule.matched, rule.won) {
            (Match::No, false) => ("·", Tone::Faint),
            (Match::Maybe, _) => ("~", Tone::Doubtful),
            (Match::Yes, _) | (Match::No, true) => (mark, tone),
        };
        let decision = pad(word, 5);
        let (file, priority) = (pad(&words::place(&rule.rule), place), rule.priority);
        let title = match name {
            0 => String::new(),
            name => format!("  {}", pad(&words::line(rule.name.as_deref().unwrap_or_default()), name)),
        };
        let row = format!("{mark} {decision} {priority:>3}  {file}{title}  ");
        let fate = self.fate(rule);
        let row = match rule.matched {
            Match::No if !rule.won => self.faint(&row),
            _ => self.paint.tone(tone, &row),
        };
        format!("{row}{fate}")
    }

    /// Formats why a rule matches or not, and whether it decides.
    fn fate(&self, rule: &Considered) -> String {
        let differs = rule.because.map(|because| words::differs(because, self.lang)).unwrap_or_default();
        match (rule.matched, rule.won) {
            (Match::Yes, true) => self.paint.tone(Tone::Strong, say(self.lang, "◀ 결정", "◀ decides")),
            (Match::Yes, false) => say(self.lang, "맞지만 앞선 규칙이 결정", "holds, but comes later").to_owned(),
            (Match::Maybe, won) => {
                let asks = if won { say(self.lang, " ◀ 그래서 질문", " ◀ so it is asked") } else { "" };
                let may = say(self.lang, "맞는지 실행해야 알 수 있음", "whether it holds is only known when it runs");
                format!("{may}{}", self.paint.tone(Tone::Strong, asks))
            }
            // This is a rule about files, and the command names one of them.
            (Match::No, true) => {
                let touches = say(self.lang, "명령이 그 파일을 씁니다 ◀ 결정", "the command names its files ◀ decides");
                self.paint.tone(Tone::Strong, touches)
            }
            (Match::No, false) => self.faint(differs),
        }
    }

    fn faint(&self, text: &str) -> String {
        self.paint.tone(Tone::Faint, text)
    }
}
