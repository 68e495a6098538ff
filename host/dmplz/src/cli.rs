//! The command line: all subcommands.

mod suggestion;
mod usage;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use dmplz_bundled::{MESSENGERS, Messenger, Takes};
use dmplz_core::text::fill;
use tokio::time::Instant;

use crate::failed::Failed;
use crate::settings::{self, SettingsError, environment, messengers};
use crate::terminal::OnlyJson;
use crate::{
    approvals, audit, completions, config, demo, doctor, exec, grants, hook, hooks, install, logs, man, notify, pair,
    people, policy, provider, run, serve, service, sessions, setup, stats, status, store, update,
};

/// Answer Claude Code's permission prompts from your phone · Claude Code의 권한 요청에 휴대폰으로 답합니다
#[derive(Debug, Parser)]
#[command(name = "dmplz", version, arg_required_else_help = true)]
#[command(long_about = about(), after_help = SHORT, after_long_help = after(), max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// `{}` stands for the messengers.
const ABOUT: [&str; 2] = [
    "\
dmplz asks you on {} before Claude Code runs something, and brings your answer back before the
deadline. Nothing is allowed unless you, or a rule that you wrote, allowed it: no answer is never a yes.",
    "\
Claude Code가 무언가를 실행하려 할 때 메신저({})로 묻고, 제한 시간 안에 답을 전달합니다.
사람이 허용하지 않은 것은 허용되지 않습니다.",
];

const SHORT: &str = "Begin with dmplz setup; dmplz --help tells more. 먼저 dmplz setup을 실행해 주세요. 자세한 안내는 dmplz --help에 있습니다.";

/// `{}` stands for the settings of the messengers.
const AFTER: &str = "\
First steps · 첫 단계:
  dmplz setup                                 all of it: token, chat, test card, hooks · 한 번에 설정
  dmplz demo                                  try it here: no token, no account, no network

By hand · 직접 설정:
{}  dmplz doctor                                is everything right? what is missing?
  dmplz install --user                        from now on Claude Code asks dmplz

Examples · 예:
  dmplz demo --answer 'deny=not to main'      the whole way without you, for CI
  dmplz stats --since 7d                      how requests ended this week
  dmplz status                                what waits now; --line for Claude Code's status line
  dmplz logs --since 1h --follow              what went wrong, and what goes wrong from now on
  dmplz config --json                         every setting, its value and where it came from
  dmplz policy init                           rules that answer for you; dmplz policy --help
  dmplz serve                                 many sessions, answered from anywhere: docs/GATEWAY.md
  dmplz run -- 'fix the failing test'         Claude Code under the gateway: docs/SESSIONS.md

Settings come from the environment, then config.toml in the state directory (~/.claude/dm-plz), then defaults.
DMPLZ_LANG=en answers in English, DMPLZ_LANG=ko in Korean; without it, the language of your locale (LANG).
The help is in both languages.

Exit codes · 종료 코드:
  0  done                                     3  a setting is missing or cannot be read
  1  failed; the message says why             4  doctor, policy lint or policy test found a problem
  2  the command line is not understood          or the audit trail, the store or a provider is not in order
  5  no gateway is running                    6  somebody answered the request first, or its time ended
  7  setup: only a person at a terminal can go on
  hook always ends with 0; policy check and exec have codes of their own

