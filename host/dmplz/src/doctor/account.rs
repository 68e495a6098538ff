//! Whether there is a messenger to ask on.

use dmplz_core::messenger::Chat;

use super::finding::{Finding, Say};
use crate::account::{self, Chosen, variable};
use crate::settings::{Source, Table, environment};
use crate::trouble::chain;

/// The account, or why there is none.
pub(super) fn check(table: &mut Table, say: Say) -> Result<(Chosen, Finding), Finding> {
    let chosen = account::choose(table, &environment).map_err(|error| {
        let fix = say.of(
            "BotFather나 Discord 개발자 포털에서 토큰을 받아 환경 변수나 config.toml에 넣어 주세요 (README: 5분 설정)",
            "get a token from BotFather or Discord's developer portal, and put it and the chat into the environment or \
             config.toml (README: five minutes)",
        );
        Finding::bad("account", format!("failed to {}", chain(&error)), fix)
    })?;
    let token = variable(&chosen.name, "bot-token");
    let source = match table.entry(&token).map(|entry| entry.source) {
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
