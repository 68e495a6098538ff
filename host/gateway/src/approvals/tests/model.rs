//! Random interleavings of all operations, with restarts and a failing disk, checked against the invariants.

use std::collections::HashMap;
use std::sync::Mutex;

use dmplz_core::request::Resolution;
use proptest::collection::vec;
use proptest::prelude::*;
use tokio::task::{AbortHandle, JoinHandle};

use super::*;
use crate::sample::numbered;

const REQUESTS: u128 = 4;

#[derive(Debug, Clone)]
enum Op {
    Ask(u128),
    Answer(u128, Answer, &'static str),
    Deny(u128, &'static str),
    Withdraw(u128),
    Taken(u128, bool),
    Wait(u64),
    Jump(u64),
    Fail(bool),
    Restart,
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let who = || prop_oneof![Just("ada"), Just("eve"), Just("bob")];
    let answer = prop_oneof![
        Just(Answer::APPROVE),
        Just(Answer::SESSION),
        Just(because("no")),
        Just(Answer::Deny { reason: None, instead: false })
    ];
    let which = || 1..=REQUESTS;
    let op = prop_oneof![
        6 => which().prop_map(Op::Ask),
        8 => (which(), answer, who()).prop_map(|(n, answer, who)| Op::Answer(n, answer, who)),
        4 => (which(), who()).prop_map(|(n, who)| Op::Deny(n, who)),
        2 => which().prop_map(Op::Withdraw),
        2 => (which(), any::<bool>()).prop_map(|(n, taken)| Op::Taken(n, taken)),
        8 => (0..60_u64).prop_map(Op::Wait),
        2 => (0..200_000_u64).prop_map(Op::Wait),
        1 => (0..2 * START).prop_map(Op::Jump),
        3 => any::<bool>().prop_map(Op::Fail),
        2 => Just(Op::Restart),
    ];
    vec(op, 1..60)
}

/// A result that an approver or an asker received.
#[derive(Debug, Clone)]
enum Heard {
    /// An answer that ends the request was accepted.
    Won(Resolution),
    /// A denial whose reason is still to come was accepted.
    Denied(String),
    /// A denial counts although it is not recorded.
    DeniedUnrecorded,
    /// The asker received this resolution.
    Asker(Resolution),
}

#[derive(Default, Clone)]
struct Heards(Arc<Mutex<Vec<(u128, usize, Heard)>>>);

impl Heards {
    fn note(&self, n: u128, generation: usize, heard: Heard) {
        self.0.lock().unwrap().push((n, generation, heard));
    }
}

struct World {
    it: Fixture,
    generation: usize,
    heards: Heards,
    numbers: Arc<Mutex<Vec<u64>>>,
    tasks: Vec<AbortHandle>,
    allowed: HashMap<u128, Vec<&'static str>>,
}

fn id(n: u128) -> RequestId {
    numbered(n, "ls").id
}

fn resolution(standing: &Standing) -> Option<Resolution> {
    match &standing.status {
        Status::Ended { resolution, .. } => Some(resolution.clone()),
        _ => None,
    }
}

fn allows(resolution: &Resolution) -> bool {
    resolution.outcome.is_approval()
}

fn rejects(resolution: &Resolution) -> bool {
    matches!(resolution.outcome, End::RejectedWithReason | End::RejectedNoReason)
}

impl World {
    fn new(takes: &[u64]) -> Self {
        let it = Fixture::new();
        it.fake.takes(takes);
        let (heards, numbers) = Default::default();
        let mut world = Self { it, generation: 0, heards, numbers, tasks: Vec::new(), allowed: HashMap::new() };
        world.listen();
        world
    }

    fn spawn(&mut self, task: impl Future<Output = ()> + Send + 'static) {
        let task: JoinHandle<()> = tokio::spawn(task);
        self.tasks.push(task.abort_handle());
    }

    /// Notes every event, from the last one on.
    fn listen(&mut self) {
        let numbers = Arc::clone(&self.numbers);
        let after = numbers.lock().unwrap().last().copied().unwrap_or(0);
        let mut replay = self.it.approvals.subscribe_from(after, Kind::APPROVALS);
        self.spawn(async move {
            while let Some(event) = replay.next().await {
                match (event.event_id, &event.message) {
                    (Some(number), _) => numbers.lock().unwrap().push(number),
                    (None, Message::ApprovalResolved { approval }) => assert!(!allows(&resolution(approval).unwrap())),
                    (None, other) => panic!("only an end is told without a number: {other:?}"),
                }
            }
        });
    }

    async fn run(mut self, op: Op) -> Self {
        let (approvals, heards, generation) = (self.it.approvals.clone(), self.heards.clone(), self.generation);
        match op {
            Op::Ask(n) => self.spawn(async move {
                if approvals.ask(numbered(n, "ls")).await.is_ok()
                    && let Ok(standing) = approvals.ended(id(n)).await
                {
                    heards.note(n, generation, Heard::Asker(resolution(&standing).unwrap()));
                }
            }),
            Op::Answer(n, answer, who) => {
                let denies = matches!(answer, Answer::Deny { .. });
                if !denies {
                    self.allowed.entry(n).or_default().push(who);
                }
                self.spawn(async move {
                    match approvals.answer(id(n), answer, person(who)).await {
                        Ok(standing) => heards.note(n, generation, Heard::Won(resolution(&standing).unwrap())),
                        // It was denied; otherwise it would not be in memory any more.
                        Err(AnswerError::NotRecorded(..)) if denies && approvals.is_known(id(n)) => {
                            heards.note(n, generation, Heard::DeniedUnrecorded);
                        }
                        Err(_) => {}
                    }
                });
            }
            Op::Deny(n, who) => self.spawn(async move {
                match approvals.deny(id(n), person(who), false).await {
                    Ok(_) => heards.note(n, generation, Heard::Denied(who.into())),
                    Err(AnswerError::NotRecorded(..)) if approvals.is_known(id(n)) => {
                        heards.note(n, generation, Heard::DeniedUnrecorded);
                    }
                    Err(_) => {}
                }
            }),
            Op::Withdraw(n) => {
                self.spawn(async move { drop(approvals.withdraw(id(n), Resolver::ClientGone).await) });
            }
            Op::Taken(n, taken) => self.spawn(async move { approvals.taken(id(n), taken).await }),
            Op::Wait(ms) => {
                self.it.wall.set((self.it.approvals.now_ms()).saturating_add(ms));
                tokio::time::sleep(Duration::from_millis(ms)).await;
            }
            Op::Jump(to) => self.it.wall.set(to),
            Op::Fail(fails) => self.it.fake.fails(fails),
            Op::Restart => {
                self.tasks.drain(..).for_each(|task| task.abort());
                self.it = self.it.restart();
                self.generation += 1;
                self.listen();
            }
        }
        self
    }

    /// Lets the disk work again, and waits until everything has ended.
    async fn settle(self) -> Self {
        self.it.fake.fails(false);
        tokio::time::sleep(Duration::from_secs(1200)).await;
        self
    }

    async fn check(self) {
        let events = self.it.approvals.events_after(0, 10_000).await.unwrap();
        let numbers: Vec<_> = (1..=events.len() as u64).collect();
        assert_eq!(*self.numbers.lock().unwrap(), numbers, "each event is told once, in order");
        assert_eq!(self.it.approvals.state().requests.len(), 0, "nothing stays in memory");
        for n in 1..=REQUESTS {
            let Some(standing) = self.it.approvals.get(id(n)).await else { continue };
            let end = resolution(&standing).expect("everything ends");
            self.check_events(n, &events);
            self.check_end(n, &end);
        }
    }

    fn check_events(&self, n: u128, events: &[Event]) {
        let of = |event: &Event| match &event.message {
            Message::ApprovalRequested { approval }
            | Message::ApprovalDenied { approval }
            | Message::ApprovalResolved { approval } => approval.request.id == id(n),
            Message::ApprovalTaken { request_id, .. } => *request_id == id(n),
            _ => false,
        };
        let kinds: Vec<_> = events.iter().filter(|event| of(event)).map(|event| event.message.kind()).collect();
        let order = |kind: &Kind| Kind::APPROVALS.iter().position(|known| known == kind).unwrap();
        assert!(kinds.is_sorted_by(|a, b| order(a) < order(b)), "{n}: {kinds:?}");
        assert!(kinds.contains(&Kind::ApprovalRequested) && kinds.contains(&Kind::ApprovalResolved));
    }

    fn check_end(&self, n: u128, end: &Resolution) {
        let heards: Vec<_> = self.heards.0.lock().unwrap().iter().filter(|(of, ..)| *of == n).cloned().collect();
        if allows(end) {
            let by = &end.by.as_ref().unwrap().id;
            assert!(self.allowed.get(&n).is_some_and(|who| who.contains(&by.as_str())), "{n}: nobody allowed {end:?}");
        }
        let mut won = 0;
        for (_, generation, heard) in &heards {
            match heard {
                Heard::Won(resolution) => {
                    won += 1;
                    assert_eq!(resolution, end, "{n}: an answer that counted is the end");
                }
                Heard::Denied(who) => {
                    assert!(rejects(end), "{n}: a denial is never lost: {end:?}");
                    assert_eq!(&end.by.as_ref().unwrap().id, who);
                }
                Heard::DeniedUnrecorded if *generation == self.generation => {
                    assert!(rejects(end), "{n}: a denial counts although it is not recorded: {end:?}");
                }
                // An unrecorded denial is lost when the gateway is killed, as its person was told.
                Heard::DeniedUnrecorded => {}
                Heard::Asker(resolution) if allows(resolution) || *generation == self.generation => {
                    assert_eq!(resolution, end, "{n}: whoever asked got the end");
                }
                Heard::Asker(_) => {}
            }
        }
        assert!(won <= 1, "{n}: {heards:?}");
    }
}

impl Approvals {
    fn is_known(&self, id: RequestId) -> bool {
        self.state().requests.contains_key(&id)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_in_whatever_order(ops in ops(), takes in vec(0..40_u64, 1..6)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async move {
            let mut world = World::new(&takes);
            for op in ops {
                world = world.run(op).await;
            }
            world.settle().await.check().await;
        });
    }
}
