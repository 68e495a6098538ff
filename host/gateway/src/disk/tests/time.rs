//! How far the wall clock was set while the gateway was away, by the clock since the machine's start.

use std::sync::Mutex;

use super::*;

/// A machine whose clock the test sets.
#[derive(Clone, Default)]
struct Machine(Arc<Mutex<Option<Stamp>>>);

impl Machine {
    fn set(&self, boot: &str, up_ms: u64) {
        *self.0.lock().unwrap() = Some(Stamp { boot: boot.into(), up_ms });
    }

    /// Opens the store at a given time of the wall clock.
    async fn open(&self, temp: &TempDir, now_ms: u64) -> (Disk, Recovered) {
        let (dir, clock) = (StateDir::open(temp.path()).unwrap(), Arc::clone(&self.0));
        let uptime = Arc::new(move || clock.lock().unwrap().clone());
        Disk::open_timed(&dir, StoreOptions::default(), now_ms, uptime).await.unwrap()
    }
}

#[tokio::test]
async fn within_one_start_of_the_machine_it_is_known_exactly() {
    let (temp, machine) = (tempfile::tempdir().unwrap(), Machine::default());
    let (open, denied) = (request("open"), request("denied"));
    {
        machine.set("boot", 50_000);
        let (disk, _) = machine.open(&temp, ASKED).await;
        disk.add(&open).await.unwrap();
        disk.add(&denied).await.unwrap();
        machine.set("boot", 60_000);
        // The wall clock was set forward by an hour in between.
        let denied_ms = ASKED + 3_610_000;
        disk.deny(denied.id, &by("web"), denied_ms + 60_000, false, denied_ms).await.unwrap().unwrap();
    }
    for (boot, up_ms, now_ms, drift) in [
        ("boot", 60_000, ASKED + 10_000, [Some(0), Some(-3_600_000)]),
        ("boot", 60_000, ASKED + 3_610_000, [Some(3_600_000), Some(0)]),
        ("boot", 100_000, 0, [Some(-51_000), Some(-3_651_000)]),
        // The uptime went backwards within one start, so nothing is known.
        ("boot", 40_000, ASKED, [None, None]),
        ("another", 100_000, ASKED, [None, None]),
    ] {
        machine.set(boot, up_ms);
        let (_, recovered) = machine.open(&temp, now_ms).await;
        let found = [open.id, denied.id].map(|id| recovered.drift_ms.get(&id).copied());
        assert_eq!(found, drift, "{boot} {up_ms} {now_ms}");
    }
    *machine.0.lock().unwrap() = None;
    assert!(machine.open(&temp, ASKED).await.1.drift_ms.is_empty());
}

#[tokio::test]
async fn of_a_request_that_was_asked_when_nobody_could_say_it_is_not_known() {
    let (temp, machine) = (tempfile::tempdir().unwrap(), Machine::default());
    machine.open(&temp, ASKED).await.0.add(&request("open")).await.unwrap();
    machine.set("boot", 1);
    assert!(machine.open(&temp, ASKED).await.1.drift_ms.is_empty());
}
