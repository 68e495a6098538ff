//! The shell with which Claude Code runs commands: the one that the environment names, if it is bash or zsh.

use dmplz_policy::shell::Shell;

use crate::settings::environment;

/// Returns the shell of the agent that runs this hook. If the environment names neither bash nor zsh, it may be either.
pub(crate) fn of_agent() -> Shell {
    named(environment("CLAUDE_CODE_SHELL").or_else(|| environment("SHELL")).as_deref())
}

fn named(path: Option<&str>) -> Shell {
    match path.and_then(|path| path.rsplit('/').next()) {
        Some("bash") => Shell::Bash,
        Some("zsh") => Shell::Zsh,
        _ => Shell::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_is_known_by_its_name() {
        for (path, shell) in [
            (Some("/bin/bash"), Shell::Bash),
            (Some("/usr/local/bin/zsh"), Shell::Zsh),
            (Some("/usr/bin/fish"), Shell::Unknown),
            (Some(""), Shell::Unknown),
            (None, Shell::Unknown),
        ] {
            assert_eq!(named(path), shell, "{path:?}");
        }
    }
}
