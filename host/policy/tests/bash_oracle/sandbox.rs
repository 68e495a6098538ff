//! bash among programs that do nothing but say how they were started.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::TempDir;

/// Programs that only note their words. Those that begin with `b` fail.
const NOTING: [&str; 12] = ["aa", "bb", "cc", "rm", "git", "npm", "ls", "cat", "grep", "sudo", "ssh", "docker"];

/// Programs that start others, as they are.
const WRAPPERS: [&str; 7] = ["env", "timeout", "nohup", "nice", "xargs", "sh", "bash"];

const NOTE: &str = "#!/bin/sh\nprintf '%s\\0' $# \"${0##*/}\" \"$@\" >> \"$DMPLZ_LOG/$$\"\nprintf '%s\\n' \"$*\"\n\
case $0 in */b*) exit 1;; esac\n";

/// Read by bash before the line: what is not found is noted as well, and nobody is killed.
const BEFORE: &str = "ulimit -t 1 -f 100\nenable -n kill suspend ulimit fc history disown\n\
command_not_found_handle() { printf '%s\\0' $(($# - 1)) \"$@\" >> \"$DMPLZ_LOG/$BASHPID\"; return 127; }\n";

/// A folder with nothing but those programs.
pub(crate) struct Sandbox {
    folder: TempDir,
    runs: AtomicU64,
}

impl Sandbox {
    /// Creates a sandbox; `None` if bash is not installed.
    pub(crate) fn new() -> Option<Self> {
        if !Path::new("/usr/bin/bash").exists() || !Path::new("/usr/bin/timeout").exists() {
            return None;
        }
        let sandbox = Self { folder: tempfile::tempdir().unwrap(), runs: AtomicU64::new(0) };
        let programs = sandbox.path("programs");
        fs::create_dir_all(&programs).unwrap();
        for name in NOTING {
            let program = programs.join(name);
            fs::write(&program, NOTE).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        for name in WRAPPERS {
            let real = Path::new("/usr/bin").join(name);
            if real.exists() {
                symlink(real, programs.join(name)).unwrap();
            }
        }
        fs::write(sandbox.path("before"), BEFORE).unwrap();
        Some(sandbox)
    }

    /// Returns the words of every program that the line runs.
    pub(crate) fn run(&self, line: &str) -> Vec<Vec<String>> {
        // Each run has a directory, so that background processes of an earlier line write elsewhere.
        let run = self.path(&format!("run{}", self.runs.fetch_add(1, Ordering::Relaxed)));
        let (log, work) = (run.join("log"), run.join("w/o/r/k"));
        fs::create_dir_all(&log).unwrap();
        fs::create_dir_all(&work).unwrap();
        // `cat` reads as long as anything in the background can write; then or after a second all of it is gone.
        let mut bash = Command::new("/usr/bin/timeout");
        let all = "/usr/bin/bash -c \"$1\" 2>&1 | /usr/bin/cat > /dev/null";
        bash.args(["-s", "KILL", "1", "/bin/sh", "-c", all, "sh", line]).env_clear();
        bash.env("PATH", self.path("programs")).env("BASH_ENV", self.path("before")).env("DMPLZ_LOG", &log);
        bash.env("HOME", &work).current_dir(&work).stdin(Stdio::null());
        bash.stdout(Stdio::null()).stderr(Stdio::null());
        bash.status().unwrap();
        // Every process writes to a separate file, so that concurrent processes cannot be mixed up.
        let mut programs = Vec::new();
        for file in fs::read_dir(&log).unwrap() {
            let noted = fs::read(file.unwrap().path()).unwrap();
            let noted = String::from_utf8_lossy(&noted);
            let mut words = noted.split('\0');
            while let Some(count) = words.next().and_then(|count| count.parse::<usize>().ok()) {
                // A tilde stays as it is written.
                let tilde = |word: &str| word.replace(&*work.to_string_lossy(), "~");
                let words: Vec<String> = words.by_ref().take(count + 1).map(tilde).collect();
                // What was killed while it wrote is not whole.
                programs.extend((words.len() == count + 1).then_some(words));
            }
        }
        drop(fs::remove_dir_all(run));
        programs
    }

    /// Returns whether a shell would run it at all, if it is there.
    pub(crate) fn parses(&self, shell: &str, line: &str) -> bool {
        let path = Path::new("/usr/bin").join(shell);
        let mut command = Command::new(&path);
        command.args(["-n", "-c", line]).env_clear().stdin(Stdio::null());
        !path.exists() || command.output().unwrap().stderr.is_empty()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}
