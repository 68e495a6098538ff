use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::desk::{Gateway, answer};
use crate::web::input::MAX_BODY;

async fn post(gateway: &Gateway, headers: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", gateway.port)).await.unwrap();
    let head = format!(
        "POST /api/v1/approvals/x/answer HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n{headers}\r\n\r\n",
        gateway.host(),
        gateway.token
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused_however_it_comes() {
    let gateway = Gateway::start().await;
    let long = json!({ "decision": "deny", "reason": "x".repeat(MAX_BODY) });
    let answer_to_long = gateway.program("POST /api/v1/approvals/x/answer", Some(&long)).await;
    assert_eq!((answer_to_long.status, answer_to_long.code().as_str()), (413, "too_large"));
    let mut chunked = post(&gateway, "transfer-encoding: chunked").await;
    let (mut reads, mut writes) = chunked.split();
    let write = async {
        let chunk = format!("4000\r\n{}\r\n", " ".repeat(0x4000));
        while writes.write_all(chunk.as_bytes()).await.is_ok() {}
        std::future::pending::<()>().await;
    };
    let read = async {
        let mut told = [0; 12];
        // Input that is still on its way when the connection ends may cost the peer the response.
        reads.read_exact(&mut told).await.map(|_| told)
    };
    let told = tokio::select! { told = read => told, () = write => unreachable!() };
    assert!(told.is_err() || told.is_ok_and(|told| told == *b"HTTP/1.1 413"));
}

#[tokio::test]
async fn a_body_that_is_no_json_is_refused() {
    let gateway = Gateway::start().await;
    for body in ["{", "nothing", "\u{feff}{}", "{\"decision\":\"approve\"} {}", "\"\\ud800\""] {
        let mut stream = post(&gateway, &format!("content-length: {}", body.len())).await;
        stream.write_all(body.as_bytes()).await.unwrap();
        let answer = answer(&mut stream).await.unwrap();
        assert_eq!((answer.status, answer.code().as_str()), (400, "bad_request"), "{body}");
    }
    let deep = "[".repeat(100_000);
    let mut stream = post(&gateway, &format!("content-length: {}", deep.len())).await;
    stream.write_all(deep.as_bytes()).await.unwrap();
    assert_eq!(answer(&mut stream).await.unwrap().status, 400);
}

fn get(gateway: &Gateway) -> String {
    format!("GET / HTTP/1.1\r\nhost: {}\r\n\r\n", gateway.host())
}

/// Paused time advances as soon as nothing else can run: these tests wait for limits, not for clocks.
#[tokio::test(start_paused = true)]
async fn a_head_that_never_ends_is_given_up() {
    let gateway = Gateway::start().await;
    for head in ["", "GET / HT", "GET / HTTP/1.1\r\nhost: x\r\n"] {
        let mut stream = TcpStream::connect(("127.0.0.1", gateway.port)).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut rest = Vec::new();
        let _ = tokio::time::timeout(Duration::from_secs(70), stream.read_to_end(&mut rest)).await.expect("an end");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_comes_is_given_up() {
    let gateway = Gateway::start().await;
    let mut stream = post(&gateway, "content-length: 10").await;
    let answer = tokio::time::timeout(Duration::from_secs(70), answer(&mut stream)).await.unwrap().unwrap();
    assert_eq!((answer.status, answer.code().as_str()), (408, "too_slow"));
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_is_not_used_is_closed() {
    let gateway = Gateway::start().await;
    let mut stream = TcpStream::connect(("127.0.0.1", gateway.port)).await.unwrap();
    let request = format!("GET / HTTP/1.1\r\nhost: {}\r\n\r\n", gateway.host());
    stream.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(answer(&mut stream).await.unwrap().status, 200);
    let closed = tokio::time::timeout(Duration::from_secs(70), stream.read(&mut [0; 8])).await.expect("an end");
    assert_eq!(closed.unwrap_or(0), 0);
}

#[tokio::test]
async fn a_head_that_is_too_large_is_refused() {
    let gateway = Gateway::start().await;
    let long = format!("GET / HTTP/1.1\r\nhost: {}\r\nx: {}\r\n\r\n", gateway.host(), "x".repeat(64 * 1024));
    let mut stream = TcpStream::connect(("127.0.0.1", gateway.port)).await.unwrap();
    let _ = stream.write_all(long.as_bytes()).await;
    let mut told = Vec::new();
    let _ = stream.read_to_end(&mut told).await;
    assert!(told.is_empty() || told.starts_with(b"HTTP/1.1 431"), "{}", String::from_utf8_lossy(&told));
    let many = format!("GET / HTTP/1.1\r\nhost: {}\r\n{}\r\n", gateway.host(), "x: 1\r\n".repeat(200));
    assert_eq!(gateway.raw(many.as_bytes()).await.status, 431);
}

#[tokio::test]
async fn a_request_that_there_is_no_room_for_waits() {
    let gateway = Gateway::with(|config| config.limits.connections = 2).await;
    // Requests whose bodies are missing hold their places.
    let mut held = [post(&gateway, "content-length: 2").await, post(&gateway, "content-length: 2").await];
    let mut third = TcpStream::connect(("127.0.0.1", gateway.port)).await.unwrap();
    third.write_all(get(&gateway).as_bytes()).await.unwrap();
    let early = tokio::time::timeout(Duration::from_millis(100), third.read(&mut [0; 1])).await;
    assert!(early.is_err(), "the third waits");
    held[0].write_all(b"{}").await.unwrap();
    assert_eq!(answer(&mut held[0]).await.unwrap().status, 400);
    assert_eq!(answer(&mut third).await.unwrap().status, 200);
}

/// On paused time, a response that waited for any of the limits would be late.
#[tokio::test(start_paused = true)]
async fn connections_that_say_nothing_or_not_enough_keep_nobody_out() {
    let gateway = Gateway::with(|config| (config.limits.connections, config.limits.waiting) = (2, 16)).await;
    let begun = tokio::time::Instant::now();
    let mut silent = Vec::new();
    for said in ["", "G", "GET / HTTP/1.1\r\nhost: x\r\n"].repeat(20) {
        let mut stream = TcpStream::connect(("127.0.0.1", gateway.port)).await.unwrap();
        stream.write_all(said.as_bytes()).await.unwrap();
        silent.push(stream);
    }
    for idle in 0..8 {
        let mut stream = TcpStream::connect(("127.0.0.1", gateway.port)).await.unwrap();
        stream.write_all(get(&gateway).as_bytes()).await.unwrap();
        assert_eq!(answer(&mut stream).await.unwrap().status, 200, "{idle}");
        // A browser keeps its connection for the next request.
        silent.push(stream);
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn the_connection_that_has_been_silent_longest_is_closed_for_a_new_one() {
    let gateway = Gateway::with(|config| config.limits.waiting = 2).await;
    let mut first = TcpStream::connect(("127.0.0.1", gateway.port)).await.unwrap();
    let mut others = Vec::new();
    for _ in 0..2 {
        others.push(TcpStream::connect(("127.0.0.1", gateway.port)).await.unwrap());
    }
    assert_eq!(first.read(&mut [0; 8]).await.unwrap_or(0), 0);
    let mut last = others.pop().unwrap();
    last.write_all(get(&gateway).as_bytes()).await.unwrap();
    assert_eq!(answer(&mut last).await.unwrap().status, 200);
}

#[tokio::test]
async fn a_shutdown_ends_what_is_open() {
    let mut gateway = Gateway::start().await;
    let mut idle = TcpStream::connect(("127.0.0.1", gateway.port)).await.unwrap();
    idle.write_all(format!("GET / HTTP/1.1\r\nhost: {}\r\n\r\n", gateway.host()).as_bytes()).await.unwrap();
    assert_eq!(answer(&mut idle).await.unwrap().status, 200);
    gateway.stop.take().unwrap().send(()).unwrap();
    gateway.served.take().unwrap().await.unwrap();
    assert_eq!(idle.read(&mut [0; 8]).await.unwrap_or(0), 0);
    assert!(TcpStream::connect(("127.0.0.1", gateway.port)).await.is_err());
}
