//! `dmplz policy list`: lists the policy files and their status. Exits with 4 if one of them has a problem.

use dmplz_core::text::Lang;
use dmplz_policy::{Decision, File, Problem, Tier};
use serde::Serialize;

use super::sources::{FilesArgs, here};
use super::words;
use crate::terminal::{Paint, Tone, pad, say, tell_findings};

#[derive(Debug, Serialize)]
struct Report {
    /// Whether no file has a problem.
    ok: bool,
    files: Vec<Row>,
}

/// A file of the list.
#[derive(Debug, Serialize)]
struct Row {
    path: String,
    tier: Tier,
    /// Whether its allows have an effect.
    trusted: bool,
    allow: usize,
    ask_user: usize,
    deny: usize,
    problems: Vec<Problem>,
}

/// Lists the files, the tier with the highest precedence first.
pub(crate) fn run(args: &FilesArgs) -> anyhow::Result<u8> {
    let report = Report::of(&args.sources.files(&here()?)?);
    tell_findings(&report, args.json, report.ok, |report, paint| report.text(words::lang(), paint))
}

impl Report {
    fn of(files: &[File]) -> Self {
        let mut files: Vec<Row> = files.iter().map(Row::of).collect();
        files.sort_by_key(|file| std::cmp::Reverse(file.tier));
        Self { ok: files.iter().all(|file| file.problems.is_empty()), files }
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        if self.files.is_empty() {
            let none = say(
                lang,
                "정책 파일이 없습니다: 모두 묻습니다. `dmplz policy init`이 첫 파일을 만듭니다.",
                "There is no policy file: everything is asked. `dmplz policy init` writes one to begin with.",
            );
            return format!("{none}\n");
        }
        self.files.iter().map(|file| file.text(lang, paint)).collect()
    }
}

impl Row {
    fn of(file: &File) -> Self {
        let count = |decision| file.rules.iter().filter(|rule| rule.decision == decision).count();
        Self {
            path: file.origin.path.display().to_string(),
            tier: file.origin.tier,
            trusted: file.origin.trusted,
            allow: count(Decision::Allow),
            ask_user: count(Decision::AskUser),
            deny: count(Decision::Deny),
            problems: file.problems.clone(),
        }
    }

    fn text(&self, lang: Lang, paint: Paint) -> String {
        let tier = paint.tone(Tone::Strong, &pad(words::tier(self.tier, lang), 11));
        let Self { allow, ask_user, deny, .. } = self;
        let counts = match lang {
            Lang::Ko => format!("허용 {allow}, 질문 {ask_user}, 거부 {deny}"),
            Lang::En => format!("{allow} allow, {ask_user} ask, {deny} deny"),
        };
        let mut text = format!("{tier}{}  {}\n", words::place(&self.path), paint.tone(Tone::Faint, &counts));
        let mut note = |tone, mark: &str, what: &str| {
            text.push_str(&format!("{:11}{} {what}\n", "", paint.tone(tone, mark)));
        };
        if !self.trusted && self.tier == Tier::Workspace {
            let untrusted = say(
                lang,
                "신뢰하지 않아 허용 규칙은 적용되지 않습니다: `dmplz policy trust`",
                "not trusted, so its allows do not count: `dmplz policy trust`",
            );
            note(Tone::Doubtful, "!", untrusted);
        }
        for problem in &self.problems {
            note(Tone::Bad, "✗", &words::place(&words::problem(problem, lang)));
        }
        if !self.problems.is_empty() {
            let fails_closed = say(
                lang,
                "고칠 때까지 이 계층과 그 아래의 허용은 모두 질문이 됩니다.",
                "until that is fixed, the allows of this tier and below are asks",
            );
            note(Tone::Strong, "→", fails_closed);
        }
        text
    }
}
