//! `dmplz policy`: the rules that people wrote, and their decisions about calls.
//!
//! Each subcommand is a file. [`load`] finds and reads the policy files; `dmplz_policy` decides.

mod below;
mod call;
mod check;
pub(crate) mod disk;
mod explain;
mod import;
mod init;
mod lint;
mod list;
pub(crate) mod load;
mod real_path;
mod repository;
pub(crate) mod ruling;
pub(crate) mod shell;
mod sources;
mod suggest;
mod test;
mod trust;
mod words;
mod write;

use clap::{Args as ClapArgs, Subcommand};

use self::sources::FilesArgs;
pub(crate) use self::words::problem;

/// The arguments of `policy`.
#[derive(Debug, ClapArgs)]
#[command(arg_required_else_help = true, after_long_help = AFTER)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

/// The beginning of the help text.
pub(crate) const ABOUT: &str = "\
Rules that you write decide first, and only what they leave open reaches your phone. Without a rule everything is asked:
nothing is allowed by itself.

직접 쓴 규칙이 먼저 결정하고, 규칙이 정하지 않은 것만 휴대폰으로 묻습니다. 규칙이 없으면 모두 묻습니다.";

const AFTER: &str = "\
A rule · 규칙의 예 (~/.claude/dm-plz/policy.toml):
  [[rule]]
  toolName = \"Bash\"
  commandPrefix = [\"git status\", \"npm test\"]
  decision = \"allow\"                            # allow, deny or ask_user
  priority = 100                                # higher first; on a tie deny, then ask, then allow
  match = [\"git status -s\", \"npm test\"]         # checked when the file loads, and by `dmplz policy test`
  not_match = [\"git push\"]

Examples · 예:
  dmplz policy init                             a commented file to begin with
  dmplz policy check 'git status && rm -rf x'   what would happen? (exit code: 0 allow, 1 deny, 2 ask)
  dmplz policy check --explain 'npm test > log' and why: every command, every rule
  dmplz policy check --tool Write --input '{\"file_path\":\"/etc/hosts\",\"content\":\"\"}'
  dmplz policy lint && dmplz policy test        is it what you meant?
  dmplz policy import --claude ~/.claude/settings.json
  dmplz policy suggest                          rules for what you always answer the same way

The whole story: docs/POLICY.md · 자세한 설명: docs/POLICY.ko.md";

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what would become of a call · 어떤 호출이 어떻게 되는지
    Check(check::Args),
    /// Find rules that do not do what they seem to · 보이는 것과 다르게 동작하는 규칙 찾기
    Lint(FilesArgs),
    /// Run the match and not_match examples of all rules · 규칙의 예시 확인
    Test(FilesArgs),
    /// List the policy files, their tiers, rules and problems · 정책 파일 목록
    #[command(visible_alias = "show")]
    List(FilesArgs),
    /// Write a commented file to begin with · 주석이 달린 첫 파일 만들기
    Init(init::Args),
    /// Let the allows of a folder's .dmplz/policy.toml count · 폴더의 정책을 신뢰
    Trust(trust::Args),
    /// Take that back · 신뢰 취소
    Untrust(trust::UntrustArgs),
    /// Read in the permission rules of Claude Code · Claude Code의 규칙 가져오기
    Import(import::Args),
    /// Suggest rules from what you always answer the same way · 늘 같은 답을 하는 것에서 규칙 제안
    Suggest(suggest::Args),
}

/// Runs a subcommand. Returns the exit code.
pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Lint(args) => lint::run(args),
        Command::Test(args) => test::run(args),
        Command::List(args) => list::run(args),
        Command::Init(args) => init::run(args),
        Command::Trust(args) => trust::run(args),
        Command::Untrust(args) => trust::run_untrust(args),
        Command::Import(args) => import::run(args),
        Command::Suggest(args) => suggest::run(args),
    }
}
