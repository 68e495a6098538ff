//! All settings: our own, and between them those of the bundled messengers (`messengers`). Those of other providers are
//! known after [`Table::learn`](super::Table::learn).

use std::sync::LazyLock;

use dmplz_bundled::MESSENGERS;

use super::messengers;
use super::spec::{Help, Kind, Spec};
use crate::duration::Unit;

/// A day: more than anything here waits for.
const MAX_MS: u64 = 86_400_000;
/// 30 days, which is as long as a pairing lasts.
const MAX_GAP_S: u64 = 30 * 86_400;
/// A hundred years.
const MAX_DAYS: u64 = 36_500;

/// Returns a setting by its type and its default.
const fn spec(name: &'static str, (kind, default): (Kind, &'static str), ko: &'static str, en: &'static str) -> Spec {
    Spec::new(name, kind, Some(default), Help::Words([ko, en]))
}

/// Returns a setting without a default.
const fn plain(name: &'static str, kind: Kind, ko: &'static str, en: &'static str) -> Spec {
    Spec::new(name, kind, None, Help::Words([ko, en]))
}

/// Returns a setting of a list that is empty unless it is set.
const fn list(name: &'static str, ko: &'static str, en: &'static str) -> Spec {
    spec(name, (Kind::List, ""), ko, en)
}

/// Returns all settings, in the order in which they are shown to people.
pub(crate) fn specs() -> &'static [Spec] {
    static SPECS: LazyLock<Vec<Spec>> = LazyLock::new(|| {
        let provider = Spec::new("DMPLZ_PROVIDER", Kind::Text, None, Help::Made(messengers::what_a_provider_is));
        [provider].into_iter().chain(MESSENGERS.iter().flat_map(messengers::of)).chain(OWN.iter().copied()).collect()
    });
    &SPECS
}

/// Returns the setting of this name.
pub(crate) fn named(name: &str) -> Option<&'static Spec> {
    specs().iter().find(|spec| spec.name == name)
}

