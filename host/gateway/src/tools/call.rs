//! The limits of a call, and the line that people and rules judge.
//!
//! The line quotes the arguments for a shell, so that splitting it returns them byte for byte. Variables that come with
//! the call precede it as `NAME="$NAME"`. Their values belong to the asker and are shown to nobody. A rule therefore
//! sees a variable of unknown value, and allows the command only if it would allow that.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use dmplz_protocol::tool::{InvokeTool, MAX_ARGV_WORDS, MAX_ENV_NAMES};

/// One command to run.
#[derive(Clone, PartialEq, Eq)]
pub struct Invocation {
    /// The program and its arguments. The program is searched in `PATH` unless its name contains a slash.
    pub argv: Vec<String>,
    /// The absolute path of the folder where it runs.
    pub cwd: PathBuf,
    /// Variables besides the gateway's own. Their values are kept in memory only.
    pub env: BTreeMap<String, String>,
    /// How long it may run: 1 ms to 24 hours. `None` means ten minutes.
    pub timeout: Option<Duration>,
}

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

impl Invocation {
    /// Checks the call against the limits.
    pub fn validate(&self) -> Result<(), Invalid> {
        if self.argv.first().is_none_or(String::is_empty) {
            return Err(Invalid::NoProgram);
        }
        if self.argv.len() > MAX_ARGV_WORDS
            || self.argv.iter().map(|word| word.len() + 1).sum::<usize>() > MAX_ARGV_BYTES
        {
            return Err(Invalid::LongArgv);
        }
        let env_bytes: usize = self.env.iter().map(|(name, value)| name.len() + value.len() + 2).sum();
        if self.env.len() > MAX_ENV_NAMES || env_bytes > MAX_ENV_BYTES {
            return Err(Invalid::LongEnv);
        }
        if !self.env.keys().all(|name| is_name(name)) {
            return Err(Invalid::Name);
        }
        let cwd = self.cwd.as_os_str().as_encoded_bytes();
        for (what, holds) in [
            ("argv", self.argv.iter().any(|word| word.contains('\0'))),
            ("env", self.env.values().any(|value| value.contains('\0'))),
            ("cwd", cwd.contains(&0)),
        ] {
            if holds {
                return Err(Invalid::Nul(what));
            }
        }
        if !self.cwd.is_absolute() {
            return Err(Invalid::Relative);
        }
        if self.timeout().is_zero() || self.timeout() > MAX_TIMEOUT {
            return Err(Invalid::Timeout);
        }
        Ok(())
    }

    /// Returns how long it may run.
    pub fn timeout(&self) -> Duration {
        self.timeout.unwrap_or(DEFAULT_TIMEOUT)
    }

    /// Returns the line that is judged and shown.
    pub fn line(&self) -> String {
        let variables = self.env.keys().map(|name| format!("{name}=\"${name}\""));
        let (program, arguments) = self.argv.split_first().map_or(("", &[][..]), |(first, rest)| (first, rest));
        let arguments = arguments.iter().map(|word| quoted(word));
        variables.chain([quoted_program(program)]).chain(arguments).collect::<Vec<_>>().join(" ")
    }
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

impl From<InvokeTool> for Invocation {
    fn from(InvokeTool { argv, cwd, env, timeout_ms }: InvokeTool) -> Self {
        Self { argv, cwd, env, timeout: timeout_ms.map(Duration::from_millis) }
    }
}

/// Shows the names of the variables, but not their values.
impl std::fmt::Debug for Invocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&String> = self.env.keys().collect();
        let Self { argv, cwd, timeout, .. } = self;
        f.debug_struct("Invocation")
            .field("argv", argv)
            .field("cwd", cwd)
            .field("env", &names)
            .field("timeout", timeout)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(argv: &[&str]) -> Invocation {
        let argv = argv.iter().map(|word| word.to_string()).collect();
        Invocation { argv, cwd: "/".into(), env: BTreeMap::new(), timeout: None }
    }

    fn with(name: &str, value: &str) -> Invocation {
        Invocation { env: BTreeMap::from([(name.into(), value.into())]), ..of(&["ls"]) }
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
            (Invocation { cwd: "tmp".into(), ..of(&["ls"]) }, Invalid::Relative),
            (Invocation { cwd: "/a\0".into(), ..of(&["ls"]) }, Invalid::Nul("cwd")),
            (Invocation { timeout: Some(Duration::ZERO), ..of(&["ls"]) }, Invalid::Timeout),
            (Invocation { timeout: Some(Duration::MAX), ..of(&["ls"]) }, Invalid::Timeout),
        ];
        for (invocation, why) in cases {
            assert_eq!(invocation.validate(), Err(why), "{invocation:?}");
        }
        assert_eq!(with("_a1", "\n").validate(), Ok(()));
    }

    #[test]
    fn the_line_says_what_a_shell_would_have_to_be_told() {
        let line = |argv: &[&str]| of(argv).line();
        for (argv, shown) in [
            (&["git", "commit", "-m", "a b"][..], "git commit -m 'a b'"),
            (&["echo", "$(rm -rf /)", "`id`", "; ls", "it's"], r"echo '$(rm -rf /)' '`id`' '; ls' 'it'\''s'"),
            (&["FOO=bar", "ls"], "'FOO=bar' ls"),
            (&["time", "ls"], "'time' ls"),
            (&["echo", "", "\n", "~", "a=b"], "echo '' '\n' '~' 'a=b'"),
            (&["{", "*", "{a,b}", "x{1..3}", "!", "-n5"], "'{' '*' '{a,b}' 'x{1..3}' '!' -n5"),
        ] {
            assert_eq!(line(argv), shown);
        }
        assert_eq!(with("PATH", "/secret").line(), r#"PATH="$PATH" ls"#);
        assert!(!format!("{:?}", with("PATH", "/secret")).contains("secret"));
    }

    proptest! {
        #[test]
        fn what_is_shown_is_byte_for_byte_what_runs(argv in prop::collection::vec("[^\0]{1,12}", 1..6)) {
            let invocation = Invocation { argv: argv.clone(), ..of(&[]) };
            prop_assert_eq!(shell_words::split(&invocation.line()).unwrap(), argv);
        }
    }
}
