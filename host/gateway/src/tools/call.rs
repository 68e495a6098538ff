//! The limits of a call, and the line that people and rules judge.
//!
//! The line quotes the arguments for a shell, so that splitting it returns them byte for byte. Variables that come with
//! the call precede it as `NAME="$NAME"`. Their values belong to the asker and are shown to nobody. A rule therefore
//! sees a variable of unknown value, and allows the command only if it would allow that.

use std::time::Duration;

use dmplz_protocol::tool::{InvokeTool, MAX_ARGV_WORDS, MAX_ENV_NAMES};

/// Why a call is refused before anybody is asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// `argv` is empty, or its first word is.
    #[error("argv names no program")]
    NoProgram,
    /// The arguments have too many bytes or words.
    #[error("argv has more than {MAX_ARGV_BYTES} bytes or {MAX_ARGV_WORDS} words")]
    LongArgv,
    /// The environment has too many bytes or variables.
    #[error("env has more than {MAX_ENV_BYTES} bytes or {MAX_ENV_NAMES} variables")]
    LongEnv,
    /// The name of a variable is invalid.
    #[error("a name in env is letters, digits and _, and begins with no digit")]
    Name,
    /// A text holds a NUL byte, at which the kernel would end it.
    #[error("{0} holds a NUL byte")]
    Nul(&'static str),
    /// The folder is relative, so it would depend on the process.
    #[error("cwd is no absolute path")]
    Relative,
    /// The time-out is zero or too long.
    #[error("the time-out is 1 to {} milliseconds", MAX_TIMEOUT.as_millis())]
    Timeout,
}

/// The most bytes of arguments: a person must be able to read them.
const MAX_ARGV_BYTES: usize = 64 << 10;
const MAX_ENV_BYTES: usize = 64 << 10;
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(600);
const MAX_TIMEOUT: Duration = Duration::from_secs(24 * 3600);

/// Checks the call against the limits.
pub(super) fn validate(call: &InvokeTool) -> Result<(), Invalid> {
    if call.argv.first().is_none_or(String::is_empty) {
        return Err(Invalid::NoProgram);
    }
    if call.argv.len() > MAX_ARGV_WORDS || call.argv.iter().map(|word| word.len() + 1).sum::<usize>() > MAX_ARGV_BYTES {
        return Err(Invalid::LongArgv);
    }
    let env_bytes: usize = call.env.iter().map(|(name, value)| name.len() + value.len() + 2).sum();
    if call.env.len() > MAX_ENV_NAMES || env_bytes > MAX_ENV_BYTES {
        return Err(Invalid::LongEnv);
    }
    if !call.env.keys().all(|name| is_name(name)) {
        return Err(Invalid::Name);
    }
    let cwd = call.cwd.as_os_str().as_encoded_bytes();
    for (what, holds) in [
        ("argv", call.argv.iter().any(|word| word.contains('\0'))),
        ("env", call.env.values().any(|value| value.contains('\0'))),
        ("cwd", cwd.contains(&0)),
    ] {
        if holds {
            return Err(Invalid::Nul(what));
        }
    }
    if !call.cwd.is_absolute() {
        return Err(Invalid::Relative);
    }
    if timeout(call).is_zero() || timeout(call) > MAX_TIMEOUT {
        return Err(Invalid::Timeout);
    }
    Ok(())
}

/// Returns how long it may run.
pub(super) fn timeout(call: &InvokeTool) -> Duration {
    call.timeout_ms.map_or(DEFAULT_TIMEOUT, Duration::from_millis)
}

