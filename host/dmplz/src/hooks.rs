//! `dmplz hooks`: the hooks that people write for Claude Code, for what is dmplz's own to run.
//!
//! One file a subcommand. [`place`] finds and reads the settings, [`session`] runs handlers; what they mean is `dmplz_hooks`'.

mod around;
mod disk;
mod list;
mod log;
mod place;
mod run;
mod session;
mod trust;
mod validate;
mod words;

use clap::{Args as ClapArgs, Subcommand};

pub(crate) use around::Around;
pub(crate) use list::listed;
pub(crate) use place::{SOURCES, sources};
pub(crate) use trust::{changes, trust_shown, untrust_folder};

/// What `hooks` is told.
#[derive(Debug, ClapArgs)]
#[command(arg_required_else_help = true, after_help = AFTER)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

/// What the help begins with.
pub(crate) const ABOUT: &str = "\
The hooks of ~/.claude/settings.json and of a project's .claude folder: what would run where, and why not; what is wrong in
them; and what each does with an event. A hook only notifies: what it answers is recorded, shown, and changes nothing.
Those of a project run only after you trusted them here. All of it: docs/HOOKS.md.

~/.claude/settings.json과 프로젝트 .claude 폴더의 훅을 다룹니다. 무엇이 어디서 실행되고 왜 실행되지 않는지, 무엇이 잘못됐는지,
이벤트를 주면 각 훅이 무엇을 하는지 보여 줍니다. 훅의 응답은 기록하고 보여 줄 뿐 아무것도 바꾸지 않습니다.
프로젝트의 훅은 여기서 신뢰한 뒤에만 실행됩니다. 자세한 설명: docs/HOOKS.ko.md";

const AFTER: &str = "\
Examples · 예:
  dmplz hooks list                         every hook, whether it would run, and why not
  dmplz hooks validate                     what is wrong in settings and scripts
  dmplz hooks validate .codex/hooks.json   the same of a file, also of gemini-cli and Codex
  dmplz hooks run PreToolUse event.json    give a recorded event to the hooks, and see what each does
  dmplz hooks run Stop --source user       the same with an example event, from one source
  dmplz hooks trust                        let the hooks of this folder run, after you read them
  dmplz hooks log                          what ran

Exit codes · 종료 코드:
  0  done · 완료                                      3  the settings cannot be read · 설정을 읽을 수 없음
  1  failed; trust: left as it was · 실패              4  validate, run: something is wrong · 문제 발견";

#[derive(Debug, Subcommand)]
enum Command {
    /// List every hook, whether it would run, and why not · 모든 훅과 실행 여부
    List(list::Args),
    /// Say what is wrong in settings files and scripts · 설정과 스크립트 점검
    Validate(validate::Args),
    /// Give an event to the hooks, and show what each does · 이벤트를 주고 결과 보기
    Run(run::Args),
    /// Let the hooks of a folder run, as they are now · 폴더의 훅을 지금 내용대로 신뢰
    Trust(trust::Args),
    /// Take that back · 신뢰 취소
    Untrust(trust::UntrustArgs),
    /// Show which hooks ran, and how they ended · 실행된 훅의 기록
    Log(log::Args),
}

/// Runs a subcommand. The exit code.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    match &args.command {
        Command::List(args) => list::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Run(args) => run::run(args),
        Command::Trust(args) => trust::run(args),
        Command::Untrust(args) => trust::run_untrust(args),
        Command::Log(args) => log::run(args),
    }
}
