//! `dmplz service`: the gateway as a service of the user, by systemd or launchd.
//!
//! | there is | install | uninstall |
//! |---|---|---|
//! | no unit | writes it, enables and starts it | nothing |
//! | the unit of an install | writes it anew where it differs, and restarts | stops it and removes it, or puts back what was there |
//! | the unit of a package, for this program | enables and starts it | stops and disables it |
//! | any other unit, or one that was changed since | refuses; `--force` keeps a copy and replaces it | refuses; `--force` keeps a copy and removes it |
//!
//! A unit names its own digest ([`mark`]), so a change is seen. Nothing is written where the manager cannot be reached: the
//! error says what to do there ([`refusal`]).

mod file;
mod launchd;
mod mark;
mod refusal;
mod report;
mod steps;
mod supervisor;
mod systemd;

use std::path::PathBuf;

use dmplz_core::text::Lang;
use dmplz_state::{Instance, StateDir};

use crate::environment::is_not_utf8;
use crate::failed::Failed;
use crate::settings::{Settings, Table, environment, state_dir};
use crate::terminal::{lang, say, tell};
use crate::{exit, program, trouble};
use file::{UnitFile, UnitState};
pub(crate) use launchd::FILE as LAUNCHD_FILE;
use refusal::{Refusal, Trouble};
use report::{Done, Status};
use steps::{Change, Step};
use supervisor::Supervisor;
pub(crate) use systemd::FILE as SYSTEMD_FILE;

/// What `dmplz service --help` says before the subcommands.
pub(crate) const ABOUT: &str = "\
Keeps `dmplz serve` running as a service of your user: a systemd user unit on Linux, a launchd agent on macOS.
`install` writes and starts it, `status` tells how it is, `uninstall` stops it and puts back what was there before.
A unit that somebody else wrote or changed is left alone.

`dmplz serve`를 사용자 서비스로 계속 실행합니다(Linux는 systemd 사용자 유닛, macOS는 launchd).
다른 사람이 쓰거나 고친 유닛은 건드리지 않습니다.";

