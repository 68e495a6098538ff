//! The messenger as a surface of the gateway: the real desk that serves many requests, over the world's line.
//!
//! What the binary does between the gateway and the desk is done here in short: the same commands for the same events, and
//! the same answers to the owner.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::approvers::{Approver, Approvers};
use dmplz_core::card::{Ended, GrantEnd};
use dmplz_core::grant::{Change, Grant};
use dmplz_core::reason::ReasonRules;
use dmplz_core::request::{ApprovalScope, Denial, Outcome};
use dmplz_core::text::Lang;
use dmplz_desk::{
    Clock, Command, Desk, Files, GatewayLedger, Job, News, Noted, Owner, Progress, Revocation, Saved, Terms, Verdict,
};
use dmplz_gateway::{AnswerError, Approvals, Attached};
use dmplz_protocol::{Event, Kind, Message, RequestId, Standing, Status};
use dmplz_state::{Grants, Stage};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::asks::{hook_of, request_id};
use crate::happenings::over;
use crate::script::Answers;
use crate::world::connection::Connection;
use crate::world::{World, complain, moment, wall_ms};

/// The surface's name.
const SURFACE: &str = "simulated";
/// The time for which opening the chat is tried before it starts again, in milliseconds, and the pause before that.
const OPENING_MS: u64 = 30_000;
const AGAIN: Duration = Duration::from_secs(1);
/// How long a decision may take to reach the client and be reported.
const TAKING: Duration = Duration::from_secs(10);
/// The time that storing a note takes.
const WRITING: Duration = Duration::from_millis(2);
/// The events about grants.
const GRANTS: &[Kind] = &[Kind::GrantRevoked, Kind::GrantEnded];
/// The number of cards in the chat at the same time.
const ACTIVE: usize = 2;

/// Serves the account as long as the gateway runs.
pub async fn serve(world: Rc<World>, approvals: Approvals) {
    // A hook that asks while it starts does not get the error that nobody listens.
    let mut starting = Some(approvals.attach_messenger(SURFACE));
    let Ok(_turn) = world.queue.acquire().await else { return };
    world.post.takes_account();
    loop {
        serve_once(&world, &approvals, &mut starting).await;
        starting = None;
        sleep(AGAIN).await;
    }
}

async fn serve_once(world: &Rc<World>, approvals: &Approvals, starting: &mut Option<Attached>) {
    let clock = Clock { now_ms: wall_ms, time_of_day: || "now".to_owned(), warn: complain };
    let files = Files::new(&world.state, &world.account, None, clock);
    let (notes, there) = (Rc::clone(&world.notes), Rc::clone(world));
    let keep = move |noted: Noted<'_>| {
        let (written, saved) = Saved::later();
        there.spawn(async move {
            sleep(WRITING).await;
            drop(written);
        });
        match noted {
            Noted::Kept(progress) => drop(notes.borrow_mut().insert(progress.tag.clone(), progress.clone())),
            Noted::Forgotten(tag) => drop(notes.borrow_mut().remove(tag)),
        }
        saved
    };
    let mut ledger = GatewayLedger::new(files, Lang::En, keep);
    let mut feed = Feed {
        world: Rc::clone(world),
        approvals: approvals.clone(),
        known: BTreeMap::new(),
        left: Vec::new(),
        taking: JoinSet::new(),
    };
    let noted: Vec<Progress> = world.notes.borrow().values().cloned().collect();
    for mut progress in noted {
        let Some(id) = id_of(&progress.tag) else { continue };
        let Some(standing) = approvals.get(id).await else { continue };
        match ended(world, &standing, was_taken(&standing)) {
            Some(ended) if progress.stage == Stage::Ended => {
                progress.ended = Some(ended);
                ledger.remember(progress);
            }
            _ => feed.left.push((standing, progress)),
        }
    }
    let Ok(connection) = Connection::open(world, None).await else { return };
    let chat = world.chat();
    let Ok(desk) = Desk::open(Rc::new(connection), ledger, &chat, Lang::En, Instant::now(), OPENING_MS).await else {
        return;
    };
    let skip_keywords = match world.script.frame.way {
        Answers::Buttons | Answers::Forms => Vec::new(),
        Answers::Reactions => vec!["no_reason".to_owned()],
    };
    let terms = Terms {
        approvers: Approvers::of(SURFACE, desk.chat(), &world.listed()),
        reason_timeout: Duration::from_millis(world.script.frame.reason),
        reason: ReasonRules { max_chars: 300, skip_keywords },
        active: ACTIVE,
    };
    let attached = RefCell::new(Some(approvals.attach_messenger(SURFACE)));
    let owner = Surface { world: Rc::clone(world), approvals: approvals.clone(), attached };
    *starting = None;
    let (commands, received) = mpsc::channel(256);
    tokio::select! {
        biased;
        () = desk.serve(received, owner, terms) => {}
        () = feed.run(commands) => {}
    }
}

