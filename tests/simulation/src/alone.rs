//! A hook that asks alone: what `dmplz hook` does around the desk, and what its client does around it.

use std::pin::{Pin, pin};
use std::rc::Rc;

use dmplz_core::approvers::Approvers;
use dmplz_core::card::{Ended, GrantEnd, Subject};
use dmplz_core::claude::session_grant;
use dmplz_core::flow::Rules;
use dmplz_core::messenger::Answering;
use dmplz_core::reason::ReasonRules;
use dmplz_core::request::{ApprovalScope, ExpiredCause, Offer, Outcome, Resolver, Trouble};
use dmplz_core::text::Lang;
use dmplz_desk::{Ask, Asked, Clock, Desk, Face, Files, TimeLimits};
use dmplz_plugin::StartError;
use dmplz_policy::KnownCommands;
use dmplz_state::{CardRecord, Cards, OpenCard, Stage};
use tokio::sync::SemaphorePermit;
use tokio::time::{Duration, Instant, sleep, sleep_until};

use crate::asks::input;
use crate::hook::Hook;
use crate::ledger::Disk;
use crate::script::HookId;
use crate::world::connection::Connection;
use crate::world::{World, complain, wall_ms};

/// How long a hook tries to reach a messenger to which certainly nothing was sent, as its setting has it.
const UNREACHABLE: Duration = Duration::from_secs(20);
/// The maximum time that `dmplz hook` reserves before the client's time limit, in milliseconds.
const MARGIN: u64 = 5_000;
/// The time limit of its last edits in the chat.
const CLOSING: Duration = Duration::from_secs(3);
const CLOSING_STOPPED: Duration = Duration::from_millis(1300);
/// How long to wait for a gateway that holds the bot.
const GATEWAY_LEAVES: Duration = Duration::from_secs(3);

/// Completes when the client signals the hook.
pub type Sign<'a> = Pin<&'a mut dyn Future<Output = Resolver>>;

/// A hook that asks alone.
pub struct Alone {
    client: Hook,
    world: Rc<World>,
    hook: HookId,
    started: Instant,
    deadline: u64,
}

impl Alone {
    /// Creates the process of a hook that starts now.
    pub fn new(world: &Rc<World>, hook: HookId, started: Instant) -> Self {
        let limit = world.script.frame.limit;
        let deadline = limit - MARGIN.min(limit / 5);
        let mut truth = world.truth.borrow_mut();
        let life = truth.of(hook);
        (life.started, life.deadline) = (world.millis(started), world.millis(started) + deadline);
        life.asked_alone = true;
        let client = Hook { world: Rc::clone(world), hook };
        Self { client, world: Rc::clone(world), hook, started, deadline }
    }

