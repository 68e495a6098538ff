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
        self.pairing()["code"].as_str().unwrap().to_owned()
    }

    /// A code, and where it is to be typed.
    pub(crate) fn pairing(&self) -> Value {
        serde_json::from_str(&self.run(&["pair", "--json"])).unwrap()
    }

    /// Somebody's agent asks.
    pub(crate) fn hook(&self, event: &Value) -> Hook {
        self.home.hook(event)
    }

    /// Runs `dmplz` beside it.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let output = self.home.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Where everything is kept.
    pub(crate) fn state(&self) -> std::path::PathBuf {
        self.home.state()
    }

    /// What programs show.
    pub(crate) fn token(&self) -> String {
        std::fs::read_to_string(self.state().join("gateway.token")).unwrap().trim().to_owned()
    }

    /// The port of the page.
    pub(crate) fn port(&self) -> u16 {
        self.url.rsplit(':').next().unwrap().parse().unwrap()
    }

    /// SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.running.take().unwrap().kill();
    }

    /// Starts it again where it was.
    pub(crate) fn restart(&mut self) {
        let running = self.home.serve_at(self.port());
        assert_eq!(running.url(), self.url);
        self.running = Some(running);
    }
}
