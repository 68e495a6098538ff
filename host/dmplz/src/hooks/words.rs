//! What people read about hooks, in both languages. Programs get the codes.

use std::path::Path;

use dmplz_core::claude::SettingsFile;
use dmplz_core::redact::mask;
use dmplz_core::text::{Lang, fill};
use dmplz_core::visible::visible_line;
use dmplz_hooks::output::{Ending, Slip, Wanted};
use dmplz_hooks::plan::{Skip, Standing};
use dmplz_hooks::problem::{Problem, Shape};
use serde::Serialize;

use crate::environment::from_home;
use crate::terminal::say;

/// Returns a path with `~` for the home directory.
pub(super) fn path(path: impl AsRef<Path>) -> String {
    from_home(&path.as_ref().display().to_string())
}

/// Returns a code as JSON has it.
pub(super) fn code(code: impl Serialize) -> String {
    serde_json::to_value(code).ok().and_then(|code| Some(code.as_str()?.to_owned())).unwrap_or_default()
}

/// Returns a limit as seconds.
pub(super) fn limit(ms: u64) -> String {
    if ms.is_multiple_of(1_000) { format!("{}s", ms / 1_000) } else { format!("{ms}ms") }
}

pub(super) fn standing(standing: Standing, file: SettingsFile, lang: Lang) -> String {
    let words = match standing {
        Standing::On if file == SettingsFile::User => say(lang, "켜짐", "on"),
        Standing::On => say(lang, "켜짐, 신뢰함", "on, trusted"),
        Standing::Off => say(lang, "꺼짐 (DMPLZ_HOOKS)", "off (DMPLZ_HOOKS)"),
        Standing::Missing => say(lang, "파일 없음", "no such file"),
        Standing::Broken => {
            say(lang, "읽을 수 없어 아무 훅도 쓰지 않음", "cannot be read, so none of its hooks counts")
        }
        Standing::Untrusted => {
            say(lang, "신뢰하지 않음: 읽어 본 뒤 dmplz hooks trust", "not trusted: read it, then dmplz hooks trust")
        }
        Standing::Changed => {
            say(lang, "신뢰한 뒤에 바뀜: dmplz hooks trust", "changed since it was trusted: dmplz hooks trust")
        }
    };
    words.to_owned()
}

pub(super) fn skip(skip: &Skip, lang: Lang) -> String {
    let words = match skip {
        Skip::SourceOff => say(lang, "출처가 꺼져 있음", "its source is off"),
        Skip::Untrusted => say(lang, "이 폴더의 훅을 신뢰하지 않음", "nobody trusts the hooks of this folder"),
        Skip::Changed => say(lang, "신뢰한 뒤에 훅이 바뀜", "the hooks of this folder changed since they were trusted"),
        Skip::AllOff => say(lang, "disableAllHooks가 켜져 있음", "a file says disableAllHooks"),
        Skip::Type { kind } => {
            let words = say(lang, "{} 종류의 훅은 실행하지 않음", "hooks of type {} are not run");
            return fill(words, &[&visible_line(kind)]);
        }
        Skip::NoCommand => say(lang, "실행할 명령이 없음", "it has no command that can be run"),
        Skip::Ours => say(lang, "dmplz 자신의 훅: Claude Code가 실행함", "dmplz's own hook, which Claude Code runs"),
        Skip::UnknownEvent => say(lang, "없는 이벤트", "there is no such event"),
        Skip::UnreadableMatcher => say(lang, "matcher를 읽을 수 없음", "its matcher cannot be read"),
        Skip::UnreadableCondition => say(lang, "if를 읽을 수 없음", "its \"if\" cannot be read"),
        Skip::OtherSubject => say(lang, "matcher가 맞지 않음", "its matcher is about something else"),
        Skip::OtherCall => say(lang, "if가 맞지 않음", "its \"if\" is about another call"),
        Skip::Twice => say(lang, "같은 명령이 이미 실행됨", "the same command runs already"),
    };
    words.to_owned()
}

