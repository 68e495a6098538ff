//! `dmplz policy check`: reports the decision of the rules about a call, without running it or asking anybody.
//!
//! | | exit code |
//! |---|---|
//! | allow, deny, ask | 0, 1, 2 |
//! | it could not be judged: the settings or a `--policy` file cannot be read, `--input` is no JSON object, `--cwd` is no folder that is there, Claude Code has no such `--mode` | 3 |
//! | the command line is not understood | 64 |
//! | `-`: every line was answered, whatever the answers are | 0 |
//!
//! It reports the decision of the rules only. Grants, which may allow what the rules ask, are ignored.
//!
//! Of one call only an allow exits with 0, so `dmplz policy check ... && run it` is safe whatever fails. With `-` the decisions
//! are in the lines alone.

mod lines;

use dmplz_core::text::Lang;
use dmplz_policy::{Decision, Judgement, Rule};
use serde::Serialize;

use super::call::{Asked, Circumstances};
use super::sources::Sources;
use super::{explain, words};
use crate::exit;
use crate::failed::Failed;
use crate::terminal::{Paint, Tone, pad, say, tell};

const USAGE: &str = "\
dmplz policy check [OPTIONS] <COMMAND>
       dmplz policy check [OPTIONS] --tool <NAME> [--input <JSON>]
       dmplz policy check [OPTIONS] -";

const CODES: &str = "\
Exit codes · 종료 코드:
  0  allow · 허용        3  it could not be judged · 판단할 수 없음
  1  deny · 거부        64  the command line is not understood · 명령줄을 이해하지 못함
  2  ask · 질문          with -, 0 when every line was answered, whatever the answers are
                         -는 답이 무엇이든 모든 줄에 답하면 0

Lines of JSON, one answer each, in order:
  {\"tool\":\"Bash\",\"input\":{\"command\":\"git status\"},\"mode\":\"plan\",\"cwd\":\"/work\"}
  {\"decision\":\"allow\",\"rule\":\"/home/ann/.claude/dm-plz/policy.toml:3\",\"reason\":\"a rule says so\"}";

/// The arguments of `policy check`.
#[derive(Debug, clap::Args)]
#[command(override_usage = USAGE, after_help = CODES)]
pub(crate) struct Args {
    /// A command for the shell; - answers calls that come on stdin, one JSON object a line · 셸 명령; -는 stdin의 JSON 줄
    #[arg(value_name = "COMMAND", conflicts_with_all = ["tool", "input"], required_unless_present_any = ["tool", "input"])]
    command: Option<String>,
    /// The tool; Bash unless given · 도구 이름
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// The tool's input, a JSON object; - reads it from stdin · 도구의 입력 (JSON)
    #[arg(long, value_name = "JSON")]
    input: Option<String>,
    #[command(flatten)]
    circumstances: Circumstances,
    #[command(flatten)]
    sources: Sources,
    /// Show every rule that was considered, and why it holds or does not · 검토한 모든 규칙과 그 이유
    #[arg(long)]
    explain: bool,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// The answer in JSON, for programs.
#[derive(Debug, Serialize)]
struct Answer {
    decision: Decision,
    /// The rule that decided, as `file:line`.
    rule: Option<String>,
    reason: String,
    /// The reason why the call could not be judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Judges the call. Every failure has an exit code of its own, because 1 means deny.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let judged = args.circumstances.have_a_known_mode().and_then(|()| match args.command.as_deref() {
        Some("-") => lines::answer(&args.circumstances, &args.sources).map(|()| exit::OK),
        command => one(args, command),
    });
    // With `-` the answers are lines, one for each call.
    let json = args.json && args.command.as_deref() != Some("-");
    judged.or_else(|error| Ok(Failed::of(&error, words::lang()).with_exit(exit::UNJUDGED).tell(json)))
}

fn one(args: &Args, command: Option<&str>) -> anyhow::Result<u8> {
    // With `-`, calls may have been recorded elsewhere.
    args.circumstances.have_a_folder()?;
    let asked = match command {
        Some(command) => Asked::command(command),
        None => Asked::of_tool(args.tool.as_deref(), args.input.as_deref())?,
    };
    let asked = asked.under(&args.circumstances)?;
    let judge = args.sources.judge(asked.cwd())?;
    let lang = words::lang();
    let decision = if args.explain {
        let explanation = judge.explain(&asked);
        tell(&explanation, args.json, |explanation, paint| explain::tree(explanation, &asked, lang, paint))?;
        explanation.decision
    } else {
        let judgement = judge.check(&asked);
        tell(&Answer::of(&judgement), args.json, |_, paint| text(&judgement, lang, paint))?;
        judgement.decision
    };
    Ok(code(decision))
}

fn code(decision: Decision) -> u8 {
    match decision {
        Decision::Allow => exit::ALLOW,
        Decision::Deny => exit::DENY,
        Decision::AskUser => exit::ASK,
    }
}

/// Formats the verdict, the rule and the reason for a person.
fn text(judgement: &Judgement<'_>, lang: Lang, paint: Paint) -> String {
    let verdict = words::verdict(judgement.decision, lang, paint);
    let command = judgement.command.as_deref().map(|command| format!("  {}", words::line(command))).unwrap_or_default();
    let mut text = format!("{verdict}{command}\n");
    let mut row = |name: &str, value: &str| {
        text.push_str(&format!("  {}{value}\n", paint.tone(Tone::Faint, &pad(name, 8))));
    };
    if let Some(place) = judgement.rule.map(Rule::place) {
        row(say(lang, "규칙", "rule"), &words::place(&place));
    }
    row(say(lang, "이유", "reason"), &words::reason(judgement, lang));
    text
}

impl Answer {
    fn of(judgement: &Judgement<'_>) -> Self {
        let rule = judgement.rule.map(Rule::place);
        Self { decision: judgement.decision, rule, reason: words::reason(judgement, Lang::En), error: None }
    }
}
