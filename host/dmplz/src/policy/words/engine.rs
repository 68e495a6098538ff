//! What the engine says of a policy file, in Korean for people. Programs get its English.

use dmplz_core::text::Lang;

use crate::told::translated;

/// The sentences of problems of files, of examples, and of warnings with their hints.
const SAID: &[[&str; 2]] = &[
    ["it is not UTF-8", "UTF-8이 아닙니다"],
    ["it is larger than {} bytes, so nothing of it is used", "{}바이트보다 커서 아무것도 쓰지 않습니다"],
    ["it has more than {} rules; the rest is not used", "규칙이 {}개를 넘어 나머지는 쓰지 않습니다"],
    ["{}, so what it allows does not count", "{}. 그래서 허용 규칙은 적용되지 않습니다"],
    ["there may be several, so it is written `[[{}]]`", "여러 개일 수 있어 `[[{}]]`로 적습니다"],
    ["`{}` is a list of tables, written `[[{}]]`", "테이블의 목록입니다: `{}`. `[[{}]]`로 적어 주세요"],
    ["this is no table", "테이블이 아닙니다"],
    ["unknown key `{}`; did you mean `{}`?", "없는 키입니다: `{}`. 혹시 이것인가요? `{}`"],
    ["unknown key `{}`", "없는 키입니다: `{}`"],
    ["unknown table `{}`; did you mean `{}`?", "없는 테이블입니다: `{}`. 혹시 이것인가요? `{}`"],
    ["unknown table `{}`", "없는 테이블입니다: `{}`"],
    ["unknown mode `{}`; did you mean `{}`?", "없는 모드입니다: `{}`. 혹시 이것인가요? `{}`"],
    ["unknown mode `{}`; there are {}", "없는 모드입니다: `{}`. 쓸 수 있는 것: {}"],
    ["it has no `decision`, {}", "`decision`이 없습니다. 쓸 수 있는 것: {}"],
    ["it has no `priority`, {}", "`priority`가 없습니다. 적을 것: {}"],
    ["it has no `checker`", "`checker`가 없습니다"],
    ["it has no `toolName`; `*` stands for every tool", "`toolName`이 없습니다. `*`는 모든 도구입니다"],
    ["`{}` and `{}` exclude each other", "함께 쓸 수 없습니다: `{}`, `{}`"],
    [
        "no tool is called `{}`: did you mean `toolName = \"Bash\"`?",
        "없는 도구입니다: `{}`. 혹시 이것인가요? `toolName = \"Bash\"`",
    ],
    [
        "`{}` is for the shell only: set `toolName = \"run_shell_command\"`",
        "셸에만 쓸 수 있습니다: `{}`. `toolName = \"run_shell_command\"`를 적어 주세요",
    ],
    ["`{}` is another spelling of `{}`, which is given too", "같은 뜻의 키가 둘 다 있습니다: `{}`, `{}`"],
    ["`{}` has no entry; it takes {}", "비어 있습니다: `{}`. 적을 것: {}"],
    ["`{}` takes {}", "쓸 수 없는 값입니다: `{}`. 적을 것: {}"],
    [
        "a prefix ends at a word and needs no ` *`; quote a `*` that is meant as it is",
        "접두사는 낱말에서 끝나므로 ` *`가 필요 없습니다. 글자 `*`라면 따옴표로 묶어 주세요",
    ],
    ["a prefix needs at least one word", "접두사에는 낱말이 하나 이상 있어야 합니다"],
    [
        "{} ends a command; a prefix is the beginning of one",
        "명령을 끝내는 글자입니다: {}. 접두사는 명령의 앞부분입니다",
    ],
    ["the backslash at its end escapes nothing", "끝에 있는 역슬래시 뒤에 아무것도 없습니다"],
    ["the quote is not closed", "따옴표가 닫히지 않았습니다"],
    [
        "`{}` stands for what is only known when the command runs; quote it with '...'",
        "실행할 때에야 정해지는 값입니다: `{}`. '...'로 묶어 주세요",
    ],
    ["no regular expression: {}", "정규 표현식이 아닙니다: {}"],
    ["`{}` is a URL or a path, write the host alone", "URL이나 경로입니다: `{}`. 호스트만 적어 주세요"],
    ["`{}` is no host", "호스트가 아닙니다: `{}`"],
    [
        "`{}` has a port, write the host alone: it stands for every port",
        "포트가 있습니다: `{}`. 호스트만 적어 주세요. 모든 포트를 뜻합니다",
    ],
    [
        "`*` in `{}` may only be the first label, as in `*.example.com`",
        "`*`는 맨 앞에만 쓸 수 있습니다: `{}`. 예: `*.example.com`",
    ],
    ["nothing is below the address in `{}`", "주소 아래에는 아무것도 없습니다: `{}`"],
    ["an empty list matches nothing", "빈 목록은 아무것에도 맞지 않습니다"],
    ["there is nothing before it that it could be an exception to", "앞에 예외로 할 것이 없습니다"],
    ["`..` is only understood at its beginning", "`..`은 맨 앞에만 쓸 수 있습니다"],
    ["only ASCII is understood in `[ ]`; write `{ä,ö}`", "`[ ]`에는 ASCII만 쓸 수 있습니다. `{ä,ö}`처럼 적어 주세요"],
    ["only `~/` is understood: no user's name after `~`", "`~/`만 쓸 수 있고, `~` 뒤에 사용자 이름은 쓸 수 없습니다"],
    ["the example `{}` should match and does not: {}", "맞아야 하는 예시가 맞지 않습니다: `{}`: {}"],
    ["the example `{}` should match and does not", "맞아야 하는 예시가 맞지 않습니다: `{}`"],
    ["the example `{}` should not match and does: {}", "맞지 않아야 하는 예시가 맞습니다: `{}`: {}"],
    ["the example `{}` should not match and does", "맞지 않아야 하는 예시가 맞습니다: `{}`"],
    ["it allows `{}`, which runs any code that it is given", "받은 코드를 그대로 실행하는 명령을 허용합니다: `{}`"],
    [
        "it allows `{}`, which starts any command that it is given",
        "받은 명령을 그대로 시작하는 명령을 허용합니다: `{}`",
    ],
    [
        "it allows `{}`, which reaches any host, and writes what it gets",
        "어디에나 접속하고 받은 것을 파일로 쓰는 명령을 허용합니다: `{}`",
    ],
    ["it allows `{}`, which does what cannot be undone", "되돌릴 수 없는 일을 하는 명령을 허용합니다: `{}`"],
    ["it allows {}", "범위가 넓습니다. 허용하는 것: {}"],
    ["its commands may write any file with `>`", "그 명령이 `>`로 어느 파일에나 쓸 수 있습니다"],
    ["text in any argument can imitate `{}`", "다른 인자에 든 글이 흉내 낼 수 있습니다: `{}`"],
    ["it never denies: {} allows all of it first", "거부할 일이 없습니다. 앞의 규칙이 먼저 모두 허용합니다: {}"],
    ["it says the same as {}", "같은 규칙이 있습니다: {}"],
    ["it is never reached: {} allows all of it first", "여기까지 오지 않습니다. 앞의 규칙이 먼저 모두 허용합니다: {}"],
    ["it is never reached: {} asks for all of it first", "여기까지 오지 않습니다. 앞의 규칙이 먼저 모두 묻습니다: {}"],
    ["it is never reached: {} denies all of it first", "여기까지 오지 않습니다. 앞의 규칙이 먼저 모두 거부합니다: {}"],
    ["some of what it denies is allowed first by {}", "거부할 것 가운데 일부를 앞의 규칙이 먼저 허용합니다: {}"],
    ["its time was over at {}", "기한이 지났습니다: {}"],
    [
        "an allow of this file does not count, because nobody trusted it",
        "신뢰하지 않은 파일이라 허용 규칙 1개가 적용되지 않습니다",
    ],
    [
        "{} allows of this file do not count, because nobody trusted it",
        "신뢰하지 않은 파일이라 허용 규칙 {}개가 적용되지 않습니다",
    ],
    ["`{}` is no tool: it names a server and none of its tools", "도구가 아니라 서버의 이름입니다: `{}`"],
    ["no tool is called `{}`", "없는 도구입니다: `{}`"],
    ["`{}` never holds: the tool has no {}", "맞을 수 없습니다: `{}`. 그 도구에는 이것이 없습니다: {}"],
    [
        "it never allows: the tool asks a person, and a rule does not answer for them",
        "허용할 일이 없습니다. 사람에게 묻는 도구라 규칙이 대신 답하지 않습니다",
    ],
    [
        "it never allows: which files a command touches is not certain",
        "허용할 일이 없습니다. 명령이 어느 파일을 다루는지 확실하지 않습니다",
    ],
    [
        "it never allows: which arguments of an MCP tool hold a {} is not certain",
        "허용할 일이 없습니다. MCP 도구의 어느 인자에 이것이 있는지 확실하지 않습니다: {}",
    ],
    ["`{}` begins at the folder of the workspace, not of the disk", "디스크가 아니라 작업 폴더에서 시작합니다: `{}`"],
    [
        "`{}` is not the only way to write it: options have other orders and spellings",
        "다르게도 쓸 수 있습니다: `{}`. 옵션은 순서와 표기가 여러 가지입니다",
    ],
    [
        "take `allowRedirection` away, or deny the files that matter",
        "`allowRedirection`을 빼거나, 중요한 파일을 거부해 주세요",
    ],
    ["begin the expression with the commands that are meant", "정규 표현식을 허용할 명령으로 시작해 주세요"],
    ["name the servers", "서버의 이름을 적어 주세요"],
    ["name the tools", "도구의 이름을 적어 주세요"],
    ["add `{}`", "이것을 더해 주세요: `{}`"],
    ["let it ask", "묻게 해 주세요"],
    ["use `commandPrefix`, which reads the command itself", "명령을 그대로 읽는 `commandPrefix`를 써 주세요"],
    ["use `paths`, which reads the file's own argument", "파일 인자를 그대로 읽는 `paths`를 써 주세요"],
    ["use `domains`, which reads the URL itself", "URL을 그대로 읽는 `domains`를 써 주세요"],
    ["use `commandPrefix`", "`commandPrefix`를 써 주세요"],
    ["begin it with the argument, as in {}", "인자로 시작해 주세요. 예: {}"],
    ["name what it may run, as in {}", "실행해도 되는 것을 적어 주세요. 예: {}"],
    ["name what it may start, as in {}", "시작해도 되는 것을 적어 주세요. 예: {}"],
    ["let it ask, or allow the web tool for some `domains`", "묻게 하거나, 웹 도구를 `domains`로 좁혀 허용해 주세요"],
    ["give the deny the higher priority, or narrow the allow", "거부의 우선순위를 높이거나, 허용을 좁혀 주세요"],
    ["give the deny the higher priority", "거부의 우선순위를 높여 주세요"],
    ["give it a higher priority, or delete it", "우선순위를 높이거나 지워 주세요"],
    ["delete one of them", "하나를 지워 주세요"],
    ["delete it, or renew `expires`", "지우거나 `expires`를 늘려 주세요"],
    ["delete it", "지워 주세요"],
    ["read it, then run `dmplz policy trust`", "읽어 보고 `dmplz policy trust`를 실행해 주세요"],
    ["write `{}` for all of them", "모두라면 이렇게 적어 주세요: `{}`"],
    ["write `{}` for the disk", "디스크라면 이렇게 적어 주세요: `{}`"],
    ["did you mean `{}`?", "혹시 이것인가요? `{}`"],
    [
        "see the table in the manual, or name an MCP tool as `mcp__server__tool`",
        "설명서의 표를 보거나, MCP 도구라면 `mcp__server__tool`처럼 적어 주세요",
    ],
    ["take `{}` away, or name other tools", "`{}` 조건을 빼거나, 다른 도구를 적어 주세요"],
    [
        "take `{}` away, or use an anchored `argsPattern`",
        "`{}` 조건을 빼거나, 인자로 시작하는 `argsPattern`을 써 주세요",
    ],
    ["let `{}` ask as well, or deny all of it", "`{}` 전체를 묻게 하거나 거부해 주세요"],
];

