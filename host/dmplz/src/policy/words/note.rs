//! The Korean of the notes of `policy import`. Their English is their `Display`.

use dmplz_core::text::Lang;
use dmplz_policy::authoring::import::{Note, Unread, Unsupported, Warning};

use super::finding::does;
use super::problem::fault;

/// Returns a note in a language.
pub(in crate::policy) fn note(note: &Note, lang: Lang) -> String {
    match lang {
        Lang::Ko => korean(note),
        Lang::En => note.to_string(),
    }
}

fn korean(note: &Note) -> String {
    match note {
        Note::NoPermissions => "설정에 `permissions`가 없습니다".to_owned(),
        Note::AllowIsNoList => "목록이 아니라서 뺐습니다: `permissions.allow`".to_owned(),
        Note::NoRule(entry) => format!("규칙이 아니라서 뺐습니다: allow {entry}"),
        Note::Warning(cited, what) => format!("{cited}: {}", warning(what)),
        Note::LeftOut(cited, why) => format!("뺐습니다: {cited}: {}", unsupported(why)),
        Note::Asked { why, tool: None } => format!("{}. 대신 모든 호출을 묻습니다", unread(why)),
        Note::Asked { why, tool: Some(tool) } => format!("{}. 대신 {tool}의 호출을 모두 묻습니다", unread(why)),
        Note::DefaultMode(mode) => {
            format!("Claude Code의 설정으로만 남습니다: `defaultMode` {mode}. 여기서는 어떤 모드도 허용하지 않습니다")
        }
        Note::AdditionalDirectories(folders) => format!(
            "Claude Code의 설정으로만 남고 여기서는 아무것도 허용하지 않습니다: `additionalDirectories` {folders}. \
             그곳에서 읽거나 써도 되는 것은 `paths`로 더해 주세요"
        ),
    }
}

fn unread(why: &Unread) -> String {
    match why {
        Unread::Settings => "설정이 JSON 객체가 아닙니다".to_owned(),
        Unread::Permissions => "`permissions`가 JSON 객체가 아닙니다".to_owned(),
        Unread::List(list) => format!("목록이 아닙니다: `permissions.{list}`"),
        Unread::Entry(list, entry) => format!("규칙이 아닙니다: {list} {entry}"),
        Unread::Unsupported(cited, why) => format!("가져올 수 없습니다: {cited}: {}", unsupported(why)),
    }
}

fn warning(what: &Warning) -> String {
    match what {
        Warning::OtherLetters { written, tool } => {
            format!("Claude Code에 없는 도구입니다: `{written}`. {tool}의 규칙으로 가져옵니다")
        }
        Warning::NeverAsked(entry) => {
            format!("Claude Code가 적용하지 않는 항목입니다. 이렇게 가져옵니다: `{entry}`")
        }
        Warning::Ignored(entry) => format!("Claude Code가 무시하는 항목입니다. 이렇게 가져옵니다: `{entry}`"),
        Warning::FirstWords(words) => format!("나머지는 그대로 옮길 수 없어 이렇게 가져옵니다: `{words} *`"),
        Warning::EveryHost => "모든 호스트를 허용합니다".to_owned(),
        Warning::EveryCommand => "읽을 수 있는 모든 명령을 허용합니다".to_owned(),
        Warning::NoBlank(before) => format!("`*` 앞에 빈칸이 없어 이런 명령도 허용합니다: `{before}x`"),
        Warning::AnyProgram => "`*`가 프로그램 자리에 있어 모든 프로그램을 뜻합니다".to_owned(),
        Warning::AnySubcommand => "`*`가 하위 명령과 그 앞의 모든 옵션을 뜻합니다".to_owned(),
        Warning::AnyText => {
            "`*`가 빈칸과 옵션까지 어떤 글이든 뜻합니다. 원래 명령에서는 파일 패턴이었을 수 있습니다".to_owned()
        }
        Warning::AnyWords => "`*`가 옵션까지 어떤 글이든 뜻합니다".to_owned(),
        Warning::Starts(program) => format!("이 프로그램이 시작하는 명령은 따로 허용해야 합니다: `{program}`"),
        Warning::Power(program, power) => format!("{} 명령입니다: `{program}`", does(*power)),
    }
}

