//! The person at the terminal: what is said to them, and what they answer.
//!
//! With `--json` stdout is the report's, so everything is said on stderr. Questions are asked only where stdin is a terminal.

use std::io::{BufRead, IsTerminal, Write};
use std::time::Duration;

use anyhow::Context;
use dmplz_core::text::Lang;
use dmplz_core::visible::visible_line;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

use super::failure::Failure;
use super::secret;
use crate::terminal::{self, Paint, Tone, say};

/// How long the rest of a pasted text may take to come, at most.
const PASTED: Duration = Duration::from_millis(150);

/// A terminal, or something that is none.
pub(crate) struct Console {
    pub(super) lang: Lang,
    pub(super) paint: Paint,
    /// Whether stdout is for the report.
    quiet: bool,
    /// Lines that are typed, once a question was asked.
    lines: Option<UnboundedReceiver<String>>,
    /// How often the person did something.
    pub(super) actions: u32,
}

impl Console {
    pub(crate) fn new(lang: Lang, json: bool) -> Self {
        let paint = if json { Paint::PLAIN } else { Paint::of_stdout() };
        Self { lang, paint, quiet: json, lines: None, actions: 0 }
    }

    /// Whether somebody can be asked.
    pub(super) fn can_ask(&self) -> bool {
        std::io::stdin().is_terminal()
    }

    /// Words in the reader's language.
    pub(crate) fn of(&self, ko: &'static str, en: &'static str) -> &'static str {
        say(self.lang, ko, en)
    }

    /// Something that is done, or is so.
    pub(crate) fn done(&self, what: &str) {
        self.write(&format!("{} {}\n", self.paint.tone(Tone::Good, "✓"), visible_line(what)));
    }

    /// Something that the person should know.
    pub(crate) fn note(&self, what: &str) {
        self.write(&format!("{} {}\n", self.paint.tone(Tone::Doubtful, "!"), visible_line(what)));
    }

    /// What is wrong, and what to do, where the setup goes on all the same.
    pub(super) fn trouble(&self, failure: &Failure) {
        let words = failure.words(self.lang);
        self.write(&format!("{} {}\n", self.paint.tone(Tone::Bad, "✗"), visible_line(&words.what())));
        self.write(&format!("  {} {}\n", self.paint.tone(Tone::Strong, "→"), visible_line(&words.next)));
    }

    /// Text of ours, as it is.
    pub(super) fn write(&self, text: &str) {
        // A reader who went away is no reason to stop in the middle.
        let _ = match self.quiet {
            true => std::io::stderr().write_all(text.as_bytes()),
            false => terminal::show(text).map_err(std::io::Error::other),
        };
    }

    /// Asks for a line. `about` names what is missing where nobody can be asked.
    pub(super) async fn ask(&mut self, prompt: &str, about: &'static str) -> anyhow::Result<String> {
        if !self.can_ask() {
            return Err(Failure::NeedsPerson(about).into());
        }
        self.write(&format!("{} ", self.paint.tone(Tone::Strong, prompt)));
        let line = self.line().await?;
        self.actions += 1;
        Ok(line.trim().to_owned())
    }

    /// Asks for a yes or a no, as long as there is neither. Only what is typed after the question counts.
    pub(super) async fn confirm(&mut self, prompt: &str, about: &'static str) -> anyhow::Result<bool> {
        while self.lines.as_mut().is_some_and(|lines| lines.try_recv().is_ok()) {}
        loop {
            let answer = self.ask(&format!("{prompt} [y/n]"), about).await?;
            match answer.to_lowercase().as_str() {
                "y" | "yes" | "ㅛ" | "네" | "예" => return Ok(true),
                "n" | "no" | "ㅜ" | "아니요" | "아니오" => return Ok(false),
                _ => {}
            }
        }
    }

    /// Asks for a secret, which is not shown while it is pasted. A text of several lines is taken as a whole.
    pub(super) async fn ask_secret(&mut self, prompt: &str, about: &'static str) -> anyhow::Result<String> {
        loop {
            let pasted = self.ask_hidden(prompt, about).await?;
            match secret::in_text(&pasted) {
                Some(secret) => return Ok(secret),
                None => {
                    self.actions = self.actions.saturating_sub(1);
                    self.note(self.of("그 안에 토큰이 없습니다.", "There is no token in that."));
                }
            }
        }
    }

    /// Asks for a text that is not shown while it is typed or pasted, in one line or several.
    pub(super) async fn ask_hidden(&mut self, prompt: &str, about: &'static str) -> anyhow::Result<String> {
        if !self.can_ask() {
            return Err(Failure::NeedsPerson(about).into());
        }
        let _hidden = Hidden::begin().context("the terminal cannot hide what is typed")?;
        self.write(&format!("{} ", self.paint.tone(Tone::Strong, prompt)));
        let mut text = self.line().await?;
        while let Some(Some(line)) = self.next_of_paste().await {
            text.push('\n');
            text.push_str(&line);
        }
        self.write("\n");
        self.actions += 1;
        Ok(text)
    }

    async fn next_of_paste(&mut self) -> Option<Option<String>> {
        let lines = self.lines.as_mut()?;
        timeout(PASTED, lines.recv()).await.ok()
    }

    async fn line(&mut self) -> anyhow::Result<String> {
        let lines = self.lines.get_or_insert_with(|| {
            let (typed, lines) = unbounded_channel();
            std::thread::spawn(move || {
                let typed_lines = std::io::stdin().lock().lines().map_while(Result::ok);
                // Nobody listens any more once the setup is over.
                typed_lines.map(|line| typed.send(line)).take_while(Result::is_ok).for_each(drop);
            });
            lines
        });
        lines.recv().await.context(Failure::Left)
    }
}

/// A terminal that shows nothing of what is typed, until this is dropped.
struct Hidden(Termios);

impl Hidden {
    fn begin() -> std::io::Result<Self> {
        let before = tcgetattr(std::io::stdin())?;
        let mut hidden = before.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        tcsetattr(std::io::stdin(), OptionalActions::Now, &hidden)?;
        Ok(Self(before))
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &self.0);
    }
}
