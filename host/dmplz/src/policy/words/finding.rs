//! The Korean of what `policy lint` finds, and of its hints.

use std::borrow::Cow;

use dmplz_core::text::Lang;
use dmplz_policy::Decision;
use dmplz_policy::authoring::lint::{Blanket, Earlier, Finding, Instead, Subject};
use dmplz_policy::programs::Power;

/// Returns the effect that a rule has or lacks, in a language.
pub(in crate::policy) fn finding(finding: &Finding, lang: Lang) -> String {
    match lang {
        Lang::Ko => korean(finding),
        Lang::En => finding.to_string(),
    }
}

/// Returns the proposed correction, in a language.
pub(in crate::policy) fn hint(finding: &Finding, lang: Lang) -> Cow<'static, str> {
    match lang {
        Lang::Ko => korean_hint(finding),
        Lang::En => finding.hint(),
    }
}

fn korean(finding: &Finding) -> String {
    match finding {
        Finding::Expired(end) => format!("기한이 지났습니다: {end}"),
        Finding::Untrusted(count) => format!("신뢰하지 않은 파일이라 허용 규칙 {count}개가 적용되지 않습니다"),
        Finding::ServerAlone(server) => format!("도구가 아니라 서버의 이름입니다: `mcp_{server}`"),
        Finding::UnknownTool(name, _) => format!("없는 도구입니다: `{name}`"),
        Finding::Question => "허용할 일이 없습니다. 사람에게 묻는 도구라 규칙이 대신 답하지 않습니다".to_owned(),
        Finding::FilesOfCommand => "허용할 일이 없습니다. 명령이 어느 파일을 다루는지 확실하지 않습니다".to_owned(),
        Finding::NoneHas(subject) => {
            format!("맞을 수 없습니다: `{subject}`. 그 도구에는 이것이 없습니다: {}", of(*subject))
        }
        Finding::ArgumentOfMcp(subject) => {
            format!("허용할 일이 없습니다. MCP 도구의 어느 인자에 이것이 있는지 확실하지 않습니다: {}", of(*subject))
        }
        Finding::Root { written, .. } => format!("디스크가 아니라 작업 폴더에서 시작합니다: `{written}`"),
        Finding::Options { prefix, .. } => {
            format!("다르게도 쓸 수 있습니다: `{prefix}`. 옵션은 순서와 표기가 여러 가지입니다")
        }
        Finding::Blanket(blanket) => format!("범위가 넓습니다. 허용하는 것: {}", all(*blanket)),
        Finding::Redirection => "그 명령이 `>`로 어느 파일에나 쓸 수 있습니다".to_owned(),
        Finding::Unanchored { pattern, .. } => format!("다른 인자에 든 글이 흉내 낼 수 있습니다: `{pattern}`"),
        Finding::Runner(command, power) => format!("{} 명령을 허용합니다: `{command}`", does(*power)),
        Finding::Starts { prefix, command } => {
            format!("`{prefix}` 명령은 그래도 묻습니다. 이 명령이 시작하는 것을 허용하는 규칙이 없습니다: `{command}`")
        }
        Finding::Shadowed(by) => {
            format!("거부할 일이 없습니다. 앞의 규칙이 먼저 모두 허용합니다: {}", earlier(by))
        }
        Finding::PartlyShadowed(by) => {
            format!("거부할 것 가운데 일부를 앞의 규칙이 먼저 허용합니다: {}", earlier(by))
        }
        Finding::Duplicate(of) => format!("같은 규칙이 있습니다: {}", earlier(of)),
        Finding::Unreachable { by, decision, .. } => {
            let decides = match decision {
                Decision::Allow => "허용합니다",
                Decision::AskUser => "묻습니다",
                Decision::Deny => "거부합니다",
            };
            format!("여기까지 오지 않습니다. 앞의 규칙이 먼저 모두 {decides}: {}", earlier(by))
        }
    }
}

