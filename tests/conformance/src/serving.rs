use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::approvers::Approver;
use dmplz_core::card::{Ended, GrantEnd};
use dmplz_core::request::{self, ApprovalScope, Life, Outcome, Step};
use dmplz_core::text::Lang;
use dmplz_desk::{Command, GatewayLedger, Job, Owner, Revocation, Saved, Terms, Verdict};
use tokio::sync::mpsc;
use tokio::task::LocalSet;
use tokio::time::Instant;

use crate::asking::{rules, subject};
use crate::{Asking, Office, Platform};

/// The owner of a request that a desk serves, like the gateway: it ends the request, and keeps the grant of an
/// answer.
#[derive(Clone)]
pub struct Keeper {
    commands: mpsc::Sender<Command>,
    holds: Rc<Cell<bool>>,
    taken: Rc<RefCell<Vec<String>>>,
}

impl Keeper {
    /// Returns whether the grant is in force.
    pub fn holds(&self) -> bool {
        self.holds.get()
    }

    /// Ends the grant that was given.
    pub fn expire(&self) {
        self.holds.set(false);
    }

    /// Returns who revoked a grant.
    pub fn taken_by(&self) -> Vec<String> {
        self.taken.borrow().clone()
    }
}

impl Owner for Keeper {
    async fn carry_out(&self, id: &str, command: &request::Command) -> Verdict {
        let Ok(Step::End(outcome)) = Life::<()>::Open.step(command.clone(), ()) else { return Verdict::COUNTS };
        let is_granted = matches!(outcome, Outcome::Approved { scope: ApprovalScope::Granted { .. }, .. });
        self.holds.set(is_granted);
        let ended = Ended::of(&outcome, false, "now", Lang::En);
        let ended = if is_granted { ended.with_grant(GrantEnd::Revocable, Lang::En) } else { ended };
        self.commands.try_send(Command::Resolved { id: id.to_owned() }).unwrap();
        self.commands.try_send(Command::Close { id: id.to_owned(), ended }).unwrap();
        Verdict::COUNTS
    }

    async fn revoked(&self, _: &str, by: &Approver) -> Revocation {
        if !self.holds.replace(false) {
            return Revocation::Over;
        }
        self.taken.borrow_mut().push(by.name().to_owned());
        Revocation::Done
    }

    fn reachable(&self, trouble: Option<&str>) {
        assert_eq!(trouble, None, "the messenger is there");
    }

    fn shown(&self, _: &str) {}

    fn unshown(&self, id: &str, why: &str) {
        panic!("{id} cannot be shown: {why}");
    }
}

impl<P: Platform> Office<P> {
    /// Serves a request as the gateway does, until `people` is done with it and with its ended card.
    pub async fn serve(&self, asking: Asking<'_>, people: impl AsyncFnOnce(&Self, &str, &Keeper)) {
        let ledger = GatewayLedger::new(self.files(None), Lang::En, |_| Saved::default());
        let desk = self.open(&asking, ledger).await;
        let chat = desk.chat().id.clone();
        let rules = rules(&desk, &asking);
        let (commands, receiver) = mpsc::channel(16);
        let keeper = Keeper { commands: commands.clone(), holds: Rc::default(), taken: Rc::default() };
        let terms = Terms {
            approvers: rules.approvers,
            reason_timeout: Duration::from_millis(asking.reason_timeout),
            reason: rules.reason,
            active: 1,
        };
        let job = Job {
            id: asking.name.to_owned(),
            tag: asking.name.to_owned(),
            subject: Arc::new(subject(&asking)),
            offer: asking.offer.clone(),
            deadline: Instant::now() + Duration::from_millis(asking.deadline),
            progress: None,
            denied: None,
            is_over: false,
        };
        commands.try_send(Command::Ask(Box::new(job))).unwrap();
        let served = async {
            tokio::select! {
                () = desk.serve(receiver, keeper.clone(), terms) => panic!("it serves for as long as it is told"),
                () = people(self, &chat, &keeper) => {}
            }
        };
        LocalSet::new().run_until(served).await;
    }
}
