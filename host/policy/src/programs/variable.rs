//! Variables that make a program start or load something.
//!
//! | variable | is |
//! |---|---|
//! | `PAGER`, `EDITOR`, `GIT_SSH_COMMAND`, `LESSOPEN`, ... | a command: what it starts is judged like any other command |
//! | `PATH`, `LD_PRELOAD`, `BASH_ENV`, `NODE_OPTIONS`, ... | code or a folder of programs: a person looks at it |
//! | one whose name resembles these (`FOO_OPTS`, `MY_WRAPPER`, `X_CONFIG`) | the same |
//! | any other (`PORT`, `NODE_ENV`, `VERBOSE`) | text |
//!
//! The names that cannot start anything are those of [`crate::shell::variable`]; an allow of some commands covers
//! only these. This table is for rules that allow every command, beside others that stop some.

use crate::shell::{Assignment, Command, Word, local, name, variable};

/// Variables whose value is a command line or a program.
#[rustfmt::skip]
const COMMANDS: [&str; 46] = [
    "AWS_PAGER", "BAT_PAGER", "BROWSER", "BUNDLER_EDITOR", "CVS_RSH", "DELTA_PAGER", "DIFFPROG", "EDITOR", "FCEDIT",
    "FZF_DEFAULT_COMMAND", "FZF_CTRL_T_COMMAND", "GH_BROWSER", "GH_EDITOR", "GH_PAGER", "GIT_ASKPASS", "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_PROXY_COMMAND", "GIT_SEQUENCE_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND",
    "GZIP_PROG", "HGEDITOR", "KUBE_EDITOR", "LESSCLOSE", "LESSEDIT", "LESSOPEN", "MANPAGER", "MANROFFOPT", "MAKE", "PAGER",
    "PROMPT_COMMAND", "PSQL_EDITOR", "PSQL_PAGER", "RIPGREP_PAGER", "RSYNC_CONNECT_PROG", "RSYNC_RSH", "SSH_ASKPASS",
    "SUDO_ASKPASS", "SUDO_EDITOR", "SVN_EDITOR", "SVN_SSH", "SYSTEMD_PAGER", "TAR_RSH", "VISUAL",
];

/// Names that load or find code, or change how a shell parses a line.
#[rustfmt::skip]
const CODE: [&str; 34] = [
    "AR", "AS", "CC", "CPP", "CXX", "ENV", "FC", "GCC", "GOENV", "GOROOT", "GOPATH", "HOME", "IFS", "LD", "LESS", "MAKEFILES",
    "NM", "OBJCOPY", "PATH", "PATHEXT", "PROMPT", "PS0", "PS1", "PS2", "PS3", "PS4", "RANLIB", "RUSTC", "RUSTDOC", "SHELL",
    "SHELLOPTS", "STRIP", "TERMINFO", "ZDOTDIR",
];

/// Prefixes of names that belong to a loader, a shell or an interpreter.
#[rustfmt::skip]
const BEGINNINGS: [&str; 25] = [
    "BASH", "BUN_", "CARGO_", "CMAKE_", "DENO_", "DOCKER_", "DYLD_", "GCC_", "GCONV_", "GIT_", "GLIBC_", "JAVA", "JDK_",
    "LD_", "LESS", "MALLOC_", "NODE_", "NPM_CONFIG_", "PERL", "PYTHON", "RUBY", "RUSTC_", "XDG_", "ZSH", "npm_config_",
];

/// Parts of names that suggest a program, its options or its settings.
#[rustfmt::skip]
const PARTS: [&str; 40] = [
    "ARGS", "ASKPASS", "BIN", "BROWSER", "CLASSPATH", "CMD", "COMMAND", "COMPILER", "CONFIG", "DAEMON", "DRIVER", "EDITOR",
    "EXEC", "FILTER", "FLAGS", "HANDLER", "HELPER", "HOOK", "INIT", "INTERPRETER", "LAUNCH", "LIB", "LINKER", "LOADER",
    "MODULE", "OPTIONS", "OPTS", "PAGER", "PATH", "PLUGIN", "PRELOAD", "PROG", "PROXY", "RSH", "RUNNER", "SCRIPT",
    "SHELL", "SSH", "VIEWER", "WRAPPER",
];

/// Returns whether the value of a variable is a command that some program starts.
pub(crate) fn is_command(name: &str) -> bool {
    COMMANDS.contains(&name)
        || ["_PAGER", "_EDITOR", "_COMMAND", "_CMD", "_ASKPASS", "_RSH"].iter().any(|end| name.ends_with(end))
}

/// Returns whether a variable may make a program start or load something.
pub(crate) fn may_start(name: &str) -> bool {
    if variable::is_safe(name) || local::is_local(name) {
        return false;
    }
    let upper = name.to_ascii_uppercase();
    // A lower-case name that the script does not set belongs to a shell or a package manager.
    let foreign = name.starts_with(|first: char| first.is_ascii_lowercase());
    foreign
        || is_command(name)
        || CODE.contains(&name)
        || BEGINNINGS.iter().any(|begin| name.starts_with(begin))
        || PARTS.iter().any(|part| upper.contains(part))
}

/// Returns whether a variable only names folders of the workspace to a runner of its tests, which runs their code anyway:
/// `PYTHONPATH=src pytest`.
pub(crate) fn is_path_of_tests(set: &Assignment, command: &Command) -> bool {
    let runs_tests = match command.words.iter().map(Word::text).collect::<Vec<_>>().as_slice() {
        [Some(program), Some("-m"), Some("pytest" | "unittest"), ..] => name::unversioned(program) == "python",
        [Some(program), ..] => matches!(*program, "pytest" | "py.test"),
        _ => false,
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
    let is_below = |path: &str| {
        !path.is_empty()
            && !path.starts_with('/')
            && path.bytes().all(is_plain)
            && path.split('/').all(|name| name != "..")
    };
    runs_tests && set.name == "PYTHONPATH" && set.value.text().is_some_and(|paths| paths.split(':').all(is_below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_starts_something_is_known_by_its_name() {
        for name in [
            "GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "PAGER", "MANPAGER", "EDITOR", "VISUAL", "BROWSER", "LESSOPEN",
            "RSYNC_RSH", "MY_EDITOR", "FOO_CMD", "PROMPT_COMMAND",
        ] {
            assert!(is_command(name) && may_start(name), "{name}");
        }
        for name in [
            "PATH", "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV", "ZDOTDIR", "IFS", "PS4",
            "NODE_OPTIONS", "PYTHONPATH", "PYTHONSTARTUP", "PERL5OPT", "PERL5LIB", "RUBYOPT", "JAVA_TOOL_OPTIONS",
            "_JAVA_OPTIONS", "MAVEN_OPTS", "GRADLE_OPTS", "MAKEFLAGS", "CC", "RUSTC_WRAPPER", "RUSTFLAGS", "GOFLAGS",
            "GIT_CONFIG_COUNT", "GIT_EXEC_PATH", "GIT_DIR", "TAR_OPTIONS", "npm_config_script_shell", "HOME",
            "XDG_CONFIG_HOME", "DOCKER_CONFIG", "CLASSPATH", "OPENSSL_CONF_MODULE", "path", "precmd_functions",
        ] {
            assert!(may_start(name) && !is_command(name), "{name}");
        }
        for name in
            ["PORT", "NODE_ENV", "DEBUG", "VERBOSE", "CI", "FOO", "RUST_LOG", "i", "my_file", "DATABASE_URL", "TZ"]
        {
            assert!(!may_start(name), "{name}");
        }
    }
}
