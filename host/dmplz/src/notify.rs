//! `dmplz notify`: the channels that notices go to. What they are is said in `config.toml` ([`settings`]).

mod change;
mod channels;
mod dry_run;
mod list;
mod log;
mod page;
mod retry;
mod send;
pub(crate) mod settings;
mod versions;

use clap::Subcommand;
use dmplz_core::text::Lang;
use dmplz_state::StateDir;
use dmplz_state::store::{Reader, StoreOptions};

pub(crate) use channels::{failing, line};
pub(crate) use page::Page;

use self::settings::NotifySettings;
use crate::gateway;
use crate::settings::{Settings, Table, environment};
use crate::terminal::OnlyJson;
use crate::told::Told;

/// The beginning of the help text.
pub(crate) const ABOUT: &str = "\
Messages that ask nothing: that Claude Code waits, is finished, or that a tool failed. Channels and routes stand in
config.toml, [notify]; without them nothing is sent. `dmplz serve` sends them. How to begin: docs/NOTIFICATIONS.md.

답을 묻지 않는 알림입니다. Claude Code가 기다리거나 끝났거나, 도구가 실패했을 때 보냅니다. 채널과 경로는 config.toml의
[notify]에 적고, 없으면 아무것도 보내지 않습니다. 보내는 것은 `dmplz serve`입니다. 시작하기: docs/NOTIFICATIONS.ko.md";

const AFTER: &str = "\
Examples · 예:
  dmplz notify list                    channels, what goes to them, and how they do
  dmplz notify test phone              send a test message, and wait until it was sent
  dmplz notify send phone 'all green'  a text of yours, from a script
  dmplz notify send --dry-run --event stop.json
                                       what each channel would get of a recorded event
  dmplz notify log --dead              what could not be sent, and why
  dmplz notify retry --all             send all of that again

Exit codes · 종료 코드:
  0  done · 완료
  1  not sent, or no such channel · 보내지 못했거나 그런 채널이 없음
  3  the settings cannot be read · 설정을 읽을 수 없음
  5  no gateway is running · 실행 중인 게이트웨이 없음";

/// The subcommands of `notify`.
#[derive(Debug, Subcommand)]
#[command(after_help = AFTER)]
pub(crate) enum Command {
    /// List the channels, what goes to them, and how they do · 채널과 상태
    List(OnlyJson),
    /// Send a test message, and wait until it was sent · 테스트 메시지 보내기
    Test(send::TestArgs),
    /// Send a text over a channel · 채널로 글 보내기
    Send(send::Args),
    /// Show what was sent, what waits, and what could not be sent · 보낸 것과 보내지 못한 것
    Log(log::Args),
    /// Send again what could not be sent · 보내지 못한 것 다시 보내기
    Retry(retry::Args),
}

/// Runs a subcommand. The exit code.
pub(crate) fn run(command: &Command) -> anyhow::Result<u8> {
    match command {
        Command::List(args) => list::run(args),
        Command::Test(args) => send::test(args),
        Command::Send(args) => send::run(args),
        Command::Log(args) => log::run(args),
        Command::Retry(args) => retry::run(args),
    }
}

/// The context of the subcommands.
struct Place {
    lang: Lang,
    notify: NotifySettings,
    state: Option<StateDir>,
    gateway: gateway::Place,
}

impl Place {
    fn find() -> anyhow::Result<Self> {
        let table = Table::load(&environment)?;
        let settings = Settings::of(&table)?;
        let notify = NotifySettings::load(&settings.state_dir, &environment)?;
        let state = StateDir::find(&settings.state_dir)?;
        let gateway = gateway::Place { lang: settings.lang, table, state: settings.state_dir };
        Ok(Self { lang: gateway.lang, notify, state, gateway })
    }

    /// Checks that a channel has this name.
    fn has_channel(&self, channel: &str) -> anyhow::Result<()> {
        if self.notify.channels.contains_key(channel) {
            return Ok(());
        }
        let names: Vec<&str> = self.notify.channels.keys().map(String::as_str).collect();
        match names.as_slice() {
            [] => Told::err(
                "없는 채널입니다: {}. config.toml에 [notify.channels]가 없습니다(시작하는 법: docs/NOTIFICATIONS.ko.md)",
                "there is no channel {}: config.toml has no [notify.channels] (docs/NOTIFICATIONS.md shows how to begin)",
                &[&format!("{channel:?}")],
            ),
            names => Told::err(
                "없는 채널입니다: {}. 있는 채널: {}",
                "there is no channel {}; there is {}",
                &[&format!("{channel:?}"), &names.join(", ")],
            ),
        }
    }

    /// Opens the gateway's store; `None` if no gateway has run yet.
    fn store(&self) -> anyhow::Result<Option<Reader>> {
        self.state.as_ref().map_or(Ok(None), store)
    }
}

fn store(state: &StateDir) -> anyhow::Result<Option<Reader>> {
    if !state.path().join("state.db").exists() {
        return Ok(None);
    }
    Ok(Some(Reader::open(state, StoreOptions::default())?))
}
