//! Errors of the gateway, and of what reaches it.

use dmplz_core::text::fill;
use dmplz_gateway::DiskError;
use dmplz_protocol::client::GatewayError;
use dmplz_protocol::{Code, RpcError};

use super::state;
use crate::told::translated;

pub(super) fn gateway(error: &GatewayError) -> String {
    match error {
        GatewayError::NotRunning(socket) => {
            fill("실행 중인 게이트웨이가 없습니다: {}", &[&socket.display().to_string()])
        }
        GatewayError::NotOurs { path, owner } => fill(
            "게이트웨이의 소켓이 다른 사용자의 것이라 믿을 수 없습니다: {} (사용자 {})",
            &[&path.display().to_string(), &owner.to_string()],
        ),
        GatewayError::Unreachable { path, .. } => {
            fill("게이트웨이에 연결할 수 없습니다: {}", &[&path.display().to_string()])
        }
        GatewayError::TooOld(method) => {
            fill("게이트웨이가 이 프로그램보다 오래된 버전이라 모르는 요청입니다: {}", &[method])
        }
        GatewayError::Refused(refusal) => refused(refusal),
        GatewayError::TimedOut => "게이트웨이가 제때 응답하지 않았습니다".to_owned(),
        GatewayError::Lost => "게이트웨이가 연결을 끊었습니다".to_owned(),
        GatewayError::Io(_) => "게이트웨이와의 연결이 끊어졌습니다".to_owned(),
        GatewayError::Garbled(_) => "게이트웨이의 응답을 읽을 수 없습니다".to_owned(),
        GatewayError::TooLong(most) => fill("게이트웨이의 메시지가 너무 깁니다(최대 {}바이트)", &[&most.to_string()]),
    }
}

/// What the gateway says, and the same in Korean. `{}` stands for a value.
const SAID: &[[&str; 2]] = &[
    ["there is no request {}", "그런 요청이 없습니다: {}"],
    ["request {} cannot be answered: it has ended", "이미 끝난 요청이라 답할 수 없습니다: {}"],
    ["request {} cannot be answered: it was denied", "이미 거부된 요청이라 답할 수 없습니다: {}"],
    ["there is no session {}", "그런 세션이 없습니다: {}"],
    ["the session {} has ended", "이미 끝난 세션입니다: {}"],
    ["the session {} is running", "아직 실행 중인 세션입니다: {}"],
    [
        "the session {} is at work: wait until it is done, or interrupt it",
        "세션이 일하고 있습니다: {}. 끝나기를 기다리거나 중단해 주세요",
    ],
    ["the session {} has no conversation yet", "아직 대화가 없는 세션입니다: {}"],
    ["the session cannot be started: {}", "세션을 시작할 수 없습니다: {}"],
    ["no permission of the session has the number {}", "세션에 그런 번호의 허용이 없습니다: {}"],
    [
        "in the mode {} nobody is asked: it can be set once DMPLZ_RUN_MODES names it",
        "아무에게도 묻지 않는 모드입니다: {}. DMPLZ_RUN_MODES에 적어야 쓸 수 있습니다",
    ],
    ["{} sessions run already", "세션이 이미 {}개 실행 중입니다"],
    ["no browser with this id is paired", "그런 id로 연결된 브라우저가 없습니다"],
    [
        "the gateway refused: no messenger, page or terminal is listening",
        "요청을 볼 메신저도, 페이지도, 터미널도 연결되어 있지 않습니다",
    ],
    ["the gateway refused: {}", "게이트웨이가 거절했습니다: {}"],
    ["the gateway runs and does not answer", "게이트웨이가 실행 중이지만 응답하지 않습니다"],
    ["the gateway went away", "게이트웨이가 끝났습니다"],
];

/// Returns in Korean what the gateway said, if that is a sentence of [`SAID`].
pub(super) fn said(message: &str) -> Option<String> {
    translated(SAID, message, str::to_owned)
}

/// A message of the gateway that has no Korean words is quoted, because it names what was refused.
pub(super) fn refused(refusal: &RpcError) -> String {
    if let Some(said) = said(&refusal.message) {
        return said;
    }
    let why = match refusal.code {
        Code::UNKNOWN => "게이트웨이에서 찾을 수 없습니다",
        Code::ANSWERED => "이미 처리된 요청입니다",
        Code::NOT_OFFERED => "여기서는 할 수 없는 답이나 동작입니다",
        Code::NOT_RECORDED => "게이트웨이가 디스크에 기록하지 못했습니다",
        Code::NOBODY_LISTENS => return "요청을 볼 메신저도, 페이지도, 터미널도 연결되어 있지 않습니다".to_owned(),
        Code::FORBIDDEN => "이 연결에서는 허용되지 않습니다",
        Code::TOO_MANY => "한꺼번에 보낸 요청이 너무 많습니다",
        _ => "게이트웨이가 거절했습니다",
    };
    format!("{why}: {}", refusal.message)
}

/// `None` for a record that this program does not understand.
pub(super) fn disk(error: &DiskError) -> Option<String> {
    match error {
        DiskError::Store(error) => Some(state::store(error)),
        DiskError::Incomplete(_) => None,
        DiskError::Json { of, .. } => Some(fill("보관된 내용을 읽을 수 없습니다: {}", &[of])),
        DiskError::Gone => Some("데이터베이스를 맡은 스레드가 끝나 데이터베이스를 쓸 수 없습니다".to_owned()),
    }
}
