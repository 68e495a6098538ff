//! The queues over a real store, with services that fail.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use dmplz_core::notify::Route;
use dmplz_state::StateDir;
use dmplz_state::store::{Reader, StoreOptions};
use tempfile::TempDir;
use tokio::task::LocalSet;

use super::*;
use crate::approvals::Approvals;
use crate::bus::Bus;

const START: u64 = 1_800_000_000_000;

/// A service with a script: each attempt takes the next reply; afterwards everything is taken.
#[derive(Default)]
struct FakeService {
    script: RefCell<VecDeque<Reply>>,
    got: RefCell<Vec<(String, String)>>,
    attempts: RefCell<Vec<Instant>>,
    /// The time until which the service limits the rate, and must not be called.
    closed_until: Cell<Option<Instant>>,
}

enum Reply {
    Fails(Undelivered),
    Hangs,
}

impl Deliver for FakeService {
    async fn deliver(&self, outgoing: &Outgoing) -> Result<(), Undelivered> {
        self.attempts.borrow_mut().push(Instant::now());
        assert!(self.closed_until.get().is_none_or(|until| Instant::now() >= until), "the limit was broken");
        let reply = self.script.borrow_mut().pop_front();
        match reply {
            Some(Reply::Fails(undelivered)) => {
                if let Undelivered::Limited(Some(wait)) = &undelivered {
                    self.closed_until.set(Some(Instant::now() + *wait));
                }
                Err(undelivered)
            }
            Some(Reply::Hangs) => std::future::pending().await,
            None => {
                let shown = outgoing.occurrence.summary.clone().unwrap_or_default();
                self.got.borrow_mut().push((outgoing.notice.title.clone(), shown));
                Ok(())
            }
        }
    }
}

struct Gateway {
    temp: TempDir,
    disk: Disk,
    notices: Notices,
    approvals: Approvals,
    /// While this exists, tokio does not advance its paused clock when it waits for the store's threads.
    _still: Still,
}