fn unsupported(why: &Unsupported) -> String {
    match why {
        Unsupported::NoPathsOf { tool, instead } => {
            format!("Claude Code는 {tool}의 경로 규칙을 적용하지 않습니다. 이렇게 적어 주세요: `{instead}`")
        }
        Unsupported::Exception => "예외이거나 비어 있습니다".to_owned(),
        Unsupported::WholeHome => "홈 디렉터리 전체를 뜻할 수 있습니다. 그렇다면 `~/**`로 적어 주세요".to_owned(),
        Unsupported::NoFolder => "어느 폴더에서 시작하는지 알 수 없습니다".to_owned(),
        Unsupported::OwnCommand => "에이전트가 부르지 않는 Claude Code의 명령입니다(`/cd`)".to_owned(),
        Unsupported::NarrowedMcp => "Claude Code는 괄호가 있는 MCP 도구의 규칙을 건너뜁니다".to_owned(),
        Unsupported::StarInTool => "Claude Code는 도구 이름에 `*`가 있는 허용을 건너뜁니다".to_owned(),
        Unsupported::UnreadCommands => "여기서 읽지 않는 명령을 실행하는 도구입니다".to_owned(),
        Unsupported::Specifier(tool) => format!("괄호 안의 것이 {tool}에서 무엇을 뜻하는지 알 수 없습니다"),
        Unsupported::OnlyDomain => "WebFetch에는 `domain:`만 쓸 수 있습니다".to_owned(),
        Unsupported::StarInHost => "호스트 중간의 `*`는 옮길 수 없습니다".to_owned(),
        Unsupported::NoSubagent => "서브에이전트의 종류가 없습니다".to_owned(),
        Unsupported::NoSkill => "스킬의 이름이 없습니다".to_owned(),
        Unsupported::NoServer => "Claude Code는 서버의 이름이 없는 허용을 건너뜁니다".to_owned(),
        Unsupported::NotWords(text) => format!("명령 하나를 낱말 단위로 시작하는 글이 아닙니다: `{text}`"),
        Unsupported::NotOneCommand => {
            "낱말을 모두 알 수 있는 명령 하나가 아닙니다. 명령을 하나씩 허용해 주세요".to_owned()
        }
        Unsupported::Rule(what) => fault(what),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use dmplz_policy::authoring::import::{Source, claude};
    use serde_json::json;

    use super::*;

    #[test]
    fn notes_of_an_import_are_korean_for_people() {
        let settings = json!({ "permissions": {
            "deny": ["Mystery(x)", "Cd", 7],
            "ask": { "Bash": true },
            "allow": ["Bash(curl *)", "Bash(ls*)", "Glob(x)", "mcp__*", "rm -rf"],
            "defaultMode": "plan",
        }});
        let source = Source { file: Path::new("/home/u/.claude/settings.json"), home: None };
        let notes = claude(&settings, &source).notes;
        let told: Vec<String> = notes.iter().map(|found| note(found, Lang::Ko)).collect();
        assert_eq!(
            told,
            [
                "가져올 수 없습니다: deny `Mystery(x)`: 괄호 안의 것이 Mystery에서 무엇을 뜻하는지 알 수 없습니다. 대신 Mystery의 호출을 모두 묻습니다",
                "뺐습니다: deny `Cd`: 에이전트가 부르지 않는 Claude Code의 명령입니다(`/cd`)",
                "규칙이 아닙니다: deny 7. 대신 모든 호출을 묻습니다",
                "목록이 아닙니다: `permissions.ask`. 대신 모든 호출을 묻습니다",
                "allow `Bash(curl *)`: 어디에나 접속하고 받은 것을 파일로 쓰는 명령입니다: `curl`",
                "allow `Bash(ls*)`: `*` 앞에 빈칸이 없어 이런 명령도 허용합니다: `lsx`",
                "뺐습니다: allow `Glob(x)`: Claude Code는 Glob의 경로 규칙을 적용하지 않습니다. 이렇게 적어 주세요: `Read(x)`",
                "뺐습니다: allow `mcp__*`: Claude Code는 서버의 이름이 없는 허용을 건너뜁니다",
                "규칙이 아니라서 뺐습니다: allow \"rm -rf\"",
                "Claude Code의 설정으로만 남습니다: `defaultMode` \"plan\". 여기서는 어떤 모드도 허용하지 않습니다",
            ]
        );
        for found in &notes {
            assert_eq!(note(found, Lang::En), found.to_string());
        }
    }
}
