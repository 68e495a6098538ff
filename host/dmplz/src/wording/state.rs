//! Errors of the state directory, its files and the gateway's database.

use std::path::Path;

use dmplz_core::text::{Lang, fill};
use dmplz_state::store::{InvalidHead, RestoreError, StoreError};
use dmplz_state::{
    DirError, FileError, GrantsError, InstanceError, JournalError, MAX_GRANTS, ProvidersError, QueueError, TrustError,
};

use crate::verdict;

pub(super) fn dir(error: &DirError) -> String {
    match error {
        DirError::Io { path, .. } => of(path, "상태 디렉터리를 쓸 수 없습니다: {}"),
        DirError::NotADirectory(path) => of(path, "상태 디렉터리를 쓸 수 없습니다: {} (디렉터리가 아닙니다)"),
        DirError::Foreign { path, owner, user } => fill(
            "상태 디렉터리를 믿을 수 없습니다: {} (사용자 {}의 것이고, 지금은 사용자 {}입니다)",
            &[&path.display().to_string(), &owner.to_string(), &user.to_string()],
        ),
        DirError::Writable { path, mode } => fill(
            "상태 디렉터리를 믿을 수 없습니다: {} (다른 사용자도 쓸 수 있습니다. 권한 {}). `chmod 700`을 실행해 주세요",
            &[&path.display().to_string(), &format!("{mode:03o}")],
        ),
    }
}

pub(super) fn file(error: &FileError) -> String {
    match error {
        FileError::Busy(path) => of(path, "다른 프로세스가 계속 잠그고 있어 쓸 수 없습니다: {}"),
        FileError::Io { path, .. } => of(path, "파일을 쓸 수 없습니다: {}"),
    }
}

pub(super) fn instance(error: &InstanceError) -> String {
    match error {
        InstanceError::Running(process) => {
            fill("다른 게이트웨이가 이미 실행 중입니다(프로세스 {})", &[&process.to_string()])
        }
        InstanceError::Starting => "다른 게이트웨이가 지금 시작하고 있습니다".to_owned(),
        InstanceError::Io { path, .. } => of(path, "파일을 쓸 수 없습니다: {}"),
    }
}

pub(super) fn providers(error: &ProvidersError) -> String {
    match error {
        ProvidersError::Corrupt(path) => of(
            path,
            "설치한 프로바이더의 목록을 읽을 수 없습니다: {} (이 버전이 쓰는 형식이 아닙니다). 지우고 다시 설치해 주세요",
        ),
        ProvidersError::Dir(error) => dir(error),
        ProvidersError::Foreign(path) => of(path, FOREIGN),
        ProvidersError::File(error) => file(error),
    }
}

pub(super) fn grants(error: &GrantsError) -> String {
    match error {
        GrantsError::Dir(error) => dir(error),
        GrantsError::Foreign(path) => of(path, FOREIGN),
        GrantsError::Corrupt(path) => of(path, "읽을 수 없습니다: {} (dmplz가 쓴 허용 목록이 아닙니다)"),
        GrantsError::Full => fill("허용이 이미 {}개라 더 둘 수 없습니다", &[&MAX_GRANTS.to_string()]),
        GrantsError::File(error) => file(error),
    }
}

pub(super) fn trust(error: &TrustError) -> String {
    match error {
        TrustError::NotUtf8(path) => fill("경로가 UTF-8이 아니라 신뢰할 수 없습니다: {}", &[&format!("{path:?}")]),
        TrustError::Corrupt(path) => {
            of(path, "읽을 수 없습니다: {} (신뢰한 파일의 목록이 아닙니다). 지우고 다시 신뢰해 주세요")
        }
        TrustError::Foreign(path) => {
            of(path, "믿을 수 없는 파일입니다: {} (다른 사용자의 것이거나 다른 사용자도 쓸 수 있습니다)")
        }
        TrustError::File(error) => file(error),
    }
}

pub(super) fn queue(error: &QueueError) -> String {
    match error {
        QueueError::Deadline => "제때 차례가 오지 않았습니다".to_owned(),
        QueueError::Io { dir, .. } => of(dir, "대기열을 쓸 수 없습니다: {}"),
    }
}

