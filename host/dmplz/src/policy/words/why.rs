//! Formats the reason of a decision. The engine states it in English; this module also has it in Korean.

use dmplz_core::text::Lang;
use dmplz_policy::places::Kind;
use dmplz_policy::programs::{Effect, Escape};
use dmplz_policy::shell::Unclear;
use dmplz_policy::{Hold, Why};

/// Formats the reason as a clause.
pub(in crate::policy) fn why(why: &Why, lang: Lang) -> String {
    match lang {
        Lang::En => super::line(&why.to_string()),
        Lang::Ko => super::line(&korean(why)),
    }
}

fn korean(why: &Why) -> String {
    match why {
        Why::Rule => "규칙이 그렇게 정했습니다".to_owned(),
        Why::NoRule => "해당하는 규칙이 없습니다".to_owned(),
        Why::Maybe => "더 엄한 규칙에 해당하는지는 실행해야 알 수 있습니다".to_owned(),
        Why::File => "규칙이 다루는 파일의 이름이 있습니다".to_owned(),
        Why::Checker => "정책이 검사기를 요구하지만 여기서는 실행하지 않습니다".to_owned(),
        Why::Reserved(hold) => format!("허용하는 규칙이 있지만, {}", reserved(hold)),
        Why::Unclear(unclear) => self::unclear(*unclear).to_owned(),
        Why::Nothing => "실행할 명령이 없습니다".to_owned(),
    }
}

fn reserved(hold: &Hold) -> String {
    match hold {
        Hold::Question => "사람에게 하는 질문입니다".to_owned(),
        Hold::Damaged(place) => {
            format!("정책 파일에 오류가 있어({place}) 더 엄한 규칙이 빠졌을 수 있습니다")
        }
        Hold::Unclear(unclear) => self::unclear(*unclear).to_owned(),
        Hold::Variable(name) => format!("명령이 하는 일을 바꿀 수 있는 {name} 변수를 설정합니다"),
        Hold::Redirection(file) => format!("{file} 파일로, 또는 그 파일에서 리디렉션합니다"),
        Hold::Starts(word) => format!("다른 규칙이 막는 것을 실행할 수 있습니다 ({word})"),
        Hold::Escape(escape) => escaped(escape),
        Hold::Elsewhere => {
            "그 폴더의 파일이 시키는 대로 하는 프로그램인데, 작업 폴더 안인지 확실하지 않습니다".to_owned()
        }
        Hold::Moved => "실행해야 알 수 있는 폴더의 프로그램을 실행합니다".to_owned(),
        Hold::Repository(what) => format!("그곳에서 git이 프로그램을 실행할 수 있습니다 ({what})"),
        Hold::Made(what) => format!("같은 줄에서 만드는 저장소를 git이 쓸 수 있습니다 ({what})"),
        Hold::Own(name) => format!("무엇을 허용할지 바꿀 수 있는 명령입니다 ({name})"),
        Hold::MayReach(word) => format!("보호된 파일에 닿는지는 실행해야 알 수 있습니다 ({word})"),
        Hold::Protected(path, kind) => format!("{} ({path})", protected(*kind)),
    }
}

fn protected(kind: Kind) -> &'static str {
    match kind {
        Kind::Rules => "무엇을 허용할지 정하는 파일을 바꿀 수 있습니다",
        Kind::Client => "에이전트에 허용된 것이나 에이전트가 불러오는 것을 바꿀 수 있습니다",
        Kind::Component => "결정에 관여하는 프로그램을 바꿀 수 있습니다",
        Kind::Secret => "신원을 증명하는 비밀을 보여 줄 수 있습니다",
        Kind::Startup => "나중에 실행될 것을 바꿀 수 있습니다",
    }
}

fn escaped(escape: &Escape) -> String {
    let Escape { option, effect } = escape;
    let does = match effect {
        Effect::Runs => "다른 프로그램을 실행합니다",
        Effect::Code if escape.option.is_empty() => return "실행해야 알 수 있는 코드를 실행합니다".to_owned(),
        Effect::Code => "읽지 않는 코드를 실행합니다",
        Effect::Writes => "파일을 씁니다",
        Effect::Deletes => "무언가를 지웁니다",
        Effect::Changes => "시스템을 바꿉니다",
        Effect::Reads => "다른 곳의 설정이나 명령을 읽습니다",
        Effect::Unlisted => return format!("`{option}` 옵션이 무해한지 알 수 없습니다"),
        Effect::Unknown => return "실행해야 알 수 있는 낱말이 그런 옵션일 수 있습니다".to_owned(),
    };
    format!("`{option}` 옵션은 {does}")
}

fn unclear(unclear: Unclear) -> &'static str {
    match unclear {
        Unclear::Syntax => "구문을 분석할 수 없습니다",
        Unclear::Zsh => "bash와 zsh가 다르게 읽습니다",
        Unclear::TooLong => "10,000자보다 깁니다",
        Unclear::TooDeep => "너무 깊이 겹쳐 있습니다",
        Unclear::Name => "무엇을 실행하는지 실행해야 알 수 있습니다",
        Unclear::Script => "실행해야 알 수 있는 스크립트를 실행합니다",
        Unclear::Code => "읽지 않는 코드를 실행합니다",
        Unclear::Options => "어느 낱말이 실행할 명령인지 확실하지 않습니다",
        Unclear::Variable => "명령이 하는 일을 바꿀 수 있는 변수를 설정합니다",
        Unclear::Expansion => "무언가를 실행할 수 있는 확장이 있습니다",
    }
}
