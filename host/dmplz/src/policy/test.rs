//! `dmplz policy test`: the `match` and `not_match` examples of every rule. Exit code 4 when one does not hold, or a file has
//! another problem.

use dmplz_core::text::Lang;
use dmplz_policy::authoring::examples;
use dmplz_policy::file::{Because, Failure, Fault};
use dmplz_policy::{File, Problem, Rule};
use serde::Serialize;

use super::sources::{FilesArgs, here};
use super::words;
use crate::terminal::{Paint, Tone, say, tell_findings};

#[derive(Debug, Default, Serialize)]
struct Report {
    /// Whether every example passes, and no file has a problem.
    ok: bool,
    examples: usize,
    failures: Vec<Failed>,
    rules: usize,
    /// The number of rules without an example.
    without: usize,
    /// The other problems of the files.
    problems: Vec<Problem>,
}

/// An example that fails.
#[derive(Debug, Serialize)]
struct Failed {
    /// The position of the example, as `file:line:column`.
    place: String,
    /// The position of its rule, as `file:line`.
    rule: String,
    example: String,
    should_match: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<Because>,
}

/// Runs the examples. Returns the exit code.
pub(crate) fn run(args: &FilesArgs) -> anyhow::Result<u8> {
    let report = Report::of(&args.sources.files(&here()?)?);
    tell_findings(&report, args.json, report.ok, |report, paint| report.text(words::lang(), paint))
}

impl Report {
    fn of(files: &[File]) -> Self {
        let mut report = Self::default();
        for file in files {
            for rule in &file.rules {
                report.rules += 1;
                report.examples += rule.examples.len();
                report.without += usize::from(rule.examples.is_empty());
                report.failures.extend(examples::failures(rule).into_iter().map(|failure| Failed::of(rule, failure)));
            }
            // An example that fails is also a problem of its file.
            let others = file.problems.iter().filter(|problem| !matches!(problem.what, Fault::Example(_)));
            report.problems.extend(others.cloned());
        }
        report.ok = report.failures.is_empty() && report.problems.is_empty();
        report
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let bad = paint.tone(Tone::Bad, "✗");
        let mut text = String::new();
        for Failed { place, example, should_match, because, .. } in &self.failures {
            let fails = match should_match {
                true => say(lang, "맞아야 하는데 맞지 않습니다", "should match and does not"),
                false => say(lang, "맞지 않아야 하는데 맞습니다", "should not match and does"),
            };
            let because =
                because.as_ref().map(|because| format!(" ({})", words::because(because, lang))).unwrap_or_default();
            let example = paint.tone(Tone::Strong, &words::line(example));
            text.push_str(&format!("{bad} {}  {example}  {fails}{}\n", words::place(place), words::line(&because)));
        }
        for problem in &self.problems {
            text.push_str(&format!("{bad} {}\n", words::place(&words::problem(problem, lang))));
        }
        let Self { examples, rules, without, .. } = self;
        let hold = examples - self.failures.len();
        let verdict = match lang {
            Lang::Ko => {
                format!("예시 {examples}개 중 {hold}개가 맞습니다. 규칙 {rules}개 중 {without}개에는 예시가 없습니다.")
            }
            Lang::En => format!("{hold} of {examples} examples hold; {without} of {rules} rules have none."),
        };
        format!("{text}{}\n", paint.tone(if self.ok { Tone::Good } else { Tone::Bad }, &verdict))
    }
}

impl Failed {
    fn of(rule: &Rule, failure: Failure) -> Self {
        let Failure { line, column, example, should_match, because } = failure;
        let place = format!("{}:{line}:{column}", rule.origin.path.display());
        Self { place, rule: rule.place(), example, should_match, because }
    }
}
