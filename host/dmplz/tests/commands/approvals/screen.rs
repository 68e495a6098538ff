//! `dmplz approvals watch` on a whole screen: in tmux, which is a terminal that can be looked at. Skipped where there is no tmux.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{FIRST, LONG, SECOND, outcome};
use crate::command::Home;
use crate::gateway::Gateway;

/// How long anything that must happen is waited for.
const SOON: Duration = Duration::from_secs(40);

/// A screen of its own server of tmux, which ends with this.
struct Screen<'a> {
    home: &'a Home,
}

impl<'a> Screen<'a> {
    /// Starts the watch; none where there is no tmux.
    fn start(home: &'a Home) -> Option<Self> {
        if Command::new("tmux").arg("-V").stdout(Stdio::null()).status().is_err() {
            eprintln!("skipped: there is no tmux");
            return None;
        }
        let screen = Self { home };
        let line = format!("exec {} approvals watch", env!("CARGO_BIN_EXE_dmplz"));
        screen.tmux(&["-f", "/dev/null", "new-session", "-d", "-x", "90", "-y", "24", &line]);
        Some(screen)
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("tmux");
        command.env_clear().env("HOME", self.home.path()).env("PATH", "/usr/bin:/bin").envs(self.home.environment());
        command
            .env("TMUX_TMPDIR", self.home.path())
            .env("LC_ALL", "C.UTF-8")
            .env("TERM", "xterm")
            .env("SHELL", "/bin/sh");
        let output = command.args(["-u", "-L", "dmplz"]).args(arguments).stdin(Stdio::null()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Waits until something is on the screen, and returns all of it.
    #[track_caller]
    fn shows(&self, text: &str) -> String {
        let end = Instant::now() + SOON;
        loop {
            let shown = self.tmux(&["capture-pane", "-p"]);
            if shown.contains(text) {
                return shown;
            }
            assert!(Instant::now() < end, "{text:?} is not shown, but:\n{shown}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Presses a key until it has an effect: one that comes too early has none.
    #[track_caller]
    fn presses_until(&self, key: &str, text: &str) {
        let end = Instant::now() + SOON;
        while !self.tmux(&["capture-pane", "-p"]).contains(text) {
            assert!(Instant::now() < end, "{key} does not lead to {text:?}:\n{}", self.tmux(&["capture-pane", "-p"]));
            self.tmux(&["send-keys", key]);
            // More than the moment in which a request has to be left alone.
            std::thread::sleep(Duration::from_millis(900));
        }
    }
}

impl Drop for Screen<'_> {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

fn status(home: &Home, id: &str) -> String {
    home.run(&["approvals", "show", id, "--json"]).json()["status"].as_str().unwrap().to_owned()
}

#[test]
fn a_request_is_read_on_the_screen_and_allowed_with_two_keys() {
    let home = Home::new();
    let gateway = Gateway::start(&home);
    let Some(screen) = Screen::start(&home) else { return };
    screen.shows("Nothing waits for an answer.");
    let (mut hook, mut other) = (gateway.line(), gateway.line());
    hook.asks(FIRST, "git push origin main", LONG);
    let shown = screen.shows("│ git push origin main");
    assert!(
        shown.contains("dmplz · 1 waiting") && shown.contains("[y] allow") && shown.contains("[n] deny"),
        "{shown}"
    );
    other.asks(SECOND, "rm -rf build", LONG);
    screen.shows("dmplz · 2 waiting");
    // A paste answers nothing.
    screen.tmux(&["set-buffer", "y\n\n"]);
    screen.tmux(&["paste-buffer", "-p"]);
    screen.shows("A pasted text answers nothing.");
    assert_eq!(status(&home, FIRST), "open");
    screen.presses_until("y", "Allow it, this once? [Enter] yes  [Esc] no");
    screen.tmux(&["resize-window", "-x", "70", "-y", "20"]);
    screen.shows("Allow it, this once?");
    assert_eq!(status(&home, FIRST), "open", "it waits for Enter");
    screen.tmux(&["send-keys", "Enter"]);
    screen.shows("Approved: Bash · Ann (cli)");
    assert_eq!(outcome(&hook.decided()), "approved");
    // The next one comes up by itself, and is denied with a reason.
    screen.shows("│ rm -rf build");
    screen.presses_until("n", "Why? (Enter: no reason)");
    screen.tmux(&["send-keys", "-l", "not now"]);
    screen.shows("not now▏");
    screen.tmux(&["send-keys", "Enter"]);
    screen.shows("Reason: not now");
    assert_eq!(outcome(&other.decided()), "rejected_with_reason");
    screen.tmux(&["send-keys", "q"]);
    let end = Instant::now() + SOON;
    while !screen.tmux(&["capture-pane", "-p"]).is_empty() {
        assert!(Instant::now() < end, "it does not leave");
        std::thread::sleep(Duration::from_millis(50));
    }
}