/// The values within these sentences that are words.
const VALUES: &[[&str; 2]] = &[
    [
        "what it stands for is not certain; write the whole input as a table",
        "무엇을 뜻하는지 확실하지 않습니다. 입력 전체를 테이블로 적어 주세요",
    ],
    ["`allow`, `deny` or `ask_user`", "`allow`, `deny`, `ask_user`"],
    ["a whole number from 0 to 999", "0부터 999까지의 정수"],
    ["true or false", "true나 false"],
    ["a table", "테이블"],
    ["a text that is not empty, or a list of such", "비어 있지 않은 글, 또는 그런 글의 목록"],
    ["a text that is not empty", "비어 있지 않은 글"],
    ["a date, or a date with a time (UTC, or with an offset)", "날짜, 또는 날짜와 시각(UTC, 또는 시차와 함께)"],
    [
        "a command, path or address, or a table that is a whole input, or a list of such",
        "명령, 경로나 주소, 또는 입력 전체를 담은 테이블, 또는 그런 것의 목록",
    ],
    [
        "a table with a `type`, `in-process` or `external`, and a `name`",
        "`type`(`in-process` 또는 `external`)과 `name`이 있는 테이블",
    ],
    ["every command of PowerShell", "PowerShell의 모든 명령"],
    ["every command", "모든 명령"],
    ["every tool of every MCP server", "모든 MCP 서버의 모든 도구"],
    ["every tool", "모든 도구"],
    ["to write any file", "어느 파일이든 쓰기"],
    ["to fetch any URL", "어느 URL이든 가져오기"],
    ["file", "파일"],
    ["line {}", "{}번째 줄"],
    ["whether it is trusted is not known: {}", "신뢰했는지 알 수 없습니다: {}"],
    [
        "it has changed since it was trusted; look at it, and run `dmplz policy trust` if it is as you want it",
        "신뢰한 뒤에 바뀌었습니다. 읽어 보고, 그대로 좋으면 `dmplz policy trust`를 실행해 주세요",
    ],
];

