//! Checks that a messenger is set up.

use dmplz_bundled::{MESSENGERS, Messenger};
use dmplz_core::messenger::Chat;
use dmplz_state::ProvidersError;

use super::finding::{Finding, Say};
use crate::account::{self, Chosen};
use crate::settings::{Source, Table, environment, messengers};

/// Returns the account, or a finding that says why there is none. `is_served`: a gateway runs.
pub(super) fn check(table: &mut Table, is_served: bool, say: Say) -> Result<(Chosen, Finding), Finding> {
    let chosen = account::choose(table, &environment).map_err(|error| missing(table, &error, is_served, say))?;
    let source = match table.entry(&chosen.main).map(|entry| entry.source) {
        Some(Source::Environment) => say.of(
            "토큰은 이 셸의 환경 변수에: Claude Code도 같은 환경에서 시작해야 합니다",
            "the token is in this shell's environment: Claude Code must be started with it too",
        ),
        Some(Source::File) => say.of("토큰은 config.toml에", "the token is in config.toml"),
        Some(Source::Default) | None => say.of("토큰 없음", "without a token"),
    };
    let chat = match &chosen.chat {
        Chat::Room(id) => format!("{} {id}", say.of("채팅", "chat")),
        Chat::Person(id) => format!("{} {id}", say.of("DM", "direct messages with")),
    };
    let what = format!("{}, {chat}; {source}", chosen.name);
    Ok((chosen, Finding::good("account", what)))
}

/// Returns whether no messenger is chosen, and none has a token.
pub(super) fn is_new(table: &Table) -> bool {
    let is_set = |messenger: &Messenger| messenger.has_keys(|variable| table.is_set(variable));
    !table.is_set("DMPLZ_PROVIDER") && !MESSENGERS.iter().any(is_set)
}

/// Returns the finding about a missing or invalid setting.
fn missing(table: &Table, error: &anyhow::Error, is_served: bool, say: Say) -> Finding {
    if is_new(table) && is_served {
        let what = say.of(
            "설정한 메신저가 없어 웹 페이지와 터미널에서만 답할 수 있습니다",
            "no messenger is set up: requests are answered on the page and in terminals alone",
        );
        let fix = say.of("메신저에서도 답하려면: dmplz setup", "to answer in a messenger too: dmplz setup");
        return Finding::doubtful("account", what, fix);
    }
    if is_new(table) {
        let keys = messengers::keys(say.of("이나 ", " or "));
        let what = format!("{}: {keys}", say.of("메신저의 토큰이 없습니다", "no messenger has a token"));
        let first = say.of(
            "`dmplz setup`을 실행하거나, 토큰을 받아 채팅과 함께 환경 변수나 config.toml에 넣어 주세요",
            "run dmplz setup; or get a token, and put it and the chat into the environment or config.toml",
        );
        let kinds = MESSENGERS.iter().flat_map(|messenger| messenger.keys().into_iter().take(1));
        let kinds = kinds.map(|key| format!("{} ({})", key.variable, say.of(key.help[0], key.help[1])));
        let fix = format!("{first}: {}", kinds.collect::<Vec<_>>().join(", "));
        return Finding::bad("account", what, fix);
    }
    if error.is::<ProvidersError>() {
        let fix = say.of("아래 providers 항목을 봐 주세요", "see below, at providers");
        return Finding::bad("account", say.error(error), fix);
    }
    let fix = say.of(
        "위에 적힌 설정을 환경 변수나 config.toml에 넣어 주세요. `dmplz config`가 모든 설정과 그 출처를 보여 줍니다 (README: 5분 설정)",
        "set that in the environment or config.toml; dmplz config shows every setting and where it came from (README: five \
         minutes)",
    );
    Finding::bad("account", say.error(error), fix)
}
