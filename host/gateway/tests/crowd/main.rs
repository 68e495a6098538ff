//! A thousand WebSockets of which a hundred never read, over real connections: the clients are a process of their own, and
//! what is measured of memory is the gateway's.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "test support: a broken fixture should fail loudly"
)]

mod clients;
mod figures;
mod gateway;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use figures::{Times, resident_mib};
use gateway::Gateway;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

const READERS: usize = 900;
const MUTE: usize = 100;
const EVENTS: usize = 50;
/// The memory that sockets, queues and one backlog of the bus may use in addition to what the readers alone need.
const MUTE_MIB: f64 = 96.0;

#[test]
fn a_hundred_clients_that_never_read_keep_nobody_from_hearing_and_hold_little() {
    more_descriptors();
    let gateway = Gateway::start();
    let mut crowd = Crowd::start(&gateway);
    let empty = resident_mib();

    crowd.tell(&format!("readers {READERS}"));
    let (told, answered) = round(&gateway, &mut crowd);
    let alone = resident_mib();
    println!(
        "{READERS} clients that read: told {told}, answered {answered}, {alone:.0} MiB ({empty:.0} MiB without them)"
    );

    crowd.tell("leave");
    crowd.tell(&format!("mute {MUTE}"));
    // More than the sockets take: each of them is stuck in the middle.
    gateway.publish(32, 64 << 10);
    crowd.tell(&format!("readers {READERS}"));
    let (told_beside, answered_beside) = round(&gateway, &mut crowd);
    let beside = resident_mib();
    println!("and {MUTE} that do not: told {told_beside}, answered {answered_beside}, {beside:.0} MiB");

    // There are figures only if every reader received every event and every answer was accepted.
    assert!(beside - alone < MUTE_MIB, "{alone} MiB, then {beside} MiB");
}

/// Raises the limit of file descriptors, which is often 1,024. Each connection needs one in each process. The clients'
/// process inherits the limit.
fn more_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum.or(Some(4096)), ..limit }).unwrap();
}

/// Runs one round. Returns how long events take to reach all clients, and how long answers take meanwhile.
fn round(gateway: &Gateway, crowd: &mut Crowd) -> (Times, Times) {
    let before = gateway.last_event();
    let answered = gateway.ask_and_answer(EVENTS);
    let published = gateway.published(before);
    let heard: Vec<(u64, u64)> = serde_json::from_str(&crowd.ask(&format!("heard {}", gateway.last_event()))).unwrap();
    let told = heard.iter().filter_map(|(event, at)| Some(at.saturating_sub(*published.get(event)?)));
    let told: Vec<u64> = told.collect();
    // A request, and its end.
    assert_eq!(told.len(), READERS * EVENTS * 2, "everybody hears of everything once");
    (Times::of(told), Times::of(answered))
}

/// Runs the process of the clients. Does nothing in a normal run of the tests.
#[test]
fn child() {
    if let Some(address) = std::env::var_os(clients::ADDRESS) {
        clients::run(address.to_str().unwrap());
    }
}

/// The process of the clients.
struct Crowd {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Crowd {
    fn start(gateway: &Gateway) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "child", "--nocapture", "--test-threads=1"])
            .env(clients::ADDRESS, gateway.address())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, to, from }
    }

    /// Sends a command to the clients.
    fn tell(&mut self, what: &str) {
        assert_eq!(self.ask(what), "done", "{what}");
    }

    fn ask(&mut self, what: &str) -> String {
        writeln!(self.to, "{what}").unwrap();
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).unwrap() > 0, "the clients ended");
            // The test harness writes, too.
            if let Some((_, answer)) = line.split_once("answer: ") {
                return answer.trim_end().to_owned();
            }
        }
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
