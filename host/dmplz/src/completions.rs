//! `dmplz completions`: completions of the command line for shells, including ids of open requests and grants.
//!
//! | shell | `--install` writes | without it |
//! |---|---|---|
//! | bash | `$XDG_DATA_HOME/bash-completion/completions/dmplz` | the script is printed |
//! | zsh | `$XDG_DATA_HOME/zsh/site-functions/_dmplz`, which has to be in `fpath` | the script is printed |
//! | fish | `$XDG_CONFIG_HOME/fish/completions/dmplz.fish` | the script is printed |
//! | elvish, powershell, nushell | nothing: the error says which line to add where | the script is printed |
//!
//! At every TAB the script runs `dmplz` itself with [`VARIABLE`] set, so the answers are those of the installed program.
//! Nushell has no such script: its completions are fixed when they are printed, without ids.

mod values;

use std::path::PathBuf;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::CompleteEnv;
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Zsh};
use clap_complete_nushell::Nushell;

pub(crate) use values::{grants, requests};

use crate::exit;
use crate::settings::{Environment, SettingsError, environment};
use crate::terminal::{self, say, show};
use crate::told::Tell;

/// Set by a shell's script that asks for completions.
const VARIABLE: &str = "DMPLZ_COMPLETE";

/// The arguments of `completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell · 셸
    shell: Shell,
    /// Write the script where the shell looks for it, and say where · 셸이 찾는 곳에 설치하고 위치를 알려 줍니다
    #[arg(long)]
    install: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    Elvish,
    Powershell,
    Nushell,
}

/// Answers a shell's script, and ends the process then. Does nothing in any other run.
pub(crate) fn answer<C: CommandFactory>() {
    CompleteEnv::with_factory(C::command).var(VARIABLE).complete();
}

/// Prints or installs a script.
pub(crate) fn run<C: CommandFactory>(args: &Args) -> anyhow::Result<u8> {
    let script = args.shell.script::<C>().context("the completions cannot be written")?;
    if !args.install {
        show(&script)?;
        return Ok(exit::OK);
    }
    let Some(path) = args.shell.path(&environment) else {
        let by_hand = args.shell.by_hand().map(anyhow::Error::msg);
        return Err(by_hand.unwrap_or_else(|| SettingsError::Homeless.into()));
    };
    std::fs::create_dir_all(path.parent().unwrap_or(&path)).not_written(&path)?;
    std::fs::write(&path, script).not_written(&path)?;
    let lang = terminal::lang(&environment);
    let next = match args.shell {
        Shell::Zsh => say(
            lang,
            "이 폴더가 fpath에 있어야 합니다. ~/.zshrc의 compinit 앞에: fpath+=(~/.local/share/zsh/site-functions)",
            "its folder has to be in fpath: in ~/.zshrc, before compinit: fpath+=(~/.local/share/zsh/site-functions)",
        ),
        _ => say(lang, "새로 여는 셸부터 동작합니다", "it works in every shell opened from now on"),
    };
    show(&format!("{}\n{next}\n", path.display()))?;
    Ok(exit::OK)
}

impl Shell {
    fn script<C: CommandFactory>(self) -> std::io::Result<String> {
        let mut script = Vec::new();
        let mut of =
            |shell: &dyn EnvCompleter| shell.write_registration(VARIABLE, "dmplz", "dmplz", "dmplz", &mut script);
        match self {
            Self::Bash => of(&Bash)?,
            Self::Zsh => of(&Zsh)?,
            Self::Fish => of(&Fish)?,
            Self::Elvish => of(&Elvish)?,
            Self::Powershell => of(&Powershell)?,
            Self::Nushell => clap_complete::generate(Nushell, &mut C::command(), "dmplz", &mut script),
        }
        let mut script = String::from_utf8_lossy(&script).trim_end().to_owned();
        if self == Self::Zsh {
            // As a file in fpath the script runs only at the first TAB, so it has to answer that one itself.
            script.push_str("\nif [ \"$funcstack[1]\" = \"_dmplz\" ]; then _clap_dynamic_completer_dmplz \"$@\"; fi");
        }
        script.push('\n');
        Ok(script)
    }

    /// Returns the path at which the shell looks for the script; `None` if there is none, or no home directory.
    fn path(self, environment: Environment<'_>) -> Option<PathBuf> {
        let set = |name: &str| environment(name).filter(|value| value.starts_with('/')).map(PathBuf::from);
        let below = |variable: &str, folder: &str| set(variable).or_else(|| Some(set("HOME")?.join(folder)));
        match self {
            Self::Bash => Some(below("XDG_DATA_HOME", ".local/share")?.join("bash-completion/completions/dmplz")),
            Self::Zsh => Some(below("XDG_DATA_HOME", ".local/share")?.join("zsh/site-functions/_dmplz")),
            Self::Fish => Some(below("XDG_CONFIG_HOME", ".config")?.join("fish/completions/dmplz.fish")),
            Self::Elvish | Self::Powershell | Self::Nushell => None,
        }
    }

    /// Returns what to do for a shell that looks in no folder.
    fn by_hand(self) -> Option<&'static str> {
        Some(match self {
            Self::Elvish => {
                "elvish has no folder for completions; add to rc.elv: eval (dmplz completions elvish | slurp)"
            }
            Self::Powershell => {
                "PowerShell has no folder for completions; add to $PROFILE: dmplz completions powershell | Out-String | Invoke-Expression"
            }
            Self::Nushell => {
                "Nushell has no folder for completions; run: dmplz completions nushell | save dmplz.nu, and add to config.nu: use dmplz.nu *"
            }
            Self::Bash | Self::Zsh | Self::Fish => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_go_where_each_shell_looks() {
        let path = |shell: Shell, set: &[(&str, &str)]| {
            let value = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
            shell.path(&value).map(|path| path.display().to_string())
        };
        let home = [("HOME", "/h")];
        let paths = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Elvish].map(|shell| path(shell, &home));
        insta::assert_debug_snapshot!(paths.map(Option::unwrap_or_default), @r#"
        [
            "/h/.local/share/bash-completion/completions/dmplz",
            "/h/.local/share/zsh/site-functions/_dmplz",
            "/h/.config/fish/completions/dmplz.fish",
            "",
        ]
        "#);
        let moved = [("HOME", "/h"), ("XDG_CONFIG_HOME", "/c"), ("XDG_DATA_HOME", "relative")];
        assert_eq!(path(Shell::Fish, &moved).as_deref(), Some("/c/fish/completions/dmplz.fish"));
        assert_eq!(path(Shell::Bash, &moved), path(Shell::Bash, &home), "a relative folder does not count");
        assert_eq!(path(Shell::Bash, &[]), None);
    }
}
