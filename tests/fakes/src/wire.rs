use crate::call::Call;
use crate::fault::{Fault, On, Script};
use crate::violation::Violation;
use crate::watched::Watched;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The requests that a fake received, and the faults that will happen. A cheap handle.
#[derive(Clone)]
pub struct Wire {
    record: Arc<Watched<Record>>,
}

#[derive(Default)]
struct Record {
    calls: Vec<Call>,
    /// The number of older requests that were dropped.
    forgotten: usize,
    /// The requests whose replies are kept.
    keep: Option<Box<Wanted>>,
    script: Script,
    violations: Vec<Violation>,
    /// The number of times that held requests were released.
    releases: u64,
}

type Wanted = dyn Fn(&Call) -> bool + Send;

/// The number of releases when a request began.
#[derive(Clone, Copy)]
pub(crate) struct Hold(u64);

impl Wire {
    pub(crate) fn new() -> Self {
        Self { record: Arc::new(Watched::new(Record::default())) }
    }

    /// Returns every request so far, in the order in which they were read.
    pub fn calls(&self) -> Vec<Call> {
        self.record.read(|record| record.calls.clone())
    }

    /// Waits for a request that satisfies `wanted`, for at most `wait`; one that has already arrived counts.
    pub async fn await_call(&self, wait: Duration, wanted: impl FnMut(&Call) -> bool) -> Option<Call> {
        self.record.within(wait, first(wanted)).await
    }

    /// As [`Wire::await_call`], for a thread without a runtime.
    pub fn await_call_blocking(&self, wait: Duration, wanted: impl FnMut(&Call) -> bool) -> Option<Call> {
        self.record.within_blocking(wait, first(wanted))
    }

    /// Keeps the replies to these requests from now on, in [`Call::reply`].
    pub fn keep_replies(&self, of: impl Fn(&Call) -> bool + Send + 'static) {
        self.record.change(|record| record.keep = Some(Box::new(of)));
    }

    /// Drops the record of all requests so far, for runs that are too long to store all of it.
    pub fn forget(&self) {
        self.record.change(|record| {
            record.forgotten += record.calls.len();
            record.calls.clear();
        });
    }

    /// Adds a fault. Of several faults that affect a request, the first one that was added happens.
    pub fn fail(&self, on: impl Into<On>, fault: Fault) {
        let on = on.into();
        self.record.change(|record| record.script.add(on, fault));
    }

    /// Removes all faults that have not happened.
    pub fn heal(&self) {
        self.record.change(|record| record.script.clear());
    }

    /// Releases every request that is held now.
    pub fn release(&self) {
        self.record.change(|record| record.releases += 1);
    }

    /// Returns everything so far that the platform's schema does not allow, in requests and in the fake's own replies.
    pub fn violations(&self) -> Vec<Violation> {
        self.record.read(|record| record.violations.clone())
    }

    /// Asserts that there was no violation, at the end of a test.
    ///
    /// # Panics
    /// If there was a violation.
    #[allow(clippy::panic, reason = "an assertion for tests")]
    #[track_caller]
    pub fn assert_clean(&self) {
        let violations: Vec<String> = self.violations().iter().map(ToString::to_string).collect();
        if !violations.is_empty() {
            panic!("the platform's schema does not allow:\n{}", violations.join("\n"));
        }
    }

    /// Records a request. Returns its number, its fault, and its hold on [`Wire::released`].
    pub(crate) fn begin(&self, call: Call) -> (usize, Option<Fault>, Hold) {
        self.record.change(|record| {
            let fault = record.script.next(&call);
            record.calls.push(call);
            (record.forgotten + record.calls.len() - 1, fault, Hold(record.releases))
        })
    }

    /// Records the status of a request's answer.
    pub(crate) fn end(&self, number: usize, status: u16) {
        self.record.change(|record| {
            if let Some(call) = record.call(number) {
                call.status = Some(status);
            }
        });
    }

    /// Returns whether the reply to a request is kept.
    pub(crate) fn keeps(&self, number: usize) -> bool {
        self.record.read(|record| {
            let call = number.checked_sub(record.forgotten).and_then(|number| record.calls.get(number));
            record.keep.as_ref().zip(call).is_some_and(|(keep, call)| keep(call))
        })
    }

    /// Records a reply that is sent to the client completely.
    pub(crate) fn replied(&self, number: usize, reply: Value) {
        self.record.change(|record| {
            if let Some(call) = record.call(number) {
                call.reply = Some((Instant::now(), reply));
            }
        });
    }

    /// Waits for the first [`Wire::release`] after the request began.
    pub(crate) async fn released(&self, hold: Hold) {
        self.record.until(|record| (record.releases > hold.0).then_some(())).await;
    }

    pub(crate) fn report(&self, violations: Vec<Violation>) {
        if !violations.is_empty() {
            self.record.change(|record| record.violations.extend(violations));
        }
    }
}

impl Record {
    fn call(&mut self, number: usize) -> Option<&mut Call> {
        self.calls.get_mut(number.checked_sub(self.forgotten)?)
    }
}

fn first(mut wanted: impl FnMut(&Call) -> bool) -> impl FnMut(&mut Record) -> Option<Call> {
    move |record| record.calls.iter().find(|call| wanted(call)).cloned()
}
