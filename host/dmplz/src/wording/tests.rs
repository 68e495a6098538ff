use std::io;
use std::path::PathBuf;

use dmplz_core::claude::HookInput;
use dmplz_core::messenger::{NoConnection, ProviderError};
use dmplz_core::text::Lang;
use dmplz_gateway::DiskError;
use dmplz_hooks::input::Input;
use dmplz_plugin::{EndpointError, LoadError, OutlineError};
use dmplz_protocol::asking::NotTaken;
use dmplz_protocol::client::GatewayError;
use dmplz_protocol::refusal::{NotOffered, NotRunnable};
use dmplz_protocol::{Code, Refusal, RpcError};
use dmplz_state::store::{RestoreError, StoreError};
use dmplz_state::{self as state, DirError, GrantsError, InstanceError, ProvidersError};

use crate::account::{NobodyMayAnswer, NotChosen};
use crate::named::{Kind, Named};
use crate::plain_file::Unreadable;
use crate::settings::SettingsError;
use crate::settings::edit::FileError;
use crate::told::{Tell, Told};
use crate::wording::words;

const ID: &str = "5d77f1a0-6f3b-4c1e-9b1d-0a1b2c3d4e5f";

fn path() -> PathBuf {
    PathBuf::from("/s/x")
}

fn gone() -> io::Error {
    io::Error::from_raw_os_error(2)
}

