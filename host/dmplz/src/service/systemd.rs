//! The systemd user unit. Its one source is `docs/dmplz.service`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::refusal::{Refusal, Surroundings};
use super::steps::{Active, Change, Step, ask};
use crate::settings::environment;

const SOURCE: &str = include_str!("../../../../docs/dmplz.service");
/// The name of the unit.
pub(super) const UNIT: &str = "dmplz.service";
/// The place of the unit below the home directory.
pub(crate) const FILE: &str = ".config/systemd/user/dmplz.service";

/// Returns the unit for a program.
pub(super) fn text(program: &str, carried: &[(&str, String)]) -> Result<String, Refusal> {
    let mut text = String::new();
    for line in SOURCE.lines() {
        match line.strip_prefix("ExecStart=") {
            None => text.push_str(line),
            Some(_) => {
                text.push_str(&exec_start(program)?);
                for (name, value) in carried {
                    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%");
                    text.push_str(&format!("\nEnvironment=\"{name}={value}\""));
                }
            }
        }
        text.push('\n');
    }
    Ok(text)
}

/// Returns the line that starts the program. systemd expands `%` everywhere and `$` in arguments.
fn exec_start(program: &str) -> Result<String, Refusal> {
    if program.contains(|c: char| c.is_control() || "\\\"'$".contains(c)) {
        return Err(Refusal::Path(program.to_owned()));
    }
    let program = program.replace('%', "%%");
    let plain = program.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+@%".contains(&byte));
    let program = if plain { program } else { format!("\"{program}\"") };
    Ok(format!("ExecStart={program} serve --foreground"))
}

/// Returns whether a package brought a unit for this program.
pub(super) fn is_packaged(program: &str) -> bool {
    let unit = packaged(Path::new(program)).and_then(|unit| std::fs::read_to_string(unit).ok());
    let line = exec_start(program).unwrap_or_default();
    unit.is_some_and(|unit| unit.lines().any(|there| there == line))
}

/// Returns where a package puts the unit of a program; `None` where systemd would not look.
fn packaged(program: &Path) -> Option<PathBuf> {
    let prefix = program.parent()?.parent()?;
    [Path::new("/usr"), Path::new("/usr/local")].contains(&prefix).then(|| prefix.join("lib/systemd/user").join(UNIT))
}

pub(super) fn reach(program: &str) -> Result<(), Refusal> {
    // The test of `sd_booted(3)`.
    let booted = || Path::new("/run/systemd/system").is_dir();
    match ask(&["systemctl", "--user", "show", "--property=Version"]) {
        Ok(output) if output.status.success() => Ok(()),
        Ok(_) if booted() => {
            Err(Refusal::NoBus { user: rustix::process::geteuid().as_raw(), name: environment("USER") })
        }
        Ok(_) | Err(_) => {
            Err(Refusal::NoSystemd { surroundings: Surroundings::of_this(), program: program.to_owned() })
        }
    }
}

pub(super) fn look() -> anyhow::Result<Active> {
    let properties = "--property=LoadState,UnitFileState,ActiveState,MainPID";
    let output = ask(&["systemctl", "--user", "show", UNIT, properties])?;
    Ok(active(&String::from_utf8_lossy(&output.stdout)))
}

/// Reads `Name=value` lines.
fn active(shown: &str) -> Active {
    let shown: BTreeMap<&str, &str> = shown.lines().filter_map(|line| line.split_once('=')).collect();
    let is = |name: &str, value: &str| shown.get(name) == Some(&value);
    Active {
        loaded: is("LoadState", "loaded"),
        enabled: is("UnitFileState", "enabled"),
        pid: shown.get("MainPID").and_then(|pid| pid.parse().ok()).filter(|pid| *pid != 0),
    }
}

pub(super) fn to_start(change: Change) -> Vec<Step> {
    let changed = change == Change::Written || change == Change::Replaced;
    let reload = changed.then(|| Step::new(&["systemctl", "--user", "daemon-reload"]));
    let start = if changed { "restart" } else { "start" };
    reload
        .into_iter()
        .chain([Step::new(&["systemctl", "--user", "enable", UNIT]), Step::new(&["systemctl", "--user", start, UNIT])])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_that_of_the_documentation_with_this_programs_path() {
        let text = text("/usr/bin/dmplz", &[]).unwrap();
        let differing: Vec<(&str, &str)> =
            SOURCE.lines().zip(text.lines()).filter(|(source, line)| source != line).collect();
        assert_eq!(SOURCE.lines().count(), text.lines().count());
        assert_eq!(
            differing,
            [("ExecStart=%h/.cargo/bin/dmplz serve --foreground", "ExecStart=/usr/bin/dmplz serve --foreground")]
        );
    }

    #[test]
    fn what_systemd_would_expand_is_escaped_or_refused() {
        let line = |program| exec_start(program).ok();
        assert_eq!(line("/a b/100%/dmplz").as_deref(), Some("ExecStart=\"/a b/100%%/dmplz\" serve --foreground"));
        for refused in ["/a$b/dmplz", "/a\"b/dmplz", "/a\nb/dmplz", "/a\\b/dmplz"] {
            assert_eq!(line(refused), None, "{refused}");
        }
        let unit = text("/usr/bin/dmplz", &[("DMPLZ_STATE_DIR", "/a \"b\" 1%".to_owned())]).unwrap();
        assert!(unit.contains("\nEnvironment=\"DMPLZ_STATE_DIR=/a \\\"b\\\" 1%%\"\n"), "{unit}");
    }

    #[test]
    fn a_packages_unit_is_looked_for_where_systemd_looks() {
        let unit = |program: &str| packaged(Path::new(program)).map(|unit| unit.display().to_string());
        assert_eq!(unit("/usr/bin/dmplz").as_deref(), Some("/usr/lib/systemd/user/dmplz.service"));
        assert_eq!(unit("/home/ann/.cargo/bin/dmplz"), None);
    }

    #[test]
    fn what_systemd_shows_is_read() {
        let shown = "LoadState=loaded\nUnitFileState=enabled\nActiveState=active\nMainPID=42\n";
        assert_eq!(active(shown), Active { loaded: true, enabled: true, pid: Some(42) });
        assert_eq!(active("LoadState=not-found\nMainPID=0\n"), Active::default());
    }
}
