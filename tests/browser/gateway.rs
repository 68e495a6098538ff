//! The real gateway in a home of its own, and the hooks that ask through it.

use dmplz_e2e::{Home, Hook};
use serde_json::Value;

/// A gateway that runs.
pub(crate) struct Gateway {
    home: Home,
    running: Option<dmplz_e2e::Gateway>,
    pub(crate) url: String,
}

impl Gateway {
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// With settings.
    pub(crate) fn with(settings: &[(&str, &str)]) -> Self {
        let mut home = Home::bare(env!("CARGO_BIN_EXE_dmplz"));
        home.set("USER", "ada");
        for (name, value) in settings {
            home.set(name, value);
        }
        let running = home.serve();
        Self { url: running.url().to_owned(), running: Some(running), home }
    }

    /// A code that lets one browser in.
    pub(crate) fn code(&self) -> String {
        let output = self.home.run(&["pair", "--json"]);
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
        self.running.take().unwrap().kill();
    }

    /// Starts it again where it was.
    pub(crate) fn restart(&mut self) {
        let port = self.url.rsplit(':').next().unwrap().parse().unwrap();
        let running = self.home.serve_at(port);
        assert_eq!(running.url(), self.url);
        self.running = Some(running);
    }
}