/// Passes the actions of people to the owner of the requests.
struct Surface {
    world: Rc<World>,
    approvals: Approvals,
    attached: RefCell<Option<Attached>>,
}

impl Surface {
    fn verdict(answered: Result<Standing, AnswerError>, denies: bool) -> Verdict {
        match answered {
            Ok(_) => Verdict::COUNTS,
            Err(AnswerError::NotRecorded(..)) => {
                Verdict { counts: denies, told: Some("not recorded".into()), news: None }
            }
            Err(AnswerError::Denied(_)) => {
                Verdict { counts: false, told: Some("denied".into()), news: Some(News::Denied) }
            }
            Err(_) => Verdict { counts: false, told: Some("over".into()), news: Some(News::Over) },
        }
    }
}

impl Owner for Surface {
    async fn carry_out(&self, id: &str, command: &dmplz_core::request::Command) -> Verdict {
        let Ok(id) = id.parse() else { return Verdict::default() };
        match self.approvals.apply(id, command.clone()).await {
            Err(AnswerError::Closing(_)) => std::future::pending().await,
            answered => Self::verdict(answered, command.denies()),
        }
    }

    async fn revoked(&self, id: &str, by: &Approver) -> Revocation {
        if self.world.is_disk_full() {
            return Revocation::Failed;
        }
        let is_its = |grant: &Grant| grant.request_id == id;
        let Ok(dropped) = Grants::of(&self.world.state).revoke(is_its, moment()) else { return Revocation::Failed };
        over(&self.world, |granted| hook_of(id) == Some(granted.hook));
        let changes = dropped.changes(|grant| Change::revoked(grant, by.answerer()));
        // A grant that is gone does not count any more, even if that cannot be recorded.
        let _ = self.approvals.record_grants(changes).await;
        if dropped.meant.is_empty() { Revocation::Over } else { Revocation::Done }
    }

    fn reachable(&self, trouble: Option<&str>) {
        match trouble {
            Some(_) => drop(self.attached.borrow_mut().take()),
            None => drop(self.attached.borrow_mut().get_or_insert_with(|| self.approvals.attach_messenger(SURFACE))),
        }
    }

    fn shown(&self, id: &str) {
        if let Ok(id) = id.parse() {
            self.approvals.shown(id, SURFACE);
        }
    }

    fn looked(&self, began: Instant) {
        self.approvals.looked(SURFACE, began);
    }

    fn unshown(&self, _: &str, _: &str) {}
}

/// The desk is gone.
struct Gone;

/// Passes the events of requests to the desk.
struct Feed {
    world: Rc<World>,
    approvals: Approvals,
    /// Requests whose card does not show its end yet, and how they ended.
    known: BTreeMap<RequestId, Option<Standing>>,
    left: Vec<(Standing, Progress)>,
    taking: JoinSet<RequestId>,
}

impl Feed {
    async fn run(mut self, commands: mpsc::Sender<Command>) {
        let _ = self.feed(&commands).await;
    }

    async fn feed(&mut self, commands: &mpsc::Sender<Command>) -> Result<(), Gone> {
        for (standing, progress) in std::mem::take(&mut self.left) {
            self.ask(&standing, Some(progress), commands).await?;
            if matches!(standing.status, Status::Ended { .. }) {
                self.resolved(&standing, commands).await?;
            }
        }
        loop {
            let mut events = self.approvals.bus().subscribe(&[Kind::APPROVALS, GRANTS].concat());
            for standing in self.approvals.open() {
                self.ask(&standing, None, commands).await?;
            }
            for id in self.known.keys().copied().collect::<Vec<_>>() {
                let standing = self.approvals.get(id).await;
                if let Some(standing) = standing.filter(|it| matches!(it.status, Status::Ended { .. })) {
                    self.resolved(&standing, commands).await?;
                }
            }
            loop {
                tokio::select! {
                    biased;
                    event = events.next() => match event {
                        Some(event) => self.hear(&event, commands).await?,
                        None => break,
                    },
                    Some(Ok(id)) = self.taking.join_next() => self.taken(id, false, commands).await?,
                    () = commands.closed() => return Err(Gone),
                }
            }
        }
    }

