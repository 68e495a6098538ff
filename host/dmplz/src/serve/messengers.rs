//! Messengers as surfaces of the gateway: a desk for each account, on one thread of their own.
//!
//! ```text
//!  bus ─ requested, resolved, taken ─▶ feed ─ commands ─▶ desk ◀─▶ messenger
//!                                                          │
//!  approvals ◀───────────── answers (denied, decided) ─────┘       notes ─▶ disk: cards that are up
//! ```
//!
//! Notices go to the same chat, beside the desk (`notices`), and so do the cards of sessions that are led there (`lead`).
//!
//! An account holds its place in the queue as long as it serves, so nobody polls its bot twice: a hook that is alone ends
//! its turn first. A messenger that cannot be started or opened is tried again for ever, up to once a minute; it counts as
//! a surface only while it can be used.

mod answers;
mod feed;
mod lead;
mod notes;
mod notices;
mod proof;
mod shown;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::Context;
use dmplz_core::messenger::{Tenure, Users};
use dmplz_desk::{Desk, GatewayLedger, Ledger, Terms};
use dmplz_gateway::sessions::Sessions;
use dmplz_gateway::{Approvals, Attached, Disk, Grants, Health};
use dmplz_plugin::Provider;
use dmplz_state::{LedFile, Queue, StateDir, Ticket};
use rustls::pki_types::CertificateDer;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{JoinSet, LocalSet};
use tokio::time::Instant;

use crate::account::{self, Chosen};
use crate::serve::notify::MessengerLine;
use crate::settings::{Settings, Table};
use crate::trouble;

use answers::Answers;
use feed::Feed;
use lead::Lead;
use notes::Notes;
use proof::Proofs;

/// How long opening the chat is tried before the provider is started anew.
const OPENING_MS: u64 = 30_000;
/// Between two tries to start an account; doubled from the first to the last.
const AGAIN: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];
/// What writing the last notes may take.
const WRITING: Duration = Duration::from_secs(4);
/// What withdrawing the commands of a chat may take.
const WITHDRAWING: Duration = Duration::from_secs(5);
/// Commands that a desk may have before it.
const COMMANDS: usize = 256;

/// What all accounts work with.
#[derive(Clone)]
pub(crate) struct Common {
    pub(crate) settings: Settings,
    /// What is trusted besides Mozilla's certificates.
    pub(crate) certificates: Vec<CertificateDer<'static>>,
    pub(crate) table: Table,
    pub(crate) state: StateDir,
    pub(crate) approvals: Approvals,
    pub(crate) grants: Grants,
    pub(crate) disk: Disk,
    pub(crate) health: Health,
    pub(crate) sessions: Sessions,
}

/// The messengers' thread.
pub(crate) struct Messengers {
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
    pub(crate) pulse: Pulse,
}

/// Tells whether the thread of the messengers does its work. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Pulse(mpsc::Sender<oneshot::Sender<()>>);

/// Starts a desk for each account. Cards that are up stay up when it is stopped, for the next one.
pub(crate) fn start(
    accounts: Vec<Chosen>,
    common: Common,
    mut lines: BTreeMap<String, Vec<MessengerLine>>,
) -> anyhow::Result<Messengers> {
    let (stop, mut stopped) = watch::channel(false);
    let (pulse, mut felt) = mpsc::channel::<oneshot::Sender<()>>(1);
    // Who asks while they start is not told that nobody listens.
    let starting = |chosen: Chosen| {
        common.health.expect(&chosen.name);
        (common.approvals.attach_messenger(&chosen.name), chosen)
    };
    let accounts: Vec<(Attached, Chosen)> = accounts.into_iter().map(starting).collect();
    let runtime = crate::runtime::runtime()?;
    let run = move || {
        let all = async {
            tokio::task::spawn_local(async move {
                while let Some(told) = felt.recv().await {
                    let _ = told.send(());
                }
            });
            let mut desks = JoinSet::new();
            let mut names = HashMap::new();
            for (starting, chosen) in accounts {
                let name = chosen.name.clone();
                let lines = lines.remove(&name).unwrap_or_default();
                let starting = RefCell::new(Some(starting));
                let surface = Surface { chosen, common: common.clone(), lines, starting, writers: RefCell::default() };
                let desk = desks.spawn_local(surface.run(stopped.clone()));
                names.insert(desk.id(), name);
            }
            while let Some(ended) = desks.join_next_with_id().await {
                if let Some(name) = ended.err().and_then(|broken| names.get(&broken.id())) {
                    common.health.unreachable(name, "its task broke");
                    trouble::error(&format!("{name} cannot be used any more: its task broke"));
                }
            }
            // Without a messenger the thread stays as well, and answers.
            let _ = stopped.wait_for(|stopped| *stopped).await;
        };
        LocalSet::new().block_on(&runtime, all);
    };
    let thread =
        std::thread::Builder::new().name("messengers".to_owned()).spawn(run).context("a thread cannot be started")?;
    Ok(Messengers { stop, thread: Some(thread), pulse: Pulse(pulse) })
}

