//! Measures what sessions of an agent cost.
//!
//! | candidate | what is measured |
//! |---|---|
//! | asking | a client under `dmplz serve` asks for a permission: from its line to the first byte of the card at a loopback server of Telegram's Bot API |
//! | streaming | 20 clients that together write 2,000 parts of a text a second: processor time of the gateway and the keepers; a program reads along |
//! | keepers | the peak memory of their processes |
//! | flooding | a client that writes as fast as it is read, once under the gateway and once under the official Agent SDK for Python (`sdk`): lines a second up to the end of the turn, the time from the start of a session to its first message, and memory |
//!
//! The client is this program: `client`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::{Value, json};

use super::Goal;
use super::chat::{Chat, PRESS_AFTER};
use super::client::{ASKED, BEGAN, CLIENT, FLOOD, now, since};
use super::gateway::{Line, Serve};
use super::sdk::{self, Seen};
use super::table::{Row, median};

const ASKS: usize = 31;
const FLOODS: usize = 5;
const SESSIONS: usize = 20;
const STREAM: Duration = Duration::from_secs(8);
/// The length of a tick of the processor time in `/proc`, in seconds.
const TICK: f64 = 0.01;
const SOON: Duration = Duration::from_secs(30);

/// Measures them. `dmplz` is the binary that is measured.
pub(super) fn rows(dmplz: &Path) -> anyhow::Result<Vec<Row>> {
    let chat = Chat::start(None)?;
    let settings = format!(
        "telegram_bot_token = \"110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw\"\ntelegram_chat_id = \"42\"\n\
         telegram_api_base = \"http://{}\"\n",
        chat.address
    );
    let bench = Bench { serve: Serve::with(dmplz, &settings)?, chat };
    bench.install()?;
    let asked = bench.asked()?;
    let (share, told) = bench.streamed()?;
    let peak = bench.keepers()?.into_iter().filter_map(peak_mib).fold(0.0, f64::max);
    let (own, sdk) = bench.flooded()?;
    let beside = |what, unit, of: fn(&Seen) -> f64| {
        let (own, sdk) = (of(&own), sdk.as_ref().map(of));
        let ratio = sdk.map(|sdk| sdk / own);
        [Row::new(what, Some(own), unit, None, None), Row::new("  the Agent SDK for Python's", sdk, unit, ratio, None)]
    };
    let mut rows = vec![
        Row::new(
            "a session's question to its card's first byte",
            median(asked),
            "ms",
            None,
            Some(Goal::ValueBelow(5.0)),
        ),
        Row::new("20 sessions, 2,000 lines/s: share of a core", Some(share), "%", None, Some(Goal::ValueBelow(25.0))),
        Row::new("20 sessions, 2,000 lines/s: told to one who reads", Some(told), "/s", None, None),
        Row::new("the keeper's peak memory", Some(peak), "MiB", None, Some(Goal::ValueBelow(6.0))),
    ];
    rows.extend(beside("a session's start to its first message", "ms", |it| it.start_ms));
    rows.extend(beside("lines of a flood", "/s", |it| it.lines));
    rows.extend(beside("the keeper's peak memory after floods", "MiB", |it| it.mib));
    Ok(rows)
}

struct Bench {
    serve: Serve,
    chat: Chat,
}

impl Bench {
    fn work(&self) -> PathBuf {
        self.serve.home().join("work")
    }

