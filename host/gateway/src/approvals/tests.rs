//! Tests of the owner of requests, on a paused clock.

mod disk;
pub(crate) mod fake;
mod flow;
pub(super) mod memory;
mod model;
mod race;
mod replay;
mod time;

use std::sync::atomic::{AtomicU64, Ordering};

use dmplz_core::request::End;
use dmplz_protocol::{Request, Status};

use super::*;
use crate::bus::AskError;
use crate::disk::ledger::{Later, OnNumber};
use crate::disk::{masked, masked_end};
use crate::sample::{START, person, request, rules};
use fake::Fake;

/// A wall clock that only the test sets.
#[derive(Clone)]
struct Wall(Arc<AtomicU64>);

impl Wall {
    fn new() -> Self {
        Self(Arc::new(START.into()))
    }

    fn clock(&self) -> Clock {
        let wall = self.clone();
        Arc::new(move || wall.0.load(Ordering::SeqCst))
    }

    fn set(&self, ms: u64) {
        self.0.store(ms, Ordering::SeqCst);
    }
}

/// An owner over a disk that the test can break.
struct Fixture {
    approvals: Approvals,
    fake: Fake,
    wall: Wall,
    surface: Option<Attached>,
}

impl Fixture {
    fn new() -> Self {
        Self::over(Fake::default(), Wall::new())
    }

    fn over(fake: Fake, wall: Wall) -> Self {
        let approvals = Approvals::with(Arc::new(fake.clone()), Bus::default(), rules(), wall.clock());
        approvals.go_on(fake.recovered());
        let surface = Some(approvals.attach("other"));
        Self { approvals, fake, wall, surface }
    }

    /// Kills the gateway and starts the next one.
    fn restart(self) -> Self {
        let Self { fake, wall, .. } = self;
        Self::over(fake.killed(), wall)
    }

    async fn asked(&self, command: &str) -> RequestId {
        let request = request(command);
        let id = request.id;
        self.approvals.ask(request).await.unwrap();
        id
    }

    async fn deny(&self, id: RequestId, who: &str) -> Result<Standing, AnswerError> {
        self.approvals.deny(id, person(who), false).await
    }

    async fn answer(&self, id: RequestId, answer: Answer, who: &str) -> Result<Standing, AnswerError> {
        self.approvals.answer(id, answer, person(who)).await
    }

    async fn approve(&self, id: RequestId, who: &str) -> Result<Standing, AnswerError> {
        self.answer(id, Answer::APPROVE, who).await
    }

    async fn outcome(&self, id: RequestId) -> Option<End> {
        self.approvals.get(id).await.as_ref().and_then(outcome)
    }
}

fn outcome(standing: &Standing) -> Option<End> {
    match &standing.status {
        Status::Ended { resolution, .. } => Some(resolution.outcome),
        _ => None,
    }
}

fn because(reason: &str) -> Answer {
    Answer::Deny { reason: Some(reason.into()), instead: false }
}
