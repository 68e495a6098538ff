//! Errors of this program's own types.

use dmplz_core::claude;
use dmplz_core::text::{Lang, fill};
use dmplz_hooks::input::{InputError, MAX_BYTES};

use super::gateway;
use crate::account::{NobodyMayAnswer, NotChosen};
use crate::gateway::session_refused::SessionRefused;
use crate::named::{IdError, Problem};
use crate::plain_file::Unreadable;
use crate::settings::SettingsError;
use crate::settings::edit::FileError;
use crate::told::Told;

pub(super) fn told(told: &Told) -> String {
    told.of(Lang::Ko).to_owned()
}

pub(super) fn id(error: &IdError) -> String {
    let problem = match &error.problem {
        Problem::Empty => "id가 비어 있습니다".to_owned(),
        Problem::Short(text) => fill("id가 너무 짧습니다: {}", &[text]),
        Problem::NotAnId(most) => fill("id는 0-9, a-f, -로 된 {}자까지입니다", &[&most.to_string()]),
        Problem::NotWhole(text) => fill("프로그램은 id 전체를 적어야 합니다: {}", &[text]),
        Problem::Unknown(text) => fill("이렇게 시작하는 id가 없습니다: {}", &[text]),
        Problem::Ambiguous(text, count) => fill("이렇게 시작하는 id가 {}개 있습니다: {}", &[&count.to_string(), text]),
    };
    format!("{}: {problem}", error.kind.missing)
}

pub(super) fn session_refused(error: &SessionRefused) -> String {
    gateway::gateway(error.error())
}

pub(super) fn settings(error: &SettingsError) -> String {
    match error {
        SettingsError::Bad { name, held, takes } => {
            fill("{}에 쓸 수 없는 값입니다: {}. 쓸 수 있는 값: {}", &[name, &format!("{held:?}"), takes.of(Lang::Ko)])
        }
        SettingsError::BadSecret { name } => {
            fill("{}에 토큰 말고 다른 것(공백, 따옴표, 앞뒤의 문장)이 들어 있습니다. 토큰만 넣어 주세요", &[name])
        }
        SettingsError::Provider(words) => words.of(Lang::Ko).to_owned(),
        SettingsError::NotUtf8 { name } => fill("{}의 값이 UTF-8이 아닙니다", &[name]),
        SettingsError::NoHome => "상태를 둘 곳이 없습니다. DMPLZ_STATE_DIR도 HOME도 설정되지 않았습니다".to_owned(),
        SettingsError::Homeless => "홈 디렉터리가 없습니다. HOME이 설정되지 않았습니다".to_owned(),
        SettingsError::NoClient => {
            "Claude Code의 설정을 찾을 수 없습니다. CLAUDE_CONFIG_DIR도 HOME도 설정되지 않았습니다".to_owned()
        }
        SettingsError::NoChat(takes) => fill("물어볼 채팅을 모릅니다. 설정해 주세요: {}", &[takes.of(Lang::Ko)]),
        SettingsError::NoIndex => {
            "프로바이더 색인이 없습니다. DMPLZ_PROVIDER_INDEX와 DMPLZ_PROVIDER_INDEX_KEY를 설정해 주세요(docs/PROVIDERS.ko.md)"
                .to_owned()
        }
        SettingsError::File { file, .. } => fill("설정 파일을 읽을 수 없습니다: {}", &[&file.display().to_string()]),
        SettingsError::Certificates { file, .. } => {
            fill("DMPLZ_CA_FILE을 읽을 수 없습니다: {}", &[&file.display().to_string()])
        }
        SettingsError::Toml { file, message } => {
            fill("설정 파일을 읽을 수 없습니다: {}: {}", &[&file.display().to_string(), message.of(Lang::Ko)])
        }
        SettingsError::Unknown { file, key, meant } => {
            let file = file.display().to_string();
            let unknown = fill("설정 파일에 없는 설정이 있습니다: {} ({})", &[&format!("{key:?}"), &file]);
            match meant {
                Some(meant) => format!("{unknown}. 혹시 이것인가요? {meant:?}"),
                None => unknown,
            }
        }
        SettingsError::StateDir { file, key } => fill(
            "설정 파일이 상태 디렉터리 안에 있어, 상태 디렉터리를 이 파일에서 정할 수 없습니다: {} ({})",
            &[&format!("{key:?}"), &file.display().to_string()],
        ),
        SettingsError::Notify { file, wrong } => fill(
            "설정 파일의 [notify]를 쓸 수 없습니다: {}: {}",
            &[&file.display().to_string(), wrong.of(Lang::Ko)],
        ),
        SettingsError::Limits { less, more } => fill(
            "{} 값은 {} 값보다 작아야 합니다. 앞의 값을 줄이거나 뒤의 값을 늘려 주세요",
            &[less.of(Lang::Ko), more.of(Lang::Ko)],
        ),
        SettingsError::Installed(_) => "설치한 프로바이더의 설정을 알 수 없습니다".to_owned(),
    }
}

pub(super) fn not_chosen(error: &NotChosen) -> String {
    error.words(Lang::Ko)
}

pub(super) fn nobody_may_answer(error: &NobodyMayAnswer) -> String {
    match error {
        NobodyMayAnswer::NotListed { variable } => fill(
            "채팅에서 답할 수 있는 사람이 없습니다. 답할 사람의 id를 넣어 주세요(채팅의 모두는 *): {}",
            &[variable],
        ),
        NobodyMayAnswer::NotIdentified { variable } => fill(
            "답할 수 있는 사람이 없습니다. 이 메신저는 누가 답했는지 알려 주지 않아, {}=*로 채팅에 접근할 수 있는 모두에게 \
             열 수만 있습니다",
            &[variable],
        ),
    }
}

pub(super) fn hook_input(error: &claude::InputError) -> String {
    match error {
        claude::InputError::Json(_) => "훅 입력이 Claude Code가 보내는 JSON 객체가 아닙니다".to_owned(),
        claude::InputError::Missing(_, field) => fill("훅 입력을 읽을 수 없습니다. 없는 항목: {}", &[field]),
    }
}

pub(super) fn event(error: &InputError) -> String {
    match error {
        InputError::NotJson(_) => "이벤트가 JSON 객체가 아닙니다".to_owned(),
        InputError::TooLong => fill("이벤트가 {}바이트보다 깁니다", &[&MAX_BYTES.to_string()]),
        InputError::Other { found, wanted } => fill("다른 이벤트입니다: {} ({} 이벤트가 필요합니다)", &[found, wanted]),
    }
}

pub(super) fn settings_file(error: &FileError) -> String {
    match error {
        FileError::Read(_) => "읽을 수 없습니다".to_owned(),
        FileError::Write(_) => "쓸 수 없습니다".to_owned(),
        FileError::Toml => "TOML이 아닙니다".to_owned(),
    }
}

pub(super) fn unreadable(error: &Unreadable) -> String {
    match error {
        Unreadable::Directory => "디렉터리입니다".to_owned(),
        Unreadable::NotPlain => "일반 파일이 아닙니다".to_owned(),
        Unreadable::TooLarge(most) => fill("{} MiB보다 큽니다", &[&most.to_string()]),
        Unreadable::NotUtf8 => "UTF-8이 아닙니다".to_owned(),
    }
}