impl Messengers {
    /// Ends the desks, and does not wait for that.
    pub(crate) fn stop(&self) {
        self.stop.send_replace(true);
    }
}

impl Pulse {
    /// Whether the thread answers within this time.
    pub(crate) async fn beats(&self, within: Duration) -> bool {
        let (told, heard) = oneshot::channel();
        let asked = async { self.0.send(told).await.is_ok() && heard.await.is_ok() };
        tokio::time::timeout(within, asked).await == Ok(true)
    }
}

impl Drop for Messengers {
    /// Waits until everything that was noted is on disk.
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            trouble::warn("the thread of the messengers broke");
        }
    }
}

/// One account.
struct Surface {
    chosen: Chosen,
    common: Common,
    /// The queues of notices for its chat.
    lines: Vec<MessengerLine>,
    /// It counts as a surface until it is known whether it can be used.
    starting: RefCell<Option<Attached>>,
    /// Those who write notes: they outlive the desk by as long as that takes.
    writers: RefCell<JoinSet<()>>,
}

impl Surface {
    async fn run(self, mut stopped: watch::Receiver<bool>) {
        let serving = async {
            let Some(_ticket) = self.turn().await else { return };
            let (mut wait, mut told) = (AGAIN[0], BTreeSet::new());
            loop {
                let began = Instant::now();
                let Err(error) = self.serve().await else { return };
                self.starting.take();
                let why = trouble::chain(&error);
                self.common.health.unreachable(&self.chosen.name, &why);
                if told.insert(why.clone()) {
                    trouble::warn(&format!("{} cannot be used yet: {why}", self.chosen.name));
                }
                if began.elapsed() > AGAIN[1] {
                    wait = AGAIN[0];
                }
                tokio::time::sleep(wait).await;
                wait = (wait * 2).min(AGAIN[1]);
            }
        };
        tokio::select! {
            () = serving => {}
            _ = stopped.wait_for(|stopped| *stopped) => {}
        }
        let mut writers = self.writers.into_inner();
        let written = async { while writers.join_next().await.is_some() {} };
        if tokio::time::timeout(WRITING, written).await.is_err() {
            trouble::warn(&format!("not everything about the cards on {} is noted: no time is left", self.chosen.name));
        }
    }

    /// Waits until no hook that is alone uses the account, and keeps others from it then.
    async fn turn(&self) -> Option<Ticket> {
        let turn = async {
            let ticket = Queue::new(&self.common.state, &self.chosen.key)
                .join_as_gateway(std::process::id())
                .context("the queue for the bot cannot be joined")?;
            let (sender, receiver) = oneshot::channel();
            ticket.when_first(move |first| drop(sender.send(first)))?;
            receiver
                .await
                .context("its turn on the bot cannot be waited for")?
                .context("its turn on the bot cannot be waited for")?;
            anyhow::Ok(ticket)
        };
        let failed = |error| {
            let why = trouble::chain(&error);
            self.common.health.unreachable(&self.chosen.name, &why);
            trouble::error(&format!("{} cannot be used: {why}", self.chosen.name));
        };
        turn.await.map_err(failed).ok()
    }

