//! A small HTTP server for tests, on a thread of its own until the process ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// A request. Names of headers are in lower case.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) target: String,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// The answer to a request. A status of 0 closes the connection without one.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// Returns the value of a header; empty if it is absent.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

impl Reply {
    /// Returns JSON, or what is to look like it.
    pub(crate) fn json(status: u16, body: impl ToString) -> Self {
        let headers = vec![("content-type", "application/json".to_owned())];
        Self { status, headers, body: body.to_string().into_bytes() }
    }

    pub(crate) fn with(mut self, header: &'static str, value: impl Into<String>) -> Self {
        self.headers.retain(|(name, _)| *name != header);
        self.headers.push((header, value.into()));
        self
    }
}

/// Starts a server. Returns its address: `127.0.0.1:PORT`.
pub(crate) fn serve(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let answer = Arc::clone(&answer);
            std::thread::spawn(move || converse(stream.unwrap(), &*answer));
        }
    });
    address
}

/// Answers the requests of one connection until it is closed.
fn converse(stream: TcpStream, answer: &dyn Fn(&Request) -> Reply) {
    let (mut reader, mut writer) = (BufReader::new(stream.try_clone().unwrap()), stream);
    while let Some(request) = read(&mut reader) {
        let Reply { status, headers, body } = answer(&request);
        if status == 0 {
            return;
        }
        let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!("HTTP/1.1 {status} Status\r\ncontent-length: {}\r\n{lines}\r\n", body.len());
        let body = if request.method == "HEAD" { Vec::new() } else { body };
        if writer.write_all(&[head.into_bytes(), body].concat()).is_err() {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let mut first = lines.first()?.split(' ').map(str::to_owned);
    let (method, target) = (first.next()?, first.next()?);
    let header = |line: &String| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()));
    let headers = lines.iter().skip(1).filter_map(header).collect();
    let mut request = Request { method, target, headers, body: Vec::new() };
    request.body = vec![0; request.header("content-length").parse().unwrap_or(0)];
    reader.read_exact(&mut request.body).ok()?;
    Some(request)
}
