//! Many requests at once, for an owner with further surfaces.

use std::collections::HashSet;
use std::sync::Arc;

use dmplz_core::approvers::Approver;
use dmplz_core::card::GrantEnd;
use dmplz_core::request::{self, ApprovalScope, Life, Step};
use tokio::sync::{mpsc, oneshot};
use tokio::task::LocalSet;

use super::*;
use crate::{Claim, Command, Job, News, Owner, Revocation, Terms, Verdict};

mod asked;
mod hostile;
mod late;
mod led;
mod once;
mod posting;
mod revoking;
mod shared;

/// A fake owner of the requests.
struct Gateway {
    world: Rc<RefCell<World>>,
    commands: mpsc::Sender<Command>,
    /// Requests that were answered elsewhere already.
    lost: HashSet<&'static str>,
    started: Instant,
}

impl Gateway {
    fn note(&self, line: String) {
        self.world.borrow_mut().log.push(format!("= {line} at {}", self.started.elapsed().as_millis()));
    }

    fn verdict(&self, id: &str) -> Verdict {
        match (self.lost.contains(id), self.lost.contains("disk")) {
            (true, _) => Verdict { told: Some("bob was first".into()), news: Some(News::Over), ..Verdict::default() },
            (_, true) => Verdict { told: Some("not written down".into()), ..Verdict::default() },
            _ => Verdict::COUNTS,
        }
    }
}

impl Owner for Gateway {
    async fn carry_out(&self, id: &str, command: &request::Command) -> Verdict {
        let verdict = self.verdict(id);
        match Life::<()>::Open.step(command.clone(), ()).unwrap() {
            Step::Deny(denial) => self.note(format!("{id} denied by {}", denial.by.id())),
            Step::End(outcome) => {
                self.note(format!("{id} {}", name(&outcome)));
                if verdict.counts {
                    close(&self.commands, id, &outcome);
                }
            }
        }
        verdict
    }

    async fn revoked(&self, id: &str, by: &Approver) -> Revocation {
        self.note(format!("grant of {id} taken back by {}", by.id()));
        match (self.lost.contains("over"), self.lost.contains("broken")) {
            (true, _) => Revocation::Over,
            (_, true) => Revocation::Failed,
            _ => Revocation::Done,
        }
    }

    fn reachable(&self, trouble: Option<&str>) {
        self.note(format!("reachable: {}", trouble.unwrap_or("yes")));
    }

    async fn place(&self, _: &str) -> Option<OpenChat> {
        let thread = self.world.borrow().thread?;
        Some(OpenChat { id: thread.into(), owner: None, users: Users::Identified })
    }

    async fn displaced(&self, _: &str) {
        let deleted = self.world.borrow().deleted;
        match deleted {
            Some(at) => tokio::time::sleep_until(self.started + Duration::from_millis(at)).await,
            None => std::future::pending().await,
        }
    }

    fn looked(&self, began: Instant) {
        let began = u64::try_from(began.duration_since(self.started).as_millis()).unwrap();
        self.world.borrow_mut().looked.push(began);
    }

    fn shown(&self, _: &str) {}

    fn unshown(&self, id: &str, why: &str) {
        self.note(format!("{id} unshown: {why}"));
    }

    fn watches(&self) -> Vec<Watch> {
        let own = self.world.borrow().own.clone();
        own.into_iter()
            .map(|id| Watch { message: message(id), tag: String::new(), choices: Vec::new(), text: true })
            .collect()
    }

    fn take(&self, event: &Event, claim: Claim) -> Option<oneshot::Receiver<()>> {
        let Event::Said(said) = event else { return None };
        let own = self.world.borrow().own.clone();
        let is_reply = said.reply_to.as_ref().is_some_and(|to| own.contains(&to.sequence));
        let is_ours = claim == Claim::Last || is_reply || said.text.starts_with('/');
        if own.is_empty() || !is_ours {
            return None;
        }
        self.note(format!("{} {claim:?}", said.text));
        Some(oneshot::channel().1)
    }
}

