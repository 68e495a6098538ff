//! The Korean of problems of policy files. Their English is their `Display`.

use dmplz_core::text::Lang;
use dmplz_policy::Problem;
use dmplz_policy::file::{Because, Failure, Fault, Loading, PrefixError, Takes, TrustList, modes};
use dmplz_policy::rules::pattern::{DomainError, PathError, PatternFault};

use super::why::why;
use crate::guard;

/// Returns a problem in a language, after its place.
pub(crate) fn problem(problem: &Problem, lang: Lang) -> String {
    match lang {
        Lang::Ko => format!("{}: {}", problem.place(), fault(&problem.what)),
        Lang::En => problem.to_string(),
    }
}

/// Returns why an example fails, in a language.
pub(in crate::policy) fn because(because: &Because, lang: Lang) -> String {
    match (because, lang) {
        (_, Lang::En) => because.to_string(),
        (Because::Uncertain, Lang::Ko) => {
            "무엇을 뜻하는지 확실하지 않습니다. 입력 전체를 테이블로 적어 주세요".to_owned()
        }
        (Because::Judged(reason), Lang::Ko) => why(reason, lang),
    }
}

pub(super) fn fault(fault: &Fault) -> String {
    match fault {
        Fault::Loading(what) => loading(what),
        Fault::TooLarge(most) => format!("{most}바이트보다 커서 아무것도 쓰지 않습니다"),
        Fault::TooManyRules(most) => format!("규칙이 {most}개를 넘어 나머지는 쓰지 않습니다"),
        Fault::Syntax(what) => what.clone(),
        Fault::SingleTable(name) => format!("여러 개일 수 있어 `[[{name}]]`로 적습니다"),
        Fault::NotTables(name) => format!("테이블의 목록입니다: `{name}`. `[[{name}]]`로 적어 주세요"),
        Fault::NotATable => "테이블이 아닙니다".to_owned(),
        Fault::UnknownTable(name, like) => format!("없는 테이블입니다: `{name}`{}", meant(*like)),
        Fault::UnknownKey(name, like) => format!("없는 키입니다: `{name}`{}", meant(*like)),
        Fault::UnknownMode(name, None) => format!("없는 모드입니다: `{name}`. 쓸 수 있는 것: {}", modes()),
        Fault::UnknownMode(name, like) => format!("없는 모드입니다: `{name}`{}", meant(*like)),
        Fault::NoDecision => format!("`decision`이 없습니다. 쓸 수 있는 것: {}", takes(Takes::Decision)),
        Fault::NoPriority => format!("`priority`가 없습니다. 적을 것: {}", takes(Takes::Priority)),
        Fault::NoChecker => "`checker`가 없습니다".to_owned(),
        Fault::NoTool => "`toolName`이 없습니다. `*`는 모든 도구입니다".to_owned(),
        Fault::Exclusive(one, other) => format!("함께 쓸 수 없습니다: `{one}`, `{other}`"),
        Fault::NotBash(tool) => format!("없는 도구입니다: `{tool}`. 혹시 이것인가요? `toolName = \"Bash\"`"),
        Fault::OnlyShell(key) => {
            format!("셸에만 쓸 수 있습니다: `{key}`. `toolName = \"run_shell_command\"`를 적어 주세요")
        }
        Fault::BothSpellings(one, other) => format!("같은 뜻의 키가 둘 다 있습니다: `{one}`, `{other}`"),
        Fault::NoEntry(key, values) => format!("비어 있습니다: `{key}`. 적을 것: {}", takes(*values)),
        Fault::Value(key, values) => format!("쓸 수 없는 값입니다: `{key}`. 적을 것: {}", takes(*values)),
        Fault::Prefix(error) => prefix(error),
        Fault::Pattern(what) => format!("정규 표현식이 아닙니다: {}", pattern(what)),
        Fault::Path(error) => path(error),
        Fault::Domain(error) => domain(error),
        Fault::Example(failure) => example(failure),
    }
}

fn meant(name: Option<&str>) -> String {
    name.map(|name| format!(". 혹시 이것인가요? `{name}`")).unwrap_or_default()
}

fn loading(what: &Loading) -> String {
    match what {
        Loading::NotUtf8 => "UTF-8이 아닙니다".to_owned(),
        Loading::NotPlain => "일반 파일이 아닙니다".to_owned(),
        Loading::TooLarge(most) => format!("{most} MiB보다 큽니다"),
        Loading::Link(to) => format!("다른 곳을 가리키는 심볼릭 링크입니다({})", to.display()),
        Loading::Unreadable(why) => format!("읽을 수 없습니다: {why}"),
        Loading::Suspect(suspicion) => {
            format!("{}. 그래서 허용 규칙은 적용되지 않습니다", guard::told(suspicion).of(Lang::Ko))
        }
        Loading::Changed => {
            "신뢰한 뒤에 바뀌었습니다. 읽어 보고, 그대로 좋으면 `dmplz policy trust`를 실행해 주세요".to_owned()
        }
        Loading::TrustUnknown(list) => format!("신뢰했는지 알 수 없습니다: {}", trust_list(list)),
    }
}

