//! `dmplz policy suggest`: rules for what people always answered the same way. They are shown; with `--write` each is asked
//! about, and those that got a yes become a new file in `policy.d`.

use dmplz_core::stats::RequestEnd;
use dmplz_core::text::Lang;
use dmplz_policy::authoring::history::Asked;
use dmplz_policy::authoring::suggest::{self, LEAST, Suggestion, Wanted};
use jiff::Timestamp;
use serde::Serialize;

use super::sources::{Sources, here};
use super::{words, write};
use crate::settings::{Settings, Table, environment};
use crate::terminal::{Paint, Tone, say, show, tell};
use crate::time::since::since;
use crate::told::Tell;
use crate::{exit, journals, time};

/// The arguments of `policy suggest`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Look only at what was answered since then: 30d, 2026-11-01 · 이때부터의 답만 보기
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<Timestamp>,
    /// How many equal answers a rule needs · 규칙 하나에 필요한 같은 답의 수
    #[arg(long, value_name = "N", default_value_t = LEAST)]
    min: usize,
    #[command(flatten)]
    sources: Sources,
    /// Ask about each, and add those that you want to your rules · 하나씩 물어 원하는 것을 추가
    #[arg(long, conflicts_with = "json")]
    write: bool,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Report {
    /// The number of answers of people.
    answers: usize,
    suggestions: Vec<Suggestion>,
}

/// Shows the suggestions, and adds those that a person accepts.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let settings = Settings::of(&Table::load(&environment)?)?;
    let history = history(&settings, args.since)?;
    let home = environment("HOME").map(std::path::PathBuf::from);
    let wanted = Wanted { least: args.min.max(1), home: home.as_deref(), now: time::timestamp() };
    let files = args.sources.files(&here()?)?;
    let suggestions = suggest::suggest(&history, &files, &wanted);
    let report = Report { answers: history.len(), suggestions };
    if args.write {
        add(&report, &settings, Paint::of_stdout())?;
    } else {
        tell(&report, args.json, |report, paint| report.text(settings.lang, paint))?;
    }
    Ok(exit::OK)
}

/// Returns the answers of people, oldest first. A line that cannot be parsed is ignored.
fn history(settings: &Settings, since: Option<Timestamp>) -> anyhow::Result<Vec<Asked>> {
    let journal = journals::requests(settings);
    let mut history = Vec::new();
    for line in journal.lines()? {
        let line = line.not_read(journal.path())?;
        let asked = serde_json::from_slice::<RequestEnd>(&line).ok().and_then(Asked::of);
        history.extend(asked.filter(|asked| since.is_none_or(|since| asked.at >= since)));
    }
    Ok(history)
}

/// Asks about each suggestion, and writes those that were accepted.
fn add(report: &Report, settings: &Settings, paint: Paint) -> anyhow::Result<()> {
    let lang = settings.lang;
    let mut wanted = String::new();
    for suggestion in &report.suggestions {
        show(&text(suggestion, lang, paint))?;
        if crate::consent::ask(say(lang, "이 규칙을 추가할까요?", "Add this rule?"))? {
            wanted.push_str(&suggestion.toml);
            wanted.push('\n');
        }
    }
    if wanted.is_empty() {
        return show(say(lang, "추가한 규칙이 없습니다.\n", "Nothing was added.\n"));
    }
    let name = write::unused(&settings.state_dir, "suggested", &time::today());
    let path = write::create_ours(&settings.state_dir, &name, &wanted)?;
    show(&format!("{}: {}\n", words::place(&path.display().to_string()), say(lang, "추가했습니다.", "added.")))
}

impl Report {
    fn text(&self, lang: Lang, paint: Paint) -> String {
        let all: Vec<String> = self.suggestions.iter().map(|suggestion| text(suggestion, lang, paint)).collect();
        let (answers, count) = (self.answers, self.suggestions.len());
        let end = match (lang, count) {
            (Lang::Ko, 0) => format!("사람의 답 {answers}개에서 제안할 규칙을 찾지 못했습니다."),
            (Lang::En, 0) => format!("{answers} answers of people, and no rule to suggest."),
            (Lang::Ko, _) => format!("제안 {count}개. 아무것도 바꾸지 않았습니다. --write는 하나씩 묻고 추가합니다."),
            (Lang::En, _) => format!("{count} suggested. Nothing was changed; --write asks about each and adds it."),
        };
        format!("{}{}\n", all.concat(), paint.tone(Tone::Faint, &end))
    }
}

fn text(suggestion: &Suggestion, lang: Lang, paint: Paint) -> String {
    let Suggestion { decision, tool, about, answers, days, saves, .. } = suggestion;
    let verdict = words::verdict(*decision, lang, paint);
    let what = paint.tone(Tone::Strong, &words::line(&format!("{tool} {about}")));
    let evidence = match lang {
        Lang::Ko => format!("{days}일 동안 같은 답 {answers}번, 질문 {saves}개가 줄어듭니다"),
        Lang::En => format!("answered so {answers} times on {days} days; saves {saves} questions"),
    };
    let rule: String = suggestion.toml.lines().map(|text| format!("  {}\n", words::line(text))).collect();
    format!("{verdict}  {what}\n{}\n{rule}\n", paint.tone(Tone::Faint, &evidence))
}
