//! What happens to requests, brought to the desk of one account.
//!
//! | event | the desk |
//! |---|---|
//! | requested | asks |
//! | resolved | ends the card; shows how, unless that is an allow that nobody has taken yet |
//! | taken, or ten seconds later | shows whether it was |
//! | grant taken back elsewhere, or over | takes the choice to do so away, and shows why |
//!
//! Whoever falls behind looks at what is open and goes on from there.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::grant::Grant;
use dmplz_core::request::Denial;
use dmplz_desk::{Command, GatewayLedger, Job, Ledger, Noted, Progress, Saved};
use dmplz_gateway::{Approvals, Disk};
use dmplz_protocol::{Event, Kind, Message, RequestId, Standing, Status};
use dmplz_state::Stage;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::notes::Notes;
use super::shown::{Shown, awaits_taking};
use crate::settings::Settings;

/// How long a decision may take to reach the client and be reported.
const TAKING: Duration = Duration::from_secs(10);

/// Characters of what was asked that a card's end shows at most.
const BRIEF: usize = 4000;

/// What else a card shows.
const GRANTS: &[Kind] = &[Kind::GrantRevoked, Kind::GrantEnded];

/// The desk is gone.
struct Gone;

/// Feeds one desk.
pub(super) struct Feed {
    approvals: Approvals,
    shown: Shown,
    notes: Rc<Notes>,
    /// Requests whose card does not show its end yet.
    known: HashMap<RequestId, Known>,
    /// What a gateway that is gone left: cards of requests, open and ended.
    left: Vec<(Standing, Progress)>,
    /// Requests whose decision may have been taken.
    taking: JoinSet<RequestId>,
    /// Where the commands to the desk go.
    commands: mpsc::Sender<Command>,
}

struct Known {
    tag: String,
    /// Once it has ended.
    ended: Option<Standing>,
}

impl Feed {
    pub(super) fn new(
        approvals: Approvals,
        surface: &str,
        settings: &Settings,
        notes: Rc<Notes>,
        commands: mpsc::Sender<Command>,
    ) -> Self {
        let shown = Shown {
            surface: surface.to_owned(),
            state: settings.state_dir.clone(),
            deny_on_expired: settings.deny_on_expired,
            lang: settings.lang,
        };
        Self { approvals, shown, notes, known: HashMap::new(), left: Vec::new(), taking: JoinSet::new(), commands }
    }

    /// Takes over what a gateway that is gone noted.
    pub(super) async fn recover<L: Ledger, K: FnMut(Noted<'_>) -> Saved>(
        &mut self,
        disk: &Disk,
        ledger: &mut GatewayLedger<L, K>,
    ) -> anyhow::Result<()> {
        for (id, mut progress) in disk.notes::<Progress>(&self.shown.surface).await? {
            let Some(standing) = self.approvals.get(id).await else { continue };
            progress.subject = standing.request.subject.brief(BRIEF);
            self.notes.adopt(id, &progress.tag);
            match self.shown.ended(&standing, was_taken(&standing)) {
                Some(ended) if progress.stage == Stage::Ended => {
                    progress.ended = Some(ended);
                    ledger.remember(progress);
                }
                _ => self.left.push((standing, progress)),
            }
        }
        Ok(())
    }

    /// Feeds the desk until it is gone.
    pub(super) async fn run(mut self) {
        // An error says that the desk is gone.
        let _ = self.feed().await;
    }

    async fn feed(&mut self) -> Result<(), Gone> {
        for (standing, progress) in std::mem::take(&mut self.left) {
            self.ask(&standing, Some(progress)).await?;
            if matches!(standing.status, Status::Ended { .. }) {
                self.resolved(&standing).await?;
            }
        }
        loop {
            let mut events = self.approvals.bus().subscribe(&[Kind::APPROVALS, GRANTS].concat());
            self.catch_up().await?;
            loop {
                tokio::select! {
                    event = events.next() => match event {
                        Some(event) => self.hear(&event).await?,
                        None => break,
                    },
                    Some(Ok(id)) = self.taking.join_next() => self.taken(id, false).await?,
                    () = self.commands.closed() => return Err(Gone),
                }
            }
        }
    }