/// Returns how a hook ended, and after which time.
pub(super) fn ending(ending: &Ending, took_ms: u64, lang: Lang) -> String {
    let took = took_ms.to_string();
    match ending {
        Ending::Exited { exit_code } => {
            fill(say(lang, "종료 코드 {}, {}ms", "exit code {}, {} ms"), &[&exit_code.to_string(), &took])
        }
        Ending::Killed { signal } => {
            fill(say(lang, "시그널로 끝남({}), {}ms", "ended by signal {}, {} ms"), &[&signal.to_string(), &took])
        }
        Ending::TimedOut => {
            fill(say(lang, "제한 시간을 넘겨 끝냄, {}ms", "ended at its limit of time, {} ms"), &[&took])
        }
        Ending::NotStarted { why } => {
            fill(say(lang, "시작할 수 없음: {}", "it could not be started: {}"), &[&visible_line(why)])
        }
    }
}

/// Returns what a hook wanted, which is never done.
pub(super) fn wanted(wanted: Wanted, reason: Option<&str>, lang: Lang) -> String {
    let word = match wanted {
        Wanted::Allow => say(lang, "허용", "allow"),
        Wanted::Deny => say(lang, "거부", "deny"),
        Wanted::Ask => say(lang, "질문", "ask"),
        Wanted::Defer => say(lang, "나중에 결정", "defer"),
    };
    let reason = reason.map(|reason| format!(" ({})", visible_line(reason))).unwrap_or_default();
    fill(say(lang, "훅의 뜻: {}{} - 기록만 함", "it wanted: {}{} - recorded only"), &[word, &reason])
}

/// Returns a finding in words. What it quotes of a file is masked.
pub(super) fn problem(problem: &Problem, lang: Lang) -> String {
    let text = match lang {
        Lang::En => problem.to_string(),
        Lang::Ko => problem_ko(problem),
    };
    visible_line(mask(&text).as_str())
}

fn problem_ko(problem: &Problem) -> String {
    let meant = |like: Option<&str>| like.map(|like| format!(" (혹시 {like}?)")).unwrap_or_default();
    match problem {
        Problem::NotJson { line, column, what } => format!("{line}번째 줄 {column}번째 칸: JSON이 아닙니다: {what}"),
        Problem::Unreadable { why } => format!("파일을 읽을 수 없습니다: {why}"),
        Problem::Shape { wants } => {
            let wants = match wants {
                Shape::Object => "객체",
                Shape::List => "목록",
                Shape::Text => "글",
                Shape::Texts => "글의 목록",
            };
            format!("여기에는 {wants}만 적을 수 있습니다")
        }
        Problem::UnknownEvent { name, like } => format!("없는 이벤트입니다: {name}{}", meant(*like)),
        Problem::Matcher { text, why } => format!("matcher가 이름도 정규식도 아닙니다: {text:?}: {why}"),
        Problem::MatcherIsRule { text } => {
            format!("matcher가 권한 규칙입니다: {text:?}. matcher에는 도구 이름을, 규칙은 훅의 \"if\"에 적어 주세요")
        }
        Problem::MatcherWildcard { text } => {
            format!(
                "matcher가 정규식이 아니어서 Claude Code에서는 아무것도 실행되지 않습니다: {text:?}. 여기서는 *가 있는 이름으로 읽습니다"
            )
        }
        Problem::MatcherCase { text, like } => {
            format!("matcher의 {text:?}: 대소문자를 구별하며 도구 이름은 {like}입니다")
        }
        Problem::MatcherIgnored { event } => format!("{event}에는 matcher가 없습니다. 항상 실행됩니다"),
        Problem::Unsupported { kind } => format!("{kind} 종류의 훅은 dmplz가 실행하지 않습니다"),
        Problem::UnknownType { kind } => format!("없는 훅 종류입니다: {kind:?}"),
        Problem::NoCommand => "실행할 \"command\"가 없습니다".to_owned(),
        Problem::Timeout { unit } => {
            let unit = if *unit == "seconds" { "초" } else { "밀리초" };
            format!("\"timeout\"은 0보다 큰 {unit} 수여야 합니다. 기본값을 씁니다")
        }
        Problem::LooksLikeMilliseconds { held } => {
            format!("\"timeout\": {held}: 단위가 초입니다. 밀리초로 적었다면 초로 바꾼 값을 써 주세요: {}", held / 1000)
        }
        Problem::LooksLikeSeconds { held } => {
            format!(
                "\"timeout\": {held}: gemini-cli에서는 단위가 밀리초입니다. 초로 적었다면 값을 {held}000으로 바꿔 주세요"
            )
        }
        Problem::OnFailure { held } => format!("\"onFailure\"에는 continue나 block만 쓸 수 있습니다: {held:?}"),
        Problem::Condition { held } => {
            format!("\"if\"는 Bash(git push *) 같은 권한 규칙이어야 합니다. 읽을 수 없어 실행하지 않습니다: {held:?}")
        }
        Problem::ConditionWithoutTool { event } => {
            format!("\"if\"는 도구 호출에 쓰는데 {event}에는 도구가 없어 실행되지 않습니다")
        }
        Problem::Shell { held } => format!("\"shell\"에는 bash만 쓸 수 있습니다: {held:?}"),
        Problem::UnknownOption { name, like } => format!("없는 옵션입니다: {name:?}{}", meant(*like)),
        Problem::NotFound { path } => format!("{path} 파일이 없습니다"),
        Problem::NotExecutable { path } => format!("{path}에 실행 권한이 없습니다. chmod +x를 실행해 주세요"),
        Problem::NoInterpreter { path } => {
            format!("#!로 시작하지 않아 \"args\"가 있는 훅으로는 시작할 수 없습니다: {path}")
        }
        Problem::NotOnPath { name } => format!("PATH에 {name} 프로그램이 없습니다"),
        Problem::RelativePath { path } => {
            format!(
                "상대 경로라서 프로젝트 폴더에서만 찾습니다: {path}. 이렇게 적어 주세요: \"$CLAUDE_PROJECT_DIR\"/{path}"
            )
        }
    }
}

