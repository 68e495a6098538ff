//! Errors of the gateway, and of what reaches it.

use std::fmt::Display;

use dmplz_core::text::fill;
use dmplz_gateway::DiskError;
use dmplz_protocol::answer::MAX_WORDS;
use dmplz_protocol::asking::NotTaken;
use dmplz_protocol::client::GatewayError;
use dmplz_protocol::refusal::{NotOffered, NotRunnable};
use dmplz_protocol::session::{MAX_FILE, MAX_FILES, MAX_NAME, MAX_PART, MAX_TEXT};
use dmplz_protocol::{Code, Refusal, RpcError};

use super::state;

const NOBODY_LISTENS: &str = "요청을 볼 메신저도, 페이지도, 터미널도 연결되어 있지 않습니다";

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

pub(super) fn not_taken(why: &NotTaken) -> String {
    match why {
        NotTaken::Refused(refusal) => refused(refusal),
        NotTaken::Garbled(why) => fill("게이트웨이의 응답을 읽을 수 없습니다: {}", &[why]),
        NotTaken::Silent => "게이트웨이가 실행 중이지만 응답하지 않습니다".to_owned(),
        NotTaken::Gone => "게이트웨이가 끝났습니다".to_owned(),
    }
}

/// A message of the gateway that says only its code is quoted, because it names what was refused.
pub(super) fn refused(refusal: &RpcError) -> String {
    if let Some(refusal) = Refusal::of(refusal) {
        return known(&refusal);
    }
    let why = match refusal.code {
        Code::UNKNOWN => "게이트웨이에서 찾을 수 없습니다",
        Code::ANSWERED => "이미 처리된 요청입니다",
        Code::NOT_OFFERED => "여기서는 할 수 없는 답이나 동작입니다",
        Code::NOT_RECORDED => "게이트웨이가 디스크에 기록하지 못했습니다",
        Code::NOBODY_LISTENS => return NOBODY_LISTENS.to_owned(),
        Code::FORBIDDEN => "이 연결에서는 허용되지 않습니다",
        Code::TOO_MANY => "한꺼번에 보낸 요청이 너무 많습니다",
        _ => "게이트웨이가 거절했습니다",
    };
    format!("{why}: {}", refusal.message)
}