/// Returns the line that is judged and shown.
pub(super) fn line(call: &InvokeTool) -> String {
    let variables = call.env.keys().map(|name| format!("{name}=\"${name}\""));
    let (program, arguments) = call.argv.split_first().map_or(("", &[][..]), |(first, rest)| (first, rest));
    let arguments = arguments.iter().map(|word| quoted(word));
    variables.chain([quoted_program(program)]).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Quotes a word for bash and every other shell. Only characters that no shell interprets stay unquoted: some shells
/// interpret braces and `=`.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_@%+:,./-".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Quotes the program if a shell would read its name as a keyword.
fn quoted_program(program: &str) -> String {
    const GRAMMAR: &str = "if then elif else fi for while until do done case esac in function select time coproc";
    if GRAMMAR.split(' ').any(|word| word == program) { format!("'{program}'") } else { quoted(program) }
}

fn is_name(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    name.bytes().next().is_some_and(letter) && name.bytes().all(|byte| letter(byte) || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn of(argv: &[&str]) -> InvokeTool {
        let argv = argv.iter().map(|word| word.to_string()).collect();
        InvokeTool { argv, cwd: "/".into(), env: BTreeMap::new(), timeout_ms: None }
    }

    fn with(name: &str, value: &str) -> InvokeTool {
        InvokeTool { env: BTreeMap::from([(name.into(), value.into())]), ..of(&["ls"]) }
    }

    #[test]
    fn what_nobody_could_run_or_judge_is_refused() {
        let long = "x".repeat(MAX_ARGV_BYTES);
        let many = vec!["x"; MAX_ARGV_WORDS + 1];
        let cases = [
            (of(&[]), Invalid::NoProgram),
            (of(&["", "x"]), Invalid::NoProgram),
            (of(&["echo", &long]), Invalid::LongArgv),
            (of(&many), Invalid::LongArgv),
            (of(&["a\0b"]), Invalid::Nul("argv")),
            (with("A", "x\0"), Invalid::Nul("env")),
            (with("A=B", ""), Invalid::Name),
            (with("", ""), Invalid::Name),
            (with("1A", ""), Invalid::Name),
            (with("BASH_FUNC_x%%", "() { :; }"), Invalid::Name),
            (with("A", &"x".repeat(MAX_ENV_BYTES)), Invalid::LongEnv),
            (InvokeTool { cwd: "tmp".into(), ..of(&["ls"]) }, Invalid::Relative),
            (InvokeTool { cwd: "/a\0".into(), ..of(&["ls"]) }, Invalid::Nul("cwd")),
            (InvokeTool { timeout_ms: Some(0), ..of(&["ls"]) }, Invalid::Timeout),
            (InvokeTool { timeout_ms: Some(u64::MAX), ..of(&["ls"]) }, Invalid::Timeout),
        ];
        for (call, why) in cases {
            assert_eq!(validate(&call), Err(why), "{:?} {:?} {:?}", call.argv, call.cwd, call.timeout_ms);
        }
        assert_eq!(validate(&with("_a1", "\n")), Ok(()));
    }

    #[test]
    fn the_line_says_what_a_shell_would_have_to_be_told() {
        for (argv, shown) in [
            (&["git", "commit", "-m", "a b"][..], "git commit -m 'a b'"),
            (&["echo", "$(rm -rf /)", "`id`", "; ls", "it's"], r"echo '$(rm -rf /)' '`id`' '; ls' 'it'\''s'"),
            (&["FOO=bar", "ls"], "'FOO=bar' ls"),
            (&["time", "ls"], "'time' ls"),
            (&["echo", "", "\n", "~", "a=b"], "echo '' '\n' '~' 'a=b'"),
            (&["{", "*", "{a,b}", "x{1..3}", "!", "-n5"], "'{' '*' '{a,b}' 'x{1..3}' '!' -n5"),
        ] {
            assert_eq!(line(&of(argv)), shown);
        }
        assert_eq!(line(&with("PATH", "/secret")), r#"PATH="$PATH" ls"#);
    }

    proptest! {
        #[test]
        fn what_is_shown_is_byte_for_byte_what_runs(argv in prop::collection::vec("[^\0]{1,12}", 1..6)) {
            let call = InvokeTool { argv: argv.clone(), ..of(&[]) };
            prop_assert_eq!(shell_words::split(&line(&call)).unwrap(), argv);
        }
    }
}
