//! The metrics in Prometheus' format. Counters begin with the process, and no metric holds a text of a request or an
//! answer.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;

use super::exposition::{Exposition, Type};
use super::{Health, Messenger, process};
use crate::disk::Commits;

/// The result of polling a messenger for events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Polled {
    /// The poll succeeded.
    Ok,
    /// Another program polls the same bot.
    Conflict,
    /// The poll failed in another way.
    Error,
}

/// The number of polls by result, and the time of the last success.
#[derive(Debug, Default)]
pub(super) struct Polls {
    counts: BTreeMap<Polled, u64>,
    succeeded: Option<Instant>,
}

impl Polls {
    pub(super) fn count(&mut self, how: Polled, now: Instant) {
        *self.counts.entry(how).or_default() += 1;
        if how == Polled::Ok {
            self.succeeded = Some(now);
        }
    }
}

impl Health {
    /// Returns the metrics in Prometheus' text format.
    pub async fn metrics(&self) -> String {
        let mut text = Exposition::default();
        let version = [("version", env!("CARGO_PKG_VERSION"))];
        text.family("dmplz_build_info", Type::Gauge, "The version that runs; always 1.").sample(&version, 1);
        self.requests(&mut text);
        self.surfaces(&mut text);
        self.of_messengers(&mut text);
        let commits = self.shared.disk.as_ref().map(|disk| disk.commits());
        if let Some(commits) = commits {
            expose_commits(&mut text, commits);
        }
        let files = self.shared.disk.as_ref().map(crate::disk::Disk::files).unwrap_or_default();
        // The system calls may take a while, so they run on a blocking thread.
        let system = tokio::task::spawn_blocking(move || {
            let mut text = Exposition::default();
            let mut sizes = text.family("dmplz_store_bytes", Type::Gauge, "Size of the store's files.");
            for (name, path) in files {
                sizes.sample(&[("file", name)], path.metadata().map_or(0, |file| file.len()));
            }
            process::expose(&mut text);
            text.finish()
        });
        text.finish() + &system.await.unwrap_or_default()
    }

    fn requests(&self, text: &mut Exposition) {
        let approvals = &self.shared.approvals;
        let tally = approvals.tally();
        text.family("dmplz_open_requests", Type::Gauge, "Requests that have not ended.")
            .sample(&[], approvals.open_count());
        text.family("dmplz_requests_total", Type::Counter, "Requests that people were asked.").sample(&[], tally.asked);
        let help = "Requests that have ended, by outcome and by the surface that answered (none where nobody did).";
        let mut ended = text.family("dmplz_requests_ended_total", Type::Counter, help);
        for ((outcome, surface), count) in &tally.ended {
            ended.sample(&[("outcome", outcome), ("surface", surface)], count);
        }
    }

    fn surfaces(&self, text: &mut Exposition) {
        let mut surfaces = text.family("dmplz_surfaces", Type::Gauge, "Surfaces that would show a request.");
        for (surface, count) in self.shared.approvals.surfaces() {
            surfaces.sample(&[("surface", &surface)], count);
        }
        let help = "Open connections that speak JSON-RPC: cli is the Unix socket, hooks included; web and websocket are WebSockets.";
        let mut connections = text.family("dmplz_connections", Type::Gauge, help);
        for (surface, count) in &*self.shared.connections.lock() {
            connections.sample(&[("surface", surface)], count);
        }
    }

    fn of_messengers(&self, text: &mut Exposition) {
        let messengers = self.shared.messengers.lock();
        let mut up = text.family("dmplz_messenger_up", Type::Gauge, "Whether the messenger can be used.");
        for (name, Messenger { reach, .. }) in &*messengers {
            up.sample(&[("messenger", name)], u8::from(reach.outage().is_none()));
        }
        let help = "Requests that wait until the messenger has a place for their cards.";
        let mut waiting = text.family("dmplz_messenger_waiting_requests", Type::Gauge, help);
        for (name, messenger) in &*messengers {
            waiting.sample(&[("messenger", name)], messenger.waiting.load(Ordering::Relaxed));
        }
        let help =
            "How often the messenger was asked for events; conflict means that another program polls the same bot.";
        let mut polls = text.family("dmplz_messenger_polls_total", Type::Counter, help);
        for (name, messenger) in &*messengers {
            for (how, result) in [(Polled::Ok, "ok"), (Polled::Conflict, "conflict"), (Polled::Error, "error")] {
                let count = messenger.polls.counts.get(&how).copied().unwrap_or(0);
                polls.sample(&[("messenger", name), ("result", result)], count);
            }
        }
        let help = "Time since the messenger last told what there was.";
        let mut ages = text.family("dmplz_messenger_last_poll_age_seconds", Type::Gauge, help);
        for (name, messenger) in &*messengers {
            if let Some(at) = messenger.polls.succeeded {
                ages.sample(&[("messenger", name)], at.elapsed().as_secs_f64());
            }
        }
    }
}

fn expose_commits(text: &mut Exposition, commits: Commits) {
    let help = "Time from the begin of a transaction of the store until it was on the disk.";
    let mut histogram = text.family("dmplz_store_commit_seconds", Type::Histogram, help);
    let mut so_far = 0;
    for (bound, count) in Commits::BOUNDS.iter().map(Duration::as_secs_f64).zip(commits.counts) {
        so_far += count;
        histogram.suffixed("_bucket", &[("le", &bound.to_string())], so_far);
    }
    let all = commits.succeeded();
    histogram.suffixed("_bucket", &[("le", "+Inf")], all);
    histogram.suffixed("_sum", &[], commits.took.as_secs_f64()).suffixed("_count", &[], all);
    let help = "Transactions of the store that failed.";
    text.family("dmplz_store_commit_failures_total", Type::Counter, help).sample(&[], commits.failed);
}