fn close(commands: &mpsc::Sender<Command>, id: &str, outcome: &Outcome) {
    commands.try_send(Command::Resolved { id: id.to_owned() }).unwrap();
    let ended = Ended::of(outcome, false, "now", Lang::En);
    let is_granted = matches!(outcome, Outcome::Approved { scope: ApprovalScope::Granted { .. }, .. });
    let ended = if is_granted { ended.with_grant(GrantEnd::Revocable, Lang::En) } else { ended };
    commands.try_send(Command::Close { id: id.to_owned(), ended }).unwrap();
}

/// The test's side of a serving desk.
struct Office {
    commands: mpsc::Sender<Command>,
    started: Instant,
    offer: Offer,
    world: Rc<RefCell<World>>,
}

impl Office {
    fn job(&self, id: &str) -> Job {
        let subject = Arc::new(Subject { tool: format!("Bash {id}"), ..subject("ls") });
        let deadline = self.started + Duration::from_secs(7200);
        let tag = format!("TAG{id}");
        let (id, offer) = (id.to_owned(), self.offer.clone());
        Job { id, tag, subject, offer, deadline, progress: None, denied: None, is_over: false }
    }

    fn ask(&self, id: &str) {
        self.commands.try_send(Command::Ask(Box::new(self.job(id)))).unwrap();
    }

    async fn until(&self, at: Millis) {
        tokio::time::sleep_until(self.started + Duration::from_millis(at)).await;
    }
}

fn approver(id: &str) -> Approver {
    Approvers::owner("chat", id).admit(&user(id)).unwrap()
}

/// Serves in a world while a test plays its part.
async fn serve(
    world: World,
    transport: Transport,
    active: usize,
    lost: &[&'static str],
    play: impl AsyncFnOnce(&Office),
) -> World {
    let world = Rc::new(RefCell::new(world));
    let started = Instant::now();
    world.borrow_mut().began = Some(started);
    let skip_keywords =
        if transport.answering == Answering::Reactions { vec!["no_reason".to_owned()] } else { Vec::new() };
    let fake = Fake { world: world.clone(), transport, started };
    let chat = Chat::Room("c".into());
    let everything = async {
        let desk = Desk::open(Rc::new(fake), Memory(world.clone()), &chat, Lang::En, started, 1000).await.unwrap();
        let (commands, receiver) = mpsc::channel(1000);
        let lost = lost.iter().copied().collect();
        let owner = Gateway { world: world.clone(), commands: commands.clone(), lost, started };
        let terms = Terms {
            approvers: Approvers::of("chat", desk.chat(), &["bob".into()]),
            reason_timeout: Duration::from_secs(60),
            reason: ReasonRules { max_chars: 300, skip_keywords },
            active,
        };
        let offer = world.borrow().offer.clone().unwrap_or_else(|| Offer::plain(true));
        let office = Office { commands, started, offer, world: world.clone() };
        tokio::select! {
            () = desk.serve(receiver, owner, terms) => {}
            () = play(&office) => {}
        }
    };
    LocalSet::new().run_until(everything).await;
    let world = world.borrow();
    World { log: world.log.clone(), saved: world.saved.clone(), shown: world.shown.clone(), ..World::default() }
}

/// Returns what was shown and what the owner was told, without the polls.
fn story(world: &World) -> String {
    let told = |line: &&String| !line.starts_with("receive") && !line.starts_with("open");
    world.log.iter().filter(told).cloned().collect::<Vec<_>>().join("\n")
}

fn answers(at: Millis, text: &str, by: &str, id: u64, to: u64) -> (Millis, Event) {
    let (at, Event::Said(said)) = says(at, text, by, id) else { unreachable!() };
    (at, Event::Said(Said { reply_to: Some(message(to)), ..said }))
}
