//! A session's task: from the keeper's frames to requests and events, and back.

mod answers;
mod bounds;
mod past;

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use dmplz_core::request::Resolver;
use dmplz_core::visible::short;
use dmplz_protocol::session::{Happening, Numbered};
use dmplz_protocol::{Message, RequestId};
use dmplz_runner::control::{Command, Effect, Exchange, Line, Lines, MAX_LINE, Partial, UserMessage};
use dmplz_runner::keeper::{Exit, Frame, Kind, SessionDir};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep, sleep_until};
use uuid::Uuid;

use self::past::Past;
use super::Setup;
use super::asking::{Answer, Asking};
use super::limits::Spending;
use super::link::{Link, hello};
use super::notes::Notes;
use super::order::{Asker, Interrupting, Order};
use super::permissions::Permissions;
use super::told;
use super::view::View;
use super::writing::Writing;
use crate::approvals::Approvals;

/// How often a keeper that lives and cannot be reached is tried again.
const AGAIN: Duration = Duration::from_millis(500);
/// What is kept of the client's last words on stderr, in bytes.
const LAST_WORDS: usize = 2 << 10;

/// A session's task.
pub(super) struct Live {
    pub(super) approvals: Approvals,
    setup: Setup,
    spending: std::sync::Arc<Spending>,
    dir: SessionDir,
    notes: Notes,
    view: std::sync::Arc<View>,
    permissions: Permissions,
    exchange: Exchange,
    stdout: Lines,
    stdin: Lines,
    stderr: Vec<u8>,
    asking: JoinSet<(String, Answer)>,
    /// The requests that somebody is asked, by the client's ids.
    open: HashMap<String, AbortHandle>,
    /// Answers of people that are on their way to the client.
    on_their_way: HashSet<String>,
    /// The interrupt that the client has not answered.
    pub(super) interrupting: Option<Interrupting>,
    /// The requests that were denied by an interrupt: the client cancelled them, and so has that answer.
    stopped: HashSet<String>,
    /// Those who wait for an answer of the client, by the ids of our requests.
    waiting: HashMap<String, Asker>,
    /// All that is said before the keeper says that the past is over.
    past: Option<Past>,
    /// How many bytes of the session's log were read.
    at: u64,
    /// The number of the client that speaks.
    run: u64,
    /// How the client ended that spoke last.
    exit: Option<Exit>,
    writing: Writing,
    /// Since when it waits for a message.
    idle_since: Option<Instant>,
}

impl Live {
    pub(super) fn new(
        approvals: Approvals,
        setup: Setup,
        spending: std::sync::Arc<Spending>,
        dir: SessionDir,
        notes: Notes,
        view: std::sync::Arc<View>,
        permissions: Permissions,
    ) -> Self {
        Self {
            approvals,
            setup,
            spending,
            dir,
            notes,
            view,
            permissions,
            exchange: Exchange::new(format!("dmplz-{}", Uuid::new_v4().simple())),
            stdout: Lines::default(),
            stdin: Lines::default(),
            stderr: Vec::new(),
            asking: JoinSet::new(),
            open: HashMap::new(),
            on_their_way: HashSet::new(),
            interrupting: None,
            stopped: HashSet::new(),
            waiting: HashMap::new(),
            past: Some(Past::default()),
            at: 0,
            run: 0,
            exit: None,
            writing: Writing::default(),
            idle_since: None,
        }
    }

    /// Runs until the session has ended.
    pub(super) async fn run(mut self, mut orders: mpsc::UnboundedReceiver<Order>) {
        let mut link = loop {
            match Link::open(&self.dir).await {
                Ok(link) => break link,
                Err(_) if self.dir.is_kept() => sleep(AGAIN).await,
                Err(why) => return self.ended(None, &why).await,
            }
        };
        loop {
            let (is_live, idle_ends) = (self.past.is_none(), self.idle_ends());
            let done = tokio::select! {
                frame = link.next() => match frame {
                    Ok(Some(frame)) => {
                        let is_over = is_live && frame.kind == Kind::Exit;
                        let done = self.take(frame, &mut link).await;
                        if is_over {
                            break;
                        }
                        done
                    }
                    // It let us go because we were slow, or it is gone.
                    Ok(None) | Err(_) if self.dir.is_kept() => {
                        drop(link);
                        return self.again(orders).await;
                    }
                    Ok(None) | Err(_) => break,
                },
                () = self.writing.due(), if is_live => {
                    let (begins, text) = self.writing.told();
                    self.approvals.tell(self.view.writes(begins, text));
                    Ok(())
                }
                () = sleep_until(idle_ends.unwrap_or_else(Instant::now)), if is_live && idle_ends.is_some() => {
                    self.idled(&mut link).await
                }
                Some(order) = orders.recv(), if is_live => self.obey(order, &mut link).await,
                Some(answered) = self.asking.join_next(), if is_live => match answered {
                    Ok((id, answer)) => self.answered(id, answer, &mut link).await,
                    // It was retired.
                    Err(_) => Ok(()),
                },
            };
            // What cannot be written any more is told by the keeper's end.
            drop(done);
            if self.past.is_none() {
                self.view.tell_changes(&self.approvals);
                self.idle_since = self.view.is_idle().then(|| self.idle_since.unwrap_or_else(Instant::now));
            }
        }
        let (exit, why) = (self.exit, String::from_utf8_lossy(&self.stderr).into_owned());
        self.ended(exit, &why).await;
    }

