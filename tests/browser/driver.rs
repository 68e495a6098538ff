//! One chromedriver serves all tests. Each page is one of its sessions, with a separate Chromium and profile.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::json;
use tempfile::TempDir;

/// The options for Chromium without a display and without any outside connection.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

static DRIVER: OnceLock<Result<String, String>> = OnceLock::new();
static CHILD: Mutex<Option<Child>> = Mutex::new(None);

/// Returns whether this machine has no Chromium to drive.
pub(crate) fn is_missing() -> bool {
    ["chromium", "chromedriver"].into_iter().any(|name| program(name).is_none())
}

/// Returns the driver's address.
pub(crate) fn find() -> Result<&'static str, &'static str> {
    DRIVER.get_or_init(start).as_deref().map_err(String::as_str)
}

/// Ends the driver, and with it every Chromium that a failed test left.
pub(crate) fn stop() {
    if let Some(mut child) = CHILD.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
        let _ = child.wait();
    }
}

/// Opens a browser. Its profile lives as long as what is returned.
pub(crate) async fn open(language: &str) -> (Client, TempDir) {
    let profile = tempfile::tempdir().unwrap();
    let mut flags: Vec<String> = FLAGS.iter().map(|flag| (*flag).to_owned()).collect();
    flags.push(format!("--user-data-dir={}", profile.path().display()));
    flags.push(format!("--lang={language}"));
    let options =
        json!({ "binary": program("chromium"), "args": flags, "prefs": { "intl.accept_languages": language } });
    let mut capabilities = Capabilities::new();
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    let mut builder = ClientBuilder::new(HttpConnector::new());
    let client = builder.capabilities(capabilities).connect(find().unwrap()).await;
    (client.expect("a browser"), profile)
}

fn start() -> Result<String, String> {
    let program = program("chromedriver").ok_or("chromium and chromedriver are not in PATH")?;
    let mut command = Command::new(program);
    command.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
    let mut child = command.spawn().map_err(|error| format!("chromedriver: {error}"))?;
    let output = child.stdout.take().ok_or("chromedriver has no output")?;
    *CHILD.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let port =
        lines.find_map(|line| Some(line.split_once("successfully on port ")?.1.trim_end_matches('.').to_owned()));
    // Its later output is not needed, but has to be read so that it does not block.
    std::thread::spawn(move || lines.for_each(drop));
    port.map(|port| format!("http://127.0.0.1:{port}")).ok_or_else(|| "chromedriver did not start".to_owned())
}

fn program(name: &str) -> Option<String> {
    let path = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file())?;
    Some(found.to_str()?.to_owned())
}