/// What the gateway refuses, as it is known by its type.
pub(super) fn known(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NoRequest { request } => of("그런 요청이 없습니다: {}", request),
        Refusal::RequestEnded { request } => of("이미 끝난 요청이라 답할 수 없습니다: {}", request),
        Refusal::RequestDenied { request } => of("이미 거부된 요청이라 답할 수 없습니다: {}", request),
        Refusal::GatewayStopping { request } => {
            of("게이트웨이가 끝나는 중이라 지금은 답할 수 없는 요청입니다: {}", request)
        }
        Refusal::NotOffered { request, why, takes } => {
            fill("할 수 없는 답입니다: {}: {}. 할 수 있는 답: {}", &[&request.to_string(), &not_offered(why), takes])
        }
        Refusal::OutcomeNotRecorded { request } => of("요청의 결과를 디스크에 기록할 수 없습니다: {}", request),
        Refusal::RequestUnreadable { request } => {
            of("디스크를 읽을 수 없어 요청이 어떻게 되었는지 알 수 없습니다: {}", request)
        }
        Refusal::RequestNotRecorded { request } => of("요청을 디스크에 기록할 수 없습니다: {}", request),
        Refusal::TooManyRequests { open } => of("열린 요청이 이미 {}개라 더 받을 수 없습니다", open),
        Refusal::NobodyListens => NOBODY_LISTENS.to_owned(),
        Refusal::NoGrant => "그런 id의 허용이 없습니다. id는 허용 목록에 나오는 그대로 전체를 적어 주세요".to_owned(),
        Refusal::NoInvocation { invocation } => of("그런 id로 실행한 명령이 없습니다: {}", invocation),
        Refusal::InvocationNotRecorded => "명령의 실행을 디스크에 기록할 수 없습니다".to_owned(),
        Refusal::TooManyInvocations { running } => {
            of("기다리거나 실행 중인 명령이 이미 {}개라 더 받을 수 없습니다", running)
        }
        Refusal::NotRunnable { why } => not_runnable(why),
        Refusal::GatewayEnding => "게이트웨이가 끝나는 중입니다".to_owned(),
        Refusal::NoBrowser => "그런 id로 연결된 브라우저가 없습니다".to_owned(),
        Refusal::NoSession { session } => of("그런 세션이 없습니다: {}", session),
        Refusal::SessionEnded { session } => of("이미 끝난 세션입니다: {}", session),
        Refusal::NoFolder { folder } => of("세션이 일할 폴더의 절대 경로가 아닙니다: {}", folder.display()),
        Refusal::FolderNotAllowed { folder } => of(
            "DMPLZ_RUN_FOLDERS에 적힌 폴더의 안이 아니라서 터미널에서만 세션을 시작할 수 있습니다: {}",
            folder.display(),
        ),
        Refusal::EnvNotAllowed => "세션의 환경 변수는 유닉스 소켓으로만 받습니다".to_owned(),
        Refusal::SessionRunning { session } => of("아직 실행 중인 세션입니다: {}", session),
        Refusal::SessionBusy { session } => of("세션이 일하고 있습니다: {}. 끝나기를 기다리거나 멈춰 주세요", session),
        Refusal::NothingToUndo { why } => of("되돌릴 수 있는 것이 없습니다: {}", why),
        Refusal::NothingReceived => "에이전트가 받은 메시지가 없어 되돌릴 것이 없습니다".to_owned(),
        Refusal::FilesChanged => "그사이 파일이 바뀌었습니다. 무엇을 되돌리게 되는지 다시 봐 주세요".to_owned(),
        Refusal::NoConversation { session } => of("아직 대화가 없는 세션입니다: {}", session),
        Refusal::LongName => of("세션의 이름은 {}자까지입니다", MAX_NAME),
        Refusal::ClientRefused { why } => of("클라이언트가 거절했습니다: {}", why),
        Refusal::ClientUnclear => "클라이언트의 응답을 이해할 수 없습니다".to_owned(),
        Refusal::ClientSilent => "클라이언트가 응답하지 않았습니다".to_owned(),
        Refusal::LongText => of("세션에 보내는 메시지는 {}바이트까지입니다", MAX_TEXT),
        Refusal::LargeFile => of("세션에 보내는 파일은 {} MiB까지입니다", MAX_FILE >> 20),
        Refusal::BadPart => of("파일은 Base64로, 한 번에 {} KiB까지 보낼 수 있습니다", MAX_PART >> 10),
        Refusal::PartElsewhere { bytes } => {
            of("지금까지 {}바이트를 올렸습니다. 거기서 이어 가거나 0부터 다시 올려 주세요", bytes)
        }
        Refusal::TooManyFiles => of("세션에 보내는 메시지에는 파일을 {}개까지 붙일 수 있습니다", MAX_FILES),
        Refusal::BudgetSpent { usd } => {
            of("세션이 예산 ${}만큼 썼습니다. DMPLZ_RUN_BUDGET을 올리거나 다른 세션을 시작해 주세요", usd)
        }
        Refusal::DailyBudgetSpent { usd } => {
            of("세션들이 24시간 예산 ${}만큼 썼습니다. 기다리거나 DMPLZ_RUN_DAILY_BUDGET을 올려 주세요", usd)
        }
        Refusal::TooManySessions { running } => of("세션이 이미 {}개 실행 중입니다", running),
        Refusal::NoPermission { number } => of("세션에 그런 번호의 허용이 없습니다: {}", number),
        Refusal::PermissionsNotWritten { why } => of("세션의 허용을 기록할 수 없습니다: {}", why),
        Refusal::SettingsNotChanged { why } => of("클라이언트의 설정을 바꿀 수 없습니다: {}", why),
        Refusal::RuleInForce { rule } => of(
            "설정은 바뀌었지만 Claude Code에 아직 규칙이 있습니다: {}. 또 어디에 있는지는 /rules가 보여 줍니다",
            rule,
        ),
        Refusal::ModeNotNamed { mode } => {
            of("아무에게도 묻지 않는 모드입니다: {}. DMPLZ_RUN_MODES에 적어야 쓸 수 있습니다", mode)
        }
        Refusal::SessionFolder { why } => of("세션의 폴더를 쓸 수 없습니다: {}", why),
        Refusal::SessionNotStarted { why } => of("세션을 시작할 수 없습니다: {}", why),
    }
}