pub(super) fn journal(error: &JournalError) -> String {
    match error {
        JournalError::Encode(_) => "기록을 JSON으로 쓸 수 없습니다".to_owned(),
        JournalError::Rotate { path, .. } => of(path, "로그가 한도를 넘었는데 다음 파일로 넘길 수 없습니다: {}"),
        JournalError::File(error) => file(error),
    }
}

pub(super) fn store(error: &StoreError) -> String {
    match error {
        StoreError::Full(_) => "디스크가 가득 차 데이터베이스에 쓸 수 없습니다".to_owned(),
        StoreError::Busy(_) => "다른 프로세스가 잡고 있어 데이터베이스를 쓸 수 없습니다".to_owned(),
        StoreError::Corrupt(_) => "데이터베이스가 손상되어 읽을 수 없습니다".to_owned(),
        StoreError::Io(_) => "데이터베이스 파일을 쓸 수 없습니다".to_owned(),
        StoreError::Open { path, .. } => of(path, "열 수 없습니다: {}"),
        StoreError::Newer { found, known } => fill(
            "더 새로운 dmplz가 쓴 데이터베이스라 읽을 수 없습니다(버전 {}, 이 프로그램은 {}까지). 새 dmplz를 써 주세요",
            &[&found.to_string(), &known.to_string()],
        ),
        StoreError::Foreign => "다른 프로그램의 데이터베이스라 쓸 수 없습니다".to_owned(),
        StoreError::EndMissing { head, last } => fill(
            "감사 기록을 이어 갈 수 없습니다. `audit.head`는 기록 {}까지라고 하는데, 기록 {}에서 끝나는 감사 기록에 없습니다. \
             `dmplz audit verify`로 살펴보고, 계속하려면 `audit.head`를 지워 주세요",
            &[&head.seq.to_string(), &last.seq.to_string()],
        ),
        StoreError::Untrue(seq) => fill(
            "감사 기록의 앞부분을 지울 수 없습니다. 기록 번호 {}: 쓴 그대로가 아닙니다. `dmplz audit verify`로 살펴봐 주세요",
            &[&seq.to_string()],
        ),
        StoreError::Head(_) => "`audit.head`를 읽을 수 없습니다".to_owned(),
        StoreError::IdTaken(id) => fill("다른 요청이 같은 id를 쓰고 있어 보관할 수 없습니다: {}", &[id]),
        StoreError::Interrupted => "데이터베이스를 읽는 데 너무 오래 걸렸습니다".to_owned(),
        StoreError::Sql(_) => "데이터베이스가 거절했습니다".to_owned(),
    }
}

pub(super) fn head(_: &InvalidHead) -> String {
    "감사 기록의 끝(head)이 아닙니다. 번호:해시 모양이고, 해시는 16진수 64자리입니다".to_owned()
}

pub(super) fn restore(error: &RestoreError) -> String {
    match error {
        RestoreError::Missing => "그런 파일이 없습니다".to_owned(),
        RestoreError::Directory => "디렉터리입니다".to_owned(),
        RestoreError::NotPlain => "일반 파일이 아닙니다".to_owned(),
        RestoreError::Empty => "비어 있습니다. 안에 테이블이 없습니다".to_owned(),
        RestoreError::Damaged(what) => fill("백업이 손상되었습니다: {}", &[what]),
        RestoreError::Untrue { seq, what } => fill(
            "백업의 감사 기록이 쓴 그대로가 아닙니다. 기록 {}: {}",
            &[&seq.to_string(), verdict::told(*what, Lang::Ko).trim_end_matches('.')],
        ),
        RestoreError::Store(error) => store(error),
        RestoreError::Io { path, .. } => of(path, "백업을 제자리에 둘 수 없습니다: {}"),
    }
}

const FOREIGN: &str =
    "믿을 수 없는 파일입니다: {} (다른 사용자의 것이거나, 다른 사용자도 읽을 수 있습니다. 권한은 600이어야 합니다)";

/// Fills a path in.
fn of(path: &Path, template: &str) -> String {
    fill(template, &[&path.display().to_string()])
}
