//! The parts of the demo: the server, a temporary home for the hook, and the hook itself.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Context;
use dmplz_core::text::Lang;
use dmplz_fakes::telegram::{FakeTelegram, Message, MessageRef, PressError, User};
use dmplz_state::found;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::answer::Answer;

/// A request as Claude Code 2.1.330 wrote it to a hook.
pub(super) const REQUEST: &str = include_str!("request.json");

/// The time that the demo waits for the answer to a press.
const TOAST: Duration = Duration::from_secs(20);
/// The interval at which a thread checks whether the demo is over.
const LOOK: Duration = Duration::from_millis(500);

/// The server, the chat with the bot, and the home of the hook.
pub(super) struct Stage {
    telegram: FakeTelegram,
    jin: User,
    chat: i64,
    home: TempDir,
    events: UnboundedSender<Event>,
}

/// An event of the demo.
pub(super) enum Event {
    /// The messages of the chat changed.
    Chat(Vec<Message>),
    /// The bot answered a press.
    Toast(String),
    /// A line was typed.
    Line(String),
    /// The input ended.
    InputOver,
    /// The hook closed its stdout after writing this.
    HookOver(String),
}

/// The running hook. It is killed when this is dropped.
pub(super) struct Hook {
    child: Child,
    stderr: Option<JoinHandle<String>>,
}

impl Stage {
    /// Creates the stage, and the receiver of its events.
    pub(super) fn set() -> anyhow::Result<(Self, UnboundedReceiver<Event>)> {
        let telegram = FakeTelegram::setup().spawn_thread().context("loopback cannot be served")?;
        let jin = User::person(7, "Jin");
        let chat = telegram.private_chat(&jin);
        let home =
            tempfile::Builder::new().prefix("dmplz-demo-").tempdir().context("a temporary directory cannot be made")?;
        let (events, happened) = unbounded_channel();
        Ok((Self { telegram, jin, chat, home, events }, happened))
    }

    pub(super) fn base_url(&self) -> String {
        self.telegram.base_url()
    }

    /// Starts this program as a hook, as Claude Code does, with nothing of the environment but the time zone.
    pub(super) fn start_hook(&self, answer: Option<&Answer>, lang: Lang) -> anyhow::Result<Hook> {
        let program = std::env::current_exe().context("this program's own path cannot be found")?;
        let mut command = Command::new(program);
        command.arg("hook").env_clear().envs(self.variables(lang)).current_dir(self.home.path());
        let names = ["DMPLZ_QUESTION_TIMEOUT_MS", "DMPLZ_REJECT_REASON_TIMEOUT_MS"];
        for (name, limit) in names.into_iter().zip(answer.map(Answer::limits).into_iter().flatten()) {
            limit.map(|limit| command.env(name, limit.as_millis().to_string()));
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("the hook cannot be started")?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(REQUEST.as_bytes()).context("the hook takes no input")?;
        }
        let stderr = child.stderr.take().map(|stderr| thread::spawn(move || all_of(stderr)));
        Ok(Hook { child, stderr })
    }

    fn variables(&self, lang: Lang) -> Vec<(&'static str, OsString)> {
        let lang = if lang == Lang::En { "en" } else { "ko" };
        let mut variables: Vec<(&'static str, OsString)> = vec![
            ("HOME", self.home.path().into()),
            ("DMPLZ_STATE_DIR", self.state().into()),
            ("DMPLZ_LANG", lang.into()),
            ("DMPLZ_PROVIDER", "telegram".into()),
            ("DMPLZ_TELEGRAM_API_BASE", self.telegram.base_url().into()),
            ("DMPLZ_TELEGRAM_BOT_TOKEN", self.telegram.token().into()),
            ("DMPLZ_TELEGRAM_CHAT_ID", self.chat.to_string().into()),
        ];
        variables.extend(std::env::var_os("TZ").map(|zone| ("TZ", zone)));
        variables
    }

    fn state(&self) -> PathBuf {
        self.home.path().join("state")
    }

    /// Watches the hook, the chat and, if a person may type, stdin.
    pub(super) fn watch(&self, hook: &mut Hook, typed: bool) -> anyhow::Result<()> {
        let stdout = hook.child.stdout.take().context("the hook's answer cannot be read")?;
        let to = self.events.clone();
        thread::spawn(move || to.send(Event::HookOver(all_of(stdout))));
        let (telegram, chat, to) = (self.telegram.clone(), self.chat, self.events.clone());
        thread::spawn(move || follow(&telegram, chat, &to));
        if typed {
            let to = self.events.clone();
            thread::spawn(move || {
                for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                    let _ = to.send(Event::Line(line));
                }
                to.send(Event::InputOver)
            });
        }
        Ok(())
    }

    pub(super) fn messages(&self) -> Vec<Message> {
        self.telegram.messages(self.chat)
    }

    /// Presses a button. The bot's answer arrives as an [`Event::Toast`].
    pub(super) fn press(&self, message: MessageRef, label: &str) -> Result<(), PressError> {
        let press = self.telegram.press(message, label, &self.jin)?;
        let (telegram, to) = (self.telegram.clone(), self.events.clone());
        thread::spawn(move || {
            let answer = telegram.await_answer_blocking(&press, TOAST).filter(|answer| !answer.text.is_empty());
            answer.map(|answer| to.send(Event::Toast(answer.text)))
        });
        Ok(())
    }

    pub(super) fn write(&self, text: &str) {
        self.telegram.say(self.chat, &self.jin, text);
    }

    /// Returns the lines of the log of rejections.
    pub(super) fn log(&self) -> anyhow::Result<Vec<String>> {
        let path = self.state().join("rejections.jsonl");
        let text =
            found(std::fs::read_to_string(&path)).with_context(|| format!("{} cannot be read", path.display()))?;
        Ok(text.unwrap_or_default().lines().map(str::to_owned).collect())
    }

    /// Returns the violations of the Bot API's schema in requests and replies.
    pub(super) fn violations(&self) -> Vec<String> {
        self.telegram.violations().iter().map(ToString::to_string).collect()
    }
}

impl Hook {
    /// Waits until the hook ends. Returns its exit code and its stderr.
    pub(super) fn ended(mut self) -> anyhow::Result<(Option<i32>, String)> {
        let status = self.child.wait().context("the hook's end cannot be waited for")?;
        let stderr = self.stderr.take().and_then(|reader| reader.join().ok()).unwrap_or_default();
        Ok((status.code(), stderr))
    }
}

impl Drop for Hook {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn all_of(mut pipe: impl Read) -> String {
    let mut bytes = Vec::new();
    // The bytes before an error are shown as well; the verdict reports that they are incomplete.
    let _ = BufReader::new(&mut pipe).read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reports the chat whenever a message or a revision arrives.
fn follow(telegram: &FakeTelegram, chat: i64, to: &UnboundedSender<Event>) {
    let count = |messages: &[Message]| messages.iter().map(|message| message.revisions.len()).sum::<usize>();
    let mut seen = 0;
    loop {
        let news = telegram.watch_blocking(chat, LOOK, |messages| (count(messages) != seen).then(|| messages.to_vec()));
        if let Some(messages) = news {
            seen = count(&messages);
            if to.send(Event::Chat(messages)).is_err() {
                return;
            }
        }
    }
}