    /// Opens the chat and serves. An error means that the account has to be started anew.
    async fn serve(&self) -> anyhow::Result<()> {
        let Common { settings, certificates, table, approvals, disk, state, health, .. } = &self.common;
        let (surface, lang) = (self.chosen.name.as_str(), settings.lang);
        let certificates = Ok(certificates.clone());
        let provider = account::start_trusting(certificates, &self.chosen, settings, table, Tenure::Service).await?;
        let files = account::ledger(state, &self.chosen.key, None);
        let waiting = health.waiting(surface);
        let notes = Rc::new(Notes::start(disk.clone(), surface, &mut self.writers.borrow_mut(), waiting));
        // Notices are posted beside the desk.
        let provider = Rc::new(provider);
        let mut ledger = GatewayLedger::new(files, lang, notes.keeper());
        let (commands, received) = mpsc::channel(COMMANDS);
        let mut feed = Feed::new(approvals.clone(), surface, settings, Rc::clone(&notes), commands);
        feed.recover(disk, &mut ledger).await?;
        let opening = Desk::open(Rc::clone(&provider), ledger, &self.chosen.chat, lang, Instant::now(), OPENING_MS);
        let desk = opening.await.with_context(|| format!("the chat on {surface} cannot be opened"))?;
        let (terms, chat) = (self.terms(&desk)?, desk.chat().clone());
        let was_led = LedFile::new(state, &self.chosen.key).load().is_ok_and(|led| led.home.is_some());
        let lead = self.lead(&provider, &desk, &terms);
        match &lead {
            Some(lead) => lead.greet_first().await,
            // Nobody is to be offered what does nothing any more.
            None if was_led && provider.transport().commands => {
                if let Err(error) = provider.set_commands(&chat, &[], WITHDRAWING).await {
                    trouble::warn(&format!("the commands on {surface} are still offered: {error}"));
                }
            }
            None => {}
        }
        let presses = self.lines.first().map(|it| it.line.presses().clone());
        let proofs = Proofs::new(Rc::clone(&provider), chat.clone(), terms.approvers.clone(), lang, presses);
        let proofs = Rc::new(proofs);
        let answers = Answers::new(&self.common, surface, lead.clone(), Rc::clone(&proofs));
        self.starting.take();
        tokio::select! {
            () = desk.serve(received, answers, terms) => {}
            () = feed.run() => {}
            () = notices::send(provider.as_ref(), &chat, &self.lines, &proofs) => {}
            () = lead::run(lead) => {}
        }
        Ok(())
    }

    /// Sessions are led where the operator says so, and only by people whom the messenger identifies. Requests are asked all the same where
    /// it fails.
    fn lead<L: Ledger>(&self, provider: &Rc<Provider>, desk: &Desk<Provider, L>, terms: &Terms) -> Option<Rc<Lead>> {
        let (name, chats) = (&self.chosen.name, &self.common.settings.gateway.run_chats);
        let file = LedFile::new(&self.common.state, &self.chosen.key);
        let is_wanted = chats.iter().any(|chat| chat == "*" || chat == name);
        if !is_wanted || desk.chat().users == Users::Anonymous {
            if is_wanted {
                trouble::warn(&format!("no sessions are led on {name}: it does not tell who writes"));
            }
            // What was written meanwhile is not to be obeyed when this is switched on again.
            file.remove().unwrap_or_else(trouble::tell);
            return None;
        }
        let account = lead::Account {
            messenger: Rc::clone(provider),
            configured: self.chosen.chat.clone(),
            surface: name.clone(),
            chat: desk.chat().clone(),
            style: desk.style(),
            detail: self.common.settings.gateway.run_detail,
            approvers: terms.approvers.clone(),
            file,
        };
        let failed = |error| trouble::warn(&format!("no sessions are led on {name}: {}", trouble::chain(&error)));
        Lead::open(account, &self.common).map(Rc::new).map_err(failed).ok()
    }

    fn terms<L: Ledger>(&self, desk: &Desk<Provider, L>) -> anyhow::Result<Terms> {
        let settings = &self.common.settings;
        let approvers = self.chosen.approvers(desk.chat())?;
        let mut reason = settings.reason.clone();
        if desk.style().answering.has_labels() {
            reason.skip_keywords.clear();
        }
        Ok(Terms { approvers, reason_timeout: settings.reason_timeout, reason, active: settings.gateway.active_cards })
    }
}