    /// Makes this program the client.
    fn install(&self) -> anyhow::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        std::fs::create_dir_all(self.work())?;
        let (client, own) = (self.serve.home().join("claude"), std::env::current_exe()?);
        std::fs::write(&client, format!("#!/bin/sh\nexec {} {CLIENT}\n", own.display()))?;
        Ok(std::fs::set_permissions(&client, std::fs::Permissions::from_mode(0o755))?)
    }

    fn start(&self, line: &mut Line, prompt: &str) -> anyhow::Result<String> {
        let path = format!("{}:/usr/bin:/bin", self.serve.home().display());
        let env = json!({ "HOME": self.serve.home(), "PATH": path });
        let started = line.call("session.start", &json!({ "cwd": self.work(), "prompt": prompt, "env": env }))?;
        let id = started.pointer("/result/session/id").and_then(Value::as_str);
        Ok(id.with_context(|| format!("start a session: {started}"))?.to_owned())
    }

    /// Returns the milliseconds from a client's question to the card, of each question.
    fn asked(&self) -> anyhow::Result<Vec<f64>> {
        let mut line = self.serve.connect()?;
        line.call("events.subscribe", &json!({ "types": ["session.event"] }))?;
        let session = self.start(&mut line, "ready")?;
        let mut took = Vec::new();
        for _ in 0..ASKS {
            line.until(|told| told.pointer("/params/happened/event/kind").and_then(Value::as_str) == Some("turn"))?;
            // The messenger's last edits of the card before are over by then.
            std::thread::sleep(PRESS_AFTER * 5);
            self.chat.take();
            line.call("session.send", &json!({ "id": session, "text": "ask" }))?;
            let end = Instant::now() + SOON;
            let posted = loop {
                if let Some(posted) = self.chat.posted() {
                    break now() - posted.elapsed();
                }
                anyhow::ensure!(Instant::now() < end, "see the card of a session");
                std::thread::sleep(Duration::from_millis(1));
            };
            took.push(-since(posted, &self.work().join(ASKED))?);
        }
        line.call("session.stop", &json!({ "id": session }))?;
        Ok(took)
    }

    /// Returns the share of a processor, in percent, and how many parts a second were told.
    fn streamed(&self) -> anyhow::Result<(f64, f64)> {
        let mut line = self.serve.connect()?;
        line.call("events.subscribe", &json!({ "types": ["session.partial"] }))?;
        let mut starter = self.serve.connect()?;
        for _ in 0..SESSIONS {
            self.start(&mut starter, "write")?;
        }
        let is_part = |told: &Value| told.get("method").and_then(Value::as_str) == Some("session.partial");
        line.until(is_part)?;
        let keepers = self.keepers()?;
        let ticks = || -> anyhow::Result<f64> {
            let all = keepers.iter().copied().chain([self.serve.pid()]);
            all.map(|pid| ticks(pid).with_context(|| format!("read the time of process {pid}"))).sum()
        };
        let (begun, before, mut told) = (Instant::now(), ticks()?, 0_u32);
        while begun.elapsed() < STREAM {
            line.until(is_part)?;
            told += 1;
        }
        let seconds = begun.elapsed().as_secs_f64();
        Ok(((ticks()? - before) * TICK / seconds * 100.0, f64::from(told) / seconds))
    }

    /// Returns the medians of sessions that are flooded, here and under the SDK if it is installed.
    fn flooded(&self) -> anyhow::Result<(Seen, Option<Seen>)> {
        let python = sdk::find();
        let (mut own, mut beside) = (Vec::new(), Vec::new());
        for _ in 0..FLOODS {
            own.push(self.flood()?);
            if let Some(python) = &python {
                beside.push(sdk::run(python, &self.serve.home().join("claude"), &self.work())?);
            }
        }
        let middle = |all: &[Seen]| {
            let of = |field: fn(&Seen) -> f64| median(all.iter().map(field).collect());
            Some(Seen { start_ms: of(|it| it.start_ms)?, lines: of(|it| it.lines)?, mib: of(|it| it.mib)? })
        };
        Ok((middle(&own).context("measure a session")?, middle(&beside)))
    }

    fn flood(&self) -> anyhow::Result<Seen> {
        let mut line = self.serve.connect()?;
        line.call("events.subscribe", &json!({ "types": ["session.event"] }))?;
        let before = self.keepers()?;
        let began = now();
        let session = self.start(&mut line, "ready")?;
        let is_over =
            |told: &Value| told.pointer("/params/happened/event/kind").and_then(Value::as_str) == Some("turn");
        line.until(is_over)?;
        let start_ms = since(began, &self.work().join(BEGAN))?;
        let flooded = Instant::now();
        line.call("session.send", &json!({ "id": session, "text": "flood" }))?;
        line.until(is_over)?;
        let lines = FLOOD as f64 / flooded.elapsed().as_secs_f64();
        let keeper = self.keepers()?.into_iter().find(|pid| !before.contains(pid)).context("find the keeper")?;
        let mib = peak_mib(keeper).context("read the keeper's memory")?;
        line.call("session.stop", &json!({ "id": session }))?;
        Ok(Seen { start_ms, lines, mib })
    }

    /// Returns the processes of the keepers.
    fn keepers(&self) -> anyhow::Result<Vec<u32>> {
        let mut found = Vec::new();
        let home = self.serve.home().display().to_string();
        for entry in std::fs::read_dir("/proc")?.flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let command = String::from_utf8_lossy(&command);
            let mut words = command.split('\0');
            if words.nth(1) == Some("keeper") && words.next().is_some_and(|folder| folder.starts_with(&home)) {
                found.push(pid);
            }
        }
        Ok(found)
    }
}

/// The sessions outlive the gateway, so they are ended.
impl Drop for Bench {
    fn drop(&mut self) {
        let Ok(mut line) = self.serve.connect() else { return };
        let listed = line.call("session.list", &json!({})).unwrap_or_default();
        for session in listed.pointer("/result/sessions").and_then(Value::as_array).into_iter().flatten() {
            let _ = line.call("session.stop", &json!({ "id": session.get("id") }));
        }
        let end = Instant::now() + SOON;
        while self.keepers().is_ok_and(|keepers| !keepers.is_empty()) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Returns the processor time of a process, in ticks.
fn ticks(pid: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut words = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    Some(words.next()?.parse::<f64>().ok()? + words.next()?.parse::<f64>().ok()?)
}

fn peak_mib(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
}
