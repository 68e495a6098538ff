//! `dmplz policy lint`: rules that do not do what they seem to. Exit code 4 when there are any, or a file has a problem.

use dmplz_core::text::Lang;
use dmplz_policy::Problem;
use dmplz_policy::authoring::lint::{self, Concern, Warning};
use serde::Serialize;

use super::sources::{FilesArgs, here};
use super::words;
use crate::terminal::{Paint, Tone, say, tell_findings};
use crate::time;

#[derive(Debug, Serialize)]
struct Report {
    /// Whether there are no problems and no warnings.
    ok: bool,
    rules: usize,
    /// The problems of the files, whose allows have no effect until they are fixed.
    problems: Vec<Problem>,
    /// The rules that probably do not do what their author means.
    warnings: Vec<Warning>,
}

/// Checks the rules and prints the result.
pub(crate) fn run(args: &FilesArgs) -> anyhow::Result<u8> {
    let policy = args.sources.policy(&here()?)?;
    let problems = policy.problems().to_vec();
    let warnings = lint::lint(&policy, time::timestamp());
    let ok = problems.is_empty() && warnings.is_empty();
    let report = Report { ok, rules: policy.rules().len(), problems, warnings };
    tell_findings(&report, args.json, ok, |report, paint| report.text(words::lang(), paint))
}

impl Report {
    fn text(&self, lang: Lang, paint: Paint) -> String {
        let mut text = String::new();
        for problem in &self.problems {
            text.push_str(&format!(
                "{} {}\n",
                paint.tone(Tone::Bad, "✗"),
                words::place(&words::problem(problem, lang))
            ));
        }
        for Warning { place, finding } in &self.warnings {
            let (mark, arrow) = (paint.tone(Tone::Doubtful, "!"), paint.tone(Tone::Strong, "→"));
            let concern = paint.tone(Tone::Strong, name(finding.concern(), lang));
            let what = words::line(&words::finding(finding, lang));
            let hint = words::line(&words::hint(finding, lang));
            let place = words::place(place);
            text.push_str(&format!("{mark} {place}  {concern}: {what}\n  {arrow} {hint}\n"));
        }
        let (rules, found) = (self.rules, self.problems.len() + self.warnings.len());
        let verdict = match lang {
            Lang::Ko if self.ok => format!("규칙 {rules}개를 확인했고, 문제가 없습니다."),
            Lang::Ko => format!("규칙 {rules}개를 확인했고, 문제 {found}가지를 찾았습니다."),
            Lang::En if self.ok => format!("Checked {}: no problems.", counted(rules, "rule")),
            Lang::En => format!("Checked {}: {}.", counted(rules, "rule"), counted(found, "problem")),
        };
        format!("{text}{}\n", paint.tone(if self.ok { Tone::Good } else { Tone::Doubtful }, &verdict))
    }
}

/// A number and what is counted.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn name(concern: Concern, lang: Lang) -> &'static str {
    match concern {
        Concern::Unreachable => say(lang, "결정할 일이 없는 규칙", "unreachable"),
        Concern::Duplicate => say(lang, "같은 규칙이 앞에 있음", "duplicate"),
        Concern::Shadowed => say(lang, "거부보다 먼저 허용", "shadowed"),
        Concern::Blanket => say(lang, "모두 허용", "blanket"),
        Concern::Runner => say(lang, "무엇이든 실행하는 명령을 허용", "runner"),
        Concern::Unanchored => say(lang, "다른 인자가 흉내 낼 수 있음", "unanchored"),
        Concern::Never => say(lang, "맞을 수 없음", "never"),
        Concern::UnknownTool => say(lang, "없는 도구", "unknown tool"),
        Concern::Root => say(lang, "루트가 아닌 경로", "root"),
        Concern::Options => say(lang, "다르게 쓸 수 있는 옵션", "options"),
        Concern::Expired => say(lang, "기한이 지남", "expired"),
    }
}
