//! Random work, compared with a model of a few lines.

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Step {
    Add(usize),
    Deny(usize),
    Resolve(usize, bool),
    Take(usize, bool),
    /// Work that fails at its end.
    Fail(usize),
    Commit,
    /// The process dies before the commit.
    Die,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Model {
    /// By request: `None` if it does not exist, else its status and whether it was taken.
    requests: [Option<(&'static str, Option<bool>)>; 4],
    /// The kinds of the trail's entries.
    kinds: Vec<&'static str>,
}

const IDS: [&str; 4] = ["a", "b", "c", "d"];

fn step() -> impl Strategy<Value = Step> {
    let at = 0..IDS.len();
    prop_oneof![
        4 => at.clone().prop_map(Step::Add),
        2 => at.clone().prop_map(Step::Deny),
        4 => (at.clone(), any::<bool>()).prop_map(|(at, allow)| Step::Resolve(at, allow)),
        2 => (at.clone(), any::<bool>()).prop_map(|(at, taken)| Step::Take(at, taken)),
        1 => at.prop_map(Step::Fail),
        3 => Just(Step::Commit),
        1 => Just(Step::Die),
    ]
}

impl Model {
    /// Returns whether the step takes effect.
    fn take(&mut self, step: &Step) -> bool {
        let (at, now, kind) = match *step {
            Step::Add(at) => (at, self.requests[at].is_none().then_some(("open", None)), "approval.requested"),
            Step::Deny(at) => {
                (at, matches!(self.requests[at], Some(("open", _))).then_some(("denied", None)), "approval.denied")
            }
            Step::Resolve(at, allow) => {
                let counts = match self.requests[at] {
                    Some(("open", _)) => true,
                    Some(("denied", _)) => !allow,
                    _ => false,
                };
                (at, counts.then_some(("ended", None)), "approval.resolved")
            }
            Step::Take(at, taken) => {
                let counts = matches!(self.requests[at], Some(("ended", None)));
                (at, counts.then_some(("ended", Some(taken))), "approval.taken")
            }
            Step::Fail(_) | Step::Commit | Step::Die => return false,
        };
        if now.is_some() {
            self.requests[at] = now;
            self.kinds.push(kind);
        }
        now.is_some()
    }
}

/// Returns the number of the event, if the step took effect.
fn run(writes: &Writes<'_>, step: &Step) -> Result<Option<u64>, StoreError> {
    match *step {
        Step::Add(at) => match writes.add(&asked(IDS[at]), ASKED) {
            Err(StoreError::IdTaken(_)) => Ok(None),
            added => added.map(Some),
        },
        Step::Deny(at) => writes.deny(IDS[at], "{}", 2_000, None),
        Step::Resolve(at, allow) => writes.resolve(IDS[at], &ended(if allow { APPROVED } else { REJECTED })),
        Step::Take(at, taken) => writes.take(IDS[at], taken, 4_000),
        Step::Fail(at) => {
            writes.add(&asked(IDS[at]), ASKED)?;
            writes.resolve(IDS[at], &ended(APPROVED))?;
            Err(StoreError::Foreign)
        }
        Step::Commit | Step::Die => Ok(None),
    }
}

fn kept(store: &Store) -> Model {
    let request = |id| {
        store.reads().request(id).unwrap().map(|row| {
            assert_eq!(row.body.contains("hunter2"), row.status != "ended");
            let status = ["open", "denied", "ended"].into_iter().find(|status| *status == row.status).unwrap();
            (status, row.taken)
        })
    };
    let names = ["approval.requested", "approval.denied", "approval.resolved", "approval.taken"];
    let entries = store.reads().entries_after(0, 10_000).unwrap();
    let kinds = entries.iter().map(|row| &row.as_ref().unwrap().0);
    let kinds = kinds.map(|entry| names.into_iter().find(|name| *name == entry.kind).unwrap());
    Model { requests: IDS.map(request), kinds: kinds.collect() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_a_request_ends_once_and_the_trail_holds(steps in proptest::collection::vec(step(), 1..60)) {
        let temp = tempfile::tempdir().unwrap();
        let mut store = open(&temp);
        let (mut committed, mut pending) = (Model::default(), Model::default());
        let mut steps = steps.into_iter().peekable();
        while steps.peek().is_some() {
            let mut batch = store.batch().unwrap();
            let mut alive = true;
            for step in steps.by_ref() {
                match step {
                    Step::Commit => break,
                    Step::Die => {
                        alive = false;
                        break;
                    }
                    step => {
                        let done = batch.attempt(|writes| run(writes, &step));
                        let happens = pending.take(&step);
                        match (&step, done) {
                            (Step::Fail(_), done) => prop_assert!(done.is_err()),
                            (_, done) => prop_assert_eq!(done.unwrap(), happens.then_some(pending.kinds.len() as u64)),
                        }
                    }
                }
            }
            if alive {
                batch.commit().unwrap();
                committed = pending.clone();
            } else {
                drop(batch);
                drop(store);
                store = open(&temp);
                pending = committed.clone();
            }
            prop_assert_eq!(&kept(&store), &committed);
        }
        let Verdict::Verified { last, head, .. } = verdict(&temp) else { panic!("the trail holds") };
        prop_assert_eq!((last.seq, head), (committed.kinds.len() as u64, Some(last)));
    }
}