/// The settings that do not belong to a messenger.
const OWN: &[Spec] = &[
    plain(
        "DMPLZ_PERMISSION_CHAT_ID",
        Kind::Text,
        "권한 요청만 다른 채팅으로 보낼 때 그 id",
        "another chat, for permission requests only",
    ),
    list(
        "DMPLZ_ALLOWED_USERS",
        "그룹/채널에서 답할 수 있는 사용자 id 목록, *는 모두. 메신저마다 따로 정할 수도 있습니다(DMPLZ_TELEGRAM_ALLOWED_USERS 등)",
        "ids of those who may answer in a group or channel; * for everyone; a messenger's own list, such as \
         DMPLZ_TELEGRAM_ALLOWED_USERS, takes its place",
    ),
    spec(
        "DMPLZ_LANG",
        (Kind::Word(&["ko", "en"]), "ko"),
        "언어. 정하지 않으면 LC_ALL, LC_MESSAGES, LANG을 따릅니다",
        "language; where it is not set, that of LC_ALL, LC_MESSAGES or LANG",
    ),
    spec(
        "DMPLZ_ON_EXPIRED",
        (Kind::Word(&["ask", "deny"]), "ask"),
        "아무도 답하지 않으면: ask는 터미널에서 묻고, deny는 거부",
        "when nobody answers: ask leaves it to the terminal, deny denies",
    ),
    spec(
        "DMPLZ_QUESTIONS_AHEAD",
        (Kind::Word(&["on", "off"]), "off"),
        "에이전트의 질문: off는 터미널과 함께 묻고, on은 그보다 먼저 PreToolUse에서 물음",
        "the agent's questions: off asks beside the terminal, on before it, in PreToolUse",
    ),
    spec(
        "DMPLZ_HOOK_TIMEOUT_MS",
        (Kind::Duration(5_000, MAX_MS, Unit::MILLISECOND), "300000"),
        "훅 전체의 제한 시간(5m, 90s 등, 숫자만 쓰면 ms)",
        "limit for the whole hook, such as 5m or 90s; a number alone is ms",
    ),
    spec(
        "DMPLZ_QUESTION_TIMEOUT_MS",
        (Kind::Duration(100, MAX_MS, Unit::MILLISECOND), "300000"),
        "권한 요청 하나의 제한 시간(5m, 90s 등, 숫자만 쓰면 ms), 사유 단계 포함",
        "limit for one request, the reason included, such as 5m or 90s; a number alone is ms",
    ),
    spec(
        "DMPLZ_UNREACHABLE_MS",
        (Kind::Duration(0, MAX_MS, Unit::MILLISECOND), "20000"),
        "메신저에 연결되지 않아 카드가 나가지 않은 것이 확실할 때 다시 시도하는 시간(20s 등, 숫자만 쓰면 ms). 그 뒤에는 터미널에서 묻습니다",
        "how long a hook without a gateway tries to reach a messenger to which certainly nothing was sent, such as 20s; a number alone is ms; then the terminal asks",
    ),
    spec(
        "DMPLZ_REJECT_REASON_TIMEOUT_MS",
        (Kind::Duration(100, MAX_MS, Unit::MILLISECOND), "60000"),
        "거부 사유를 기다리는 시간(5m, 90s 등, 숫자만 쓰면 ms)",
        "how long a reason is waited for, such as 1m or 90s; a number alone is ms",
    ),
    spec(
        "DMPLZ_REJECT_REASON_MAX_CHARS",
        (Kind::Number(1, 3_000), "300"),
        "거부 사유의 최대 글자 수",
        "characters kept of a reason",
    ),
    spec(
        "DMPLZ_REJECT_REASON_NO_REASON_KEYWORDS",
        (Kind::List, "no_reason"),
        "사유 생략 키워드 (리액션으로 답할 때)",
        "keywords that mean no reason, where people answer by reactions",
    ),
    plain("DMPLZ_REJECT_REASON_LOG_PATH", Kind::Path, "거부 로그 파일", "the log of rejections"),
    spec(
        "DMPLZ_REJECT_REASON_LOG_ROTATE_BYTES",
        (Kind::Number(1_024, 1 << 40), "10485760"),
        "로그를 회전하는 크기(바이트)",
        "size at which the log is rotated, bytes",
    ),
    spec(
        "DMPLZ_REJECT_REASON_LOG_MAX_FILES",
        (Kind::Number(1, 1_000), "10"),
        "보관할 회전된 로그 수",
        "rotated logs kept",
    ),
    plain(
        "DMPLZ_STATE_DIR",
        Kind::Path,
        "상태 디렉터리(config.toml이 있는 곳이라 환경 변수로만 정함)",
        "the state directory; in the environment alone, because config.toml is in it",
    ),
    list(
        "DMPLZ_PROVIDER_ORIGINS",
        ".wasm 파일 프로바이더가 접근해도 되는 origin 목록",
        "origins that a provider given by path may reach",
    ),
    plain(
        "DMPLZ_PROVIDER_INDEX",
        Kind::Text,
        "프로바이더 색인: 파일의 전체 경로나 URL",
        "an index of providers: the whole path of a file, or a URL",
    ),
    plain(
        "DMPLZ_PROVIDER_INDEX_KEY",
        Kind::Text,
        "그 색인에 서명하는 minisign 공개 키",
        "the public key of minisign that signs that index",
    ),
    plain("DMPLZ_CA_FILE", Kind::Path, "추가로 신뢰할 인증서(PEM)", "more certificates to trust, PEM"),
    plain("DMPLZ_HTTPS_PROXY", Kind::Url, "HTTP CONNECT 프록시", "an HTTP CONNECT proxy"),
    spec(
        "DMPLZ_GATEWAY",
        (Kind::Word(&["auto", "off"]), "auto"),
        "auto는 실행 중인 게이트웨이를 통해 묻고, off는 훅이 직접 묻기",
        "auto asks through the gateway where one runs; off lets each hook ask by itself",
    ),
    spec(
        "DMPLZ_GATEWAY_PORT",
        (Kind::Number(0, 65_535), "4780"),
        "게이트웨이 페이지와 API의 포트(127.0.0.1), 0은 아무 포트",
        "port of the gateway's page and API on 127.0.0.1; 0 takes any",
    ),
    list(
        "DMPLZ_GATEWAY_HOSTS",
        "프록시나 터널이 게이트웨이를 부르는 이름 목록",
        "names by which a proxy or tunnel reaches the gateway",
    ),
    list(
        "DMPLZ_GATEWAY_PROXY_UIDS",
        "게이트웨이에 연결해도 되는 다른 사용자(프록시)의 uid 목록, Linux만",
        "uids of other users, such as a proxy's, whose programs may connect to the gateway; Linux only",
    ),
    list(
        "DMPLZ_GATEWAY_PROVIDERS",
        "게이트웨이가 쓸 메신저 목록, 비우면 설정된 모두",
        "messengers of the gateway; every one that is set up where this is empty",
    ),
    spec(
        "DMPLZ_GATEWAY_ACTIVE_CARDS",
        (Kind::Number(1, 1_000), "1"),
        "채팅마다 동시에 보여 줄 카드 수",
        "how many cards a chat shows at a time",
    ),
    list(
        "DMPLZ_RUN_FOLDERS",
        "웹 페이지, API, 채팅에서 세션을 시작해도 되는 폴더 목록(절대 경로, 그 아래 폴더 포함). telegram=/home/me/work처럼 한 곳(page, program, 메신저)에만 허용할 수도 있음. 비우면 터미널에서만 시작",
        "folders in which the page, the API and chats may start sessions, and those below them, absolute paths; telegram=/home/me/work allows one in one place (page, program or a messenger); where it is empty only the terminal starts one",
    ),
    list(
        "DMPLZ_RUN_MODES",
        "세션에서 설정해도 되는, 아무에게도 묻지 않는 모드 목록(bypass-permissions, auto, dont-ask). 설정하려면 다른 곳에서 사람이 승인해야 함. 비우면 설정할 수 없음",
        "modes in which nobody is asked that can be set in a session (bypass-permissions, auto, dont-ask), each time once a person confirms it on another surface; where it is empty none can",
    ),
    list(
        "DMPLZ_RUN_CHATS",
        "세션을 채팅에서 보고 지시할 메신저 목록, *는 게이트웨이의 모든 메신저. 비우면 채팅에서는 권한 요청만 받음",
        "messengers in whose chat sessions are shown and led, * for all of the gateway; where it is empty chats only get requests",
    ),
    spec(
        "DMPLZ_RUN_DETAIL",
        (Kind::Word(&["brief", "normal", "full"]), "normal"),
        "채팅에서 세션을 얼마나 자세히 볼지. brief는 에이전트의 말과 호출을 보내지 않고, full은 호출의 결과와 서브에이전트의 말도 보냄",
        "how much of a session its chat shows: brief sends nothing that the agent says or calls, full also what calls returned and subagents say",
    ),
    spec(
        "DMPLZ_RUN_BUDGET",
        (Kind::Number(0, 1_000_000), "0"),
        "세션 하나가 쓸 수 있는 비용(미국 달러), 0은 제한 없음",
        "what one session may cost, in US dollars; 0 for no limit",
    ),
    spec(
        "DMPLZ_RUN_DAILY_BUDGET",
        (Kind::Number(0, 1_000_000), "0"),
        "모든 세션이 24시간에 쓸 수 있는 비용(미국 달러), 0은 제한 없음",
        "what all sessions together may cost in 24 hours, in US dollars; 0 for no limit",
    ),
    spec(
        "DMPLZ_RUN_IDLE",
        (Kind::Duration(0, MAX_GAP_S, Unit::SECOND), "0"),
        "메시지를 이만큼 기다린 세션을 끝냄(숫자만 쓰면 초, 2h 등도 가능), 0은 끝내지 않음",
        "how long a session may wait for a message before it is ended, in seconds, or such as 2h; 0 for ever",
    ),
    spec(
        "DMPLZ_PAIRING_GAP",
        (Kind::Duration(0, MAX_GAP_S, Unit::SECOND), "0"),
        "게이트웨이가 이보다 오래 떠나 있었으면 페이지의 브라우저를 다시 연결해야 하는 시간(숫자만 쓰면 초, 10m 등도 가능), 0은 매번",
        "how long the gateway may be away before the page's browsers have to pair again, in seconds, or such as 10m; 0 for every time",
    ),
    list(
        "DMPLZ_PUSH_SERVICES",
        "사설 주소나 http로 닿는 내 웹 푸시 서비스 목록(https://host[:port])",
        "web push services of your own that are at private addresses or use http (https://host[:port])",
    ),
    list(
        "DMPLZ_HOOKS",
        "dmplz가 직접 실행할 훅의 출처 목록: user(~/.claude/settings.json), project, local(폴더의 .claude). 비우면 실행하지 않음",
        "whose hooks dmplz itself runs: user (~/.claude/settings.json), project, local (.claude of the folder); none where it is empty",
    ),
    spec(
        "DMPLZ_HISTORY_TEXT_DAYS",
        (Kind::Duration(0, MAX_DAYS, Unit::DAY), "90"),
        "끝난 요청이 무엇이었는지(입력) 보관하는 기간(숫자만 쓰면 날 수, 8w 등도 가능), 0은 계속",
        "how long what was asked is kept of requests that ended, in days, or such as 8w; 0 for ever",
    ),
    spec(
        "DMPLZ_HISTORY_DAYS",
        (Kind::Duration(0, MAX_DAYS, Unit::DAY), "365"),
        "끝난 요청, 그 감사 기록, 로그를 보관하는 기간(숫자만 쓰면 날 수, 52w 등도 가능), 0은 계속",
        "how long requests that ended, their audit trail and the logs are kept, in days, or such as 52w; 0 for ever",
    ),
    spec(
        "DMPLZ_HISTORY_MAX_BYTES",
        (Kind::Number(0, 1 << 40), "1073741824"),
        "게이트웨이 데이터베이스의 크기(바이트), 넘으면 오래된 요청부터 지움, 0은 제한 없음",
        "size of the gateway's database, bytes: beyond it the oldest requests go; 0 for no limit",
    ),
    spec(
        "DMPLZ_LOG",
        (Kind::Word(&["error", "warn", "info", "debug"]), "warn"),
        "stderr 로그 수준",
        "how much is logged on stderr",
    ),
];
