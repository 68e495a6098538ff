//! `dmplz service`, with managers that write down what they are told.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::command::Home;
use crate::gateway::Gateway;

/// It is `systemctl` and `launchctl` at once: it writes down its arguments, and knows whether the service runs. A file `broken`
/// beside it makes all fail, and a file `no-start` the start alone.
const FAKE: &str = r#"#!/bin/sh
at=${0%/*}
echo "${0##*/} $*" >> "$at/log"
[ ! -e "$at/broken" ] || { echo 'Failed to connect to bus: No medium found' >&2; exit 1; }
case "$*" in
*--property=Version) echo Version=252 ;;
"--user show dmplz.service"*)
    echo LoadState=loaded
    [ ! -e "$at/running" ] || echo UnitFileState=enabled
    if [ -e "$at/running" ]; then echo MainPID=4242; else echo MainPID=0; fi ;;
"--user restart"* | "--user start"* | bootstrap*)
    [ ! -e "$at/no-start" ] || { echo 'Job for dmplz.service failed.' >&2; exit 1; }
    : > "$at/running" ;;
"--user disable --now"* | bootout*) [ ! -e "$at/running" ] || /bin/rm "$at/running" ;;
"print gui/"*/dmplz.gateway)
    [ -e "$at/running" ] || exit 113
    echo "	pid = 4242" ;;
esac
"#;

struct Desk {
    home: Home,
    managers: PathBuf,
}

