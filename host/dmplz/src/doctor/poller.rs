//! Checks whether another program receives the bot's presses. Of two pollers each press reaches only one, so the
//! other's requests are never answered. Only a messenger with long polls reveals this: it ends one of two polls.

use std::time::{Duration, Instant};

use dmplz_core::messenger::ProviderError;
use dmplz_plugin::Provider;
use dmplz_state::{Queue, StateDir};

use super::finding::{Finding, Say};
use crate::account::Chosen;
use crate::settings::Settings;

/// Another poller polls again within a second, and the messenger may take 3 s more to end a poll (observed with
/// Telegram's server).
const LISTENS: Duration = Duration::from_secs(5);
/// The time that a poll may take beyond its waiting time.
const SLACK: Duration = Duration::from_secs(10);
/// The pause between two polls if unconfirmed events end them at once.
const PAUSE: Duration = Duration::from_millis(500);

/// Polls for a while as a hook would, and confirms nothing. Returns no finding if a process of this state directory
/// polls at the moment, because that process reports another poller itself. A hook that starts meanwhile waits for
/// its turn until this is done.
pub(super) async fn check(provider: &Provider, chosen: &Chosen, settings: &Settings, say: Say) -> Option<Finding> {
    let transport = provider.transport();
    if transport.poll_interval > 0 || transport.persistent {
        return None;
    }
    let state = StateDir::find(&settings.state_dir).ok()??;
    let ticket = Queue::new(&state, &chosen.key).join().ok()?;
    if !ticket.try_first().ok()? {
        return None;
    }
    let end = Instant::now() + LISTENS;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Some(say.good(
                "poller",
                "다른 프로그램이 이 봇을 쓰지 않습니다",
                "no other program polls this bot",
            ));
        }
        match provider.receive("", &[], left, left + SLACK).await {
            Ok(_) => tokio::time::sleep(PAUSE.min(left)).await,
            Err(ProviderError::Conflict(_)) => return Some(shared(say)),
            // Earlier checks report the messenger's other problems.
            Err(_) => return None,
        }
    }
}

fn shared(say: Say) -> Finding {
    let what = say.of(
        "다른 프로그램이 이 봇의 버튼 누름을 가져갑니다. 그쪽으로 간 답은 여기에 오지 않습니다",
        "another program takes this bot's presses: an answer that goes there never comes here",
    );
    let fix = say.of(
        "그 프로그램이나 다른 컴퓨터의 dmplz를 멈추거나, 컴퓨터마다 전용 봇을 쓰세요",
        "stop it (or dmplz on the other computer), or give each computer a bot of its own",
    );
    Finding::bad("poller", what, fix)
}
