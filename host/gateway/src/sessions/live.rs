//! A session's task: from the keeper's frames to requests and events, and back.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use dmplz_core::request::Resolver;
use dmplz_protocol::session::{Happening, Numbered};
use dmplz_protocol::{Message, RequestId};
use dmplz_runner::control::{Command, Effect, Exchange, Initialize, Line, Lines, MAX_LINE, UserMessage};
use dmplz_runner::keeper::{Exit, Frame, Kind, SessionDir};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::sleep;
use uuid::Uuid;

use super::Setup;
use super::asking::{Answer, Question};
use super::link::{Link, hello};
use super::notes::Notes;
use super::view::{View, short};
use crate::approvals::Approvals;

/// How often a keeper that lives and cannot be reached is tried again.
const AGAIN: Duration = Duration::from_millis(500);
/// What is kept of the client's last words on stderr, in bytes.
const LAST_WORDS: usize = 2 << 10;

/// What a session is told to do.
#[derive(Debug)]
pub(super) enum Order {
    Say(UserMessage),
    Interrupt,
    Quit,
}

/// A session's task.
pub(super) struct Live {
    approvals: Approvals,
    setup: Setup,
    dir: SessionDir,
    notes: Notes,
    view: std::sync::Arc<View>,
    exchange: Exchange,
    stdout: Lines,
    stdin: Lines,
    stderr: Vec<u8>,
    asking: JoinSet<(String, Answer)>,
    /// The requests that somebody is asked, by the client's ids.
    open: HashMap<String, AbortHandle>,
    /// Answers of people that are on their way to the client.
    on_their_way: HashSet<String>,
    /// All that is said before the keeper says that the past is over.
    past: Option<Vec<Effect>>,
}