With --json, a command that fails writes one object on stdout, beside the message on stderr. code is a stable name.
--json을 쓰면 실패도 stdout에 JSON 객체 하나로 씁니다. code는 바뀌지 않는 이름입니다.
  {\"ok\": false, \"error\": {\"code\": \"no_gateway\", \"what\": \"...\", \"next\": \"...\", \"exit\": 5}}";

fn about() -> String {
    let [en, ko] = ABOUT;
    format!("{}\n\n{}", fill(en, &[&messengers::titles(" or ")]), fill(ko, &[&messengers::titles(", ")]))
}

fn after() -> String {
    fill(AFTER, &[&MESSENGERS.iter().map(to_export).collect::<String>()])
}

/// Returns a line for each setting that a messenger requires.
fn to_export(messenger: &Messenger) -> String {
    let (chats, keys): (Vec<_>, Vec<_>) =
        messenger.keys().into_iter().partition(|key| matches!(key.takes, Takes::Chat(_)));
    let chats = if chats.is_empty() { messenger.chats().map(|(chat, _)| chat).collect() } else { chats };
    let or = chats.get(1).map(|other| format!(" (or {})", other.variable)).unwrap_or_default();
    let chat = chats.first().map(|chat| (chat.variable, format!("{}{or}", chat.help[1])));
    let lines = keys.into_iter().map(|key| (key.variable, key.help[1].to_owned())).chain(chat);
    lines.map(|(variable, help)| format!("  {:<42}  {help}\n", format!("export {variable}=..."))).collect()
}

#[derive(Debug, Subcommand)]
enum Command {
    /// See it work in this terminal, without any token or network · 토큰 없이 이 터미널에서 해 보기
    Demo(demo::Args),
    /// Set it up: from a token to a test card that you press · 토큰부터 테스트 카드까지 한 번에 설정
    Setup(setup::Args),
    /// Check token, chat, rights, state and hooks, and say what to do · 설정을 점검하고 할 일을 알려 줍니다
    Doctor(OnlyJson),
    /// Register dmplz in Claude Code's settings · Claude Code 설정에 등록
    Install(install::Args),
    /// Take dmplz out of Claude Code's settings · Claude Code 설정에서 제거
    Uninstall(install::Args),
    /// Say how this copy was installed and what updates it · 이 프로그램을 업데이트하는 방법
    Update(OnlyJson),
    /// Show every setting and where it came from · 모든 설정과 그 출처
    Config(OnlyJson),
    /// Show how it is now: what waits, gateway, messenger, grants · 지금 상태를 한 화면에
    Status(status::Args),
    /// Show what hooks, the gateway and providers logged · 훅, 게이트웨이, 프로바이더의 로그 보기
    Logs(logs::Args),
    /// Show how requests ended · 요청이 어떻게 끝났는지
    Stats(stats::Args),
    /// Write, try and understand the rules that answer for you · 대신 답하는 규칙을 쓰고 확인하기
    #[command(long_about = policy::ABOUT)]
    Policy(policy::Args),
    /// See and take back what you allowed for a while · 잠시 허용해 둔 것을 보고 취소하기
    #[command(subcommand, long_about = grants::ABOUT)]
    Grants(grants::Command),
    /// Look at, install and pin messengers of third parties · 다른 사람이 만든 메신저 살펴보기, 설치, 고정
    #[command(subcommand, long_about = provider::ABOUT)]
    Provider(provider::Command),
    /// Run the gateway: many sessions at once, answered from anywhere · 게이트웨이 실행
    Serve(serve::Args),
    /// Keep the gateway running as a service of your user · 게이트웨이를 사용자 서비스로 계속 실행
    #[command(subcommand, long_about = service::ABOUT)]
    Service(service::Command),
    /// See and answer requests through the gateway · 게이트웨이를 통해 요청을 보고 답하기
    #[command(subcommand)]
    Approvals(approvals::Command),
    /// Let browsers into the page, list and revoke them · 브라우저를 페이지에 연결, 목록, 연결 해제
    #[command(long_about = pair::ABOUT)]
    Pair(pair::Args),
    /// See, invite and remove the people who may answer · 답할 수 있는 사람 보기, 초대, 삭제
    #[command(subcommand, long_about = people::ABOUT)]
    People(people::Command),
    /// Say on your phone what happens in a session; nothing to answer · 세션에서 일어나는 일을 알리기
    #[command(subcommand, long_about = notify::ABOUT)]
    Notify(notify::Command),
    /// See, check and try the hooks that people write for Claude Code · 훅 보기, 점검, 실행해 보기
    #[command(long_about = hooks::ABOUT)]
    Hooks(hooks::Args),
    /// Run a command once somebody allowed it · 승인을 받은 뒤 명령 실행
    Exec(exec::Args),
    /// Start Claude Code under the gateway, and follow it here · 게이트웨이 아래에서 Claude Code 실행
    Run(run::Args),
    /// See the sessions that the gateway runs, and speak to them · 게이트웨이가 실행하는 세션 보기
    #[command(subcommand)]
    Sessions(sessions::Command),
    /// Show and verify the audit trail · 감사 기록 보기와 검증
    #[command(subcommand)]
    Audit(audit::Command),
    /// Check, back up, restore, export and prune what the gateway keeps · 게이트웨이가 보관한 것 점검, 백업, 정리
    #[command(subcommand, long_about = store::ABOUT)]
    Store(store::Command),
    /// Complete commands, ids and names in your shell · 셸 자동 완성
    Completions(completions::Args),
    /// The manual pages, for packages
    #[command(hide = true)]
    Man(man::Args),
    /// What Claude Code starts for every event (JSON on stdin); not for people · Claude Code가 실행하는 훅
    #[command(long_about = hook::ABOUT)]
    Hook,
}

/// Runs a command line. `started` is the start of the process.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>, started: Instant) -> ExitCode {
    completions::answer::<Cli>();
    let arguments: Vec<OsString> = arguments.collect();
    let parsed = Cli::command().try_get_matches_from(&arguments);
    let (cli, wants_json) =
        match parsed.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, wants_json(&matches)))) {
            Ok(parsed) => parsed,
            Err(error) => return ExitCode::from(usage::tell(error, &arguments, &Cli::command())),
        };
    let json = wants_json && writes_one_object(&cli.command);
    let failed = |error: &anyhow::Error| {
        let lang = settings::language();
        let of_setup = error.downcast_ref::<setup::Failure>().map(|failure| failure.failed(lang));
        ExitCode::from(of_setup.unwrap_or_else(|| Failed::of(error, lang)).tell(json))
    };
    if let Err(error) = has_a_home(&cli.command) {
        return failed(&error.into());
    }
    let done = match cli.command {
        Command::Hook => return hook::run(started),
        Command::Demo(args) => demo::run(&args),
        Command::Setup(args) => setup::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Config(args) => config::run(&args),
        Command::Install(args) => install::run(&args),
        Command::Uninstall(args) => install::run_uninstall(&args, service::is_installed()),
        Command::Update(args) => update::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Logs(args) => logs::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Service(command) => service::run(&command),
        Command::Policy(args) => policy::run(&args),
        Command::Grants(command) => grants::run(&command),
        Command::Provider(command) => provider::run(&command),
        Command::Approvals(command) => approvals::run(&command),
        Command::Pair(args) => pair::run(&args),
        Command::People(command) => people::run(&command),
        Command::Notify(command) => notify::run(&command),
        Command::Hooks(args) => hooks::run(&args),
        Command::Exec(args) => exec::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Sessions(command) => sessions::run(&command),
        Command::Audit(command) => audit::run(&command),
        Command::Store(command) => store::run(&command),
        Command::Completions(args) => completions::run::<Cli>(&args),
        Command::Man(args) => man::run::<Cli>(&args),
    };
    done.map_or_else(|error| failed(&error), ExitCode::from)
}