fn trust_list(list: &TrustList) -> String {
    match list {
        TrustList::Corrupt(path) => {
            format!("읽을 수 없습니다: {} (신뢰한 파일의 목록이 아닙니다). 지우고 다시 신뢰해 주세요", path.display())
        }
        TrustList::Foreign(path) => {
            format!("믿을 수 없는 파일입니다: {} (다른 사용자의 것이거나 다른 사용자도 쓸 수 있습니다)", path.display())
        }
        TrustList::Unreadable { path, error } => format!("읽을 수 없습니다: {}: {error}", path.display()),
    }
}

fn takes(takes: Takes) -> &'static str {
    match takes {
        Takes::Decision => "`allow`, `deny`, `ask_user`",
        Takes::Priority => "0부터 999까지의 정수",
        Takes::Flag => "true나 false",
        Takes::Table => "테이블",
        Takes::Text => "비어 있지 않은 글",
        Takes::Texts => "비어 있지 않은 글, 또는 그런 글의 목록",
        Takes::Moment => "날짜, 또는 날짜와 시각(UTC, 또는 시차와 함께)",
        Takes::Examples => "명령, 경로나 주소, 또는 입력 전체를 담은 테이블, 또는 그런 것의 목록",
        Takes::Checker => "`type`(`in-process` 또는 `external`)과 `name`이 있는 테이블",
    }
}

fn prefix(error: &PrefixError) -> String {
    match error {
        PrefixError::Star => {
            "접두사는 낱말에서 끝나므로 ` *`가 필요 없습니다. 글자 `*`라면 따옴표로 묶어 주세요".to_owned()
        }
        PrefixError::NoWord => "접두사에는 낱말이 하나 이상 있어야 합니다".to_owned(),
        PrefixError::End(character) => {
            format!("명령을 끝내는 글자입니다: {character:?}. 접두사는 명령의 앞부분입니다")
        }
        PrefixError::Backslash => "끝에 있는 역슬래시 뒤에 아무것도 없습니다".to_owned(),
        PrefixError::Quote => "따옴표가 닫히지 않았습니다".to_owned(),
        PrefixError::Expansion(character) => {
            format!("실행할 때에야 정해지는 값입니다: `{character}`. '...'로 묶어 주세요")
        }
    }
}

fn pattern(what: &PatternFault) -> String {
    match what {
        PatternFault::TooLong(most) => format!("{most}바이트보다 깁니다"),
        PatternFault::TooManyParts(most) => format!("반복을 풀어 쓰면 부분이 {most}개를 넘습니다"),
        PatternFault::Backreference => "역참조는 쓸 수 없습니다".to_owned(),
        PatternFault::ClassOperator => {
            "`[ ]` 안의 `&&`, `--`, `~~`는 JavaScript와 뜻이 다릅니다. 앞에 `\\`를 붙여 주세요".to_owned()
        }
        PatternFault::ClassInClass => "`[ ]` 안의 `[`는 JavaScript와 뜻이 다릅니다. 앞에 `\\`를 붙여 주세요".to_owned(),
        PatternFault::Syntax(what) => what.clone(),
    }
}

fn path(error: &PathError) -> String {
    match error {
        PathError::Empty => "빈 패턴은 아무것에도 맞지 않습니다".to_owned(),
        PathError::Root => {
            "`/`는 작업 폴더의 루트입니다. 그 전체라면 `/**`, 디스크 전체라면 `//**`로 적어 주세요".to_owned()
        }
        PathError::NothingBefore => "앞에 예외로 할 것이 없습니다".to_owned(),
        PathError::Parent => "`..`은 맨 앞에만 쓸 수 있습니다".to_owned(),
        PathError::HomeOfUser => "`~/`만 쓸 수 있고, `~` 뒤에 사용자 이름은 쓸 수 없습니다".to_owned(),
        PathError::NotAscii => "`[ ]`에는 ASCII만 쓸 수 있습니다. `{ä,ö}`처럼 적어 주세요".to_owned(),
        PathError::Glob(what) => what.to_string(),
    }
}

