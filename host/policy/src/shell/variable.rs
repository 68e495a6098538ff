//! Variables that do not affect which programs run, which code they load, or where they send data.
//!
//! `NAME=value cmd` is allowed if `cmd` is allowed, every NAME is listed here, a few of them only with a number, and every value is
//! known and leads to no other folder; any other variable makes the call ask. A variable belongs here if, whatever such a value is, it
//! only changes the amount, language, width and colours of the output, or the platform of a build. Variables that name a program (`PAGER`,
//! `EDITOR`, `CC`), code or a folder of code (`PATH`, `LD_PRELOAD`, `NODE_OPTIONS`, `PYTHONPATH`), a file of settings
//! (`HOME`, `GIT_CONFIG`, `XDG_CONFIG_HOME`), a server (`HTTP_PROXY`, `PIP_INDEX_URL`, `DOCKER_HOST`) or a file to write
//! (`RUST_LOG_FILE`) do not belong here.
//!
//! Left out on purpose: `DEBUG` and `VERBOSE` (makefiles and scripts run other things when they are set), `TERMINFO` and
//! `TZDIR` (folders that are read), `IFS` and `SHELLOPTS` (they change what a script says), `LESS` (its options run and
//! write), `GREP_OPTIONS`, `RUSTFLAGS` and `CFLAGS` (a linker, a plugin), `GOFLAGS` (`-toolexec`), `MAKEFLAGS`.

use super::Word;

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

/// The variables that bash or zsh stores as numbers.
#[rustfmt::skip]
const NUMBERS: [&str; 31] = [
    "BASHPID", "COLUMNS", "DIRSTACKSIZE", "EGID", "EPOCHSECONDS", "ERRNO", "EUID", "FUNCNEST", "GID", "HISTCMD",
    "HISTSIZE", "KEYTIMEOUT", "LINENO", "LINES", "LISTMAX", "LOGCHECK", "MAILCHECK", "OPTIND", "PPID", "RANDOM",
    "REPORTMEMORY", "REPORTTIME", "SAVEHIST", "SECONDS", "SHLVL", "SRANDOM", "TMOUT", "TRY_BLOCK_ERROR",
    "TRY_BLOCK_INTERRUPT", "TTYIDLE", "UID",
];

/// Returns whether a shell stores a variable as a number. It evaluates what is assigned to it as arithmetic, in which an
/// index can run commands.
pub(crate) fn is_number(name: &str) -> bool {
    NUMBERS.contains(&name)
}