    /// Begins anew with the keeper, which tells all of it again. What somebody is asked stays open meanwhile.
    async fn again(mut self, orders: mpsc::UnboundedReceiver<Order>) {
        self.is_written();
        let Self { approvals, setup, spending, dir, notes, view, permissions, .. } = self;
        sleep(AGAIN).await;
        view.forget();
        Box::pin(Self::new(approvals, setup, spending, dir, notes, view, permissions).run(orders)).await;
    }

    async fn take(&mut self, frame: Frame, link: &mut Link) -> std::io::Result<()> {
        if !matches!(frame.kind, Kind::Hello | Kind::Live | Kind::Partial) {
            self.at += frame.length();
        }
        let (mut effects, mut events) = (Vec::new(), Vec::new());
        // Where the frame's bytes begin.
        let at = self.at.saturating_sub(frame.bytes.len() as u64);
        let exchange = &mut self.exchange;
        match frame.kind {
            Kind::Hello if hello(&frame).cut => (self.stdout, self.stdin) = (Lines::cut(), Lines::cut()),
            Kind::Place => self.at = frame.number().unwrap_or(self.at) + frame.length(),
            Kind::Begin => self.begins(frame.number().unwrap_or_default()),
            Kind::Stdout => self.stdout.feed_at(at, &frame.bytes, |at, line| match line {
                Line::Text(line) => effects.extend(exchange.received(line).into_iter().map(|effect| (at, effect))),
                Line::TooLong => {
                    let text = format!("A message of the client was longer than {MAX_LINE} bytes, and is lost.");
                    events.push((at, Happening::Notice { text }));
                }
            }),
            Kind::Stdin => self.stdin.feed_at(at, &frame.bytes, |at, line| {
                if let Line::Text(line) = line {
                    effects.extend(exchange.wrote(line).map(|effect| (at, effect)));
                }
            }),
            Kind::Stderr => {
                self.stderr.extend_from_slice(&frame.bytes);
                let old = self.stderr.len().saturating_sub(LAST_WORDS);
                self.stderr.drain(..old);
            }
            Kind::Exit => self.exit = serde_json::from_slice(&frame.bytes).ok(),
            // Of a session without a keeper the past is all there is: nobody is to be asked any more.
            Kind::Live if link.is_connected() => self.is_live(link).await?,
            Kind::Partial => Partial::read(&frame.bytes).into_iter().for_each(|part| self.writing.take(part)),
            Kind::Hello | Kind::Live | Kind::Quit => {}
        }
        match &mut self.past {
            Some(past) => {
                past.effects.extend(effects);
                past.events.extend(events);
            }
            None => {
                for (at, event) in events {
                    self.tell(self.view.add(at, event));
                }
                for (at, effect) in effects {
                    self.carry_out(at, effect, link, true).await?;
                }
            }
        }
        Ok(())
    }

