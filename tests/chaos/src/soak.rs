//! Runs one gateway under a light load for a long time, and checks whether it grows.
//!
//! A quantity grows if its gain in the second half of the run, by the slope of the line through its samples, exceeds
//! its tolerance. In the first half caches and pools fill up.

mod history;
mod load;
mod options;
mod programs;
mod report;
mod sample;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use dmplz_e2e::{Chat, Home};

use crate::gateway;
use load::Load;
pub use options::Options;
pub use report::{Report, Series};
use sample::Sample;

/// The interval of pruning. The gateway by itself prunes every hour.
const PRUNING: Duration = Duration::from_secs(60);
/// The number of messages that the fake messengers keep per chat, so that this process does not grow either.
const KEPT: usize = 120;

/// What the threads of the load share.
pub(crate) struct Stage {
    pub(crate) home: Home,
    pub(crate) telegram: Chat,
    pub(crate) discord: Chat,
    pub(crate) socket: std::path::PathBuf,
    pub(crate) address: String,
    pub(crate) token: String,
    /// Set to end all threads.
    pub(crate) over: AtomicBool,
}

impl Stage {
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Waits for this time, or until the run is over.
    pub(crate) fn rest(&self, wait: Duration) {
        let end = Instant::now() + wait;
        while !self.is_over() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(100).min(end.saturating_duration_since(Instant::now())));
        }
    }
}

/// Runs the test. `told` is called with every sample.
///
/// # Errors
/// Returns an error if the gateway did not start, or ended by itself.
pub fn run(options: &Options, binary: &Path, mut told: impl FnMut(&Sample)) -> anyhow::Result<Report> {
    let (telegram, discord) = (Chat::telegram(), Chat::discord_with_buttons());
    let home = home(binary, &telegram, &discord);
    let aged = history::age(&home, binary, options)?;
    let log = home.path().join("serve.log");
    let mut gateway = gateway::start(&home, &log)?;
    let token = std::fs::read_to_string(home.state().join("gateway.token")).context("read the token")?;
    let stage = Arc::new(Stage {
        socket: gateway.socket(),
        address: gateway.url().trim_start_matches("http://").trim_end_matches('/').to_owned(),
        token: token.trim().to_owned(),
        over: AtomicBool::new(false),
        home,
        telegram,
        discord,
    });
    let load = Load::start(&stage, options);
    let others = programs::start(&stage);
    let pruner = std::thread::spawn({
        let stage = Arc::clone(&stage);
        move || prune(&stage)
    });
    let began = Instant::now();
    let mut samples = Vec::new();
    while began.elapsed() < options.length() {
        std::thread::sleep(options.every.min(options.length().saturating_sub(began.elapsed())));
        anyhow::ensure!(!gateway.has_ended(), "keep the gateway alive: it ended, see {}", log.display());
        let sample = Sample::take(&stage, gateway.pid(), began.elapsed())?;
        told(&sample);
        samples.push(sample);
        forget(&stage.telegram, &stage.discord);
    }
    stage.over.store(true, Ordering::Relaxed);
    let tally = load.finish();
    others.into_iter().for_each(|other| drop(other.join()));
    let removed = pruner.join().unwrap();
    let mut report = Report::of(&samples, options, tally);
    report.aged = aged;
    match removed {
        Ok(removed) => report.removed = removed,
        Err(error) => report.wrong.push(format!("{error:#}")),
    }
    for arguments in [&["audit", "verify"][..], &["store", "check"]] {
        let output = stage.home.run(arguments);
        if !output.status.success() {
            report.wrong.push(format!("dmplz {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stdout)));
        }
    }
    report.said = std::fs::read_to_string(&log).unwrap_or_default().lines().map(str::to_owned).take(50).collect();
    gateway.kill();
    Ok(report)
}

fn home(binary: &Path, telegram: &Chat, discord: &Chat) -> Home {
    let mut home = Home::bare(&binary.display().to_string());
    for (name, value) in telegram.settings().into_iter().chain(discord.settings()) {
        home.set(name, value);
    }
    home.set("DMPLZ_LANG", "en")
        .set("DMPLZ_GATEWAY_ACTIVE_CARDS", "50")
        .set("DMPLZ_QUESTION_TIMEOUT_MS", "15000")
        .set("DMPLZ_REJECT_REASON_TIMEOUT_MS", "2000")
        .set("DMPLZ_HISTORY_DAYS", "1")
        .set("DMPLZ_HISTORY_TEXT_DAYS", "1")
        .set("DMPLZ_REJECT_REASON_LOG_ROTATE_BYTES", "1048576");
    home
}

/// Prunes the store every [`PRUNING`]. Returns the number of removed requests.
fn prune(stage: &Stage) -> anyhow::Result<u64> {
    let mut removed = 0;
    while !stage.is_over() {
        let output = stage.home.run(&["store", "prune", "--json"]);
        anyhow::ensure!(output.status.success(), "prune: {}", String::from_utf8_lossy(&output.stderr));
        let told: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        removed += told["requests"].as_u64().context("read what was removed")?;
        stage.rest(PRUNING);
    }
    Ok(removed)
}

fn forget(telegram: &Chat, discord: &Chat) {
    for chat in [telegram, discord] {
        match chat.fake() {
            dmplz_e2e::Fake::Telegram(fake, _) => fake.forget(KEPT),
            dmplz_e2e::Fake::Discord(fake, _) => fake.forget(KEPT),
        }
    }
}
