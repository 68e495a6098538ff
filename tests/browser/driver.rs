//! One chromedriver serves all tests. Each page has a Chromium for itself, one of the driver's sessions: one that an earlier page left
//! as if it were new, because a start takes some seconds of processor time.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
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

const LANGUAGE: &str = "en-US";

static DRIVER: OnceLock<Result<String, String>> = OnceLock::new();
static CHILD: Mutex<Option<Child>> = Mutex::new(None);
static IDLE: Mutex<Vec<Browser>> = Mutex::new(Vec::new());

/// A Chromium that shows one empty tab when a test gets it.
pub(crate) struct Browser {
    pub(crate) client: Client,
    _profile: TempDir,
}

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
    // The profiles go with them.
    idle().clear();
}

fn idle() -> MutexGuard<'static, Vec<Browser>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Browser {
    /// Returns a browser that nobody uses; starts one where there is none.
    pub(crate) async fn open() -> Self {
        let left = idle().pop();
        match left {
            Some(browser) => browser,
            None => Self::start().await,
        }
    }

    /// Starts a browser with an empty profile.
    pub(crate) async fn start() -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut flags: Vec<String> = FLAGS.iter().map(|flag| (*flag).to_owned()).collect();
        flags.push(format!("--user-data-dir={}", profile.path().display()));
        flags.push(format!("--lang={LANGUAGE}"));
        let options =
            json!({ "binary": program("chromium"), "args": flags, "prefs": { "intl.accept_languages": LANGUAGE } });
        let mut capabilities = Capabilities::new();
        capabilities.insert("goog:chromeOptions".to_owned(), options);
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let client = builder.capabilities(capabilities).connect(find().unwrap()).await;
        Self { client: client.expect("a browser"), _profile: profile }
    }

    /// Forgets all that a page of this origin left, and keeps the browser for the next test. A browser whose test failed
    /// does not come back.
    pub(crate) async fn leave(self, origin: &str) {
        self.devtools("Storage.clearDataForOrigin", json!({ "origin": origin, "storageTypes": "all" })).await;
        for command in ["Network.clearBrowserCookies", "Network.clearBrowserCache", "Browser.resetPermissions"] {
            self.devtools(command, json!({})).await;
        }
        // Scripts, the size of the screen and all else that was emulated belong to the tab.
        let used = self.client.windows().await.unwrap();
        let tab = self.client.new_window(true).await.unwrap().handle;
        for window in used {
            self.client.switch_to_window(window).await.unwrap();
            self.client.close_window().await.unwrap();
        }
        self.client.switch_to_window(tab).await.unwrap();
        idle().push(self);
    }

    /// Asks Chromium itself. Returns its reply.
    pub(crate) async fn devtools(&self, command: &str, params: Value) -> Value {
        self.client.issue_cmd(DevTools(json!({ "cmd": command, "params": params }))).await.unwrap()
    }
}

/// A command of Chromium's own.
#[derive(Debug)]
struct DevTools(Value);

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.0.to_string()))
    }
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