    async fn carry_out(&mut self, at: u64, effect: Effect, link: &mut Link, told: bool) -> std::io::Result<()> {
        match effect {
            Effect::Ask { id, call } => {
                let question = self.put(&id, *call);
                self.ask(id, question.answer(self.approvals.clone(), self.setup.clone(), self.permissions.clone()));
            }
            Effect::Elicit { id, asked } => {
                let elicited = self.put(&id, *asked);
                self.ask(id, elicited.answer(self.approvals.clone(), self.setup.clone()));
            }
            Effect::Retire { id } => {
                if self.retire(&id, Resolver::Terminal).await {
                    self.permit(link).await?;
                }
            }
            Effect::Delivered { id } => {
                if self.on_their_way.remove(&id) {
                    self.approvals.taken(self.request_id(&id), true).await;
                }
            }
            Effect::Write { line, .. } => link.write(&line).await?,
            Effect::Answered { id, result } => {
                self.interrupted(&id);
                match (self.waiting.remove(&id), result) {
                    // Whoever asked may be gone.
                    (Some(asker), result) => drop(asker.send(result)),
                    (None, Err(refusal)) => {
                        let text = format!("The client refused: {}", short(&refusal.to_string(), 300));
                        self.tell(self.view.add(at, Happening::Notice { text }));
                    }
                    (None, Ok(_)) => {}
                }
            }
            Effect::Rewound { message, answer, preview } => {
                if let Some(undone) = told::undone(&answer, preview.as_deref(), message) {
                    self.tell(self.view.add(at, undone));
                }
            }
            Effect::Sent(message) => drop(self.view.sent(&message, false)),
            Effect::Tell(message) => {
                for happened in self.view.take(at, &message, self.setup.lang) {
                    if told {
                        self.tell(happened);
                    }
                }
                if message.ends_writing() {
                    self.is_written();
                }
                self.spent(false);
            }
        }
        Ok(())
    }

    /// What was being written is finished, or is not gone on with.
    fn is_written(&mut self) {
        self.writing = Writing::default();
        if let Some(message) = self.view.is_written() {
            self.approvals.tell(message);
        }
    }

    async fn obey(&mut self, order: Order, link: &mut Link) -> std::io::Result<()> {
        match order {
            Order::Say { message, written } => {
                self.send(&message, link).await?;
                // Whoever sent it may be gone.
                written.map(|written| written.send(()));
                Ok(())
            }
            Order::Ask(command, asker) => self.request(&command, asker, link).await.map(drop),
            Order::Interrupt(interrupt, asker) => self.interrupt(interrupt, asker, link).await,
            Order::Permit(asker) => self.request(&self.permissions.command(), asker, link).await.map(drop),
            Order::Note(text) => {
                self.tell(self.view.add(self.at, Happening::Notice { text }));
                Ok(())
            }
            Order::Quit => link.quit().await,
        }
    }

    /// Sends a message, unless it was sent before.
    pub(super) async fn send(&mut self, message: &UserMessage, link: &mut Link) -> std::io::Result<()> {
        match self.view.sent(message, true) {
            true => link.write(&message.line()).await,
            false => Ok(()),
        }
    }

    /// Asks the client for something that somebody waits for. The id of the request.
    pub(super) async fn request(
        &mut self,
        command: &Command,
        asker: Asker,
        link: &mut Link,
    ) -> std::io::Result<String> {
        let (id, line) = self.exchange.command(command);
        self.waiting.insert(id.clone(), asker);
        link.write(&line).await?;
        Ok(id)
    }

    async fn ended(mut self, exit: Option<Exit>, why: &str) {
        self.is_written();
        let mut left: Vec<String> = self.exchange.pending().map(str::to_owned).collect();
        left.extend(self.on_their_way.iter().cloned());
        for id in left {
            self.retire(&id, Resolver::ClientGone).await;
        }
        self.look_back().await;
        self.spent(true);
        let (consent, session) = (self.setup.consent.clone(), self.dir.id().to_string());
        let _ = tokio::task::spawn_blocking(move || consent.ended(&session)).await;
        let code = exit.and_then(|exit| exit.code);
        let ended = Happening::Ended { code, text: short(why.trim(), LAST_WORDS) };
        // Behind all that the log holds, and so also behind what this gateway alone added.
        self.tell(self.view.add(self.at + 1, ended));
        self.view.is_known();
        self.view.tell_changes(&self.approvals);
    }

    /// Returns what the client asks under this id, as it is put before people.
    fn put<T>(&self, id: &str, asked: T) -> Asking<T> {
        let (session, mode) = (self.dir.id().to_string(), self.view.session().mode);
        Asking { id: self.request_id(id), session, mode, cwd: self.notes.cwd.clone(), asked }
    }

    fn request_id(&self, id: &str) -> RequestId {
        self.notes.request_id(self.run, id)
    }

    fn tell(&self, happened: Numbered) {
        let message = Message::SessionEvent { session_id: self.dir.id(), happened: Box::new(happened) };
        self.approvals.tell(message);
    }
}
