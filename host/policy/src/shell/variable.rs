//! Variables that do not affect which programs run, which code they load, or where they send data.
//!
//! `NAME=value cmd` is allowed if `cmd` is allowed and every NAME is listed here; any other variable makes the call
//! ask. A variable belongs here if, whatever its value, it only changes the amount, language, width and colours of
//! the output, or the platform of a build. Variables that name a program (`PAGER`, `EDITOR`, `CC`), code or a folder
//! of code (`PATH`, `LD_PRELOAD`, `NODE_OPTIONS`, `PYTHONPATH`), a file of settings (`HOME`, `GIT_CONFIG`,
//! `XDG_CONFIG_HOME`), a server (`HTTP_PROXY`, `PIP_INDEX_URL`, `DOCKER_HOST`) or a file to write (`RUST_LOG_FILE`)
//! do not belong here.
//!
//! Left out on purpose: `DEBUG` and `VERBOSE` (makefiles and scripts run other things when they are set), `TERMINFO` and
//! `TZDIR` (folders that are read), `IFS` and `SHELLOPTS` (they change what a script says), `LESS` (its options run and
//! write), `GREP_OPTIONS`, `RUSTFLAGS` and `CFLAGS` (a linker, a plugin), `GOFLAGS` (`-toolexec`), `MAKEFLAGS`.

/// The variables that cannot start anything, in alphabetical order for binary search.
#[rustfmt::skip]
const SAFE: [&str; 37] = [
    "CARGO_TERM_COLOR", "CGO_ENABLED", "CI", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "COLUMNS", "DO_NOT_TRACK",
    "FORCE_COLOR", "GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT", "GO111MODULE", "GOARCH", "GOOS", "GREP_COLORS",
    "HOMEBREW_NO_AUTO_UPDATE", "LANG", "LANGUAGE", "LINES", "LS_COLORS", "MYPY_FORCE_COLOR",
    "NEXT_TELEMETRY_DISABLED", "NODE_ENV", "NO_COLOR", "NPM_CONFIG_COLOR", "NPM_CONFIG_FUND",
    "PIP_DISABLE_PIP_VERSION_CHECK", "PY_COLORS", "PYTHONDONTWRITEBYTECODE", "PYTHONIOENCODING", "PYTHONUNBUFFERED",
    "PYTHONUTF8", "RUST_BACKTRACE", "RUST_LOG", "TERM", "TIME_STYLE", "TZ",
];

/// Returns whether a variable may be set before an allowed command.
pub(crate) fn is_safe(name: &str) -> bool {
    SAFE.contains(&name) || name.strip_prefix("LC_").is_some_and(is_category)
}

/// Returns whether it is one of `LC_ALL`, `LC_MESSAGES`, ...
fn is_category(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_safe_only_when_it_is_listed() {
        for name in ["NODE_ENV", "CI", "LANG", "LC_ALL", "LC_MESSAGES", "TZ", "NO_COLOR", "RUST_LOG", "GOOS"] {
            assert!(is_safe(name), "{name}");
        }
        for name in [
            "PATH", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV", "IFS", "HOME", "PAGER", "GIT_PAGER",
            "EDITOR", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_CONFIG_COUNT", "NODE_OPTIONS", "NODE_PATH",
            "PYTHONPATH", "PYTHONSTARTUP", "PYTHONWARNINGS", "PERL5OPT", "RUBYOPT", "JAVA_TOOL_OPTIONS", "GOFLAGS",
            "RUSTFLAGS", "RUSTC_WRAPPER", "CC", "MAKEFLAGS", "HTTP_PROXY", "https_proxy", "LESSOPEN", "LESS", "PS4",
            "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "LC_", "LC_all", "lang", "", "node_env", "TZDIR", "TERMINFO",
            "DEBUG", "MANPAGER",
        ] {
            assert!(!is_safe(name), "{name}");
        }
    }

    #[test]
    fn no_variable_is_listed_twice() {
        let mut names = SAFE.to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SAFE.len());
    }
}