/// Returns a sentence of the engine in a language; one without Korean words stays English.
pub(in crate::policy) fn said(sentence: &str, lang: Lang) -> String {
    korean(sentence, lang).unwrap_or_else(|| sentence.to_owned())
}

fn korean(sentence: &str, lang: Lang) -> Option<String> {
    let value = |text: &str| translated(VALUES, text, str::to_owned).unwrap_or_else(|| text.to_owned());
    (lang == Lang::Ko).then(|| translated(SAID, sentence, value)).flatten()
}

#[cfg(test)]
mod tests {
    use dmplz_policy::authoring::lint::lint;
    use dmplz_policy::{File, Origin, Policy, Tier};

    use super::*;

    fn file(text: &str) -> File {
        File::parse(text, Origin { tier: Tier::User, path: "/p.toml".into(), root: None, trusted: true })
    }

    #[test]
    fn warnings_and_their_hints_are_korean_for_people() {
        let text = "[[rule]]\ntoolName = \"Bash\"\ndecision = \"allow\"\npriority = 1\n\
                    [[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"sudo\"\ndecision = \"allow\"\npriority = 2\n\
                    [[rule]]\ntoolName = \"Bahs\"\ndecision = \"deny\"\npriority = 3\n";
        let warnings = lint(&Policy::new(vec![file(text)]), crate::time::timestamp());
        assert!(!warnings.is_empty());
        for warning in warnings {
            for sentence in [&warning.what, &warning.hint] {
                assert!(said(sentence, Lang::Ko).chars().any(|c| ('가'..='힣').contains(&c)), "{sentence}");
                assert_eq!(said(sentence, Lang::En), *sentence);
            }
        }
    }
}
