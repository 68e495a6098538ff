//! The desktop of this machine: `notify-send` of freedesktop.org, or `osascript` of macOS.
//!
//! The text of a notice has no control characters, because rendering made them visible. It is an argument of its own, never
//! part of a script, and markup is escaped. The program gets no setting of this process: only the variables of [`KEPT`].

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use dmplz_core::notify::{Priority, units_cost};
use dmplz_gateway::notices::{Deliver, Outgoing, Undelivered};
use tokio::process::Command;
use tokio::time::timeout;

use crate::settings::Environment;

/// The longest text, in UTF-16 code units. Desktops show less.
const LONGEST: usize = 1_000;
/// How long the program may take.
const SHOWN: Duration = Duration::from_secs(10);
/// The variables by which the program finds the desktop.
const KEPT: [&str; 8] =
    ["PATH", "HOME", "LANG", "LC_ALL", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY"];
/// Shows its two arguments.
const SCRIPT: &str =
    "on run argv\ndisplay notification (item 2 of argv) with title \"dmplz\" subtitle (item 1 of argv)\nend run";

/// The program that shows notices on this desktop.
pub(super) struct Desktop {
    program: PathBuf,
    is_macos: bool,
    env: Vec<(&'static str, String)>,
}

impl Desktop {
    /// Finds the notifier in `PATH`.
    pub(super) fn find(environment: Environment<'_>) -> Result<Self, String> {
        let path = environment("PATH").unwrap_or_default();
        let found = |name: &str| std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file());
        let env = KEPT.into_iter().filter_map(|name| Some((name, environment(name)?))).collect();
        let program = found("notify-send").map(|program| (program, false));
        let program = program.or_else(|| found("osascript").map(|program| (program, true)));
        let (program, is_macos) = program.ok_or("neither notify-send nor osascript is in PATH")?;
        Ok(Self { program, is_macos, env })
    }

    fn arguments(&self, outgoing: &Outgoing) -> Vec<String> {
        let fitted = outgoing.notice.fit(LONGEST, units_cost, outgoing.lang);
        if self.is_macos {
            return vec!["-e".to_owned(), SCRIPT.to_owned(), "--".to_owned(), fitted.title, fitted.body];
        }
        let urgency = match Priority::of(&outgoing.occurrence) {
            Priority::Permission | Priority::Failure => "--urgency=critical",
            Priority::Done => "--urgency=normal",
            Priority::Progress => "--urgency=low",
        };
        // The body is markup to most desktops; the title is not.
        let body = fitted.body.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        vec!["--app-name=dmplz".to_owned(), urgency.to_owned(), "--".to_owned(), fitted.title, body]
    }
}

impl Deliver for Desktop {
    async fn deliver(&self, outgoing: &Outgoing) -> Result<(), Undelivered> {
        let name = self.program.file_name().unwrap_or_default().to_string_lossy();
        let mut command = Command::new(&self.program);
        command.args(self.arguments(outgoing)).env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        // A program whose attempt is given up is killed.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let mut running = match command.spawn() {
            Ok(child) => child,
            Err(error) => return Err(Undelivered::Down(format!("{name} cannot be started: {error}"))),
        };
        match timeout(SHOWN, running.wait()).await {
            Ok(Ok(status)) if status.success() => Ok(()),
            Ok(Ok(status)) => {
                let code = status.code().map_or_else(|| "a signal".to_owned(), |code| code.to_string());
                Err(Undelivered::Down(format!("{name} ended with {code}: is there a desktop?")))
            }
            Ok(Err(error)) => Err(Undelivered::Down(format!("{name} cannot be waited for: {error}"))),
            Err(_) => Err(Undelivered::Down(format!("{name} did not end within {} s", SHOWN.as_secs()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use dmplz_core::notify::{Detail, EventKind, Notice, Occurrence};
    use dmplz_core::text::Lang;

    use super::*;

    #[test]
    fn hostile_text_is_one_argument_without_control_characters_or_markup() {
        let occurrence = Occurrence {
            cwd: "/home/ann/--urgency=low".into(),
            subject: Some("--help".into()),
            summary: Some("\u{1b}]52;c;eA==\u{7} <b>bold</b> & \"; do shell script \"x\u{0}".into()),
            ..Occurrence::new(EventKind::PostToolUseFailure, "1".into(), 0)
        };
        let notice = Notice::of(&occurrence, 1, Detail::Normal, Lang::En, 0);
        let outgoing = Outgoing { uid: "0".into(), notice, occurrence, count: 1, lang: Lang::En, now_ms: 0 };
        let desktop = |is_macos| Desktop { program: "notify-send".into(), is_macos, env: Vec::new() };
        let shown = desktop(false).arguments(&outgoing);
        assert_eq!(shown[..4], ["--app-name=dmplz", "--urgency=critical", "--", "⚠️ A tool failed"]);
        assert!(shown[4].contains("&lt;b&gt;bold&lt;/b&gt; &amp; \"; do shell script"), "{shown:?}");
        assert_eq!(shown.len(), 5);
        let script = desktop(true).arguments(&outgoing);
        assert_eq!(script[..3], ["-e", SCRIPT, "--"]);
        for text in shown.iter().chain(&script[3..]) {
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        }
        assert!(Desktop::find(&|_| None).is_err());
    }
}
