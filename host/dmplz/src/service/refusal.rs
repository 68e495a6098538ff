//! Why a service cannot be installed or removed, and the one thing to do about it.

use std::path::{Path, PathBuf};

use dmplz_core::text::{Lang, fill};
use serde::Serialize;

use crate::terminal::say;

/// What kind of system has no service manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Surroundings {
    /// Windows' subsystem for Linux, where systemd is a setting.
    Wsl,
    /// A container, which has one main process.
    Container,
    Other,
}

impl Surroundings {
    pub(super) fn of_this() -> Self {
        let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let marks = ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"];
        Self::of(&kernel, marks.iter().any(|mark| Path::new(mark).exists()))
    }

    fn of(kernel: &str, container: bool) -> Self {
        match () {
            () if container => Self::Container,
            () if kernel.to_lowercase().contains("microsoft") => Self::Wsl,
            () => Self::Other,
        }
    }
}

/// Why it was not done.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    #[error("systemd does not run here")]
    NoSystemd { surroundings: Surroundings, program: String },
    #[error("launchctl is not there")]
    NoLaunchd { surroundings: Surroundings, program: String },
    #[error("systemd cannot be reached for user {user}")]
    NoBus { user: u32, name: Option<String> },
    #[error("launchd has no session of this user at the screen")]
    NoScreen,
    #[error("{} was not written by this program, or was changed since", .file.display())]
    Changed { file: PathBuf, to_install: bool },
    #[error("another gateway is already running (process {0})")]
    GatewayRuns(u32),
    #[error("{0} cannot stand in a unit")]
    Path(String),
    #[error("`{command}` failed: {said}")]
    Command { command: String, said: String },
}

/// What is wrong and what to do, for people and programs.
#[derive(Debug, Serialize)]
pub(super) struct Trouble {
    /// The name of the trouble, which stays as it is for programs.
    pub(super) code: &'static str,
    pub(super) what: String,
    pub(super) next: String,
}

impl Refusal {
    pub(super) fn words(&self, lang: Lang) -> Trouble {
        let words = |ko, en, values: &[&str]| fill(say(lang, ko, en), values);
        let plain = |ko, en| say(lang, ko, en).to_owned();
        let (code, what, next) = match self {
            Self::NoSystemd { surroundings, program } => (
                "no_systemd",
                plain("여기서는 systemd가 실행되고 있지 않습니다", "systemd does not run here"),
                Self::without_manager(*surroundings, program, lang),
            ),
            Self::NoLaunchd { surroundings, program } => (
                "no_launchd",
                plain("여기에는 launchctl이 없습니다", "there is no launchctl here"),
                Self::without_manager(*surroundings, program, lang),
            ),
            Self::NoBus { user, name } => {
                let (user, name) = (user.to_string(), name.as_deref().unwrap_or("$USER"));
                (
                    "no_user_bus",
                    words(
                        "systemd는 실행 중이지만 이 로그인에서는 사용자 서비스에 닿을 수 없습니다(사용자 {})",
                        "systemd runs, but the services of user {} cannot be reached from this login (no user bus)",
                        &[&user],
                    ),
                    words(
                        "그 사용자로 직접 로그인해 주세요(sudo나 su가 아니라). 그럴 수 없으면: sudo loginctl enable-linger {} && export XDG_RUNTIME_DIR=/run/user/{}",
                        "log in as that user directly, not by sudo or su; where you cannot: sudo loginctl enable-linger {} && export XDG_RUNTIME_DIR=/run/user/{}",
                        &[name, &user],
                    ),
                )
            }
            Self::NoScreen => (
                "no_session",
                plain(
                    "화면에 로그인한 세션이 없어 launchd 에이전트를 시작할 수 없습니다",
                    "launchd starts agents only while their user is logged in at the screen, and you are not",
                ),
                plain(
                    "Mac의 화면에서 로그인한 뒤 터미널에서 다시 실행해 주세요",
                    "log in at the screen of this Mac, and run it again in a terminal there",
                ),
            ),
            Self::Changed { file, to_install } => {
                let file = file.display().to_string();
                let what = words(
                    "{}: 이 프로그램이 쓴 파일이 아니거나, 그 뒤에 바뀌었습니다",
                    "{} was not written by this program, or was changed since",
                    &[&file],
                );
                let next = match to_install {
                    true => plain(
                        "`dmplz service install --dry-run`으로 차이를 보세요. --force를 붙이면 사본을 남기고 바꿉니다",
                        "see the difference with dmplz service install --dry-run; --force keeps a copy and replaces it",
                    ),
                    false => plain(
                        "직접 지우거나 --force를 붙여 주세요(사본을 남깁니다)",
                        "remove it yourself, or add --force, which keeps a copy",
                    ),
                };
                ("unit_changed", what, next)
            }
            Self::GatewayRuns(pid) => (
                "gateway_runs",
                words(
                    "다른 게이트웨이가 이미 실행 중입니다(프로세스 {})",
                    "another gateway is already running (process {})",
                    &[&pid.to_string()],
                ),
                plain(
                    "그것을 끝낸 뒤(그 터미널에서 Ctrl-C) 다시 실행해 주세요",
                    "end it, with Ctrl-C in its terminal, and run this again",
                ),
            ),
            Self::Path(path) => (
                "path",
                words(
                    "{}: 이 경로는 systemd 유닛에 쓸 수 없습니다",
                    "{} cannot stand in a systemd unit: it has a quote, a backslash or a $",
                    &[path],
                ),
                plain("dmplz를 ~/.local/bin 같은 곳으로 옮겨 주세요", "move dmplz to a folder such as ~/.local/bin"),
            ),
            Self::Command { command, said } => (
                "command_failed",
                words("`{}` 실패: {}", "{} failed: {}", &[command, said]),
                match command.starts_with("systemctl") {
                    true => plain(
                        "이유를 보려면: journalctl --user -u dmplz -n 20",
                        "to see why: journalctl --user -u dmplz -n 20",
                    ),
                    false => plain(
                        "이유를 보려면: tail ~/Library/Logs/dmplz.log",
                        "to see why: tail ~/Library/Logs/dmplz.log",
                    ),
                },
            ),
        };
        Trouble { code, what, next }
    }