/// Returns whether the command, or one within it, was given `--json`.
fn wants_json(matches: &ArgMatches) -> bool {
    let json = matches.try_get_one::<bool>("json").ok().flatten();
    json == Some(&true) || matches.subcommand().is_some_and(|(_, within)| wants_json(within))
}

/// Returns whether `--json` means one object, in whose place there can be one about an error. What streams an object a line has no
/// other, and `setup` writes its report also where it failed.
fn writes_one_object(command: &Command) -> bool {
    !matches!(
        command,
        Command::Setup(_)
            | Command::Serve(_)
            | Command::Logs(_)
            | Command::Approvals(approvals::Command::Watch(_))
            | Command::Audit(audit::Command::Show(_))
    )
}

/// Refuses a home directory that would be another folder wherever a command runs. A hook asks whatever is wrong, `doctor` has it
/// among its findings, and `exec` has exit codes of its own.
fn has_a_home(command: &Command) -> Result<(), SettingsError> {
    match command {
        Command::Hook | Command::Doctor(_) | Command::Exec(_) => Ok(()),
        _ => settings::home_dir(&environment).map(drop),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_help_promises_no_language_that_it_does_not_keep_to_itself() {
        let help = after();
        assert!(help.contains("DMPLZ_LANG=en answers in English") && help.contains("The help is in both languages."));
    }

    #[test]
    fn every_command_and_option_is_told_in_both_languages() {
        fn untold(command: &clap::Command, missing: &mut Vec<String>) {
            let is_korean = |text: String| text.chars().any(|c| ('가'..='힣').contains(&c));
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                if !is_korean(argument.get_help().map(ToString::to_string).unwrap_or_default()) {
                    missing.push(format!("{} {}", command.get_name(), argument.get_id()));
                }
            }
            for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
                if !is_korean(inner.get_about().map(ToString::to_string).unwrap_or_default()) {
                    missing.push(format!("{} {}", command.get_name(), inner.get_name()));
                }
                untold(inner, missing);
            }
        }
        let mut missing = Vec::new();
        untold(&Cli::command(), &mut missing);
        assert_eq!(missing, Vec::<String>::new());
    }

    #[test]
    fn the_short_help_lists_the_commands() {
        insta::assert_snapshot!(Cli::command().render_help(), @"
        Answer Claude Code's permission prompts from your phone · Claude Code의 권한 요청에 휴대폰으로 답합니다

        Usage: dmplz <COMMAND>

        Commands:
          demo         See it work in this terminal, without any token or network · 토큰 없이 이 터미널에서 해 보기
          setup        Set it up: from a token to a test card that you press · 토큰부터 테스트 카드까지 한 번에 설정
          doctor       Check token, chat, rights, state and hooks, and say what to do · 설정을 점검하고 할 일을 알려 줍니다
          install      Register dmplz in Claude Code's settings · Claude Code 설정에 등록
          uninstall    Take dmplz out of Claude Code's settings · Claude Code 설정에서 제거
          update       Say how this copy was installed and what updates it · 이 프로그램을 업데이트하는 방법
          config       Show every setting and where it came from · 모든 설정과 그 출처
          status       Show how it is now: what waits, gateway, messenger, grants · 지금 상태를 한 화면에
          logs         Show what hooks, the gateway and providers logged · 훅, 게이트웨이, 프로바이더의 로그 보기
          stats        Show how requests ended · 요청이 어떻게 끝났는지
          policy       Write, try and understand the rules that answer for you · 대신 답하는 규칙을 쓰고 확인하기
          grants       See and take back what you allowed for a while · 잠시 허용해 둔 것을 보고 취소하기
          provider     Look at, install and pin messengers of third parties · 다른 사람이 만든 메신저 살펴보기, 설치, 고정
          serve        Run the gateway: many sessions at once, answered from anywhere · 게이트웨이 실행
          service      Keep the gateway running as a service of your user · 게이트웨이를 사용자 서비스로 계속 실행
          approvals    See and answer requests through the gateway · 게이트웨이를 통해 요청을 보고 답하기
          pair         Let browsers into the page, list and revoke them · 브라우저를 페이지에 연결, 목록, 연결 해제
          people       See, invite and remove the people who may answer · 답할 수 있는 사람 보기, 초대, 삭제
          notify       Say on your phone what happens in a session; nothing to answer · 세션에서 일어나는 일을 알리기
          hooks        See, check and try the hooks that people write for Claude Code · 훅 보기, 점검, 실행해 보기
          exec         Run a command once somebody allowed it · 승인을 받은 뒤 명령 실행
          run          Start Claude Code under the gateway, and follow it here · 게이트웨이 아래에서 Claude Code 실행
          sessions     See the sessions that the gateway runs, and speak to them · 게이트웨이가 실행하는 세션 보기
          audit        Show and verify the audit trail · 감사 기록 보기와 검증
          store        Check, back up, restore, export and prune what the gateway keeps · 게이트웨이가 보관한 것 점검, 백업, 정리
          completions  Complete commands, ids and names in your shell · 셸 자동 완성
          hook         What Claude Code starts for every event (JSON on stdin); not for people · Claude Code가 실행하는 훅
          help         Print this message or the help of the given subcommand(s)

        Options:
          -h, --help     Print help (see more with '--help')
          -V, --version  Print version

        Begin with dmplz setup; dmplz --help tells more. 먼저 dmplz setup을 실행해 주세요. 자세한 안내는 dmplz --help에 있습니다.
        ");
    }
}