    async fn hear(&mut self, event: &Event, commands: &mpsc::Sender<Command>) -> Result<(), Gone> {
        match &event.message {
            Message::ApprovalRequested { approval } => self.ask(approval, None, commands).await,
            Message::ApprovalResolved { approval } => self.resolved(approval, commands).await,
            Message::ApprovalTaken { request_id, taken } => self.taken(*request_id, *taken, commands).await,
            // The card that was pressed shows it already.
            Message::GrantRevoked { by, .. } if by.surface == SURFACE => Ok(()),
            Message::GrantRevoked { grant, by } => ungranted(grant, Some(by.name.clone()), commands).await,
            Message::GrantEnded { grant, .. } => ungranted(grant, None, commands).await,
            _ => Ok(()),
        }
    }

    async fn ask(
        &mut self,
        standing: &Standing,
        progress: Option<Progress>,
        commands: &mpsc::Sender<Command>,
    ) -> Result<(), Gone> {
        let request = &standing.request;
        let Some(hook) = hook_of(&request.id.to_string()).filter(|_| !self.known.contains_key(&request.id)) else {
            return Ok(());
        };
        self.known.insert(request.id, None);
        let denied = match &standing.status {
            Status::Denied { by, until_ms, instead } if by.surface == SURFACE => {
                let until = self.approvals.reason_until(request.id);
                Denial::recorded(by, *instead, until.unwrap_or_else(|| self.at(*until_ms)))
            }
            _ => None,
        };
        let job = Job {
            id: request.id.to_string(),
            tag: format!("card{hook}"),
            subject: Arc::new(request.subject.clone()),
            offer: request.offer.clone(),
            deadline: self.approvals.expires(request.id).unwrap_or_else(|| self.at(request.expires_ms)),
            progress,
            denied,
            is_over: matches!(standing.status, Status::Ended { .. }),
        };
        commands.send(Command::Ask(Box::new(job))).await.map_err(|_| Gone)
    }

    async fn resolved(&mut self, standing: &Standing, commands: &mpsc::Sender<Command>) -> Result<(), Gone> {
        let id = standing.request.id;
        let Some(known) = self.known.get_mut(&id) else { return Ok(()) };
        if known.is_none() {
            commands.send(Command::Resolved { id: id.to_string() }).await.map_err(|_| Gone)?;
        }
        *known = Some(standing.clone());
        let allowed = matches!(&standing.status, Status::Ended { resolution, taken: None, .. } if resolution.outcome.is_approval());
        if !allowed {
            return self.taken(id, was_taken(standing), commands).await;
        }
        self.taking.spawn_local(async move {
            sleep(TAKING).await;
            id
        });
        Ok(())
    }

    async fn taken(&mut self, id: RequestId, taken: bool, commands: &mpsc::Sender<Command>) -> Result<(), Gone> {
        if !matches!(self.known.get(&id), Some(Some(_))) {
            return Ok(());
        }
        let Some(ended) = self.known.remove(&id).flatten().and_then(|standing| ended(&self.world, &standing, taken))
        else {
            return Ok(());
        };
        commands.send(Command::Close { id: id.to_string(), ended }).await.map_err(|_| Gone)
    }

    fn at(&self, unix_ms: u64) -> Instant {
        Instant::now() + Duration::from_millis(unix_ms.saturating_sub(self.approvals.now_ms()))
    }
}

async fn ungranted(grant: &Grant, by: Option<String>, commands: &mpsc::Sender<Command>) -> Result<(), Gone> {
    commands.send(Command::Ungranted { id: grant.request_id.clone(), by }).await.map_err(|_| Gone)
}

fn ended(world: &World, standing: &Standing, taken: bool) -> Option<Ended> {
    let Status::Ended { resolution, .. } = &standing.status else { return None };
    let Ok(outcome) = resolution.outcome() else { return Some(Ended::interrupted("now", Lang::En)) };
    let gone = Outcome::ResolvedElsewhere(dmplz_core::request::Resolver::ClientGone);
    let shown = if matches!(outcome, Outcome::Approved { .. }) && !taken { &gone } else { &outcome };
    let ended = Ended::of(shown, false, "now", Lang::En);
    let Outcome::Approved { scope: ApprovalScope::Granted { .. }, .. } = shown else { return Some(ended) };
    let (id, grants) = (standing.request.id.to_string(), Grants::read(world.state.path()).unwrap_or_default());
    let holds = grants.iter().any(|grant| grant.request_id == id && grant.holds(moment()));
    Some(ended.with_grant(if holds { GrantEnd::Revocable } else { GrantEnd::Over }, Lang::En))
}

fn was_taken(standing: &Standing) -> bool {
    matches!(standing.status, Status::Ended { taken: Some(true), .. })
}

/// Returns the request whose card has this tag.
pub fn id_of(tag: &str) -> Option<RequestId> {
    let hook = tag.strip_prefix("card")?.parse().ok()?;
    request_id(hook).parse().ok()
}