fn korean_hint(finding: &Finding) -> Cow<'static, str> {
    match finding {
        Finding::Expired(_) => "지우거나 `expires`를 늘려 주세요".into(),
        Finding::Untrusted(_) => "읽어 보고 `dmplz policy trust`를 실행해 주세요".into(),
        Finding::ServerAlone(server) => format!("모두라면 이렇게 적어 주세요: `mcp__{server}`").into(),
        Finding::UnknownTool(_, Some(meant)) => format!("혹시 이것인가요? `{meant}`").into(),
        Finding::UnknownTool(_, None) => {
            "설명서의 표를 보거나, MCP 도구라면 `mcp__server__tool`처럼 적어 주세요".into()
        }
        Finding::Question | Finding::Unreachable { may_be_first: false, .. } => "지워 주세요".into(),
        Finding::FilesOfCommand => "`commandPrefix`를 써 주세요".into(),
        Finding::NoneHas(subject) => format!("`{subject}` 조건을 빼거나, 다른 도구를 적어 주세요").into(),
        Finding::ArgumentOfMcp(subject) => {
            format!("`{subject}` 조건을 빼거나, 인자로 시작하는 `argsPattern`을 써 주세요").into()
        }
        Finding::Root { on_disk, .. } => format!("디스크라면 이렇게 적어 주세요: `{on_disk}`").into(),
        Finding::Options { command, .. } => format!("`{command}` 전체를 묻게 하거나 거부해 주세요").into(),
        Finding::Blanket(Blanket::Commands) => "이것을 더해 주세요: `commandPrefix`".into(),
        Finding::Blanket(Blanket::Expression) => "정규 표현식을 허용할 명령으로 시작해 주세요".into(),
        Finding::Blanket(Blanket::PowerShell) | Finding::Runner(_, Power::Destroys) => "묻게 해 주세요".into(),
        Finding::Blanket(Blanket::Tools) => "도구의 이름을 적어 주세요".into(),
        Finding::Blanket(Blanket::McpTools) => "서버의 이름을 적어 주세요".into(),
        Finding::Blanket(Blanket::Writes) => "이것을 더해 주세요: `paths`".into(),
        Finding::Blanket(Blanket::Fetches) => "이것을 더해 주세요: `domains`".into(),
        Finding::Redirection => "`allowRedirection`을 빼거나, 중요한 파일을 거부해 주세요".into(),
        Finding::Unanchored { instead: Instead::Prefix, .. } => "명령을 그대로 읽는 `commandPrefix`를 써 주세요".into(),
        Finding::Unanchored { instead: Instead::Paths, .. } => "파일 인자를 그대로 읽는 `paths`를 써 주세요".into(),
        Finding::Unanchored { instead: Instead::Domains, .. } => "URL을 그대로 읽는 `domains`를 써 주세요".into(),
        Finding::Unanchored { instead: Instead::Argument, .. } => r#"인자로 시작해 주세요. 예: `\0"name":"`"#.into(),
        Finding::Runner(_, Power::RunsCode) => "실행해도 되는 것을 적어 주세요. 예: `python -m pytest`".into(),
        Finding::Runner(_, Power::StartsOthers) => "시작해도 되는 것을 적어 주세요. 예: `npx prettier`".into(),
        Finding::Runner(_, Power::Fetches) => "묻게 하거나, 웹 도구를 `domains`로 좁혀 허용해 주세요".into(),
        Finding::Starts { command, .. } => format!("같은 `commandPrefix`에서 이것도 허용해 주세요: `{command}`").into(),
        Finding::Shadowed(_) => "거부의 우선순위를 높이거나, 허용을 좁혀 주세요".into(),
        Finding::PartlyShadowed(_) => "거부의 우선순위를 높여 주세요".into(),
        Finding::Duplicate(_) => "하나를 지워 주세요".into(),
        Finding::Unreachable { may_be_first: true, .. } => "우선순위를 높이거나 지워 주세요".into(),
    }
}

fn of(subject: Subject) -> &'static str {
    match subject {
        Subject::Paths => "파일",
        Subject::Domains => "URL",
    }
}

fn all(blanket: Blanket) -> &'static str {
    match blanket {
        Blanket::Commands | Blanket::Expression => "모든 명령",
        Blanket::PowerShell => "PowerShell의 모든 명령",
        Blanket::Tools => "모든 도구",
        Blanket::McpTools => "모든 MCP 서버의 모든 도구",
        Blanket::Writes => "어느 파일이든 쓰기",
        Blanket::Fetches => "어느 URL이든 가져오기",
    }
}

pub(super) fn does(power: Power) -> &'static str {
    match power {
        Power::RunsCode => "받은 코드를 그대로 실행하는",
        Power::StartsOthers => "받은 명령을 그대로 시작하는",
        Power::Fetches => "어디에나 접속하고 받은 것을 파일로 쓰는",
        Power::Destroys => "되돌릴 수 없는 일을 하는",
    }
}

fn earlier(rule: &Earlier) -> String {
    match rule {
        Earlier::Line(line) => format!("{line}번째 줄"),
        Earlier::Place(place) => place.clone(),
    }
}

#[cfg(test)]
mod tests {
    use dmplz_policy::authoring::lint::lint;
    use dmplz_policy::{File, Origin, Policy, Tier};

    use super::*;

    #[test]
    fn warnings_and_their_hints_are_korean_for_people() {
        let text = "[[rule]]\ntoolName = \"Bash\"\ndecision = \"allow\"\npriority = 1\n\
                    [[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"sudo\"\ndecision = \"allow\"\npriority = 2\n\
                    [[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"npx eslint\"\ndecision = \"allow\"\npriority = 2\n\
                    [[rule]]\ntoolName = \"Bahs\"\ndecision = \"deny\"\npriority = 3\n";
        let origin = Origin { tier: Tier::User, path: "/p.toml".into(), root: None, trusted: true };
        let found = lint(&Policy::new(vec![File::parse(text, origin)]), crate::time::timestamp());
        let told: Vec<String> = found
            .iter()
            .map(|warning| format!("{} → {}", finding(&warning.finding, Lang::Ko), hint(&warning.finding, Lang::Ko)))
            .collect();
        assert_eq!(
            told,
            [
                "없는 도구입니다: `Bahs` → 혹시 이것인가요? `Bash`",
                "받은 명령을 그대로 시작하는 명령을 허용합니다: `sudo` → 시작해도 되는 것을 적어 주세요. 예: `npx prettier`",
                "범위가 넓습니다. 허용하는 것: 모든 명령 → 이것을 더해 주세요: `commandPrefix`",
            ]
        );
        for warning in &found {
            assert_eq!(finding(&warning.finding, Lang::En), warning.finding.to_string());
            assert_eq!(hint(&warning.finding, Lang::En), warning.finding.hint());
        }
    }
}
