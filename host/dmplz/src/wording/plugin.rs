//! Errors of providers, of what they reach, and of messengers. What a server or a component said is quoted.

use dmplz_core::messenger::ProviderError;
use dmplz_core::text::fill;
use dmplz_plugin::{EndpointError, ImportError, LoadError, OutlineError, ProxyError, StartError};

pub(super) fn outline(error: &OutlineError) -> String {
    match error {
        OutlineError::TooLarge => "64 MiB보다 큽니다".to_owned(),
        OutlineError::NotWasm => "WebAssembly 컴포넌트가 아닙니다".to_owned(),
        OutlineError::Module => {
            "WebAssembly 모듈이고 컴포넌트가 아닙니다(`wasm-tools component new`로 만들 수 있습니다)".to_owned()
        }
        OutlineError::Spoilt(why) => fill("WebAssembly 컴포넌트가 손상되었습니다: {}", &[why]),
        OutlineError::Import(error) => import(error),
        OutlineError::NoProvider => {
            "메신저 프로바이더가 아닙니다. dmplz:messenger/provider를 내보내지 않습니다".to_owned()
        }
    }
}

pub(super) fn import(error: &ImportError) -> String {
    match error {
        ImportError::Forbidden(import) => fill(
            "프로바이더에 주지 않는 것을 가져오려고 합니다: {}. 쓸 수 있는 것은 dmplz:messenger@0.10과 빈 WASI 0.2뿐입니다",
            &[import],
        ),
        ImportError::OtherVersion(version) => fill(
            "dmplz:messenger@{}용으로 만든 것입니다. 이 프로그램은 dmplz:messenger@0.10용을 실행합니다",
            &[version],
        ),
        ImportError::Mismatch(why) => fill("가져오는 것의 형식이 맞지 않습니다: {}", &[why]),
    }
}

/// `None` for the cache, whose errors are the program's own.
pub(super) fn load(error: &LoadError) -> Option<String> {
    Some(match error {
        LoadError::Read(_) => "컴포넌트를 읽을 수 없습니다".to_owned(),
        LoadError::Outline(error) => outline(error),
        LoadError::Replaced { pinned, found } => fill(
            "설치한 컴포넌트가 아닙니다. 고정한 SHA-256은 {}인데 파일은 {}입니다",
            &[&pinned.to_string(), &found.to_string()],
        ),
        LoadError::Compile(_) | LoadError::Cache(_) => return None,
        LoadError::Incompatible(why) => fill("컴파일한 컴포넌트를 불러올 수 없습니다: {}", &[why]),
        LoadError::Import(error) => import(error),
        LoadError::Export(why) => fill("메신저 프로바이더가 아닙니다: {}", &[why]),
    })
}

pub(super) fn endpoint(error: &EndpointError) -> String {
    match error {
        EndpointError::Url => {
            "http나 https URL이 아닙니다. 눈에 보이는 ASCII로 8 KiB까지이고, 사용자 이름은 넣을 수 없습니다".to_owned()
        }
        EndpointError::Refused(why) => fill("연결할 수 없는 곳입니다: {}", &[why]),
        EndpointError::Unreachable(why) => fill("연결할 수 없습니다: {}", &[why]),
        EndpointError::Slow(origin, seconds) => fill("{}: {}초 안에 응답이 없습니다", &[origin, &seconds.to_string()]),
    }
}

pub(super) fn proxy(_: &ProxyError) -> String {
    "프록시의 URL은 http://[사용자:비밀번호@]호스트[:포트] 모양이어야 합니다".to_owned()
}

/// What a messenger or a component said of it stays as it is.
pub(super) fn messenger(error: &ProviderError) -> String {
    let told = |what: &str, detail: &Option<String>| match detail {
        Some(detail) => format!("{what}: {detail}"),
        None => what.to_owned(),
    };
    match error {
        ProviderError::RateLimited(_) => "메신저가 지금은 요청을 더 받지 않습니다".to_owned(),
        ProviderError::Unauthorized => "봇이 로그인할 수 없습니다. 토큰을 받아 주지 않습니다".to_owned(),
        ProviderError::Denied(detail) => told("그곳에서 봇에 필요한 권한이 없습니다", detail),
        ProviderError::NotFound => "채팅이나 메시지를 찾을 수 없습니다".to_owned(),
        ProviderError::Conflict(detail) => told("다른 프로그램이 이 봇의 이벤트를 받고 있습니다", detail),
        ProviderError::TooLarge => "메시지가 메신저의 한도보다 큽니다".to_owned(),
        ProviderError::BadSetting(name, takes) => fill("설정을 쓸 수 없습니다: {}: {}", &[name, takes]),
        ProviderError::Unavailable(detail) => told("메신저에 연결할 수 없습니다", detail),
        ProviderError::Unreachable(no) => fill("메신저에 연결할 수 없습니다: {}", &[&no.to_string()]),
        ProviderError::Deadline => "메신저가 제때 응답하지 않았습니다".to_owned(),
        ProviderError::Refused(why) => fill("샌드박스가 요청을 막았습니다: {}", &[why]),
        ProviderError::Rejected(detail) => told("메신저가 잘못된 요청이라고 합니다", detail),
        ProviderError::Other(detail) => told("프로바이더가 실패했습니다", detail),
        ProviderError::Broken(why) => fill("프로바이더가 고장 났습니다: {}", &[why]),
    }
}

/// `None` for a component that its author has to mend.
pub(super) fn start(error: &StartError) -> Option<String> {
    Some(match error {
        StartError::Fault(_) | StartError::Manifest(_) => return None,
        StartError::MissingSetting(name) => fill("설정이 필요합니다: {}", &[name]),
        StartError::UnknownSetting(name) => fill("없는 설정입니다: {}", &[name]),
        StartError::UnknownWay(way, takes) => fill("없는 연결 방식입니다: {}. 쓸 수 있는 것: {}", &[way, takes]),
        StartError::MissingSecret(name) => fill("토큰이 필요합니다: {}", &[name]),
        StartError::MalformedSecret(name) => {
            fill("토큰은 공백 없이 눈에 보이는 ASCII 8자 이상이어야 합니다: {}", &[name])
        }
        StartError::Refused(error) => messenger(error),
    })
}
