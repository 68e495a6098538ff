//! A server with one path a channel, each with bad days of its own.
//!
//! | of 1,000 requests | what the service does |
//! |---|---|
//! | 20 | 429 with `retry-after: 1`; a request to the same channel within that second breaks the limit |
//! | 10 | 500 |
//! | 5 | takes the notice and cuts the connection |
//! | 5 | cuts the connection |
//! | 10 | takes the notice after 200 ms |
//!
//! The last channel is dead for its first 5 s. A limit that was stated within 200 ms before the gateway is killed is not
//! judged, because the gateway may not have recorded it.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

const DEAD: Duration = Duration::from_secs(5);
const LIMIT: Duration = Duration::from_secs(1);
/// How long the gateway may take to record a reply.
const RECORDED: Duration = Duration::from_millis(200);
const SLOW: Duration = Duration::from_millis(200);

/// What the services did, over all channels.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// The number of all requests.
    pub requests: u32,
    /// The number of replies of 429.
    pub limited: u32,
    /// The number of replies of 500.
    pub failed: u32,
    /// Connections that were cut, before or after the notice was taken.
    pub cut: u32,
    /// The number of slow replies.
    pub slow: u32,
    /// Notices that came again.
    pub repeated: u32,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { requests, limited, failed, cut, slow, repeated } = self;
        write!(
            f,
            "{requests} requests: {limited} limited, {failed} failed, {cut} cut, {slow} slow, {repeated} repeated"
        )
    }
}

struct Channel {
    random: fastrand::Rng,
    /// The numbers of the occurrences that were taken, without repetitions that follow at once.
    taken: Vec<u32>,
    closed_until: Option<Instant>,
    tally: Tally,
    broken: Vec<String>,
}

/// The server.
pub(super) struct Service {
    address: SocketAddr,
    channels: Arc<Vec<Mutex<Channel>>>,
}

/// What becomes of a request.
#[derive(Clone, Copy)]
enum Reply {
    Takes,
    Cuts,
    Says(&'static str),
}

impl Service {
    /// Starts it with this number of channels.
    pub(super) fn start(count: u32, seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let channel = |number: u32| {
            let closed = (number + 1 == count).then(|| Instant::now() + DEAD);
            let random = fastrand::Rng::with_seed(seed.wrapping_mul(1_000).wrapping_add(number.into()));
            (closed, random)
        };
        let (dead, channels): (Vec<_>, Vec<_>) = (0..count)
            .map(channel)
            .map(|(dead, random)| {
                let (tally, closed_until) = (Tally::default(), None);
                (dead, Mutex::new(Channel { random, taken: Vec::new(), closed_until, tally, broken: Vec::new() }))
            })
            .unzip();
        let channels = Arc::new(channels);
        let shared = Arc::clone(&channels);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (shared, dead) = (Arc::clone(&shared), dead.clone());
                std::thread::spawn(move || serve(stream, &shared, &dead));
            }
        });
        Self { address, channels }
    }

    /// Returns the address of a channel.
    pub(super) fn url(&self, channel: u32) -> String {
        format!("http://{}/{channel}", self.address)
    }

    /// Returns the number of notices that arrived, without repetitions.
    pub(super) fn arrived(&self) -> u32 {
        let taken = self.channels.iter().map(|channel| channel.lock().unwrap().taken.len());
        u32::try_from(taken.sum::<usize>()).unwrap()
    }

    /// Notes that the gateway is killed.
    pub(super) fn killed(&self) {
        for channel in self.channels.iter() {
            let mut channel = channel.lock().unwrap();
            let is_new = |until: &Instant| until.saturating_duration_since(Instant::now()) + RECORDED >= LIMIT;
            channel.closed_until = channel.closed_until.filter(|until| !is_new(until));
        }
    }

    /// Returns what the services did.
    pub(super) fn tally(&self) -> Tally {
        let mut all = Tally::default();
        for channel in self.channels.iter() {
            let Tally { requests, limited, failed, cut, slow, repeated } = channel.lock().unwrap().tally;
            all.requests += requests;
            all.limited += limited;
            all.failed += failed;
            all.cut += cut;
            all.slow += slow;
            all.repeated += repeated;
        }
        all
    }

    /// Returns the broken promises, where each channel had to get the occurrences from 0 to this number.
    pub(super) fn broken(&self, expected: u32) -> Vec<String> {
        let mut broken = Vec::new();
        for (number, channel) in self.channels.iter().enumerate() {
            let channel = channel.lock().unwrap();
            broken.extend(channel.broken.iter().take(5).cloned());
            let first = channel.taken.iter().zip(0..).find(|(taken, place)| **taken != *place);
            if let Some((taken, place)) = first {
                broken.push(format!("channel {number} got notice {taken} where {place} was due"));
            }
            if channel.taken.len() != expected as usize {
                broken.push(format!("channel {number} got {} notices of {expected}", channel.taken.len()));
            }
        }
        broken
    }
}

impl Channel {
    /// Decides about a request with this occurrence.
    fn take(&mut self, number: u32) -> Reply {
        self.tally.requests += 1;
        if self.closed_until.take().is_some_and(|until| Instant::now() < until) {
            self.broken.push(format!("notice {number} came before the limit was over"));
        }
        match self.random.u32(0..1_000) {
            0..20 => {
                self.closed_until = Some(Instant::now() + LIMIT);
                self.tally.limited += 1;
                return Reply::Says("429 Too Many Requests\r\nretry-after: 1");
            }
            20..30 => {
                self.tally.failed += 1;
                return Reply::Says("500 Internal Server Error");
            }
            30..35 => {
                self.tally.cut += 1;
                self.note(number);
                return Reply::Cuts;
            }
            35..40 => {
                self.tally.cut += 1;
                return Reply::Cuts;
            }
            40..50 => {
                self.tally.slow += 1;
                std::thread::sleep(SLOW);
            }
            _ => {}
        }
        self.note(number);
        Reply::Takes
    }

    fn note(&mut self, number: u32) {
        if self.taken.last() == Some(&number) {
            self.tally.repeated += 1;
        } else {
            self.taken.push(number);
        }
    }
}

fn serve(stream: TcpStream, channels: &[Mutex<Channel>], dead: &[Option<Instant>]) {
    let mut reader = BufReader::new(stream);
    while let Some((channel, number)) = read(&mut reader) {
        if dead[channel].is_some_and(|until| Instant::now() < until) {
            return;
        }
        let head = match channels[channel].lock().unwrap().take(number) {
            Reply::Takes => "204 No Content",
            Reply::Says(head) => head,
            Reply::Cuts => return,
        };
        let reply = format!("HTTP/1.1 {head}\r\ncontent-length: 0\r\n\r\n");
        if reader.get_mut().write_all(reply.as_bytes()).is_err() {
            return;
        }
    }
}

/// Returns the channel and the occurrence of a request.
fn read(reader: &mut BufReader<TcpStream>) -> Option<(usize, u32)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let channel = line.split(' ').nth(1)?.trim_start_matches('/').parse().ok()?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body: Value = serde_json::from_slice(&body).ok()?;
    Some((channel, body["sessionId"].as_str()?.parse().ok()?))
}