impl Desk {
    fn new() -> Self {
        let home = Home::new();
        let managers = home.path().join("managers");
        std::fs::create_dir(&managers).unwrap();
        for name in ["systemctl", "launchctl"] {
            std::fs::write(managers.join(name), FAKE).unwrap();
            std::fs::set_permissions(managers.join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let home = home.with("PATH", managers.to_str().unwrap());
        Self { home, managers }
    }

    fn unit(&self) -> PathBuf {
        self.home.path().join(".config/systemd/user/dmplz.service")
    }

    fn agent(&self) -> PathBuf {
        self.home.path().join("Library/LaunchAgents/dmplz.gateway.plist")
    }

    /// Returns what the managers were told since the last call, but for questions.
    fn told(&self) -> Vec<String> {
        let log = std::fs::read_to_string(self.managers.join("log")).unwrap_or_default();
        let _ = std::fs::remove_file(self.managers.join("log"));
        let asks = |line: &&str| line.contains(" show ") || line.contains(" print ");
        log.lines().filter(|line| !asks(line)).map(str::to_owned).collect()
    }

    fn service(&self, arguments: &[&str]) -> Value {
        let arguments: Vec<&str> =
            ["service"].iter().chain(arguments).chain(&["--manager", "systemd", "--json"]).copied().collect();
        let left = self.home.run(&arguments);
        let report = left.json();
        assert_eq!(left.code, Some(if report["ok"] == false { 1 } else { 0 }), "{left:?}");
        report
    }

    /// Runs the command of a copy of the program.
    fn of_another(&self, program: &Path, command: &str) -> Value {
        if !program.exists() {
            std::fs::create_dir(program.parent().unwrap()).unwrap();
            std::fs::hard_link(env!("CARGO_BIN_EXE_dmplz"), program)
                .or_else(|_| std::fs::copy(env!("CARGO_BIN_EXE_dmplz"), program).map(drop))
                .unwrap();
        }
        let mut there = std::process::Command::new(program);
        there.args(["service", command, "--manager", "systemd", "--json"]).env_clear();
        there.env("HOME", self.home.path()).envs(self.home.environment());
        serde_json::from_slice(&there.output().unwrap().stdout).unwrap()
    }

    fn make(&self, name: &str) {
        std::fs::write(self.managers.join(name), "").unwrap();
    }
}

#[test]
fn an_install_writes_the_unit_with_this_programs_path_and_starts_it_and_an_uninstall_leaves_nothing() {
    let desk = Desk::new();
    let report = desk.service(&["install"]);
    assert_eq!((&report["change"], &report["dry_run"]), (&"written".into(), &false.into()), "{report}");
    let unit = std::fs::read_to_string(desk.unit()).unwrap();
    let start = format!("\nExecStart={} serve --foreground\n", env!("CARGO_BIN_EXE_dmplz"));
    assert!(unit.contains(&start) && unit.contains("\nType=notify\n"), "{unit}");
    let started = [
        "systemctl --user daemon-reload",
        "systemctl --user enable dmplz.service",
        "systemctl --user restart dmplz.service",
    ];
    assert_eq!(desk.told(), started);
    let status = desk.service(&["status"]);
    assert_eq!(
        (&status["unit"], &status["running"], &status["pid"]),
        (&"installed".into(), &true.into(), &4242.into())
    );

    let again = desk.service(&["install"]);
    assert_eq!(again["change"], "none", "{again}");
    assert_eq!(desk.told().last().unwrap(), "systemctl --user start dmplz.service", "what runs is not restarted");

    let removed = desk.service(&["uninstall"]);
    assert_eq!(removed["change"], "removed", "{removed}");
    assert!(!desk.unit().exists());
    assert_eq!(desk.told(), ["systemctl --user disable --now dmplz.service", "systemctl --user daemon-reload"]);
    assert_eq!(desk.service(&["uninstall"])["change"], "none");
    assert_eq!(desk.told(), Vec::<String>::new());
    assert_eq!(desk.service(&["status"])["unit"], "absent");
}

#[test]
fn a_dry_run_shows_unit_and_commands_and_changes_nothing() {
    let desk = Desk::new();
    let report = desk.service(&["install", "--dry-run"]);
    assert_eq!((&report["change"], &report["dry_run"]), (&"written".into(), &true.into()), "{report}");
    assert!(report["unit"].as_str().unwrap().contains("ExecStart=/"), "{report}");
    assert_eq!(report["commands"].as_array().unwrap().len(), 3);
    let text = desk.home.run(&["service", "install", "--dry-run", "--manager", "systemd"]).stdout;
    assert!(text.contains("+WatchdogSec=60") && text.contains("$ systemctl --user enable"), "{text}");
    assert!(!desk.unit().exists() && desk.told().is_empty());
}

#[test]
fn a_unit_that_somebody_wrote_or_changed_is_kept_unless_it_is_forced_and_then_put_back() {
    let desk = Desk::new();
    let own = "[Service]\nExecStart=/opt/dmplz serve\n";
    std::fs::create_dir_all(desk.unit().parent().unwrap()).unwrap();
    std::fs::write(desk.unit(), own).unwrap();
    for command in ["install", "uninstall"] {
        assert_eq!(desk.service(&[command])["error"]["code"], "unit_changed");
    }
    assert_eq!(std::fs::read_to_string(desk.unit()).unwrap(), own);
    assert_eq!(desk.told(), Vec::<String>::new());
    assert_eq!(desk.service(&["status"])["unit"], "changed");
    let dry = desk.home.run(&["service", "install", "--dry-run", "--manager", "systemd"]).stdout;
    assert!(dry.contains("-ExecStart=/opt/dmplz serve") && dry.contains("only --force touches it"), "{dry}");

    assert_eq!(desk.service(&["install", "--force"])["change"], "replaced");
    assert_eq!(desk.service(&["status"])["unit"], "installed");
    std::fs::write(desk.unit(), "[Service]\n").unwrap();
    let again = desk.service(&["install", "--force"]);
    assert_eq!(
        std::fs::read_to_string(again["copy"].as_str().unwrap()).unwrap(),
        "[Service]\n",
        "the first copy stays"
    );
    let restored = desk.service(&["uninstall"]);
    assert_eq!(restored["change"], "restored", "{restored}");
    assert_eq!(std::fs::read_to_string(desk.unit()).unwrap(), own);

    std::fs::remove_file(desk.unit()).unwrap();
    let _ = desk.service(&["install"]);
    let changed = std::fs::read_to_string(desk.unit()).unwrap().replace("WatchdogSec=60", "WatchdogSec=600");
    std::fs::write(desk.unit(), &changed).unwrap();
    let refused = desk.home.run(&["service", "uninstall", "--manager", "systemd"]);
    assert!(refused.code == Some(1) && refused.stderr.contains("was changed since"), "{refused:?}");
    let copy = desk.service(&["uninstall", "--force"])["copy"].as_str().unwrap().to_owned();
    assert_eq!(std::fs::read_to_string(copy).unwrap(), changed);
    assert!(!desk.unit().exists());
}

#[test]
fn the_unit_of_another_place_is_written_anew_without_asking() {
    let desk = Desk::new();
    let _ = desk.service(&["install"]);
    let moved = desk.home.path().join("moved/dmplz");
    let run = |command: &str| desk.of_another(&moved, command);
    assert_eq!(run("status")["unit"], "outdated");
    assert_eq!(run("install")["change"], "replaced");
    assert!(std::fs::read_to_string(desk.unit()).unwrap().contains(moved.to_str().unwrap()));
}

#[test]
fn a_program_of_another_name_tells_how_the_service_is_and_removes_it_but_is_not_installed() {
    let desk = Desk::new();
    let named = desk.home.path().join("named/dmplz-0.1");
    let run = |command: &str| desk.of_another(&named, command);
    let status = run("status");
    assert_eq!((&status["unit"], &status["running"]), (&"absent".into(), &false.into()), "{status}");
    let refused = run("install")["error"]["what"].as_str().unwrap().to_owned();
    assert!(refused.contains("it is not named dmplz; rename that file to dmplz"), "{refused}");
    assert!(!desk.unit().exists() && desk.told().is_empty());

    let _ = desk.service(&["install"]);
    let status = run("status");
    assert_eq!((&status["unit"], &status["running"]), (&"outdated".into(), &true.into()), "{status}");
    assert_eq!(run("uninstall")["change"], "removed");
    assert!(!desk.unit().exists());
}

#[test]
fn where_no_manager_can_be_reached_it_says_what_to_do_and_writes_nothing() {
    let desk = Desk::new();
    desk.make("broken");
    let report = desk.service(&["install"]);
    let code = if std::path::Path::new("/run/systemd/system").is_dir() { "no_user_bus" } else { "no_systemd" };
    assert_eq!(report["error"]["code"], code, "{report}");
    assert!(!desk.unit().exists() && desk.told().iter().all(|line| !line.contains("enable")));
    let status = desk.service(&["status"]);
    assert_eq!((&status["running"], &status["problem"]["code"]), (&Value::Null, &code.into()), "{status}");

    let home = Home::new().with("PATH", "/nowhere");
    let left = home.run(&["service", "install", "--manager", "systemd"]);
    assert!(left.code == Some(1) && left.stderr.contains("systemd does not run here\nnext: "), "{left:?}");
    assert!(left.stderr.contains(" serve"), "{left:?}");
    let left = home.run(&["service", "install", "--manager", "launchd"]);
    assert!(left.stderr.contains("there is no launchctl here\nnext: "), "{left:?}");
    let korean = Home::new().with("DMPLZ_LANG", "ko").with("PATH", "/nowhere");
    let left = korean.run(&["service", "install", "--manager", "systemd"]);
    assert!(left.stderr.contains("여기서는 systemd가 실행되고 있지 않습니다\n다음: "), "{left:?}");
}

#[test]
fn a_service_that_does_not_start_and_a_gateway_at_a_terminal_are_told() {
    let desk = Desk::new();
    desk.make("no-start");
    let report = desk.service(&["install"]);
    assert_eq!(report["error"]["code"], "command_failed", "{report}");
    assert!(report["error"]["what"].as_str().unwrap().contains("Job for dmplz.service failed."), "{report}");
    assert!(report["error"]["next"].as_str().unwrap().contains("journalctl --user -u dmplz"), "{report}");
    let _ = desk.service(&["uninstall"]);
    let gateway = Gateway::start(&desk.home);
    let report = desk.service(&["install"]);
    assert_eq!(report["error"]["code"], "gateway_runs", "{report}");
    assert!(!desk.unit().exists());
    drop(gateway);
}

#[test]
fn a_launchd_agent_is_loaded_loaded_anew_after_a_change_and_taken_out() {
    let desk = Desk::new();
    let run = |command: &str| desk.home.run(&["service", command, "--manager", "launchd", "--json"]).json();
    assert_eq!(run("install")["change"], "written");
    let plist = std::fs::read_to_string(desk.agent()).unwrap();
    assert!(plist.contains(&format!("<string>{}</string>", env!("CARGO_BIN_EXE_dmplz"))), "{plist}");
    let user = rustix::process::geteuid().as_raw();
    let load = [
        format!("launchctl enable gui/{user}/dmplz.gateway"),
        format!("launchctl bootstrap gui/{user} {}", desk.agent().display()),
    ];
    assert_eq!(desk.told(), load);
    assert_eq!(run("status")["pid"], 4242);
    assert_eq!(run("install")["commands"].as_array().unwrap().len(), 0, "it runs as it should");
    let _ = desk.told();
    let report = run("uninstall");
    assert_eq!(report["change"], "removed", "{report}");
    assert_eq!(desk.told(), [format!("launchctl bootout gui/{user}/dmplz.gateway")]);
    assert!(!desk.agent().exists());
}

#[test]
fn the_service_is_of_the_state_directory_of_its_install_and_named_when_the_hooks_go() {
    let desk = Desk::new();
    let state = desk.home.path().join("my state");
    let home = desk.home.with("DMPLZ_STATE_DIR", state.to_str().unwrap());
    let left = home.run(&["service", "install", "--manager", "systemd"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let unit = home.path().join(".config/systemd/user/dmplz.service");
    let line = format!("\nEnvironment=\"DMPLZ_STATE_DIR={}\"\n", state.display());
    assert!(std::fs::read_to_string(unit).unwrap().contains(&line));
    if !cfg!(target_os = "macos") {
        let left = home.run(&["uninstall", "--user"]);
        assert!(left.stdout.contains("to remove it: dmplz service uninstall"), "{left:?}");
    }
}