fn not_offered(why: &NotOffered) -> String {
    match why {
        NotOffered::NoAnswers => "질문이 있는 요청이라 답 없이 승인할 수 없습니다".to_owned(),
        NotOffered::Session => "세션 허용을 할 수 없는 요청입니다".to_owned(),
        NotOffered::Always => "항상 허용할 수 없습니다. 클라이언트가 저장하자고 제안한 것이 없습니다".to_owned(),
        NotOffered::OnlyBroad => {
            "`broad` 없이는 항상 허용할 수 없습니다. 클라이언트가 제안한 것이 모두 이 요청보다 넓습니다".to_owned()
        }
        NotOffered::Plan => "계획이 아니라서 계획으로 승인할 수 없습니다".to_owned(),
        NotOffered::Granted => "잠시 허용할 수 없는 요청입니다".to_owned(),
        NotOffered::NoQuestions => "질문이 없는 요청이라 질문에 답할 수 없습니다".to_owned(),
        NotOffered::AskedHere => "여기서 한 요청이라 다른 곳에서 승인해야 합니다".to_owned(),
        NotOffered::Missing { question } => format!("답이 없는 질문이 있습니다: {question:?}"),
        NotOffered::NotAsked { question } => format!("묻지 않은 질문에 답했습니다: {question:?}"),
        NotOffered::Twice { question } => format!("한 질문에 두 번 답했습니다: {question:?}"),
        NotOffered::Label { question, label, options } => {
            format!("선택지에 없는 답입니다: {label:?} (질문 {question:?}, 선택지 {options:?})")
        }
        NotOffered::Single { question } => {
            format!("선택지 하나를 고르거나 직접 답을 쓰는 질문입니다: {question:?}")
        }
        NotOffered::Multiple { question } => {
            format!("선택지를 한 번씩만 고르거나 직접 답을 쓰는 질문입니다: {question:?}")
        }
        NotOffered::Words { question } => format!("직접 쓰는 답은 1자부터 {MAX_WORDS}자까지입니다: {question:?}"),
    }
}

fn not_runnable(why: &NotRunnable) -> String {
    match why {
        NotRunnable::Folder { folder, error } => format!("폴더에 들어갈 수 없습니다: {}: {error}", folder.display()),
        NotRunnable::NotFound { program } => {
            format!("명령을 찾을 수 없습니다: {program}. PATH에 적힌 절대 경로의 폴더에 그런 실행 파일이 없습니다")
        }
        NotRunnable::Unreadable { file, error } => format!("실행 파일을 읽을 수 없습니다: {}: {error}", file.display()),
        NotRunnable::NotExecutable { file } => format!("실행 파일이 아니라 실행할 수 없습니다: {}", file.display()),
        NotRunnable::UnknownFormat { file } => {
            format!("이 시스템의 프로그램도, #!로 시작하는 스크립트도 아니라 실행할 수 없습니다: {}", file.display())
        }
        NotRunnable::TooLarge { file, most } => format!("{most}바이트보다 커서 실행할 수 없습니다: {}", file.display()),
    }
}

/// Puts one value into a sentence.
fn of(korean: &str, value: impl Display) -> String {
    fill(korean, &[&value.to_string()])
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
