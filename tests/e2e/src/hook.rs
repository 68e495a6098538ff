use std::fmt;
use std::io::Write;
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::Value;

use crate::SOON;
use crate::pipe::Pipe;

/// A running hook, from the client's point of view.
pub struct Hook {
    child: Child,
    started: Instant,
    stdout: Pipe,
    stderr: Pipe,
    /// The client's ends of the sockets.
    client: [UnixStream; 2],
}

/// A hook that has ended.
#[must_use]
#[derive(Debug)]
pub struct Ended {
    /// Everything that it wrote to stdout.
    pub stdout: String,
    /// Everything that it wrote to stderr.
    pub stderr: String,
    /// The status with which it exited.
    pub status: ExitStatus,
    /// The time just before its process was started.
    pub started: Instant,
    /// The time at which the system closed the last of its outputs, as observed by a dedicated thread.
    pub exited: Instant,
    /// How long its main thread could have run but had no processor; `None` if the system does not report it.
    pub starved: Duration,
}

impl Hook {
    /// Starts it, and writes `stdin` from another thread, because the client does not wait for it either.
    pub(crate) fn start(mut command: Command, stdin: Vec<u8>) -> Self {
        let [(input, its_stdin), (output, its_stdout), (errors, its_stderr)] =
            std::array::from_fn(|_| UnixStream::pair().unwrap());
        let stdio = |socket: UnixStream| Stdio::from(OwnedFd::from(socket));
        command.stdin(stdio(its_stdin)).stdout(stdio(its_stdout)).stderr(stdio(its_stderr)).process_group(0);
        let started = Instant::now();
        let child = command.spawn().expect("start dmplz");
        // The command still holds the hook's ends.
        drop(command);
        let client = [output.try_clone().unwrap(), errors.try_clone().unwrap()];
        std::thread::spawn(move || {
            // A hook may end before it has read everything.
            let _ = (&input).write_all(&stdin);
        });
        Self { child, started, stdout: Pipe::read(output), stderr: Pipe::read(errors), client }
    }

    /// Returns when it was started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Returns whether it has ended.
    pub fn is_over(&self) -> bool {
        self.stdout.over_at().is_some() && self.stderr.over_at().is_some()
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// Panics if it takes longer than [`SOON`].
    #[track_caller]
    pub fn ended(mut self) -> Ended {
        let all = |pipe: &Pipe| pipe.wait(SOON, |_| false);
        let (Some(stdout), Some(stderr)) = (all(&self.stdout), all(&self.stderr)) else {
            panic!("the hook goes on and on: stdout {:?} stderr {:?}", self.stdout.so_far(), self.stderr.so_far());
        };
        let starved = starved(self.child.id());
        let status = self.child.wait().unwrap();
        let exited = self.stdout.over_at().max(self.stderr.over_at()).unwrap_or_else(Instant::now);
        Ended { stdout, stderr, status, started: self.started, exited, starved }
    }

    /// Waits for a whole line on stdout while the hook may continue.
    #[track_caller]
    pub fn answer(&self) -> Value {
        let line = self.stdout.wait(SOON, |bytes| bytes.ends_with(b"\n")).expect("an answer");
        serde_json::from_str(&line).expect("JSON")
    }

    /// Sends SIGTERM to the whole process group: No or Esc in the terminal, a time-out of the client, or its exit.
    pub fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Kills the process with SIGKILL.
    pub fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Stops the process with SIGSTOP.
    pub fn pause(&self) {
        self.signal(Signal::STOP);
    }

    /// Continues a stopped process with SIGCONT.
    pub fn go_on(&self) {
        self.signal(Signal::CONT);
    }

    /// Simulates the death of the client: closes its ends of the sockets.
    pub fn hang_up(&self) {
        self.client.iter().for_each(|socket| drop(socket.shutdown(Shutdown::Both)));
    }

    fn signal(&self, signal: Signal) {
        let group = Pid::from_child(&self.child);
        kill_process_group(group, signal).unwrap();
    }
}

/// Returns the time that a process has waited for a processor: the second number of Linux's `schedstat`, in
/// nanoseconds.
fn starved(pid: u32) -> Duration {
    let text = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap_or_default();
    let nanos = text.split_whitespace().nth(1).and_then(|nanos| nanos.parse().ok());
    Duration::from_nanos(nanos.unwrap_or_default())
}

impl Drop for Hook {
    /// Kills the process, so that a failed test leaves none behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Hook({})", self.child.id())
    }
}

impl Ended {
    /// Returns the decision of a hook that ended correctly: exit code 0, stdout exactly one JSON object on one line.
    #[track_caller]
    pub fn decision(&self) -> Value {
        assert_eq!(self.status.code(), Some(0), "{self:?}");
        let line = self.stdout.strip_suffix('\n').unwrap_or_else(|| panic!("a whole line: {self:?}"));
        assert!(!line.contains('\n'), "{self:?}");
        let output: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        let output = output.as_object().expect("an object");
        assert_eq!(output.keys().collect::<Vec<_>>(), ["hookSpecificOutput"]);
        let specific = output["hookSpecificOutput"].as_object().expect("an object");
        assert_eq!(specific["hookEventName"], "PermissionRequest");
        assert_eq!(specific.len(), 2, "{self:?}");
        specific["decision"].clone()
    }

    /// Checks for a decision.
    #[track_caller]
    pub fn decides(&self, decision: Value) {
        assert_eq!(self.decision(), decision, "{self:?}");
    }

    /// Checks for a deny with this message.
    #[track_caller]
    pub fn denies(&self, message: &str) {
        self.decides(serde_json::json!({ "behavior": "deny", "message": message }));
    }

    /// Checks that there is no decision: exit code 0, and stdout empty or explaining why.
    #[track_caller]
    pub fn decides_nothing(&self) {
        assert_eq!(self.status.code(), Some(0), "{self:?}");
        if !self.stdout.is_empty() {
            self.explains();
        }
    }

    /// Checks that there is no decision and that stdout explains why, and returns that text.
    #[track_caller]
    pub fn explains(&self) -> String {
        let output: Value = serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        let output = output.as_object().expect("an object");
        assert_eq!(output.keys().collect::<Vec<_>>(), ["systemMessage"], "{self:?}");
        output["systemMessage"].as_str().expect("a text").to_owned()
    }

    /// Checks that there is no output at all.
    #[track_caller]
    pub fn is_silent(&self) {
        assert_eq!((self.stdout.as_str(), self.status.code()), ("", Some(0)), "{self:?}");
        assert_eq!(self.stderr, "");
    }

    /// Checks for exactly one line on stderr, and returns it.
    #[track_caller]
    pub fn complaint(&self) -> &str {
        let line = self.stderr.strip_suffix('\n').unwrap_or_else(|| panic!("a line on stderr: {self:?}"));
        assert!(!line.contains('\n') && line.starts_with("dmplz: "), "{self:?}");
        line.strip_prefix("dmplz: ").unwrap()
    }
}