/// Returns a slip of a script in words.
pub(super) fn slip(slip: &Slip, lang: Lang) -> String {
    let text = match lang {
        Lang::En => slip.to_string(),
        Lang::Ko => slip_ko(slip),
    };
    visible_line(mask(&text).as_str())
}

fn slip_ko(slip: &Slip) -> String {
    match slip {
        Slip::StrayText => {
            "stdout에 JSON 객체와 다른 글이 섞여 있어 어떤 클라이언트도 객체를 읽지 않습니다. 글은 stderr로 보내 주세요"
                .to_owned()
        }
        Slip::BrokenJson { why } => format!("stdout이 JSON 객체처럼 시작하지만 JSON이 아닙니다: {why}"),
        Slip::OtherEvent { found, event } => {
            format!("hookSpecificOutput은 {found:?}용인데 이벤트는 {event}입니다. 클라이언트가 무시합니다")
        }
        Slip::UnknownDecision { word, event, .. } => format!("{event}에서 쓰는 결정이 아닙니다: {word:?}"),
        Slip::DecisionAtTop { event } => {
            format!("맨 위의 \"decision\"은 {event}에서 효과가 없습니다. hookSpecificOutput 안에 적어 주세요")
        }
        Slip::ExitOne => {
            "종료 코드 1은 Claude Code에서 아무것도 막지 않습니다. 막으려면 2로 끝내거나 JSON 결정을 적어 주세요"
                .to_owned()
        }
        Slip::ExitTwoAtPermission => {
            "PermissionRequest에서 종료 코드 2는 결정이 아닙니다. JSON 결정을 적어 주세요".to_owned()
        }
        Slip::ShellDidNotFind { exit_code } => {
            format!("종료 코드 {exit_code}: 셸이 명령을 찾지 못했거나 실행할 수 없습니다")
        }
        Slip::TooLong => "stdout이 dmplz가 보관하는 것보다 길어 JSON으로 읽지 않습니다".to_owned(),
    }
}
