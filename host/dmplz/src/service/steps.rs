//! The commands of a service manager, why they are run, and what it says.

use std::process::{Command, Output, Stdio};

use serde::Serialize;

use super::refusal::Refusal;

/// What becomes of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Change {
    Written,
    Replaced,
    Removed,
    Restored,
    /// The unit of a package is used; no file is written.
    Packaged,
    None,
}

/// What a manager says of the service.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Active {
    /// Whether the manager knows it.
    pub(super) loaded: bool,
    /// Whether it is started when the user logs in.
    pub(super) enabled: bool,
    /// Its process, while it runs.
    pub(super) pid: Option<u32>,
}

/// A command that is run, or would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    words: Vec<String>,
    /// Whether the manager is polled afterwards until the service is gone: launchd ends it after the command has ended.
    pub(super) until_gone: Option<Vec<String>>,
}

impl Step {
    pub(super) fn new(words: &[&str]) -> Self {
        Self { words: owned(words), until_gone: None }
    }

    pub(super) fn until_fails(words: &[&str], probe: &[&str]) -> Self {
        Self { words: owned(words), until_gone: Some(owned(probe)) }
    }

    /// Returns the command as a person would type it.
    pub(super) fn line(&self) -> String {
        let plain = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-=:@+,".contains(&byte));
        let quoted =
            |word: &String| if plain(word) { word.clone() } else { format!("'{}'", word.replace('\'', "'\\''")) };
        self.words.iter().map(quoted).collect::<Vec<_>>().join(" ")
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Runs the commands in order, up to one that does not succeed.
pub(super) fn run(steps: &[Step]) -> anyhow::Result<()> {
    for step in steps {
        let output = ask(&step.words)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(Refusal::Command { command: step.line(), said }.into());
        }
        for _ in 0..100 {
            let Some(probe) = &step.until_gone else { break };
            if !ask(probe)?.status.success() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }
    Ok(())
}

/// Returns what a command writes and how it ends, in English.
pub(super) fn ask<S: AsRef<str>>(words: &[S]) -> std::io::Result<Output> {
    let mut words = words.iter().map(S::as_ref);
    let program = words.next().unwrap_or_default();
    Command::new(program).args(words).env("LC_ALL", "C").stdin(Stdio::null()).output()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_it_is_typed() {
        assert_eq!(
            Step::new(&["launchctl", "bootstrap", "gui/501", "/a b/c.plist"]).line(),
            "launchctl bootstrap gui/501 '/a b/c.plist'"
        );
    }
}