    /// What happened before anybody listened, or while too much happened.
    async fn catch_up(&mut self) -> Result<(), Gone> {
        for standing in self.approvals.open() {
            self.ask(&standing, None).await?;
        }
        for id in self.known.keys().copied().collect::<Vec<_>>() {
            match self.approvals.get(id).await {
                Some(standing) if matches!(standing.status, Status::Ended { .. }) => {
                    self.resolved(&standing).await?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    async fn hear(&mut self, event: &Event) -> Result<(), Gone> {
        match &event.message {
            Message::ApprovalRequested { approval } => self.ask(approval, None).await,
            Message::ApprovalResolved { approval } => self.resolved(approval).await,
            Message::ApprovalTaken { request_id, taken } => self.taken(*request_id, *taken).await,
            // The card that was pressed shows it already.
            Message::GrantRevoked { by, .. } if by.surface == self.shown.surface => Ok(()),
            Message::GrantRevoked { grant, by } => self.ungranted(grant, Some(by.name.clone())).await,
            Message::GrantEnded { grant, .. } => self.ungranted(grant, None).await,
            _ => Ok(()),
        }
    }

    async fn send(&self, command: Command) -> Result<(), Gone> {
        self.commands.send(command).await.map_err(|_| Gone)
    }

    async fn ask(&mut self, standing: &Standing, progress: Option<Progress>) -> Result<(), Gone> {
        let request = &standing.request;
        if self.known.contains_key(&request.id) {
            return Ok(());
        }
        let tag = progress.as_ref().map_or_else(|| self.notes.tag(request.id), |progress| progress.tag.clone());
        self.known.insert(request.id, Known { tag: tag.clone(), ended: None });
        let job = Job {
            id: request.id.to_string(),
            tag,
            subject: Arc::new(request.subject.clone()),
            offer: request.offer.seen_on(&self.shown.surface),
            deadline: self.approvals.expires(request.id).unwrap_or_else(|| self.at(request.expires_ms)),
            progress,
            denied: self.denied(standing),
            is_over: matches!(standing.status, Status::Ended { .. }),
        };
        self.send(Command::Ask(Box::new(job))).await
    }

    async fn resolved(&mut self, standing: &Standing) -> Result<(), Gone> {
        let id = standing.request.id;
        let Some(known) = self.known.get_mut(&id) else { return Ok(()) };
        if known.ended.replace(standing.clone()).is_none() {
            self.send(Command::Resolved { id: id.to_string() }).await?;
        }
        if !awaits_taking(standing) {
            return self.close(id, was_taken(standing)).await;
        }
        self.taking.spawn_local(async move {
            tokio::time::sleep(TAKING).await;
            id
        });
        Ok(())
    }

    async fn taken(&mut self, id: RequestId, taken: bool) -> Result<(), Gone> {
        match self.known.get(&id) {
            Some(Known { ended: Some(_), .. }) => self.close(id, taken).await,
            _ => Ok(()),
        }
    }

    async fn close(&mut self, id: RequestId, taken: bool) -> Result<(), Gone> {
        let Some(Known { tag, ended: Some(standing) }) = self.known.remove(&id) else { return Ok(()) };
        self.notes.ended(&tag);
        let Some(ended) = self.shown.ended(&standing, taken) else { return Ok(()) };
        self.send(Command::Close { id: id.to_string(), ended }).await
    }

    async fn ungranted(&self, grant: &Grant, by: Option<String>) -> Result<(), Gone> {
        self.send(Command::Ungranted { id: grant.request_id.clone(), by }).await
    }

    /// A denial on this messenger before the gateway started, whose reason may still come.
    fn denied(&self, standing: &Standing) -> Option<Denial<Instant>> {
        let Status::Denied { by, until_ms, instead } = &standing.status else { return None };
        let here = Some(by).filter(|by| by.surface == self.shown.surface)?;
        let until = self.approvals.reason_until(standing.request.id);
        Denial::recorded(here, *instead, until.unwrap_or_else(|| self.at(*until_ms)))
    }

    /// A moment by the wall clock, for what the gateway does not hold in memory.
    fn at(&self, unix_ms: u64) -> Instant {
        Instant::now() + Duration::from_millis(unix_ms.saturating_sub(self.approvals.now_ms()))
    }
}

fn was_taken(standing: &Standing) -> bool {
    matches!(standing.status, Status::Ended { taken: Some(true), .. })
}
