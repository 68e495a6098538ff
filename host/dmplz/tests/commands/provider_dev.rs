//! `dmplz provider dev`: a folder that is built and tested at every change.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use dmplz_guests::HOSTILE;
use rustix::process::{Pid, Signal, kill_process};

use crate::command::Home;
use crate::provider::component;

/// How long a line is waited for.
const SOON: Duration = Duration::from_secs(40);

/// The program while it watches, and what it prints.
pub(crate) struct Watching {
    process: Child,
    lines: Receiver<String>,
}

impl Watching {
    /// Starts it for a folder of the working folder.
    pub(crate) fn start(home: &Home, folder: &str, arguments: &[&str]) -> Self {
        let mut command = home.command(&[&["provider", "dev", folder][..], arguments].concat());
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (sender, lines) = channel();
        let stdout = BufReader::new(process.stdout.take().unwrap());
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line))));
        Self { process, lines }
    }

    /// Waits for a line with this text.
    #[track_caller]
    pub(crate) fn shows(&self, text: &str) {
        self.shows_all(&[text]);
    }

    /// Waits for lines with these texts, in any order.
    #[track_caller]
    pub(crate) fn shows_all(&self, texts: &[&str]) {
        let (mut missing, mut seen) = (texts.to_vec(), Vec::new());
        while let Ok(line) = self.lines.recv_timeout(SOON) {
            missing.retain(|text| !line.contains(text));
            if missing.is_empty() {
                return;
            }
            seen.push(line);
        }
        panic!("{missing:?} is not shown, but {seen:#?}");
    }
}

impl Drop for Watching {
    /// Ends it as a terminal that is closed does, so that what it started ends too.
    fn drop(&mut self) {
        let pid = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw).unwrap();
        let _ = kill_process(pid, Signal::HUP);
        let _ = self.process.wait();
    }
}

/// The command of an author whose build takes the component from elsewhere.
const BUILD: [&str; 4] = ["--build", "test -f source && cp ../x.wasm built.wasm", "--component", "built.wasm"];

#[test]
fn a_folder_is_built_and_tested_again_whenever_a_file_changes() {
    let home = Home::new();
    component(&home, "x.wasm", HOSTILE);
    home.put("chat/source", "1");
    let watching = Watching::start(&home, "chat", &BUILD);
    watching.shows("Running: test -f source");
    watching.shows("hostile 1.0.0  sha256");
    watching.shows("Waiting for a change.");
    home.put("chat/source", "12");
    watching.shows("hostile 1.0.0  sha256");
    watching.shows("Waiting for a change.");
    std::fs::remove_file(home.path().join("work/chat/source")).unwrap();
    watching.shows("Running: test -f source");
    watching.shows("Waiting for a change.");
    home.put("chat/source", "again");
    watching.shows("hostile 1.0.0  sha256");
}

#[test]
fn once_it_ends_with_what_the_test_found() {
    let home = Home::new();
    component(&home, "x.wasm", HOSTILE);
    home.put("chat/source", "");
    let once = |arguments: &[&str]| home.run(&[&["provider", "dev", "chat", "--once"][..], arguments].concat());
    let left = once(&BUILD);
    assert!(left.code == Some(4) && left.stdout.contains("✗ "), "the guest is no messenger: {left:?}");
    std::fs::remove_file(home.path().join("work/chat/source")).unwrap();
    let left = once(&BUILD);
    assert!(left.code == Some(1) && left.stderr.contains("failed: exit status: 1"), "{left:?}");
    let left = once(&[]);
    assert!(left.code == Some(1) && left.stderr.contains("chat is no folder of `dmplz provider new`"), "{left:?}");
    let left = home.run(&["provider", "dev", "none", "--once"]);
    assert!(left.code == Some(1) && left.stderr.contains("none cannot be watched"), "{left:?}");
}