/// Returns a line for each error; one without Korean words is marked.
fn lines(errors: Vec<anyhow::Error>) -> String {
    let line = |error: &anyhow::Error| match words(error, Lang::Ko) {
        (korean, Lang::Ko) => korean,
        (english, Lang::En) => format!("(en) {english}"),
    };
    errors.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn errors_of_the_gateway_are_korean() {
    let refused = |refusal: Refusal| GatewayError::Refused(refusal.into()).into();
    let coded = |code, message: &str| GatewayError::Refused(RpcError::new(code, message)).into();
    let errors = vec![
        GatewayError::NotRunning(path()).into(),
        GatewayError::NotOurs { path: path(), owner: 0 }.into(),
        GatewayError::Unreachable { path: path(), source: gone() }.into(),
        GatewayError::TooOld("store.prune".to_owned()).into(),
        GatewayError::TimedOut.into(),
        GatewayError::Lost.into(),
        refused(Refusal::NoRequest { request: ID.parse().unwrap() }),
        refused(Refusal::SessionBusy { session: ID.parse().unwrap() }),
        refused(Refusal::FolderNotAllowed { folder: path() }),
        refused(Refusal::NobodyListens),
        refused(Refusal::NotOffered {
            request: ID.parse().unwrap(),
            why: NotOffered::Missing { question: "Which?".to_owned() }.into(),
            takes: "answers, deny".to_owned(),
        }),
        refused(Refusal::NotRunnable { why: NotRunnable::NotFound { program: "nope".to_owned() }.into() }),
        refused(Refusal::TooManyRequests { open: 64 }),
        Refusal::ClientRefused { why: "no".to_owned() }.into(),
        coded(Code::UNKNOWN, "there is no request 7"),
        coded(Code::NOBODY_LISTENS, "no messenger, page or terminal is listening"),
        coded(Code(-1), "no"),
        DiskError::Gone.into(),
    ];
    insta::assert_snapshot!(lines(errors), @r#"
    실행 중인 게이트웨이가 없습니다: /s/x
    게이트웨이의 소켓이 다른 사용자의 것이라 믿을 수 없습니다: /s/x (사용자 0)
    게이트웨이에 연결할 수 없습니다: /s/x: No such file or directory (os error 2)
    게이트웨이가 이 프로그램보다 오래된 버전이라 모르는 요청입니다: store.prune
    게이트웨이가 제때 응답하지 않았습니다
    게이트웨이가 연결을 끊었습니다
    그런 요청이 없습니다: 5d77f1a0-6f3b-4c1e-9b1d-0a1b2c3d4e5f
    세션이 일하고 있습니다: 5d77f1a0-6f3b-4c1e-9b1d-0a1b2c3d4e5f. 끝나기를 기다리거나 멈춰 주세요
    DMPLZ_RUN_FOLDERS에 적힌 폴더의 안이 아니라서 터미널에서만 세션을 시작할 수 있습니다: /s/x
    요청을 볼 메신저도, 페이지도, 터미널도 연결되어 있지 않습니다
    할 수 없는 답입니다: 5d77f1a0-6f3b-4c1e-9b1d-0a1b2c3d4e5f: 답이 없는 질문이 있습니다: "Which?". 할 수 있는 답: answers, deny
    명령을 찾을 수 없습니다: nope. PATH에 적힌 절대 경로의 폴더에 그런 실행 파일이 없습니다
    열린 요청이 이미 64개라 더 받을 수 없습니다
    클라이언트가 거절했습니다: no
    게이트웨이에서 찾을 수 없습니다: there is no request 7
    요청을 볼 메신저도, 페이지도, 터미널도 연결되어 있지 않습니다
    게이트웨이가 거절했습니다: no
    데이터베이스를 맡은 스레드가 끝나 데이터베이스를 쓸 수 없습니다
    "#);
}

#[test]
fn why_the_gateway_did_not_take_a_request_is_korean() {
    let errors = vec![
        NotTaken::Refused(Refusal::NobodyListens.into()).into(),
        NotTaken::Refused(RpcError::new(Code::INTERNAL, "no room")).into(),
        NotTaken::Garbled("the gateway says too much".to_owned()).into(),
        NotTaken::Silent.into(),
        NotTaken::Gone.into(),
    ];
    insta::assert_snapshot!(lines(errors), @"
    요청을 볼 메신저도, 페이지도, 터미널도 연결되어 있지 않습니다
    게이트웨이가 거절했습니다: no room
    게이트웨이의 응답을 읽을 수 없습니다: the gateway says too much
    게이트웨이가 실행 중이지만 응답하지 않습니다
    게이트웨이가 끝났습니다
    ");
}

#[test]
fn errors_of_settings_are_korean() {
    let errors = vec![
        SettingsError::bad("DMPLZ_LANG", "fr", ["ko 또는 en", "ko or en"]).into(),
        SettingsError::BadSecret { name: "DMPLZ_TELEGRAM_BOT_TOKEN".to_owned() }.into(),
        SettingsError::NoHome.into(),
        SettingsError::File { file: path(), source: io::Error::other(Unreadable::TooLarge(1)) }.into(),
        SettingsError::Certificates { file: path(), source: gone() }.into(),
        SettingsError::Certificates {
            file: path(), source: io::Error::other(Told::new("인증서가 없습니다", "", &[]))
        }
        .into(),
        SettingsError::Toml { file: path(), message: ["2번째 줄: x", "line 2: x"].into() }.into(),
        SettingsError::Unknown { file: path(), key: "langs".to_owned(), meant: Some("lang".to_owned()) }.into(),
        SettingsError::StateDir { file: path(), key: "state_dir".to_owned() }.into(),
        SettingsError::Limits { less: ["A (1, 기본값)", ""].into(), more: ["B (2, 환경 변수)", ""].into() }.into(),
        NotChosen::Several(vec!["telegram", "discord"]).into(),
        NobodyMayAnswer::NotListed { variable: "DMPLZ_TELEGRAM_ALLOWED_USERS" }.into(),
    ];
    insta::assert_snapshot!(lines(errors), @r#"
    DMPLZ_LANG에 쓸 수 없는 값입니다: "fr". 쓸 수 있는 값: ko 또는 en
    DMPLZ_TELEGRAM_BOT_TOKEN에 토큰 말고 다른 것(공백, 따옴표, 앞뒤의 문장)이 들어 있습니다. 토큰만 넣어 주세요
    상태를 둘 곳이 없습니다. DMPLZ_STATE_DIR도 HOME도 설정되지 않았습니다
    설정 파일을 읽을 수 없습니다: /s/x: 1 MiB보다 큽니다
    DMPLZ_CA_FILE을 읽을 수 없습니다: /s/x: No such file or directory (os error 2)
    DMPLZ_CA_FILE을 읽을 수 없습니다: /s/x: 인증서가 없습니다
    설정 파일을 읽을 수 없습니다: /s/x: 2번째 줄: x
    설정 파일에 없는 설정이 있습니다: "langs" (/s/x). 혹시 이것인가요? "lang"
    설정 파일이 상태 디렉터리 안에 있어, 상태 디렉터리를 이 파일에서 정할 수 없습니다: "state_dir" (/s/x)
    A (1, 기본값) 값은 B (2, 환경 변수) 값보다 작아야 합니다. 앞의 값을 줄이거나 뒤의 값을 늘려 주세요
    설정된 메신저가 여럿입니다. 쓸 메신저를 DMPLZ_PROVIDER로 정해 주세요: telegram, discord
    채팅에서 답할 수 있는 사람이 없습니다. 답할 사람의 id를 넣어 주세요(채팅의 모두는 *): DMPLZ_TELEGRAM_ALLOWED_USERS
    "#);
}

#[test]
fn errors_of_the_state_directory_and_the_database_are_korean() {
    let errors = vec![
        DirError::Io { path: path(), source: gone() }.into(),
        DirError::NotADirectory(path()).into(),
        DirError::Foreign { path: path(), owner: 0, user: 1000 }.into(),
        DirError::Writable { path: path(), mode: 0o777 }.into(),
        state::FileError::Busy(path()).into(),
        InstanceError::Running(42).into(),
        InstanceError::Starting.into(),
        ProvidersError::Corrupt(path()).into(),
        ProvidersError::Dir(DirError::NotADirectory(path())).into(),
        GrantsError::Full.into(),
        StoreError::Foreign.into(),
        StoreError::Newer { found: 9, known: 8 }.into(),
        StoreError::Untrue(7).into(),
        RestoreError::Missing.into(),
        RestoreError::Store(StoreError::Interrupted).into(),
    ];
    insta::assert_snapshot!(lines(errors), @"
    상태 디렉터리를 쓸 수 없습니다: /s/x: No such file or directory (os error 2)
    상태 디렉터리를 쓸 수 없습니다: /s/x (디렉터리가 아닙니다)
    상태 디렉터리를 믿을 수 없습니다: /s/x (사용자 0의 것이고, 지금은 사용자 1000입니다)
    상태 디렉터리를 믿을 수 없습니다: /s/x (다른 사용자도 쓸 수 있습니다. 권한 777). `chmod 700`을 실행해 주세요
    다른 프로세스가 계속 잠그고 있어 쓸 수 없습니다: /s/x
    다른 게이트웨이가 이미 실행 중입니다(프로세스 42)
    다른 게이트웨이가 지금 시작하고 있습니다
    설치한 프로바이더의 목록을 읽을 수 없습니다: /s/x (이 버전이 쓰는 형식이 아닙니다). 지우고 다시 설치해 주세요
    상태 디렉터리를 쓸 수 없습니다: /s/x (디렉터리가 아닙니다)
    허용이 이미 200개라 더 둘 수 없습니다
    다른 프로그램의 데이터베이스라 쓸 수 없습니다
    더 새로운 dmplz가 쓴 데이터베이스라 읽을 수 없습니다(버전 9, 이 프로그램은 8까지). 새 dmplz를 써 주세요
    감사 기록의 앞부분을 지울 수 없습니다. 기록 번호 7: 쓴 그대로가 아닙니다. `dmplz audit verify`로 살펴봐 주세요
    그런 파일이 없습니다
    데이터베이스를 읽는 데 너무 오래 걸렸습니다
    ");
}

#[test]
fn errors_of_ids_providers_and_messengers_are_korean() {
    let id =
        |kind, text: &str| Named::read(kind, text).and_then(|named| named.among(["3f0c1a52", "3f0c1b00"]).map(drop));
    let errors = vec![
        id(Kind::REQUEST, "").unwrap_err().into(),
        id(Kind::GRANT, "3f").unwrap_err().into(),
        id(Kind::RUN, "3F0C").unwrap_err().into(),
        id(Kind::BROWSER, "77aa").unwrap_err().into(),
        id(Kind::SESSION, "3f0c").unwrap_err().into(),
        LoadError::Read(gone()).into(),
        OutlineError::NotWasm.into(),
        EndpointError::Slow("https://x".to_owned(), 20).into(),
        ProviderError::Unauthorized.into(),
        ProviderError::Denied(Some("403".to_owned())).into(),
        ProviderError::Unreachable(NoConnection::other("refused")).into(),
        ProviderError::BadSetting("room".to_owned(), "an id".to_owned()).into(),
        FileError::Toml.into(),
        HookInput::parse(b"{").unwrap_err().into(),
        Input::parse(b"", "Stop").unwrap_err().into(),
        Input::parse(br#"{"hook_event_name":"Setup"}"#, "Stop").unwrap_err().into(),
    ];
    insta::assert_snapshot!(lines(errors), @"
    요청을 찾을 수 없습니다: id가 비어 있습니다
    허용을 찾을 수 없습니다: id가 너무 짧습니다: 3f
    세션을 찾을 수 없습니다: id는 0-9, a-f, -로 된 36자까지입니다
    브라우저를 찾을 수 없습니다: 이렇게 시작하는 id가 없습니다: 77aa
    세션을 찾을 수 없습니다: 이렇게 시작하는 id가 2개 있습니다: 3f0c
    컴포넌트를 읽을 수 없습니다: No such file or directory (os error 2)
    WebAssembly 컴포넌트가 아닙니다
    https://x: 20초 안에 응답이 없습니다
    봇이 로그인할 수 없습니다. 토큰을 받아 주지 않습니다
    그곳에서 봇에 필요한 권한이 없습니다: 403
    메신저에 연결할 수 없습니다: refused
    설정을 쓸 수 없습니다: room: an id
    TOML이 아닙니다
    훅 입력이 Claude Code가 보내는 JSON 객체가 아닙니다: EOF while parsing an object at line 1 column 1
    이벤트가 JSON 객체가 아닙니다: EOF while parsing a value at line 1 column 0
    다른 이벤트입니다: Setup (Stop 이벤트가 필요합니다)
    ");
}

#[test]
fn an_error_of_which_a_part_has_no_korean_words_is_english_as_a_whole() {
    let told =
        |cause: anyhow::Error| Err::<(), _>(cause).told("{} 안 됩니다", "{} cannot be done", &["x"]).unwrap_err();
    let errors = vec![
        told(gone().into()),
        told(Told::new("없습니다", "there is none", &[]).into()),
        told(anyhow::anyhow!("nobody knows")),
        anyhow::Error::from(InstanceError::Starting).context("it cannot be started"),
        io::Error::other("made here").into(),
        io::Error::new(io::ErrorKind::NotFound, "said by the system").into(),
    ];
    insta::assert_snapshot!(lines(errors), @"
    x 안 됩니다: No such file or directory (os error 2)
    x 안 됩니다: 없습니다
    (en) x cannot be done: nobody knows
    (en) it cannot be started: another gateway is about to start
    (en) made here
    said by the system
    ");
    let english = words(&GatewayError::Lost.into(), Lang::En);
    assert_eq!(english, ("the gateway closed the connection".to_owned(), Lang::En));
}

#[test]
fn no_korean_particle_depends_on_a_value() {
    for source in
        [include_str!("gateway.rs"), include_str!("own.rs"), include_str!("plugin.rs"), include_str!("state.rs")]
    {
        for either in ["을(를)", "이(가)", "은(는)", "(으)로", "와(과)"] {
            assert!(!source.contains(either), "{either}");
        }
        for particle in ["을", "를", "이", "가", "은", "는", "으로", "와", "과"] {
            let behind = format!("{{}}{particle} ");
            assert!(!source.contains(&behind), "{behind}");
        }
    }
}
