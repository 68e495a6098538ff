use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::command::Home;

/// The time limit for everything that must happen. It is far longer than needed, because machines can be busy.
const SOON: Duration = Duration::from_secs(40);

/// The program in a real pseudo-terminal of `script(1)`, which is part of util-linux. A crate for pseudo-terminals
/// would enable features of rustix or libc, also for the program under test.
pub(crate) struct Terminal {
    child: Child,
    keyboard: ChildStdin,
    screen: Screen,
    seen: usize,
}

#[derive(Clone, Default)]
struct Screen(Arc<(Mutex<Content>, Condvar)>);

#[derive(Default)]
struct Content {
    text: Vec<u8>,
    is_over: bool,
}

impl Terminal {
    /// Starts it in a terminal of this number of columns.
    pub(crate) fn start(home: &Home, arguments: &[&str], columns: u16) -> Self {
        // If the tests run in the background, the shell ignores Ctrl-C for all processes that they start; under `nohup` the end of
        // the terminal is ignored too, and the program would go on without its test.
        let program = format!("env --default-signal=INT,HUP {} {}", env!("CARGO_BIN_EXE_dmplz"), arguments.join(" "));
        let line = format!("stty cols {columns} rows 50; exec {program}");
        let mut command = Command::new("script");
        command.args(["-qefc", &line, "/dev/null"]).env_clear().env("HOME", home.path()).env("PATH", "/usr/bin:/bin");
        command.envs(home.environment()).env("SHELL", "/bin/sh").env("TERM", "dumb").env("LC_ALL", "C.UTF-8");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.current_dir(home.path().join("work")).spawn().expect("start script(1)");
        let keyboard = child.stdin.take().unwrap();
        let screen = Screen::default();
        let (shared, mut stdout) = (screen.clone(), child.stdout.take().unwrap());
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            loop {
                let count = stdout.read(&mut chunk).unwrap_or(0);
                let (content, changed) = &*shared.0;
                let mut content = content.lock().unwrap();
                content.text.extend_from_slice(&chunk[..count]);
                content.is_over = count == 0;
                changed.notify_all();
                if count == 0 {
                    return;
                }
            }
        });
        Self { child, keyboard, screen, seen: 0 }
    }

    /// Types something; `\n` is Enter, `\u{3}` Ctrl-C, `\u{4}` Ctrl-D.
    pub(crate) fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    /// Waits until a text appears on the screen after what was seen before. Returns everything up to it.
    #[track_caller]
    pub(crate) fn shows(&mut self, text: &str) -> String {
        let end = Instant::now() + SOON;
        let (content, changed) = &*self.screen.0;
        let mut content = content.lock().unwrap();
        loop {
            let new = String::from_utf8_lossy(&content.text[self.seen..]).replace("\r\n", "\n");
            if let Some(at) = String::from_utf8_lossy(&content.text[self.seen..]).find(text) {
                self.seen += at + text.len();
                return new.split_inclusive(text).next().unwrap_or_default().to_owned();
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero() && !content.is_over, "{text:?} is not shown, but:\n{new}");
            content = changed.wait_timeout(content, left).unwrap().0;
        }
    }

    /// Waits for its end; the exit code, and what was shown since.
    #[track_caller]
    pub(crate) fn ended(mut self) -> (Option<i32>, String) {
        let end = Instant::now() + SOON;
        let (content, changed) = &*self.screen.0;
        let mut content = content.lock().unwrap();
        while !content.is_over {
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "it goes on and on:\n{}", String::from_utf8_lossy(&content.text));
            content = changed.wait_timeout(content, left).unwrap().0;
        }
        let rest = String::from_utf8_lossy(&content.text[self.seen..]).replace("\r\n", "\n");
        drop(content);
        (self.child.wait().unwrap().code(), rest)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
