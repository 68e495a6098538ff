use std::sync::mpsc;
use std::time::Instant;

use proptest::prelude::*;

use super::*;

const LONG: Duration = Duration::from_secs(20);

fn queue() -> (tempfile::TempDir, Queue) {
    let temp = tempfile::tempdir().unwrap();
    let state = StateDir::open(temp.path().join("state")).unwrap();
    let queue = Queue::new(&state, &AccountKey::new("telegram", "http://127.0.0.1", "token").unwrap());
    (temp, queue)
}

fn positions(tickets: &[Ticket]) -> Vec<usize> {
    tickets.iter().map(|ticket| ticket.position().unwrap()).collect()
}

#[test]
fn places_are_in_the_order_of_joining() {
    let (_temp, queue) = queue();
    let mut tickets: Vec<_> = (0..4).map(|_| queue.join().unwrap()).collect();
    assert_eq!(positions(&tickets), [0, 1, 2, 3]);
    tickets.remove(2);
    assert_eq!(positions(&tickets), [0, 1, 2]);
    tickets.remove(0);
    assert_eq!(positions(&tickets), [0, 1]);
    assert!(tickets[0].try_first().unwrap());
    assert!(!tickets[1].try_first().unwrap());
}

#[test]
fn whoever_waits_behind_a_living_gateway_can_see_it() {
    let (_temp, queue) = queue();
    let before = queue.join().unwrap();
    let gateway = queue.join_as_gateway(4711).unwrap();
    let behind = [queue.join().unwrap(), queue.join().unwrap()];
    let seen = |ticket: &Ticket| ticket.gateway_ahead().unwrap();
    assert_eq!([&before, &gateway].map(seen), [None, None]);
    assert_eq!(behind.each_ref().map(seen), [Some(4711), Some(4711)]);
    gateway.die();
    assert_eq!(behind.each_ref().map(seen), [None, None]);
}

#[test]
fn waiting_ends_at_the_deadline_and_keeps_the_place() {
    let (_temp, queue) = queue();
    let first = queue.join().unwrap();
    let second = queue.join().unwrap();
    let third = queue.join().unwrap();
    assert!(matches!(second.wait(Instant::now()), Err(QueueError::Deadline)));
    assert!(matches!(second.wait(Instant::now() + Duration::from_millis(5)), Err(QueueError::Deadline)));
    drop(first);
    second.wait(Instant::now() + LONG).unwrap();
    assert_eq!(third.position().unwrap(), 1);
}

#[test]
fn a_waiter_is_called_back_once_everybody_before_it_is_gone() {
    let (_temp, queue) = queue();
    let mut before: Vec<_> = (0..3).map(|_| queue.join().unwrap()).collect();
    let waiter = queue.join().unwrap();
    let (sender, receiver) = mpsc::channel();
    waiter.when_first(move |first| sender.send(first).unwrap()).unwrap();
    // The nearest place is freed first, so the waiter must check again and wait for another place.
    while let Some(ticket) = before.pop() {
        assert!(receiver.try_recv().is_err());
        drop(ticket);
    }
    receiver.recv_timeout(LONG).unwrap().unwrap();
}

#[test]
fn the_callback_of_a_dropped_ticket_is_dropped_uncalled() {
    let (_temp, queue) = queue();
    let first = queue.join().unwrap();
    let second = queue.join().unwrap();
    let (sender, receiver) = mpsc::channel();
    second.when_first(move |first| sender.send(first).unwrap()).unwrap();
    drop(second);
    drop(first);
    assert_eq!(receiver.recv_timeout(LONG).unwrap_err(), mpsc::RecvTimeoutError::Disconnected);
}

#[test]
fn places_that_died_are_removed_and_are_in_nobodys_way() {
    let (_temp, queue) = queue();
    dir::make(&queue.dir).unwrap();
    // Killed processes leave files that nobody holds. Other files are of unknown origin.
    for junk in ["0000000001", "0000000007", "notes.txt", "-3"] {
        fs::write(queue.dir.join(junk), "").unwrap();
    }
    fs::create_dir(queue.dir.join("0000000003")).unwrap();
    let ticket = queue.join().unwrap();
    assert!(ticket.try_first().unwrap());
    assert_eq!(numbers(&queue.dir).unwrap(), [3, 8]);
    assert_eq!(queue.join().unwrap().position().unwrap(), 1);
}

#[test]
fn queues_of_two_accounts_know_nothing_of_each_other() {
    let (temp, queue) = queue();
    let state = StateDir::open(temp.path().join("state")).unwrap();
    let other = Queue::new(&state, &AccountKey::new("discord", "http://127.0.0.1", "token").unwrap());
    let (one, two) = (queue.join().unwrap(), other.join().unwrap());
    assert!(one.try_first().unwrap() && two.try_first().unwrap());
}

#[test]
fn a_directory_that_cannot_be_used_is_an_error() {
    let (temp, queue) = queue();
    fs::write(temp.path().join("state/queue"), "a file").unwrap();
    assert!(matches!(queue.join(), Err(QueueError::Io { .. })));
}

#[derive(Debug, Clone)]
enum Step {
    Join,
    Leave(prop::sample::Index),
    Die(prop::sample::Index),
}

fn step() -> impl Strategy<Value = Step> {
    let index = any::<prop::sample::Index>;
    prop_oneof![3 => Just(Step::Join), 1 => index().prop_map(Step::Leave), 1 => index().prop_map(Step::Die)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whoever_stays_keeps_the_order(steps in prop::collection::vec(step(), 1..40)) {
        let (_temp, queue) = queue();
        let mut tickets: Vec<Ticket> = Vec::new();
        for step in steps {
            match step {
                Step::Join => tickets.push(queue.join().unwrap()),
                Step::Leave(index) if !tickets.is_empty() => drop(tickets.remove(index.index(tickets.len()))),
                Step::Die(index) if !tickets.is_empty() => tickets.remove(index.index(tickets.len())).die(),
                Step::Leave(_) | Step::Die(_) => {}
            }
            for (index, ticket) in tickets.iter().enumerate() {
                prop_assert_eq!(ticket.try_first().unwrap(), index == 0);
                prop_assert_eq!(ticket.position().unwrap(), index);
            }
        }
    }
}