/// The subcommands of `service`.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Write the unit, enable and start it · 유닛을 쓰고 시작하기
    Install(Changing),
    /// Stop it, and put back what was there before · 멈추고 이전 상태로 되돌리기
    Uninstall(Changing),
    /// Tell whether it is installed and runs · 설치와 실행 상태 보기
    Status(Looking),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Changing {
    /// Show the unit and the commands, and change nothing · 바뀔 내용만 보여 주기
    #[arg(long)]
    dry_run: bool,
    /// Also a unit that somebody else wrote or changed; a copy is kept · 다른 사람이 쓴 유닛도 (사본은 남깁니다)
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    looking: Looking,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Looking {
    /// The service manager; that of this system unless given · 서비스 관리자
    #[arg(long, value_enum)]
    manager: Option<Supervisor>,
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    json: bool,
}

/// Runs a subcommand. Returns the exit code.
pub(crate) fn run(command: &Command) -> anyhow::Result<u8> {
    let settings = Table::load(&environment).and_then(|table| Settings::of(&table)).ok();
    let lang = settings.map_or_else(|| lang(&environment), |settings| settings.lang);
    let (json, done) = match command {
        Command::Install(args) => (args.looking.json, install(args, lang)),
        Command::Uninstall(args) => (args.looking.json, uninstall(args, lang)),
        Command::Status(args) => return tell(&status(args, lang)?, args.json, |it, paint| it.text(lang, paint)),
    };
    let error = match done {
        Ok(done) => return tell(&done, json, |done, paint| done.text(lang, paint)),
        Err(error) => error,
    };
    let Some(refusal) = error.downcast_ref::<Refusal>() else { return Err(error) };
    let Trouble { code, what, next } = refusal.words(lang);
    trouble::error(&what);
    trouble::next(say(lang, "다음", "next"), &next);
    if json {
        Failed { code, what, next: Some(next), exit: exit::FAILED, lang }.show()?;
    }
    Ok(exit::FAILED)
}

impl Looking {
    fn manager(&self) -> Supervisor {
        self.manager.unwrap_or_else(Supervisor::of_this_system)
    }
}

/// The place of the unit, and what is there.
struct Plan {
    manager: Supervisor,
    program: String,
    file: UnitFile,
    /// The text that is there; empty if there is none.
    found: String,
    unit: UnitState,
    /// Where an install with `--force` keeps what is there.
    copy: PathBuf,
}

impl Plan {
    /// Returns that of this program, which need not be one that can be installed.
    fn of_this(manager: Supervisor) -> anyhow::Result<Self> {
        let program = program::shown()?;
        let wanted = wanted(manager, &program).ok();
        Self::of(manager, program, wanted.as_deref())
    }

    /// `wanted` is the text that an install writes, if it can write one.
    fn of(manager: Supervisor, program: String, wanted: Option<&str>) -> anyhow::Result<Self> {
        let file = UnitFile { path: manager.path()? };
        let (found, unit) = file.found(wanted)?;
        let is_systemd = manager == Supervisor::Systemd;
        let unit = match unit {
            UnitState::Absent if is_systemd && systemd::is_packaged(&program) => UnitState::Packaged,
            unit => unit,
        };
        let copy = file.copy();
        Ok(Self { manager, program, file, found, unit, copy })
    }
}

/// Returns the text that an install writes, with its mark.
fn wanted(manager: Supervisor, program: &str) -> Result<String, Refusal> {
    Ok(mark::signed(&manager.text(program, &carried())?, manager.comment()))
}

/// The variables without which the service would be another gateway than this one.
fn carried() -> Vec<(&'static str, String)> {
    let is_path = |value: &String| value.starts_with('/') && !is_not_utf8(value);
    let set = |name| Some((name, environment(name).filter(is_path)?));
    ["DMPLZ_STATE_DIR", "CLAUDE_CONFIG_DIR"].into_iter().filter_map(set).collect()
}

fn install(args: &Changing, lang: Lang) -> anyhow::Result<Done> {
    let (manager, program) = (args.looking.manager(), program::path()?);
    let wanted = wanted(manager, &program)?;
    let plan = Plan::of(manager, program, Some(&wanted))?;
    let Plan { file, unit, .. } = &plan;
    let change = match unit {
        UnitState::Packaged => Change::Packaged,
        UnitState::Absent => Change::Written,
        UnitState::Installed => Change::None,
        UnitState::Outdated | UnitState::Changed => Change::Replaced,
    };
    let is_foreign = *unit == UnitState::Changed;
    if args.dry_run {
        let steps = manager.to_start(&plan.file.path, change, false);
        return Ok(Done::planned(&plan, change, &steps, Some(&wanted), lang));
    }
    if is_foreign && !args.force {
        return Err(Refusal::Changed { file: file.path.clone(), to_install: true }.into());
    }
    manager.reach(&plan.program)?;
    let active = manager.look()?;
    if let (None, Some(pid)) = (active.pid, gateway()?) {
        return Err(Refusal::GatewayRuns(pid).into());
    }
    if change == Change::Written || change == Change::Replaced {
        file.write(&wanted, is_foreign)?;
    }
    let steps = manager.to_start(&file.path, change, active.loaded);
    steps::run(&steps)?;
    Ok(Done::made(&plan, change, &steps, lang))
}

fn uninstall(args: &Changing, lang: Lang) -> anyhow::Result<Done> {
    let plan = Plan::of_this(args.looking.manager())?;
    let Plan { manager, file, unit, .. } = &plan;
    let change = match unit {
        UnitState::Packaged => Change::Packaged,
        UnitState::Absent => Change::None,
        _ if file.before().exists() => Change::Restored,
        _ => Change::Removed,
    };
    let is_foreign = *unit == UnitState::Changed;
    if change == Change::None {
        return Ok(Done::made(&plan, change, &[], lang));
    }
    if args.dry_run {
        return Ok(Done::planned(&plan, change, &manager.to_stop(true), None, lang));
    }
    if is_foreign && !args.force {
        return Err(Refusal::Changed { file: file.path.clone(), to_install: false }.into());
    }
    manager.reach(&plan.program)?;
    let mut steps = manager.to_stop(manager.look()?.loaded);
    steps::run(&steps)?;
    if change != Change::Packaged {
        file.remove(is_foreign)?;
        let after: Vec<Step> = manager.after_removal();
        steps::run(&after)?;
        steps.extend(after);
    }
    Ok(Done::made(&plan, change, &steps, lang))
}

fn status(args: &Looking, lang: Lang) -> anyhow::Result<Status> {
    let plan = Plan::of_this(args.manager())?;
    let looked = match plan.manager.reach(&plan.program) {
        Ok(()) => Ok(plan.manager.look()?),
        Err(refusal) => Err(refusal),
    };
    Ok(Status::of(&plan, looked, gateway()?, lang))
}

/// Returns the process of the gateway that runs in the state directory.
fn gateway() -> anyhow::Result<Option<u32>> {
    Ok(match StateDir::find(&state_dir(&environment)?)? {
        Some(state) => Instance::running(&state)?,
        None => None,
    })
}

/// Returns the command that makes the service use a new program; `None` where no service is installed.
pub(crate) fn restart() -> Option<&'static str> {
    is_installed().then(|| match Supervisor::of_this_system() {
        Supervisor::Systemd => "systemctl --user restart dmplz",
        Supervisor::Launchd => "launchctl kickstart -k gui/$(id -u)/dmplz.gateway",
    })
}

/// Returns whether an install of this user left a unit, for the words of others.
pub(crate) fn is_installed() -> bool {
    let text = Supervisor::of_this_system().path().and_then(|path| Ok(std::fs::read_to_string(path)?));
    text.is_ok_and(|text| mark::is_ours(&text))
}
