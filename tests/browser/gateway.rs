//! The real gateway in a home of its own, and the hooks that ask through it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use dmplz_e2e::{Home, Hook};
use serde_json::Value;

/// A gateway that runs.
pub(crate) struct Gateway {
    pub(crate) home: Home,
    child: Child,
    pub(crate) url: String,
}

impl Gateway {
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// With settings.
    pub(crate) fn with(settings: &[(&str, &str)]) -> Self {
        let mut home = Home::bare(env!("CARGO_BIN_EXE_dmplz"));
        home.set("DMPLZ_GATEWAY_PORT", "0").set("USER", "ada");
        for (name, value) in settings {
            home.set(name, value);
        }
        let (child, url) = serve(&home);
        Self { home, child, url }
    }

    /// A code that lets one browser in.
    pub(crate) fn code(&self) -> String {
        let output = self.home.command(&["pair", "--json"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let pairing: Value = serde_json::from_slice(&output.stdout).unwrap();
        pairing["code"].as_str().unwrap().to_owned()
    }

    /// Somebody's agent asks.
    pub(crate) fn hook(&self, event: &Value) -> Hook {
        self.home.hook(event)
    }

    /// SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again where it was.
    pub(crate) fn restart(&mut self) {
        let port = self.url.trim_end_matches('/').rsplit(':').next().unwrap().to_owned();
        self.home.set("DMPLZ_GATEWAY_PORT", port);
        let (child, url) = serve(&self.home);
        assert_eq!(url, self.url);
        self.child = child;
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(home: &Home) -> (Child, String) {
    let mut command: Command = home.command(&["serve", "--json"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let listening: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
    let url = listening["url"].as_str().unwrap_or_else(|| panic!("no address in {listening}"));
    (child, url.to_owned())
}