impl Live {
    pub(super) fn new(
        approvals: Approvals,
        setup: Setup,
        dir: SessionDir,
        notes: Notes,
        view: std::sync::Arc<View>,
    ) -> Self {
        Self {
            approvals,
            setup,
            dir,
            notes,
            view,
            exchange: Exchange::new(format!("dmplz-{}", Uuid::new_v4().simple())),
            stdout: Lines::default(),
            stdin: Lines::default(),
            stderr: Vec::new(),
            asking: JoinSet::new(),
            open: HashMap::new(),
            on_their_way: HashSet::new(),
            past: Some(Vec::new()),
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
        let exit = loop {
            let is_live = self.past.is_none();
            let done = tokio::select! {
                frame = link.next() => match frame {
                    Ok(Some(frame)) if frame.kind == Kind::Exit => {
                        break serde_json::from_slice::<Exit>(&frame.bytes).ok();
                    }
                    Ok(Some(frame)) => self.take(frame, &mut link).await,
                    // It let us go because we were slow, or it is gone.
                    Ok(None) | Err(_) if self.dir.is_kept() => return self.again(orders).await,
                    Ok(None) | Err(_) => break None,
                },
                Some(order) = orders.recv(), if is_live => self.obey(order, &mut link).await,
                Some(answered) = self.asking.join_next(), if is_live => match answered {
                    Ok((id, answer)) => self.answered(id, answer, &mut link).await,
                    // It was retired.
                    Err(_) => Ok(()),
                },
            };
            // What cannot be written any more is told by the keeper's end.
            drop(done);
        };
        let why = String::from_utf8_lossy(&self.stderr).into_owned();
        self.ended(exit, &why).await;
    }

    /// Begins anew with the keeper, which tells all of it again. What somebody is asked stays open meanwhile.
    async fn again(self, orders: mpsc::UnboundedReceiver<Order>) {
        let Self { approvals, setup, dir, notes, view, .. } = self;
        sleep(AGAIN).await;
        view.forget();
        Box::pin(Self::new(approvals, setup, dir, notes, view).run(orders)).await;
    }

    async fn take(&mut self, frame: Frame, link: &mut Link) -> std::io::Result<()> {
        let mut effects = Vec::new();
        let (exchange, view) = (&mut self.exchange, &self.view);
        match frame.kind {
            Kind::Hello if hello(&frame).cut => (self.stdout, self.stdin) = (Lines::cut(), Lines::cut()),
            Kind::Stdout => self.stdout.feed(&frame.bytes, |line| match line {
                Line::Text(line) => effects.extend(exchange.received(line)),
                Line::TooLong => {
                    let text = format!("A message of the client was longer than {MAX_LINE} bytes, and is lost.");
                    view.add(Happening::Notice { text });
                }
            }),
            Kind::Stdin => self.stdin.feed(&frame.bytes, |line| {
                if let Line::Text(line) = line {
                    effects.extend(exchange.wrote(line));
                }
            }),
            Kind::Stderr => {
                self.stderr.extend_from_slice(&frame.bytes);
                let old = self.stderr.len().saturating_sub(LAST_WORDS);
                self.stderr.drain(..old);
            }
            // Of a session without a keeper the past is all there is: nobody is to be asked any more.
            Kind::Live if link.is_connected() => {
                for effect in Effect::left(self.past.take().unwrap_or_default()) {
                    self.carry_out(effect, link, false).await?;
                }
                self.view.is_live();
                let (_, line) = self.exchange.command(&Command::Initialize(Initialize::default()));
                link.write(&line).await?;
            }
            Kind::Hello | Kind::Live | Kind::Exit | Kind::Quit => {}
        }
        match &mut self.past {
            Some(past) => past.extend(effects),
            None => {
                for effect in effects {
                    self.carry_out(effect, link, true).await?;
                }
            }
        }
        Ok(())
    }

    async fn carry_out(&mut self, effect: Effect, link: &mut Link, told: bool) -> std::io::Result<()> {
        match effect {
            Effect::Ask { id, call } => {
                let question = Question {
                    id: self.notes.request_id(&id),
                    session: self.dir.id().to_string(),
                    cwd: self.notes.cwd.clone(),
                    asked: *call,
                };
                let (approvals, setup, key) = (self.approvals.clone(), self.setup.clone(), id.clone());
                let asking = self.asking.spawn(async move { (key, question.answer(approvals, setup).await) });
                self.open.insert(id, asking);
                self.view.asks(self.open.len());
            }
            Effect::Retire { id } => self.retire(&id, Resolver::Terminal).await,
            Effect::Delivered { id } => {
                if self.on_their_way.remove(&id) {
                    self.approvals.taken(self.request_id(&id), true).await;
                }
            }
            Effect::Write { line, .. } => link.write(&line).await?,
            Effect::Answered { result: Err(refusal), .. } => {
                let text = format!("The client refused: {}", short(&refusal.to_string(), 300));
                self.tell(self.view.add(Happening::Notice { text }));
            }
            Effect::Answered { .. } => {}
            Effect::Tell(message) => {
                for happened in self.view.take(&message, self.setup.lang) {
                    if told {
                        self.tell(happened);
                    }
                }
            }
        }
        Ok(())
    }

    async fn obey(&mut self, order: Order, link: &mut Link) -> std::io::Result<()> {
        match order {
            Order::Say(message) => {
                self.view.works();
                link.write(&message.line()).await
            }
            Order::Interrupt => {
                let (_, line) = self.exchange.command(&Command::Interrupt { cancel_queued: false });
                link.write(&line).await
            }
            Order::Quit => link.quit().await,
        }
    }

    /// Hands an answer to the client, unless it has been cancelled meanwhile.
    async fn answered(&mut self, id: String, answer: Answer, link: &mut Link) -> std::io::Result<()> {
        self.open.remove(&id);
        self.view.asks(self.open.len());
        let line = answer.response.and_then(|response| self.exchange.answer(&id, &response));
        match line {
            Some(line) => {
                if answer.of_person {
                    self.on_their_way.insert(id);
                }
                link.write(&line).await
            }
            None => {
                if answer.of_person {
                    self.not_taken(self.request_id(&id)).await;
                }
                Ok(())
            }
        }
    }

    /// Nobody has to answer any more.
    async fn retire(&mut self, id: &str, resolver: Resolver) {
        if let Some(asking) = self.open.remove(id) {
            asking.abort();
        }
        self.view.asks(self.open.len());
        let request = self.request_id(id);
        // One that nobody was asked, or that has ended, is no error.
        let _ = self.approvals.withdraw(request, resolver).await;
        if self.on_their_way.remove(id) {
            self.not_taken(request).await;
        }
    }

    /// The client did not take what a person answered.
    async fn not_taken(&self, request: RequestId) {
        let consent = self.setup.consent.clone();
        let _ = tokio::task::spawn_blocking(move || consent.take_back(request)).await;
        self.approvals.taken(request, false).await;
    }

    async fn ended(mut self, exit: Option<Exit>, why: &str) {
        let mut left: Vec<String> = self.exchange.pending().map(str::to_owned).collect();
        left.extend(self.on_their_way.iter().cloned());
        for id in left {
            self.retire(&id, Resolver::ClientGone).await;
        }
        if let Some(past) = self.past.take() {
            for effect in past {
                if let Effect::Tell(message) = effect {
                    self.view.take(&message, self.setup.lang);
                }
            }
        }
        let (consent, session) = (self.setup.consent.clone(), self.dir.id().to_string());
        let _ = tokio::task::spawn_blocking(move || consent.ended(&session)).await;
        let code = exit.and_then(|exit| exit.code);
        let ended = Happening::Ended { code, text: short(why.trim(), LAST_WORDS) };
        self.tell(self.view.add(ended));
    }

    fn request_id(&self, id: &str) -> RequestId {
        self.notes.request_id(id)
    }

    fn tell(&self, happened: Numbered) {
        let message = Message::SessionEvent { session_id: self.dir.id(), happened: Box::new(happened) };
        self.approvals.tell(message);
    }
}