fn domain(error: &DomainError) -> String {
    match error {
        DomainError::Empty => "빈 목록은 아무것에도 맞지 않습니다".to_owned(),
        DomainError::UrlOrPath(text) => format!("URL이나 경로입니다: `{text}`. 호스트만 적어 주세요"),
        DomainError::Port(text) => format!("포트가 있습니다: `{text}`. 호스트만 적어 주세요. 모든 포트를 뜻합니다"),
        DomainError::Star(text) => format!("`*`는 맨 앞에만 쓸 수 있습니다: `{text}`. 예: `*.example.com`"),
        DomainError::BelowAddress(text) => format!("주소 아래에는 아무것도 없습니다: `{text}`"),
        DomainError::NotAHost(text) => format!("호스트가 아닙니다: `{text}`"),
    }
}

fn example(failure: &Failure) -> String {
    let Failure { example, should_match, because: reason, .. } = failure;
    let fails = match should_match {
        true => "맞아야 하는 예시가 맞지 않습니다",
        false => "맞지 않아야 하는 예시가 맞습니다",
    };
    let reason = reason.as_ref().map(|reason| format!(": {}", because(reason, Lang::Ko))).unwrap_or_default();
    format!("{fails}: `{example}`{reason}")
}

#[cfg(test)]
mod tests {
    use dmplz_policy::file::Suspicion;
    use dmplz_policy::{File, Origin, Tier};

    use super::*;

    fn file(text: &str) -> File {
        File::parse(text, Origin { tier: Tier::User, path: "/p.toml".into(), root: None, trusted: true })
    }

    #[test]
    fn problems_of_a_file_are_korean_for_people() {
        let rule = "[[rule]]\ntoolName = \"Bash\"\n";
        for (text, told) in [
            (
                format!("{rule}decision = \"maybe\"\npriority = 1\n"),
                "쓸 수 없는 값입니다: `decision`. 적을 것: `allow`, `deny`, `ask_user`",
            ),
            (format!("{rule}decision = \"allow\"\n"), "`priority`가 없습니다. 적을 것: 0부터 999까지의 정수"),
            (
                format!("{rule}decision = \"allow\"\npriority = 1\ncommandPrefix = 3\n"),
                "비어 있지 않은 글, 또는 그런 글의 목록",
            ),
            (
                format!("{rule}decision = \"allow\"\npriority = 1\ncommandPrefx = \"ls\"\n"),
                "없는 키입니다: `commandPrefx`. 혹시 이것인가요? `commandPrefix`",
            ),
            ("[rules]\n".to_owned(), "없는 테이블입니다: `rules`"),
        ] {
            let problems = file(&text).problems;
            let korean: Vec<String> = problems.iter().map(|found| problem(found, Lang::Ko)).collect();
            assert!(korean.iter().any(|found| found.starts_with("/p.toml:") && found.contains(told)), "{korean:?}");
            assert_eq!(problem(&problems[0], Lang::En), problems[0].to_string());
        }
    }

    #[test]
    fn a_file_that_others_may_write_to_is_told_in_korean() {
        let mut file = file("");
        let suspicion = Suspicion::Writable { path: "/p.toml".into(), is_folder: false, mode: 0o664 };
        file.blame(Loading::Suspect(suspicion));
        assert_eq!(
            problem(&file.problems[0], Lang::Ko),
            "/p.toml: 다른 사용자도 쓸 수 있습니다(권한 664. `chmod go-w /p.toml`). 그래서 허용 규칙은 적용되지 않습니다"
        );
    }

    #[test]
    fn a_list_of_trusted_files_that_cannot_be_used_is_told_in_korean() {
        for (list, told) in [
            (
                TrustList::Corrupt("/s/trusted.json".into()),
                "읽을 수 없습니다: /s/trusted.json (신뢰한 파일의 목록이 아닙니다). 지우고 다시 신뢰해 주세요",
            ),
            (
                TrustList::Foreign("/s/trusted.json".into()),
                "믿을 수 없는 파일입니다: /s/trusted.json (다른 사용자의 것이거나 다른 사용자도 쓸 수 있습니다)",
            ),
            (
                TrustList::Unreadable { path: "/s/trusted.json".into(), error: "Permission denied".into() },
                "읽을 수 없습니다: /s/trusted.json: Permission denied",
            ),
        ] {
            let mut file = file("");
            file.blame(Loading::TrustUnknown(list));
            let told = format!("/p.toml: 신뢰했는지 알 수 없습니다: {told}");
            assert_eq!(problem(&file.problems[0], Lang::Ko), told);
        }
    }

    #[test]
    fn the_reason_of_an_example_is_korean_too() {
        let reason = Because::Judged(dmplz_policy::Why::NoRule);
        let failure = Failure { line: 1, column: 1, example: "ls".into(), should_match: true, because: Some(reason) };
        assert_eq!(example(&failure), "맞아야 하는 예시가 맞지 않습니다: `ls`: 해당하는 규칙이 없습니다");
    }
}
