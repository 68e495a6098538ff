//! The real gateway in a new home, and the hooks that ask through it.

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

    /// Starts a gateway with settings.
    pub(crate) fn with(settings: &[(&str, &str)]) -> Self {
        let mut home = Home::bare(env!("CARGO_BIN_EXE_dmplz"));
        home.set("USER", "ada").set("DMPLZ_PAIRING_GAP", "10m");
        for (name, value) in settings {
            home.set(name, value);
        }
        let running = home.serve();
        Self { url: running.url().to_owned(), running: Some(running), home }
    }

    /// Starts an English gateway with a settings file.
    pub(crate) fn with_file(text: &str) -> Self {
        let mut home = Home::bare(env!("CARGO_BIN_EXE_dmplz"));
        home.set("USER", "ada").set("DMPLZ_LANG", "en");
        std::fs::create_dir_all(home.state()).unwrap();
        std::fs::write(home.state().join("config.toml"), text).unwrap();
        let running = home.serve();
        Self { url: running.url().to_owned(), running: Some(running), home }
    }

    /// Starts an English gateway with a settings file and a messenger.
    pub(crate) fn with_chat(chat: &dmplz_e2e::Chat, text: &str) -> Self {
        let mut home = Home::new(env!("CARGO_BIN_EXE_dmplz"), chat);
        home.set("USER", "ada").set("DMPLZ_LANG", "en").set("DMPLZ_ALLOWED_USERS", chat.id_of(dmplz_e2e::JIN));
        std::fs::create_dir_all(home.state()).unwrap();
        std::fs::write(home.state().join("config.toml"), text).unwrap();
        let running = home.serve();
        Self { url: running.url().to_owned(), running: Some(running), home }
    }

    /// Returns the home directory.
    pub(crate) fn home(&self) -> &std::path::Path {
        self.home.path()
    }

    /// Returns a code that lets one browser in.
    pub(crate) fn code(&self) -> String {
        self.pairing()["code"].as_str().unwrap().to_owned()
    }

    /// Returns a code, and the page to type it on.
    pub(crate) fn pairing(&self) -> Value {
        serde_json::from_str(&self.run(&["pair", "--json"])).unwrap()
    }

    /// Starts a hook that asks.
    pub(crate) fn hook(&self, event: &Value) -> Hook {
        self.home.hook(event)
    }

    /// Runs `dmplz` beside it.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let output = self.home.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns the state directory.
    pub(crate) fn state(&self) -> std::path::PathBuf {
        self.home.state()
    }

    /// Returns the token of programs.
    pub(crate) fn token(&self) -> String {
        std::fs::read_to_string(self.state().join("gateway.token")).unwrap().trim().to_owned()
    }

    /// Returns the port of the page.
    pub(crate) fn port(&self) -> u16 {
        self.url.rsplit(':').next().unwrap().parse().unwrap()
    }

    /// Kills it with SIGKILL.
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