    fn without_manager(surroundings: Surroundings, program: &str, lang: Lang) -> String {
        let words = |ko, en| fill(say(lang, ko, en), &[program]);
        match surroundings {
            Surroundings::Wsl => words(
                "WSL에서는 /etc/wsl.conf의 [boot] 아래에 systemd=true를 쓰고 Windows에서 `wsl --shutdown`을 실행해 주세요. 그때까지는: {} serve",
                "in WSL, write systemd=true below [boot] in /etc/wsl.conf and run `wsl --shutdown` in Windows; until then: {} serve",
            ),
            Surroundings::Container => words(
                "컨테이너에서는 주 프로세스로 실행해 주세요: {} serve --foreground",
                "in a container, make it the main process: {} serve --foreground",
            ),
            Surroundings::Other => words(
                "쓰고 계신 관리 도구(OpenRC, runit 등)에서 이 명령을 실행해 주세요: {} serve --foreground",
                "let the supervisor that you use (OpenRC, runit and so on) run: {} serve --foreground",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_without_systemd_is_told_what_to_do_there() {
        let wsl = "5.15.153.1-microsoft-standard-WSL2";
        assert_eq!(Surroundings::of(wsl, false), Surroundings::Wsl);
        assert_eq!(Surroundings::of(wsl, true), Surroundings::Container, "Docker Desktop runs in WSL");
        assert_eq!(Surroundings::of("6.1.0-amd64", false), Surroundings::Other);
        for (surroundings, part) in [
            (Surroundings::Wsl, "systemd=true"),
            (Surroundings::Container, "main process: /p/dmplz serve --foreground"),
            (Surroundings::Other, "OpenRC"),
        ] {
            let refusal = Refusal::NoSystemd { surroundings, program: "/p/dmplz".to_owned() };
            let words = refusal.words(Lang::En);
            assert!(words.next.contains(part), "{}", words.next);
            assert!(refusal.words(Lang::Ko).next.contains("/p/dmplz serve"));
        }
    }
}