/// Returns whether a shell may evaluate the value of an assignment: only digits are certainly a number.
pub(crate) fn is_evaluated(name: &str, value: &Word) -> bool {
    is_number(name) && !value.text().is_some_and(|value| value.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The variables that may be set to a number before an allowed command. Other text may be options to a script that does not
/// quote them.
///
/// | variable | what a number is there |
/// |---|---|
/// | `CARGO_BUILD_JOBS`, `GOMAXPROCS`, `OMP_NUM_THREADS`, `RAYON_NUM_THREADS`, `RUST_TEST_THREADS` | how many threads or jobs there are |
/// | `CARGO_INCREMENTAL` | whether cargo keeps what it compiled for the next time; what is built is the same |
/// | `NODE_DISABLE_COLORS`, `NODE_NO_WARNINGS` | how much Node shows, unlike all other variables of Node |
/// | `PORT` | where a server listens |
/// | `PYTHONHASHSEED` | the order of Python's sets |
/// | `RUST_LIB_BACKTRACE` | as `RUST_BACKTRACE`, for errors |
/// | `SOURCE_DATE_EPOCH` | the time that a build writes into what it makes |
#[rustfmt::skip]
const COUNTS: [&str; 12] = [
    "CARGO_BUILD_JOBS", "CARGO_INCREMENTAL", "GOMAXPROCS", "NODE_DISABLE_COLORS", "NODE_NO_WARNINGS", "OMP_NUM_THREADS",
    "PORT", "PYTHONHASHSEED", "RAYON_NUM_THREADS", "RUST_LIB_BACKTRACE", "RUST_TEST_THREADS", "SOURCE_DATE_EPOCH",
];

/// Returns whether a variable may be set to a value before an allowed command.
pub(crate) fn may_be(name: &str, value: &Word) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_safely_set(name, value) || COUNTS.contains(&name) && value.text().is_some_and(is_number)
}

/// Returns whether a variable may be set to a value before any command. A project may load a file that is named like the value
/// (`require("./config/" + NODE_ENV)`), and so do some libraries (`LANG`, `TZ`), so the value must not lead to another folder.
pub(crate) fn is_safely_set(name: &str, value: &Word) -> bool {
    let leads_away = |path: &str| path.starts_with(['/', '~']) || path.split('/').any(|name| name == "..");
    let stays = |value: &str| !value.split([':', ',', ';', '=', '@', ' ']).any(leads_away);
    is_safe(name) && value.text().is_some_and(stays)
}

/// Returns whether a variable is one of those that cannot start anything.
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
    fn the_port_of_a_server_is_set_to_digits_alone() {
        for (name, value, expected) in [
            ("PORT", Word::exact("3000"), true),
            ("RUST_TEST_THREADS", Word::exact("1"), true),
            ("PORT", Word::exact(""), false),
            ("PORT", Word::exact("3000 --exec=x"), false),
            ("PORT", Word::exact("/tmp/socket"), false),
            ("PORT", Word::beginning("3000"), false),
            ("DB_PORT", Word::exact("3000"), false),
            ("SOURCE_DATE_EPOCH", Word::exact("0"), true),
            ("RUST_LIB_BACKTRACE", Word::exact("full"), false),
            ("CARGO_INCREMENTAL", Word::exact("$(shell x)"), false),
            ("NODE_NO_WARNINGS", Word::exact("1"), true),
            ("NODE_OPTIONS", Word::exact("1"), false),
            ("CARGO_TARGET_DIR", Word::exact("1"), false),
            ("PYTHONOPTIMIZE", Word::exact("2"), false),
            ("PYTHONINSPECT", Word::exact("1"), false),
            ("NODE_ENV", Word::exact("test"), true),
            ("NODE_ENV", Word::exact("../../tmp/evil"), false),
            ("NODE_ENV", Word::exact("/tmp/evil"), false),
            ("NODE_ENV", Word::exact("~/evil"), false),
            ("NODE_ENV", Word::beginning("test"), false),
            ("LANG", Word::exact("en_US.UTF-8"), true),
            ("LANGUAGE", Word::exact("de:../../tmp/evil"), false),
            ("TZ", Word::exact("Europe/Berlin"), true),
            ("TZ", Word::exact(":/tmp/evil"), false),
            ("RUST_LOG", Word::exact("debug,hyper::client=info"), true),
            ("PATH", Word::exact("1"), false),
        ] {
            assert_eq!(may_be(name, &value), expected, "{name}={value:?}");
        }
    }

    #[test]
    fn no_variable_is_listed_twice() {
        for listed in [&SAFE[..], &NUMBERS[..], &COUNTS[..]] {
            let mut names = listed.to_vec();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), listed.len());
        }
    }

    #[test]
    fn only_digits_are_not_evaluated_by_a_variable_that_is_a_number() {
        for (name, value, expected) in [
            ("COLUMNS", Word::exact("80"), false),
            ("COLUMNS", Word::exact(""), false),
            ("COLUMNS", Word::exact("path[$(id)1]"), true),
            ("LINES", Word::exact("x"), true),
            ("LINES", Word::exact("-1"), true),
            ("LINES", Word::beginning("8"), true),
            ("SHLVL", Word::beginning(""), true),
            ("LANG", Word::exact("path[$(id)1]"), false),
            ("LANG", Word::beginning(""), false),
        ] {
            assert_eq!(is_evaluated(name, &value), expected, "{name}={value:?}");
        }
    }
}
