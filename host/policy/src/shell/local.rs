//! Variables that belong to a script: `i` in `for i in *; do ...`.
//!
//! `name=value` as a command of its own, or `for name in ...`, changes a variable for all following commands.
//! Programs use names in capitals (POSIX, Base Definitions 8.1, reserves lower case for applications). The few
//! lower-case names that they use are listed here, and so are zsh's: `path=(...)` changes `PATH` there.

/// Lower-case names that a shell or a program uses.
const KNOWN: [&str; 40] = [
    "aliases", "argv", "bg", "builtins", "cdpath", "chpwd", "commands", "compstate", "dirstack", "epochtime", "errnos",
    "fg", "fignore", "fpath", "functions", "funcstack", "galiases", "histchars", "history", "jobstates", "jobtexts",
    "keymaps", "langinfo", "mailpath", "manpath", "module_path", "modules", "nameddirs", "options", "parameters",
    "path", "periodic", "precmd", "preexec", "prompt", "psvar", "saliases", "status", "termcap", "watch",
];

/// Prefixes of such names.
const KNOWN_PREFIXES: [&str; 6] = ["npm_", "pnpm_", "yarn_", "bun_", "dis_", "zsh_"];

/// Returns whether a variable affects only the script: it is in lower case, and no program uses it.
pub(crate) fn is_local(name: &str) -> bool {
    let own = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(own)
        && !KNOWN.contains(&name)
        && !KNOWN_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        && !["_proxy", "_functions", "path"].iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scripts_own_variables_are_in_lower_case_and_nobody_elses() {
        for name in ["i", "f", "file", "dir2", "my_file", "line"] {
            assert!(is_local(name), "{name}");
        }
        for name in [
            "PATH", "IFS", "I", "File", "_", "", "2x", "path", "fpath", "https_proxy", "no_proxy",
            "npm_config_script_shell", "precmd_functions", "aliases", "LD_PRELOAD", "i[0]", "é",
        ] {
            assert!(!is_local(name), "{name}");
        }
    }
}
