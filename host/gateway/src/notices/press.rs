//! Tests that ask for a press back, so that they prove the whole way: to the chat, and from there to the gateway.
//!
//! | a test | when |
//! |---|---|
//! | asks for no press | the channel has no buttons, or the notice is not posted yet |
//! | waits | the notice is in the chat, with a button |
//! | is pressed | a person who may answer requests there pressed it; the press of anybody else changes nothing |
//! | is over | nobody did so in [`PATIENCE`] |
//!
//! Tests are kept in memory: a gateway that is started again knows nothing of them.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use dmplz_protocol::notify::Press;
use tokio::sync::watch;
use tokio::time::timeout;
use uuid::Uuid;

/// How long a test waits for its press.
pub const PATIENCE: Duration = Duration::from_secs(5 * 60);
/// What the id of a test's occurrence begins with.
const BEGIN: &str = "press-test:";
/// The most tests that are known at a time.
const MOST: usize = 32;

/// The tests. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Presses(Arc<watch::Sender<VecDeque<Test>>>);

#[derive(Debug)]
struct Test {
    id: String,
    /// The number of its notice, once it is queued.
    number: Option<u64>,
    press: Option<Press>,
}

/// Returns whether this is the id of a test's occurrence.
pub(super) fn is_test(id: &str) -> bool {
    id.starts_with(BEGIN)
}

impl Presses {
    /// Begins a test. Returns the id of its occurrence.
    pub(super) fn begin(&self) -> String {
        let id = format!("{BEGIN}{}", Uuid::new_v4());
        self.0.send_modify(|tests| {
            if tests.len() >= MOST {
                tests.pop_front();
            }
            tests.push_back(Test { id: id.clone(), number: None, press: None });
        });
        id
    }

    /// Notes the number of a test's notice.
    pub(super) fn queued(&self, id: &str, number: u64) {
        self.change(id, |test| test.number = Some(number));
    }

    /// Notes that a test's notice is in a chat, with a button.
    pub fn posted(&self, id: &str) {
        self.change(id, |test| {
            test.press.get_or_insert(Press::Waiting);
        });
    }

    /// Notes that a person who may answer requests there pressed a test's button.
    pub fn pressed(&self, id: &str, by: &str) {
        self.change(id, |test| test.press = Some(Press::Pressed { by: by.to_owned() }));
    }

    /// Notes that nobody pressed a test's button in time.
    pub fn over(&self, id: &str) {
        self.change(id, |test| {
            if test.press == Some(Press::Waiting) {
                test.press = Some(Press::Over);
            }
        });
    }

    /// Returns how far the press on a notice is; `None` if none is waited for. Waits up to `wait` for its end.
    pub async fn of(&self, number: u64, wait: Duration) -> Option<Press> {
        let press = |tests: &VecDeque<Test>| tests.iter().find(|test| test.number == Some(number))?.press.clone();
        let mut tests = self.0.subscribe();
        let _ = timeout(wait, tests.wait_for(|tests| press(tests) != Some(Press::Waiting))).await;
        press(&tests.borrow())
    }

    fn change(&self, id: &str, change: impl FnOnce(&mut Test)) {
        self.0.send_modify(|tests| {
            if let Some(test) = tests.iter_mut().find(|test| test.id == id) {
                change(test);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_test_waits_for_its_press_and_a_late_end_does_not_take_it_back() {
        let presses = Presses::default();
        let id = presses.begin();
        assert!(is_test(&id) && !is_test("Stop:1"));
        presses.queued(&id, 7);
        assert_eq!(presses.of(7, Duration::ZERO).await, None);
        presses.posted(&id);
        assert_eq!(presses.of(7, Duration::from_secs(10)).await, Some(Press::Waiting));
        let waits = {
            let presses = presses.clone();
            tokio::spawn(async move { presses.of(7, PATIENCE).await })
        };
        tokio::task::yield_now().await;
        presses.pressed(&id, "Jin");
        presses.over(&id);
        presses.posted(&id);
        assert_eq!(waits.await.unwrap(), Some(Press::Pressed { by: "Jin".to_owned() }));
        assert_eq!(presses.of(8, Duration::ZERO).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_test_that_nobody_presses_is_over_and_only_the_last_tests_are_kept() {
        let presses = Presses::default();
        let first = presses.begin();
        presses.queued(&first, 1);
        presses.posted(&first);
        presses.over(&first);
        assert_eq!(presses.of(1, Duration::ZERO).await, Some(Press::Over));
        for _ in 0..MOST {
            presses.begin();
        }
        assert_eq!(presses.of(1, Duration::ZERO).await, None);
    }
}
