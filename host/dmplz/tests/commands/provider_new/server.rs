//! The imaginary messenger of the templates, on which a person approves the first card.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// A server that listens until the test ends.
pub(super) struct Server {
    pub(super) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// A request that the provider made.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) line: String,
    pub(super) token: String,
    pub(super) body: Value,
}

impl Server {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::<Mutex<Vec<Asked>>>::default();
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || serve(stream.unwrap(), &kept));
            }
        });
        Self { url, asked }
    }

    pub(super) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

/// Answers the requests of one connection until it is closed.
fn serve(stream: TcpStream, asked: &Mutex<Vec<Asked>>) {
    let (mut reader, mut writer) = (BufReader::new(stream.try_clone().unwrap()), stream);
    while let Some(request) = read(&mut reader) {
        let line = request.line.clone();
        let reply = {
            let mut asked = asked.lock().unwrap();
            asked.push(request);
            let card = asked.iter().find(|asked| asked.line.starts_with("POST /rooms/r1/messages ")).map(|asked| &asked.body);
            match (line.split(' ').collect::<Vec<_>>().as_slice(), card) {
                (["POST", "/rooms/r1/messages", _], _) => json!({ "id": "m1", "number": 1 }),
                (["GET", "/events?after=", _], Some(card)) => {
                    let message = json!({ "id": "m1", "number": 1 });
                    let user = json!({ "id": "u1", "name": "Jin" });
                    let press = json!({ "room": "r1", "message": message, "button": "approve", "nonce": card["nonce"], "press": "p1", "user": user });
                    json!({ "events": [press], "next": "c1" })
                }
                _ => json!({}),
            }
        }
        .to_string();
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", reply.len());
        if writer.write_all((head + &reply).as_bytes()).is_err() {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Asked> {
    let (mut lines, mut length) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_owned();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length: ") {
            length = value.parse().unwrap();
        }
        lines.push(line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let token = lines.iter().find_map(|line| line.strip_prefix("authorization: ")).unwrap_or_default().to_owned();
    Some(Asked { line: lines.remove(0), token, body: serde_json::from_slice(&body).unwrap_or_default() })
}
