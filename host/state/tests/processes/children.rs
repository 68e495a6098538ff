//! Processes that the tests start, talk to, and kill.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread;

const ROLE: &str = "DMPLZ_STATE_TEST_ROLE";

/// The task of this process.
pub(crate) struct Role {
    pub(crate) name: String,
    pub(crate) dir: PathBuf,
    /// Which of several it is.
    pub(crate) index: usize,
}

impl Role {
    #[allow(clippy::disallowed_methods, reason = "how a test tells its child what to do")]
    pub(crate) fn of_this_process() -> Option<Self> {
        let role = env::var(ROLE).ok()?;
        let mut parts = role.splitn(3, ' ');
        let (name, index, dir) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self { name: name.to_owned(), dir: dir.into(), index: index.parse().unwrap() })
    }

    /// Runs such a process to its end. It ignores the signal of a file that grows too large, which would end it: so it
    /// gets what a full disk gives, first a part of a write and then an error.
    pub(crate) fn run_with_limited_files(name: &str, dir: &Path) {
        let role = Self::command(name, dir, 0);
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ && exec \"$0\" \"$@\""]).arg(role.get_program()).args(role.get_args());
        command.envs(role.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Returns the command that starts such a process.
    pub(crate) fn command(name: &str, dir: &Path, index: usize) -> Command {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", "child", "--nocapture"]);
        command.env(ROLE, format!("{name} {index} {}", dir.display()));
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        command
    }
}

/// Tells the test what this process did, in one write, so that a kill cuts no line.
pub(crate) fn say(word: &str) {
    std::io::stderr().write_all(format!("> {word}\n").as_bytes()).unwrap();
}

/// A line of a process, or `None` at its end.
pub(crate) type ChildLine = (usize, Option<String>);

/// A started process. Its output goes to the test.
pub(crate) struct Started {
    pub(crate) child: Child,
}

impl Started {
    pub(crate) fn new(name: &str, dir: &Path, index: usize, said: Sender<ChildLine>) -> Self {
        let mut child = Role::command(name, dir, index).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                match line.strip_prefix("> ") {
                    Some(word) => drop(said.send((index, Some(word.to_owned())))),
                    None => eprintln!("{index}: {line}"),
                }
            }
            drop(said.send((index, None)));
        });
        Self { child }
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Closes its stdin, at which it ends.
    pub(crate) fn dismiss(&mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }
}
