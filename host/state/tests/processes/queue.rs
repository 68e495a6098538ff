//! The queue between processes that are killed at any point.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use dmplz_state::{AccountKey, Queue, StateDir};

use crate::children::{ChildLine, Dice, Role, Started, say};

const LONG: Duration = Duration::from_secs(60);
const TURNS: usize = 40;

fn queue(dir: &Path) -> Queue {
    let account = AccountKey::new("telegram", "http://127.0.0.1", "token").unwrap();
    Queue::new(&StateDir::open(dir.join("state")).unwrap(), &account)
}

/// Takes one place, and keeps the turn until the input ends.
pub(crate) fn once(role: &Role) {
    let ticket = queue(&role.dir).join().unwrap();
    say("joined");
    ticket.wait(Instant::now() + LONG).unwrap();
    say("first");
    drop(std::io::stdin().read(&mut [0]));
}

/// Takes many turns. In each nobody else may have his.
pub(crate) fn often(role: &Role) {
    let queue = queue(&role.dir);
    for _ in 0..TURNS {
        // A process that is killed in its turn frees its files one after another, and which first is up to the kernel
        // (on Linux, the one with the highest number). So there are two witnesses, below and above the ticket: a
        // living holder has both.
        let before = File::create(role.dir.join("turn-before")).unwrap();
        let ticket = queue.join().unwrap();
        let after = File::create(role.dir.join("turn-after")).unwrap();
        let after = File::from(rustix::io::fcntl_dupfd_cloexec(after, 100).unwrap());
        ticket.wait(Instant::now() + LONG).unwrap();
        let alone = [&before, &after].map(|witness| witness.try_lock().is_ok());
        assert_ne!(alone, [false, false], "nobody else is first");
        thread::yield_now();
        drop((before, after));
        drop(ticket);
    }
}

fn next(said: &Receiver<ChildLine>) -> (usize, String) {
    loop {
        if let (index, Some(word)) = said.recv_timeout(LONG).unwrap() {
            return (index, word);
        }
    }
}

#[test]
fn turns_come_in_the_order_of_joining_whoever_is_killed() {
    let temp = tempfile::tempdir().unwrap();
    let mut dice = Dice(1);
    let (sender, said) = mpsc::channel();
    let mut waiting = VecDeque::new();
    let mut slowest = Duration::ZERO;
    let mut killed = 0;

    for index in 0..20 {
        waiting.push_back((index, Started::new("queue-once", temp.path(), index, sender.clone())));
        assert_eq!(next(&said), (index, "joined".to_owned()));
        if index == 0 {
            assert_eq!(next(&said), (0, "first".to_owned()));
        }
    }
    while let Some((_, mut holder)) = waiting.pop_front() {
        // Some of the waiting processes are killed, often the next one among them.
        while waiting.len() > 1 && dice.roll(3) == 0 {
            let victim = if dice.roll(2) == 0 { 0 } else { dice.roll(waiting.len() as u64) as usize };
            waiting.remove(victim).unwrap().1.kill();
            killed += 1;
        }
        // The others keep waiting: the death of a waiting process lets nobody pass the holder.
        assert!(said.try_iter().all(|(_, word)| word.is_none()), "nobody is first while the holder lives");
        let freed = Instant::now();
        if dice.roll(2) == 0 {
            holder.kill();
            killed += 1;
        } else {
            holder.dismiss();
        }
        if let Some((index, _)) = waiting.front() {
            assert_eq!(next(&said), (*index, "first".to_owned()));
            slowest = slowest.max(freed.elapsed());
        }
    }
    eprintln!("20 processes, {killed} killed; the slowest turn came {slowest:?} after the last one was freed");
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
}

#[test]
fn nobody_shares_a_turn_and_no_place_is_lost_when_processes_die_at_any_point() {
    let temp = tempfile::tempdir().unwrap();
    let mut dice = Dice(7);
    let (sender, said) = mpsc::channel();
    let mut running: Vec<_> =
        (0..8).map(|index| Started::new("queue-often", temp.path(), index, sender.clone())).collect();
    for round in 0..60 {
        // A moment of any length: whatever the victim does then is where it dies.
        thread::sleep(Duration::from_micros(dice.roll(4000)));
        let index = dice.roll(running.len() as u64) as usize;
        match running[index].child.try_wait().unwrap() {
            Some(status) => assert!(status.success()),
            None => running[index].kill(),
        }
        running[index] = Started::new("queue-often", temp.path(), 8 + round, sender.clone());
    }
    for process in &mut running {
        process.dismiss();
    }
    drop((running, said));
    let dir = temp.path().join("state/queue");
    let account = fs::read_dir(&dir).unwrap().next().unwrap().unwrap().path();
    let ticket = queue(temp.path()).join().unwrap();
    assert!(ticket.try_first().unwrap(), "nobody alive is left in the queue");
    assert_eq!(fs::read_dir(account).unwrap().count(), 2, "one place and the lock");
}
