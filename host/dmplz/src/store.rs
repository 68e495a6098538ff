//! `dmplz store`: looking after the gateway's database, read from its file or through a gateway that runs.

mod backup;
mod check;
mod export;
mod prune;
mod restore;

use clap::Subcommand;
use dmplz_core::text::Lang;
use dmplz_state::StateDir;
use dmplz_state::store::{Reader, StoreError, StoreOptions};

pub(crate) use check::look;

use crate::gateway::Place;
use crate::terminal::{OnlyJson, say};
use crate::trouble::find;

/// The beginning of the help text.
pub(crate) const ABOUT: &str = "\
The gateway keeps every request, its history and the audit trail in state.db in the state directory. This checks that
file, copies it while the gateway runs, puts a copy back, writes the history out, and removes what is old.

게이트웨이는 모든 요청과 이력, 감사 기록을 상태 디렉터리의 state.db에 보관합니다. 그 파일을 점검하고, 실행 중에도 백업하고,
백업을 되돌리고, 이력을 내보내고, 오래된 것을 지웁니다.";

const AFTER: &str = "\
Examples · 예:
  dmplz store check                        is the file sound, can every request be read, is the trail in order?
  dmplz store backup ~/dmplz-2026-11.db    one file, also while the gateway runs; it prints the trail's head to keep
  dmplz store restore ~/dmplz-2026-11.db   end dmplz serve first; what is there now is kept beside it
  dmplz store export > history.jsonl       one request a line, secrets masked
  dmplz store prune                        remove now what the gateway would remove within the hour

What is kept, and how long · 보관 기간:
  DMPLZ_HISTORY_TEXT_DAYS=90               what was asked; that it was asked and how it ended stays
  DMPLZ_HISTORY_DAYS=365                   all of a request, its entries in the audit trail, and the logs
  DMPLZ_HISTORY_MAX_BYTES=1073741824       the size of the database: beyond it the oldest requests go
  0 keeps for ever. Nothing that is open, and nothing of the last day, is removed.

A backup holds what is open as it was asked, secrets included: it is written for you only (mode 0600). Keep it so.
백업에는 열린 요청이 비밀을 포함해 그대로 들어 있습니다. 본인만 읽게(0600) 쓰며, 그대로 보관하세요.

Exit codes · 종료 코드:
  0  done · 완료
  1  failed; the message says why, such as a gateway that runs · 실패 (이유를 알려 줍니다)
  2  the command line is not understood · 명령줄이 잘못됨
  3  a setting cannot be read · 설정을 읽을 수 없음
  4  something is damaged, cannot be read, or is not as it was recorded · 손상되었거나 읽을 수 없거나 기록과 다름";

/// The subcommands of `store`.
#[derive(Debug, Subcommand)]
#[command(after_help = AFTER)]
pub(crate) enum Command {
    /// Check the file, every request in it and the audit trail · 파일, 요청, 감사 기록 점검
    Check(OnlyJson),
    /// Copy the database into a file, also while the gateway runs · 실행 중에도 데이터베이스를 파일로 백업
    Backup(backup::Args),
    /// Put a backup in the database's place; no gateway may run · 백업 되돌리기 (게이트웨이를 먼저 끝내야 함)
    Restore(restore::Args),
    /// Write every request as JSON, one a line, secrets masked · 모든 요청을 한 줄에 하나씩 JSON으로, 비밀은 가려서
    Export,
    /// Remove what is older or more than is to be kept · 보관 기간과 크기를 넘은 것 지우기
    Prune(OnlyJson),
}

/// Runs a subcommand. Returns the exit code.
pub(crate) fn run(command: &Command) -> anyhow::Result<u8> {
    match command {
        Command::Check(args) => check::run(args),
        Command::Backup(args) => backup::run(args),
        Command::Restore(args) => restore::run(args),
        Command::Export => export::run(),
        Command::Prune(args) => prune::run(args),
    }
}

/// Returns what is wrong with the database if it is damaged; `None` for every other error.
pub(crate) fn damage(error: &anyhow::Error, lang: Lang) -> Option<String> {
    match find::<StoreError>(error) {
        Some(StoreError::Corrupt(source)) => {
            let what =
                say(lang, "데이터베이스가 손상되어 읽을 수 없습니다", "the database cannot be read: it is damaged");
            Some(format!("{what}: {source}"))
        }
        _ => None,
    }
}

/// Opens the database of this user for reading. `None` if nothing was ever stored.
fn open_at(place: &Place) -> anyhow::Result<Option<Reader>> {
    let Some(state) = StateDir::find(&place.state)? else { return Ok(None) };
    open(&state)
}

/// Opens the database of a state directory for reading. `None` if nothing was ever stored: neither the database exists
/// nor `audit.head`, which remains if somebody removes the database.
pub(crate) fn open(state: &StateDir) -> anyhow::Result<Option<Reader>> {
    let is_there = |name: &str| state.path().join(name).exists();
    if !is_there("state.db") && !is_there("audit.head") {
        return Ok(None);
    }
    Ok(Some(Reader::open(state, StoreOptions::default())?))
}
