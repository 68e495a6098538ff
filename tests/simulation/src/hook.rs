//! The work of a hook before it asks and after it was answered, alone and through the gateway: it evaluates rules and
//! grants, stores the grant of an answer, and hands the decision to the client.

use std::rc::Rc;

use dmplz_core::claude::{HookInput, ToolCall};
use dmplz_core::grant::change::Over;
use dmplz_core::grant::{Change, Covers, Grant};
use dmplz_core::request::{ApprovalScope, Decision, ExpiredCause, Outcome, Term};
use dmplz_policy::Ruled;
use dmplz_state::Grants;

use crate::asks::{self, CWD, Ruling, session};
use crate::happenings::tell_grants;
use crate::script::HookId;
use crate::truth::Granted;
use crate::world::{World, moment, wall_ms};

/// One hook, of which its client knows.
pub struct Hook {
    /// The world in which the hook lives.
    pub world: Rc<World>,
    /// The number of the hook.
    pub hook: HookId,
}

impl Hook {
    /// Looks at rules and grants.
    pub fn ruling(&self, input: &HookInput, call: &ToolCall) -> Ruling {
        let grants = Grants::read(self.world.state.path()).unwrap_or_default();
        self.world.truth.borrow_mut().of(self.hook).judged = Some((self.world.now(), wall_ms()));
        asks::judge(call, &input.session_id, &grants, moment())
    }

    /// Hands the decision to the client, or the fact that there is none. The reason is on stderr.
    pub fn hand_over(&self, outcome: &Outcome) {
        self.world.tell(|| format!("hook {} ends: {outcome:?}", self.hook));
        let mut truth = self.world.truth.borrow_mut();
        let life = truth.of(self.hook);
        life.decisions.push((self.world.now(), outcome.clone()));
        // Some have `DMPLZ_ON_EXPIRED=deny`.
        life.ran |= matches!(outcome.decision(self.hook % 2 == 1), Decision::Allow { .. });
        if let Outcome::Expired(ExpiredCause::Failed(why)) = outcome {
            life.said.push(why.to_string());
        }
    }

    /// Hands the decision of a rule or a grant to the client.
    pub fn hand_over_ruled(&self, ruled: Ruled) {
        self.world.tell(|| format!("hook {} ends: {ruled:?}", self.hook));
        let mut truth = self.world.truth.borrow_mut();
        let life = truth.of(self.hook);
        life.ran |= matches!(ruled, Ruled::Allowed(_));
        life.ruled.push((self.world.now(), ruled));
    }

    /// Stores the grant of an approval. Returns the changes of grants; `None` if there is no grant.
    pub fn keep(&self, outcome: &Outcome, grantable: Option<&Covers>, request_id: String) -> Option<Vec<Change>> {
        let Outcome::Approved { by, scope: ApprovalScope::Granted { term } } = outcome else { return None };
        let (world, covers) = (&self.world, grantable?);
        if world.is_disk_full() {
            return None;
        }
        let own = session(self.hook, world.script.asks(self.hook));
        let session = (*term == Term::Session).then_some(own);
        let (id, now) = (format!("{:032x}", u128::from(self.hook) + 1), moment());
        let what = (covers.clone(), CWD.to_owned());
        let grant = Grant::new(id, session, what, by.answerer().clone(), request_id, now);
        let dropped = Grants::of(&world.state).add(&grant, now).ok()?;
        world.tell(|| format!("hook {} keeps a grant", self.hook));
        let granted = Granted {
            hook: self.hook,
            at: world.now(),
            wall_ms: now.wall_ms,
            until_ms: grant.until_ms,
            session: grant.session.clone(),
            over: None,
        };
        world.truth.borrow_mut().granted.push(granted);
        let mut changes = dropped.changes(|grant| Change::ended(grant, Over::Expired));
        changes.push(Change::made(&grant));
        Some(changes)
    }

    /// Reports changes of grants to the gateway.
    pub async fn tell(&self, changes: Option<Vec<Change>>) {
        tell_grants(&self.world, changes.unwrap_or_default()).await;
    }
}