/// A blocking task that ends when this is dropped.
struct Still(#[allow(dead_code, reason = "its drop ends the task")] std::sync::mpsc::Sender<()>);

impl Still {
    fn hold() -> Self {
        let (held, ended) = std::sync::mpsc::channel();
        tokio::task::spawn_blocking(move || ended.recv());
        Self(held)
    }
}

/// Starts a gateway whose clock is tokio's.
async fn gateway(temp: TempDir) -> Gateway {
    let route = Route {
        events: EventKind::ROUTABLE.to_vec(),
        only: Vec::new(),
        to: vec!["phone".into()],
        plan: Plan::at_once(Detail::Normal),
    };
    gateway_with(temp, vec![route], None).await
}

/// Starts a gateway with these routes and quiet hours.
async fn gateway_with(temp: TempDir, routes: Vec<Route>, quiet: Option<&str>) -> Gateway {
    let still = Still::hold();
    let state = StateDir::open(temp.path()).unwrap();
    let (disk, recovered) = Disk::open(&state, StoreOptions::default(), START).await.unwrap();
    let began = Instant::now();
    let setup = Setup {
        routing: Routing(routes),
        quiet: quiet.map(|quiet| (quiet.parse().unwrap(), TimeZone::UTC)),
        channels: vec!["phone".into(), "team".into()],
        templates: BTreeMap::new(),
        lang: Lang::En,
        spool: Spool::new(&state),
        clock: Arc::new(move || START + u64::try_from(began.elapsed().as_millis()).unwrap()),
        jitter: Arc::new(|| 0.5),
    };
    let clock = Arc::clone(&setup.clock);
    let notices = Notices::open(disk.clone(), setup).await.unwrap();
    let approvals = Approvals::over(disk.clone(), recovered, Bus::default(), crate::sample::rules(), clock);
    Gateway { temp, disk, notices, approvals, _still: still }
}

async fn new() -> Gateway {
    gateway(tempfile::tempdir().unwrap()).await
}

fn failed(session: &str, call: &str, why: &str) -> Occurrence {
    Occurrence {
        session_id: session.into(),
        summary: Some(why.into()),
        ..Occurrence::new(EventKind::PostToolUseFailure, call.into(), START)
    }
}

impl Gateway {
    /// Completes a future while time passes. Between two steps everything that is due is done, on disk as well.
    async fn timed<T>(&self, step: Duration, future: impl Future<Output = T>) -> T {
        let passing = async {
            loop {
                for _ in 0..8 {
                    self.disk.answers().await;
                    for _ in 0..8 {
                        tokio::task::yield_now().await;
                    }
                }
                tokio::time::advance(step).await;
            }
        };
        tokio::select! {
            biased;
            done = future => done,
            () = passing => unreachable!(),
        }
    }

    /// Runs a line for that long.
    async fn run_for(&self, time: Duration, channel: &str, service: &impl Deliver) {
        let line = self.notices.line(channel).unwrap();
        let _ = self.timed(time / 100, tokio::time::timeout(time, line.run(service))).await;
    }

    /// Lets the line of a channel run for as long as it has something to do, an hour at most.
    async fn run(&self, channel: &str, service: &impl Deliver) {
        let line = self.notices.line(channel).unwrap();
        let done = async {
            loop {
                tokio::time::sleep(Duration::from_millis(500)).await;
                let channels = self.notices.channels().await.unwrap();
                if channels.iter().filter(|row| row.channel == channel).all(|row| row.waiting == 0) {
                    break;
                }
            }
        };
        let all = async {
            tokio::select! {
                () = line.run(service) => {}
                () = done => {}
                () = tokio::time::sleep(Duration::from_secs(3_600)) => panic!("it never ended"),
            }
        };
        self.timed(Duration::from_millis(250), all).await;
    }

    fn log(&self) -> Vec<String> {
        let state = StateDir::open(self.temp.path()).unwrap();
        let store = Reader::open(&state, StoreOptions::default()).unwrap();
        let rows = store.reads().notices(None, None, 99).unwrap();
        let line = |row: &NoticeRow| {
            format!("{} {} ×{} {}", row.status, row.attempts, row.count, row.why.as_deref().unwrap_or("-"))
        };
        rows.iter().rev().map(line).collect()
    }
}

fn scripted(replies: Vec<Reply>) -> FakeService {
    FakeService { script: RefCell::new(replies.into()), ..FakeService::default() }
}

fn down(why: &str) -> Reply {
    Reply::Fails(Undelivered::Down(why.into()))
}

#[tokio::test(start_paused = true)]
async fn a_service_that_is_limited_fails_and_hangs_gets_every_notice_in_order_and_its_limit_is_kept() {
    let gateway = new().await;
    for session in ["a", "b", "c"] {
        gateway.notices.happened(failed(session, session, session)).await.unwrap();
    }
    let service = scripted(vec![
        Reply::Fails(Undelivered::Limited(Some(Duration::from_secs(90)))),
        down("it answered 503"),
        down("it answered 500"),
        Reply::Hangs,
    ]);
    let began = Instant::now();
    gateway.run("phone", &service).await;
    let got: Vec<_> = service.got.borrow().iter().map(|(_, shown)| shown.clone()).collect();
    assert_eq!(got, ["a", "b", "c"]);
    let waits: Vec<u64> = service.attempts.borrow().iter().map(|at| (*at - began).as_secs()).collect();
    // 90 s and a twentieth; then doubled from the second failure on; then the attempt that hangs, and its own wait.
    assert!(waits[0] == 0 && (94..=97).contains(&waits[1]) && waits[2] - waits[1] <= 3, "{waits:?}");
    assert!((3..=6).contains(&(waits[3] - waits[2])) && (67..=72).contains(&(waits[4] - waits[3])), "{waits:?}");
    assert_eq!(gateway.log(), ["sent 5 ×1 -", "sent 1 ×1 -", "sent 1 ×1 -"]);
}

#[tokio::test(start_paused = true)]
async fn a_storm_is_one_notice_that_counts_truthfully_and_a_call_is_counted_once() {
    let gateway = new().await;
    let service = FakeService::default();
    gateway.notices.happened(failed("s", "call-0", "first")).await.unwrap();
    gateway.run("phone", &service).await;
    for call in 1..=12 {
        let failed = failed("s", &format!("call-{call}"), &format!("failure {call}"));
        for _ in 0..3 {
            gateway.notices.happened(failed.clone()).await.unwrap();
        }
    }
    assert_eq!(service.attempts.borrow().len(), 1);
    gateway.run("phone", &service).await;
    let got = service.got.borrow().clone();
    assert_eq!(got.len(), 2, "{got:?}");
    assert!(got[0].0.ends_with("A tool failed") && got[1].0.ends_with("A tool failed ×12"), "{got:?}");
    let attempts = service.attempts.borrow();
    assert!(attempts[1] - attempts[0] >= Duration::from_secs(9), "{attempts:?}");
    assert_eq!(gateway.log(), ["sent 1 ×1 -", "sent 1 ×12 -"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_refused_is_dead_with_the_reason_until_a_person_sends_it_again() {
    let gateway = new().await;
    let service = scripted(vec![Reply::Fails(Undelivered::Refused("it answered 404: Unknown Webhook".into()))]);
    gateway.notices.happened(failed("a", "1", "one")).await.unwrap();
    gateway.notices.happened(failed("b", "2", "two")).await.unwrap();
    gateway.run("phone", &service).await;
    assert_eq!(gateway.log(), ["dead 1 ×1 it answered 404: Unknown Webhook", "sent 1 ×1 -"]);
    assert_eq!(gateway.notices.retry(Some(2), None).await.unwrap(), 0);
    assert_eq!(gateway.notices.retry(None, Some("team".into())).await.unwrap(), 0);
    assert_eq!(gateway.notices.retry(Some(1), None).await.unwrap(), 1);
    gateway.run("phone", &service).await;
    assert_eq!(gateway.log()[0], "sent 2 ×1 -");
    let channels = gateway.notices.channels().await.unwrap();
    assert_eq!((channels[0].failures, channels[0].dead, &channels[0].why), (0, 0, &None));
}

#[tokio::test(start_paused = true)]
async fn what_breaks_a_component_is_tried_once_more_so_that_nobody_gets_many_copies() {
    let gateway = new().await;
    let broke = || Reply::Fails(Undelivered::Broke("the provider broke: trap".into()));
    let service = scripted(vec![broke(), broke()]);
    gateway.notices.happened(failed("a", "1", "one")).await.unwrap();
    gateway.notices.happened(failed("b", "2", "two")).await.unwrap();
    gateway.run("phone", &service).await;
    assert_eq!(gateway.log(), ["dead 2 ×1 it may have arrived: the provider broke: trap", "sent 1 ×1 -"]);
}

#[tokio::test(start_paused = true)]
async fn a_service_that_is_away_for_a_day_leaves_dead_notices_and_not_lost_ones() {
    let gateway = new().await;
    gateway.notices.happened(failed("a", "1", "one")).await.unwrap();
    struct Dead;
    impl Deliver for Dead {
        async fn deliver(&self, _: &Outgoing) -> Result<(), Undelivered> {
            Err(Undelivered::Down("connection refused".into()))
        }
    }
    let line = gateway.notices.line("phone").unwrap();
    let day = Duration::from_secs(25 * 3_600);
    let _ = gateway.timed(Duration::from_secs(10), tokio::time::timeout(day, line.run(&Dead))).await;
    let log = gateway.log();
    assert!(log[0].starts_with("dead ") && log[0].ends_with("given up after a day: connection refused"), "{log:?}");
    let attempts: u32 = log[0].split(' ').nth(1).unwrap().parse().unwrap();
    assert!((290..330).contains(&attempts), "{log:?}");
}

#[tokio::test(start_paused = true)]
async fn a_gateway_that_is_killed_in_the_middle_loses_nothing_and_keeps_the_order() {
    let first = new().await;
    for session in ["a", "b", "c"] {
        first.notices.happened(failed(session, session, session)).await.unwrap();
    }
    let service = scripted(vec![Reply::Hangs]);
    first.run_for(Duration::from_secs(5), "phone", &service).await;
    assert_eq!(first.log()[0], "sending 1 ×1 -");
    first.disk.close().await;
    let second = gateway(first.temp).await;
    second.notices.happened(failed("d", "d", "d")).await.unwrap();
    // What was reported to the first gateway is known to the second.
    assert_eq!(second.notices.happened(failed("a", "a", "a")).await.unwrap(), 0);
    second.run("phone", &service).await;
    let got: Vec<_> = service.got.borrow().iter().map(|(_, shown)| shown.clone()).collect();
    assert_eq!(got, ["a", "b", "c", "d"]);
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_a_service_asked_for_outlives_the_gateway() {
    let first = new().await;
    first.notices.happened(failed("a", "a", "a")).await.unwrap();
    let service = scripted(vec![Reply::Fails(Undelivered::Limited(Some(Duration::from_secs(60))))]);
    first.run_for(Duration::from_secs(5), "phone", &service).await;
    first.disk.close().await;
    // Its clock begins anew: 63 s are left of the pause.
    let second = gateway(first.temp).await;
    service.closed_until.set(Some(Instant::now() + Duration::from_secs(60)));
    second.run("phone", &service).await;
    assert_eq!(service.got.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_hooks_left_is_taken_over_once_and_what_cannot_be_read_is_named() {
    let gateway = new().await;
    let spool = &gateway.notices.shared.setup.spool;
    for (at, session) in [(2, "b"), (1, "a")] {
        let text = serde_json::to_string(&failed(session, session, session)).unwrap();
        spool.leave(at, session, &text).unwrap();
    }
    spool.leave(3, "c", "{\"event\":\"hunter2").unwrap();
    let warned = RefCell::new(Vec::new());
    let warn = |line: &str| warned.borrow_mut().push(line.to_owned());
    gateway.notices.empty_spool(&warn).await;
    assert!(spool.is_empty().unwrap());
    let warned = warned.take();
    assert!(warned.len() == 1 && warned[0].contains("cannot be read") && !warned[0].contains("hunter2"), "{warned:?}");
    let service = FakeService::default();
    gateway.run("phone", &service).await;
    assert_eq!(service.got.borrow().iter().map(|(_, shown)| shown.as_str()).collect::<Vec<_>>(), ["a", "b"]);
}

#[tokio::test(start_paused = true)]
async fn a_text_of_a_person_goes_to_its_channel_and_tells_how_that_ended() {
    let gateway = new().await;
    let local = LocalSet::new();
    local
        .run_until(async {
            let line = gateway.notices.line("team").unwrap();
            let refusal = Reply::Fails(Undelivered::Refused("it answered 401".into()));
            let service = scripted(vec![refusal, down("it answered 500")]);
            tokio::task::spawn_local(async move { line.run(&service).await });
            let wait = Duration::from_secs(30);
            let send = |channel: &'static str, text: &'static str, wait| {
                let sending = gateway.notices.send(channel, text, wait);
                gateway.timed(Duration::from_millis(250), sending)
            };
            let dead = send("team", "one", wait).await.unwrap();
            assert_eq!((dead.delivery, dead.why.as_deref()), (Delivery::Dead, Some("it answered 401")));
            let again = send("team", "two", wait).await.unwrap();
            assert_eq!((again.delivery, again.why.as_deref()), (Delivery::Waiting, Some("it answered 500")));
            let sent = send("team", "three", wait).await.unwrap();
            assert_eq!((sent.delivery, sent.why), (Delivery::Sent, None));
            // Nobody runs this line.
            let waits = send("phone", "four", Duration::from_secs(1)).await.unwrap();
            assert_eq!((waits.delivery, waits.why), (Delivery::Waiting, None));
            for (channel, text) in [("nowhere", "x"), ("team", " "), ("team", &"x".repeat(LONGEST_TEXT + 1))] {
                assert!(gateway.notices.send(channel, text, wait).await.is_err());
            }
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn an_event_without_a_route_leaves_no_trace_and_what_is_not_shown_is_not_kept() {
    let gateway = new().await;
    let message = Occurrence::new(EventKind::Message, "m".into(), START);
    assert_eq!(gateway.notices.happened(message).await.unwrap(), 0);
    let content = Occurrence { content: Some("rm -rf /".into()), ..failed("a", "1", "one") };
    assert_eq!(gateway.notices.happened(content).await.unwrap(), 1);
    let row = gateway.disk.reader.ask(|reads| reads.notice(1)).await.unwrap().unwrap();
    assert!(row.body.contains("one") && !row.body.contains("rm -rf"), "{}", row.body);
}

/// A service with bad days: of seven attempts it takes three, and it checks its own limit.
#[derive(Default)]
struct BadDays {
    attempts: Cell<u32>,
    closed_until: Cell<Option<Instant>>,
    got: RefCell<Vec<u32>>,
}

impl Deliver for BadDays {
    async fn deliver(&self, outgoing: &Outgoing) -> Result<(), Undelivered> {
        assert!(self.closed_until.get().is_none_or(|until| Instant::now() >= until), "the limit was broken");
        let attempt = self.attempts.replace(self.attempts.get() + 1);
        let number = outgoing.occurrence.summary.as_deref().unwrap_or_default().parse().unwrap();
        match attempt % 7 {
            0 => {
                let wait = Duration::from_secs(3);
                self.closed_until.set(Some(Instant::now() + wait));
                return Err(Undelivered::Limited(Some(wait)));
            }
            2 => return Err(Undelivered::Down("it answered 502".into())),
            // Taken, and its reply is lost with the gateway or with the connection.
            4 => {
                self.got.borrow_mut().push(number);
                return Err(Undelivered::Down("the connection broke".into()));
            }
            5 => tokio::time::sleep(Duration::from_secs(2)).await,
            _ => {}
        }
        self.got.borrow_mut().push(number);
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn hundreds_of_notices_over_two_channels_survive_faults_and_killed_gateways_in_order() {
    const ALL: u32 = 240;
    let mut temp = tempfile::tempdir().unwrap();
    let (phone, team) = (BadDays::default(), BadDays::default());
    for part in 0..4 {
        let gateway = gateway(temp).await;
        for number in (0..ALL).skip(part * 60).take(60) {
            // Each is of another session, so that none is merged.
            let occurrence = failed(&format!("session-{number}"), &number.to_string(), &number.to_string());
            gateway.notices.happened(occurrence.clone()).await.unwrap();
            let (plan, facts) = (Plan::at_once(Detail::Normal), gateway.notices.facts(&[], false));
            let body = gateway.notices.notice("team", &plan, &occurrence, &facts).unwrap();
            gateway.notices.queue(vec![body]).await.unwrap();
        }
        let (first, second) = (gateway.notices.line("phone").unwrap(), gateway.notices.line("team").unwrap());
        let both = async { tokio::join!(first.run(&phone), second.run(&team)) };
        if part < 3 {
            // Killed in the middle of whatever it does.
            let time = Duration::from_secs(41);
            let _ = gateway.timed(Duration::from_millis(100), tokio::time::timeout(time, both)).await;
        } else {
            drop(both);
            gateway.run("phone", &phone).await;
            gateway.run("team", &team).await;
        }
        gateway.disk.close().await;
        temp = gateway.temp;
    }
    for service in [phone, team] {
        let mut got = service.got.take();
        // A notice whose reply was lost is sent again, but nothing else in between.
        got.dedup();
        assert_eq!(got, (0..ALL).collect::<Vec<_>>());
    }
}

mod held;
