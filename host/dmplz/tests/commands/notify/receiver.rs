//! A server that webhooks go to, with a script of replies.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// One request.
#[derive(Debug, Clone)]
pub(super) struct Got {
    /// Path and query.
    pub(super) target: String,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
    /// The status that it was answered with; 0 where the connection was cut.
    pub(super) status: u16,
}

impl Got {
    #[track_caller]
    pub(super) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        &found.unwrap_or_else(|| panic!("{name}: {self:?}")).1
    }
}

/// A reply: the status, further header lines, and the body. A status of 0 cuts the connection.
pub(super) type Reply = (u16, &'static str, &'static str);

#[derive(Default)]
struct World {
    replies: VecDeque<Reply>,
    got: Vec<Got>,
}

/// The server.
pub(super) struct Receiver {
    address: SocketAddr,
    world: Arc<(Mutex<World>, Condvar)>,
}

impl Receiver {
    /// Starts a server that answers with these replies, one after the other, and then with 204.
    pub(super) fn start(replies: &[Reply]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let world = World { replies: replies.iter().copied().collect(), got: Vec::new() };
        let world = Arc::new((Mutex::new(world), Condvar::new()));
        let shared = Arc::clone(&world);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || serve(stream, &shared));
            }
        });
        Self { address, world }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Waits until it has received this number of requests.
    #[track_caller]
    pub(super) fn wait_for(&self, count: usize) -> Vec<Got> {
        let (world, changed) = &*self.world;
        let world = world.lock().unwrap();
        let wait = Duration::from_secs(60);
        let (world, over) = changed.wait_timeout_while(world, wait, |world| world.got.len() < count).unwrap();
        assert!(!over.timed_out(), "{:#?}", world.got);
        world.got.clone()
    }
}

fn serve(stream: TcpStream, world: &(Mutex<World>, Condvar)) {
    let mut reader = BufReader::new(stream);
    while let Some(mut got) = read(&mut reader) {
        let (state, changed) = world;
        let mut state = state.lock().unwrap();
        let (status, headers, body) = state.replies.pop_front().unwrap_or((204, "", ""));
        got.status = status;
        state.got.push(got);
        changed.notify_all();
        drop(state);
        if status == 0 {
            return;
        }
        let length = body.len();
        let head = format!("HTTP/1.1 {status} Said\r\n{headers}content-length: {length}\r\n\r\n{body}");
        if reader.get_mut().write_all(head.as_bytes()).is_err() {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Got> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let target = line.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_lowercase(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length")?.1.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Got { target, headers, body: String::from_utf8(body).ok()?, status: 0 })
}