    /// Runs the hook from its start to its exit.
    pub async fn run(self, mut sign: Sign<'_>) {
        let end = self.started + Duration::from_millis(self.deadline);
        let Ok(input) = input(self.hook, self.world.script.asks(self.hook)) else { return };
        let Ok(call) = input.tool_call() else { return };
        let ruling = self.client.ruling(&input, &call);
        if let Some(ruled) = ruling.ruled {
            return self.client.hand_over_ruled(ruled);
        }
        let grants = session_grant(&call, &input.cwd, &KnownCommands);
        let subject = Subject::of(&call, &self.request(), &input.cwd, None, &grants, Lang::En)
            .granting(ruling.grantable.as_ref(), Lang::En);
        let card = self.open_card(&subject);
        let clock = Clock { now_ms: wall_ms, time_of_day: || "now".to_owned(), warn: complain };
        let files = Files::new(&self.world.state, &self.world.account, card, clock);
        let ledger = Disk::new(files, &self.world);
        let turn = match self.turn(sign.as_mut(), end).await {
            Ok(turn) => turn,
            Err(outcome) => return self.client.hand_over(&outcome),
        };
        let unstarted = |error: StartError| Outcome::Expired(ExpiredCause::Failed(Trouble::Other(error.to_string())));
        let connection = match Connection::open(&self.world, Some(self.hook)).await {
            Ok(connection) => connection,
            Err(error) => return self.client.hand_over(&unstarted(error)),
        };
        let chat = self.world.chat();
        let limits = TimeLimits { deadline: self.deadline, unreachable: Some(UNREACHABLE) };
        let opened = tokio::select! {
            opened = Desk::open(Rc::new(connection), ledger, &chat, Lang::En, self.started, limits) => opened,
            resolver = &mut sign => return self.client.hand_over(&Outcome::ResolvedElsewhere(resolver)),
        };
        let mut desk = match opened {
            Ok(desk) => desk,
            Err(error) => return self.client.hand_over(&Outcome::Expired(ExpiredCause::Failed(error.into()))),
        };
        let offer = Offer { granted: ruling.grantable.is_some(), ..Offer::of(&call, &input.cwd, &KnownCommands) };
        let rules = self.rules(&desk, offer);
        let asked = self.ask(&mut desk, &subject, &rules, sign).await;
        let outcome = asked.outcome.clone();
        let changes = self.client.keep(&outcome, ruling.grantable.as_ref(), self.request());
        self.client.hand_over(&outcome);
        drop(turn);
        let ended = Ended::of(&outcome, false, "now", Lang::En).storing(&outcome, &rules.offer, Lang::En);
        let is_granted = matches!(outcome, Outcome::Approved { scope: ApprovalScope::Granted { .. }, .. });
        let ended = match changes {
            Some(_) => ended.with_grant(GrantEnd::Holds, Lang::En),
            None if is_granted => ended.with_grant(GrantEnd::NotKept, Lang::En),
            None => ended,
        };
        self.client.tell(changes).await;
        let limit = self.started + Duration::from_millis(self.world.script.frame.limit);
        let left = limit.saturating_duration_since(Instant::now());
        let closing = if asked.stopped { CLOSING_STOPPED } else { CLOSING.min(left * 4 / 5) };
        desk.close(asked, ended, closing).await;
    }

    /// Waits for its turn on the account; how it ends where it has none.
    async fn turn(&self, mut sign: Sign<'_>, end: Instant) -> Result<SemaphorePermit<'_>, Outcome> {
        let unasked = |why: &str| Err(Outcome::Expired(ExpiredCause::Failed(Trouble::Other(why.to_owned()))));
        let mut turn = pin!(self.world.queue.acquire());
        loop {
            tokio::select! {
                biased;
                turn = turn.as_mut() => return turn.or_else(|_| unasked("the queue is closed")),
                resolver = sign.as_mut() => return Err(Outcome::ResolvedElsewhere(resolver)),
                () = sleep_until(end) => return unasked("the requests before it were not answered"),
                () = sleep(GATEWAY_LEAVES) => {
                    if self.world.post.has_account() {
                        return unasked("the gateway has the bot");
                    }
                }
            }
        }
    }

    async fn ask(&self, desk: &mut Desk<Connection, Disk>, subject: &Subject, rules: &Rules, sign: Sign<'_>) -> Asked {
        desk.ask(&Ask { subject, tag: &self.tag(), rules }, sign).await
    }

    fn rules(&self, desk: &Desk<Connection, Disk>, offer: Offer) -> Rules {
        let buttons = desk.style().answering != Answering::Reactions;
        let skip_keywords = if buttons { Vec::new() } else { vec!["no_reason".to_owned()] };
        Rules {
            approvers: Approvers::of("simulated", desk.chat(), &self.world.listed()),
            offer,
            deadline: self.deadline,
            reason_timeout: self.world.script.frame.reason,
            reason: ReasonRules { max_chars: 300, skip_keywords },
        }
    }

    fn request(&self) -> String {
        format!("request-{}", self.hook)
    }

    fn tag(&self) -> String {
        format!("card{}", self.hook)
    }

    fn open_card(&self, subject: &Subject) -> Option<OpenCard<Face>> {
        let record = CardRecord {
            request_id: self.request(),
            session_id: format!("session-{}", self.hook),
            agent_id: None,
            account: self.world.account.clone(),
            tag: self.tag(),
            tool_name: "Bash".to_owned(),
            input_digest: String::new(),
            stage: Stage::Queued,
            card: None,
            prompt: None,
            denier: None,
            created_ms: wall_ms(),
            ended_ms: None,
            told: Vec::new(),
            face: Face::new(subject.brief(0)),
        };
        Cards::new(&self.world.state).open_card(record).map_err(|error| complain(&error.to_string())).ok()
    }
}
