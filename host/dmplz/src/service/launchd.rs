//! The launchd agent of macOS.

use std::path::Path;

use super::refusal::{Refusal, Surroundings};
use super::steps::{Active, Change, Step, ask};
use crate::settings::environment;

/// The name of the agent.
pub(super) const LABEL: &str = "dmplz.gateway";
/// The place of the agent below the home directory.
pub(crate) const FILE: &str = "Library/LaunchAgents/dmplz.gateway.plist";
/// The folders in which a session finds Claude Code and its tools, the first below the home directory. launchd's own `PATH` has the last four.
const PATH: &str = ".local/bin:/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/// Returns the agent for a program. As the systemd unit it never gives up, leaves sessions alone when it stops
/// (`AbandonProcessGroup`), and writes no core.
pub(super) fn text(program: &str, carried: &[(&str, String)]) -> String {
    let home = environment("HOME").unwrap_or_default();
    let path = format!("{home}/{PATH}");
    let variables: String = [("PATH", &path)]
        .into_iter()
        .chain(carried.iter().map(|(name, value)| (*name, value)))
        .map(|(name, value)| format!("        <key>{name}</key>\n        <string>{}</string>\n", escaped(value)))
        .collect();
    let log = escaped(&format!("{home}/Library/Logs/dmplz.log"));
    let program = escaped(program);
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
    <key>Label</key>
    <string>{LABEL}</string>
    <key>ProgramArguments</key>
    <array>
        <string>{program}</string>
        <string>serve</string>
        <string>--foreground</string>
    </array>
    <key>EnvironmentVariables</key>
    <dict>
{variables}    </dict>
    <key>RunAtLoad</key>
    <true/>
    <key>KeepAlive</key>
    <true/>
    <key>AbandonProcessGroup</key>
    <true/>
    <key>ExitTimeOut</key>
    <integer>15</integer>
    <key>Umask</key>
    <integer>63</integer>
    <key>HardResourceLimits</key>
    <dict>
        <key>Core</key>
        <integer>0</integer>
    </dict>
    <key>StandardOutPath</key>
    <string>{log}</string>
    <key>StandardErrorPath</key>
    <string>{log}</string>
</dict>
</plist>
"#
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Returns the domain of the user who is logged in at the screen.
fn domain() -> String {
    format!("gui/{}", rustix::process::geteuid().as_raw())
}

fn service() -> String {
    format!("{}/{LABEL}", domain())
}

pub(super) fn reach(program: &str) -> Result<(), Refusal> {
    match ask(&["launchctl", "print", &domain()]) {
        Ok(output) if output.status.success() => Ok(()),
        Ok(_) => Err(Refusal::NoScreen),
        Err(_) => Err(Refusal::NoLaunchd { surroundings: Surroundings::of_this(), program: program.to_owned() }),
    }
}

pub(super) fn look() -> anyhow::Result<Active> {
    let output = ask(&["launchctl", "print", &service()])?;
    let shown = String::from_utf8_lossy(&output.stdout);
    Ok(if output.status.success() { active(&shown) } else { Active::default() })
}

fn active(shown: &str) -> Active {
    let pid = shown.lines().find_map(|line| line.trim().strip_prefix("pid = ")?.parse().ok());
    Active { loaded: true, enabled: true, pid }
}

pub(super) fn to_start(file: &Path, change: Change, loaded: bool) -> Vec<Step> {
    if loaded && change == Change::None {
        return Vec::new();
    }
    let file = file.display().to_string();
    let mut steps = to_stop(loaded);
    steps.push(Step::new(&["launchctl", "enable", &service()]));
    steps.push(Step::new(&["launchctl", "bootstrap", &domain(), &file]));
    steps
}

pub(super) fn to_stop(loaded: bool) -> Vec<Step> {
    let service = service();
    let stop = || Step::until_fails(&["launchctl", "bootout", &service], &["launchctl", "print", &service]);
    loaded.then(stop).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_launchctl_prints_is_read() {
        let shown = "gui/501/dmplz.gateway = {\n\tstate = running\n\n\tpid = 812\n}\n";
        assert_eq!(active(shown), Active { loaded: true, enabled: true, pid: Some(812) });
    }

    #[test]
    fn paths_with_signs_of_xml_stay_paths() {
        assert!(text("/a & b/<c>/dmplz", &[]).contains("<string>/a &amp; b/&lt;c&gt;/dmplz</string>"));
    }
}
