//! `dmplz grants`: lists the grants that people gave, and revokes them. No command gives a grant; only a press does.

mod list;
mod revoke;
mod told;

use clap::Subcommand;
use dmplz_core::grant::{Grant, Moment};
use dmplz_core::text::Lang;
use dmplz_state::{Grants, StateDir};

pub(crate) use told::tell;

use crate::settings::{self, environment};
use crate::terminal::OnlyJson;
use crate::time;
use crate::told::Tell;

/// The beginning of the help text.
pub(crate) const ABOUT: &str = "\
What you allowed on a card for 30 minutes, or for the session: exactly the same thing passes in the same folder without
asking again, until its time is over, its session ends, or you take it back here or on the card. A rule that denies wins.

카드에서 30분 동안, 또는 세션 동안 허용한 것. 같은 폴더에서 정확히 같은 것만 다시 묻지 않고 지나갑니다. 시간이 지나거나,
세션이 끝나거나, 여기나 카드에서 취소하면 끝납니다. 거부 규칙이 우선합니다.";

const AFTER: &str = "\
Examples · 예:
  dmplz grants list                   what passes without asking now, and for how long
  dmplz grants revoke 1f3a            the first 4 characters of an id, or more
  dmplz grants revoke --all           all of them, also where the file is damaged
  dmplz grants revoke --session 0c9e  those of a session

Exit codes · 종료 코드:
  0  done · 완료
  1  no such grant, or the grants cannot be read · 그런 허용이 없거나 읽을 수 없음
  2  the command line is not understood, or an id is empty or too short · 명령줄이나 id가 잘못됨
  3  a setting cannot be read · 설정을 읽을 수 없음

No command gives a grant: only a press on a card does. · 허용은 카드에서 눌러야만 생깁니다.";

/// The subcommands of `grants`.
#[derive(Debug, Subcommand)]
#[command(after_help = AFTER)]
pub(crate) enum Command {
    /// List what is allowed without asking · 묻지 않고 허용되는 것
    List(OnlyJson),
    /// Take grants back: the next such call is asked again · 취소하고 다시 묻게 하기
    Revoke(revoke::Args),
}

/// Runs a subcommand. Returns the exit code.
pub(crate) fn run(command: &Command) -> anyhow::Result<u8> {
    match command {
        Command::List(args) => list::run(args),
        Command::Revoke(args) => revoke::run(args),
    }
}

/// The grants of this machine's user.
struct Kept {
    lang: Lang,
    now: Moment,
    state: Option<StateDir>,
}

impl Kept {
    fn find() -> anyhow::Result<Self> {
        let state = StateDir::find(&settings::state_dir(&environment)?)?;
        Ok(Self { lang: settings::language(), now: time::both_clocks(), state })
    }

    /// Returns the grants in force, oldest first.
    fn list(&self) -> anyhow::Result<Vec<Grant>> {
        let Some(state) = &self.state else { return Ok(Vec::new()) };
        let all = Grants::read(state.path()).told(MEND[0], MEND[1], &[])?;
        Ok(all.into_iter().filter(|grant| grant.holds(self.now)).collect())
    }
}

/// Returns what to do if the list cannot be read. Until then no grant is in force.
const MEND: [&str; 2] = [
    "허용 목록을 읽을 수 없어 아무것도 허용되지 않습니다(`dmplz grants revoke --all`로 모두 지울 수 있습니다)",
    "the grants cannot be listed, and none of them counts (dmplz grants revoke --all takes them away)",
];
