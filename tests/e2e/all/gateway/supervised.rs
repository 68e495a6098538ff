//! Tests of the gateway as infrastructure: the service manager, probes, Prometheus, and a socket that disappears.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;

use dmplz_e2e::{Chat, Choice, Gateway, Home, JIN, SOON, Surface, stdin, until};
use serde_json::{Value, json};

use super::gateway;
use crate::{bare_home, home};

tests! {
    once:
        the_service_manager_is_told_when_it_is_ready_how_it_goes_and_when_it_ends,
        a_gateway_whose_store_hangs_tells_the_watchdog_nothing_until_it_goes_on,
        without_a_watchdog_nothing_is_said_of_one,
        probes_are_answered_without_a_token_and_metrics_with_one,
        a_crowd_of_connections_keeps_nobody_waiting_and_costs_no_threads,
        a_socket_that_goes_missing_is_bound_again_and_hooks_find_it;
    on_telegram:
        a_messenger_that_can_be_reached_shows_in_the_probes_and_the_metrics;
}

/// Returns the gateway's datagrams up to this one.
#[track_caller]
fn hears(manager: &UnixDatagram, last: &str) -> Vec<String> {
    let mut heard = Vec::new();
    let mut datagram = [0; 4096];
    loop {
        let count = manager.recv(&mut datagram).unwrap_or_else(|error| panic!("{last}: {error}: {heard:?}"));
        let text = String::from_utf8(datagram[..count].to_vec()).unwrap();
        heard.push(text.clone());
        if text.starts_with(last) {
            return heard;
        }
    }
}

fn the_service_manager_is_told_when_it_is_ready_how_it_goes_and_when_it_ends() {
    let mut home = bare_home();
    let path = home.path().join("notify");
    let managers = [(UnixDatagram::bind(&path).unwrap(), path.display().to_string())];
    #[cfg(target_os = "linux")]
    let managers = managers.into_iter().chain([in_no_directory()]);
    for (manager, socket) in managers {
        manager.set_read_timeout(Some(SOON)).unwrap();
        home.set("NOTIFY_SOCKET", socket).set("WATCHDOG_USEC", "300000").set("DMPLZ_LANG", "en");
        let gateway = home.serve();
        assert_eq!(hears(&manager, "READY=1"), ["READY=1"]);
        assert_eq!(hears(&manager, "STATUS=")[..2], ["WATCHDOG=1", "STATUS=nobody would see a request (0 open)"]);
        let mut person = gateway.watch();
        let hook = home.hook(&stdin::push());
        let request = person.await_request();
        hears(&manager, "STATUS=cli (1 open)");
        person.deny(&request, "no").unwrap();
        hook.ended().denies("User rejected the request. Reason: no");
        drop(person);
        let more = (0..3).map(|_| hears(&manager, "WATCHDOG=1")).collect::<Vec<_>>();
        assert_eq!(more.len(), 3);
        assert_eq!(gateway.stop().code(), Some(0));
        assert_eq!(hears(&manager, "STOPPING=1").last().unwrap(), "STOPPING=1\nSTATUS=ending");
    }
}

/// Returns a service manager's socket in the abstract namespace, and its name.
#[cfg(target_os = "linux")]
fn in_no_directory() -> (UnixDatagram, String) {
    use std::os::linux::net::SocketAddrExt;

    let name = format!("dmplz-test-{}", std::process::id());
    let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).unwrap();
    (UnixDatagram::bind_addr(&address).unwrap(), format!("@{name}"))
}

fn a_gateway_whose_store_hangs_tells_the_watchdog_nothing_until_it_goes_on() {
    let mut home = bare_home();
    let path = home.path().join("notify");
    let manager = UnixDatagram::bind(&path).unwrap();
    manager.set_read_timeout(Some(SOON)).unwrap();
    home.set("NOTIFY_SOCKET", &path).set("WATCHDOG_USEC", "300000").set("DMPLZ_LANG", "en");
    let gateway = home.serve();
    let _person = gateway.watch();
    hears(&manager, "WATCHDOG=1");
    let database = rusqlite::Connection::open(home.state().join("state.db")).unwrap();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    // The request has to be stored, and the store's thread waits for the database.
    let hook = home.hook(&stdin::push());
    hears(&manager, "STATUS=the store does not answer");
    database.execute_batch("ROLLBACK").unwrap();
    let heard = hears(&manager, "STATUS=cli");
    assert_eq!(heard.iter().filter(|told| *told == "WATCHDOG=1").count(), 1, "{heard:?}");
    drop(hook);
}

fn without_a_watchdog_nothing_is_said_of_one() {
    let mut home = bare_home();
    let path = home.path().join("notify");
    let manager = UnixDatagram::bind(&path).unwrap();
    manager.set_read_timeout(Some(SOON)).unwrap();
    // The watchdog of another process, as a shell between the two would pass it on.
    home.set("NOTIFY_SOCKET", &path).set("WATCHDOG_USEC", "300000").set("WATCHDOG_PID", "1").set("DMPLZ_LANG", "ko");
    let gateway = home.serve();
    assert_eq!(gateway.stop().code(), Some(0));
    let heard = hears(&manager, "STOPPING=1");
    assert!(!heard.iter().any(|told| told.contains("WATCHDOG")), "{heard:?}");
    assert_eq!((&*heard[0], &**heard.last().unwrap()), ("READY=1", "STOPPING=1\nSTATUS=끝내는 중입니다"));
}

/// Returns the status and the body of a path.
fn get(gateway: &Gateway, path: &str, token: &str) -> (u16, String) {
    let host = gateway.url().trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&host).unwrap();
    stream.set_read_timeout(Some(SOON)).unwrap();
    let bearer = if token.is_empty() { String::new() } else { format!("authorization: Bearer {token}\r\n") };
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{bearer}\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn ready(gateway: &Gateway) -> (u16, Value) {
    let (status, body) = get(gateway, "/readyz", "");
    (status, serde_json::from_str(&body).unwrap())
}

fn metrics_token(home: &Home) -> String {
    std::fs::read_to_string(home.state().join("metrics.token")).unwrap().trim().to_owned()
}

fn probes_are_answered_without_a_token_and_metrics_with_one() {
    let (home, gateway, person) = gateway();
    assert_eq!(get(&gateway, "/healthz", ""), (200, r#"{"alive":true}"#.to_owned()));
    assert_eq!(ready(&gateway), (200, json!({ "ready": true, "reasons": [] })));
    drop(person);
    until("nobody would see a request", || ready(&gateway).0 == 503);
    assert_eq!(ready(&gateway).1["reasons"][0]["code"], "no_surface");
    assert_eq!(get(&gateway, "/metrics", "").0, 401);
    let (status, text) = get(&gateway, "/metrics", &metrics_token(&home));
    assert_eq!(status, 200);
    assert!(text.contains("\ndmplz_open_requests 0\n") && text.contains("\nprocess_open_fds "), "{text}");
}

fn a_messenger_that_can_be_reached_shows_in_the_probes_and_the_metrics(chat: Chat) {
    let home = home(&chat);
    let gateway = home.serve();
    until("the messenger is reached", || ready(&gateway).0 == 200);
    let token = metrics_token(&home);
    let name = chat.settings().iter().find_map(|(name, _)| name.contains("TELEGRAM").then_some("telegram")).unwrap();
    let first = home.hook(&stdin::bash("one", "git push origin one"));
    let card = chat.await_card();
    let second = home.hook(&stdin::bash("two", "git push origin two"));
    let waiting = format!("dmplz_messenger_waiting_requests{{messenger=\"{name}\"}} 1\n");
    until("one waits for its place", || get(&gateway, "/metrics", &token).1.contains(&waiting));
    let status = gateway.connect().call("gateway.status", json!({})).unwrap();
    assert_eq!(status["messengers"], json!([{ "name": name, "reachable": true, "alert": false }]));
    // A press ends the look that waits for one.
    chat.press(&card, Choice::Approve, JIN);
    first.ended().decides(json!({ "behavior": "allow" }));
    let polled = format!("dmplz_messenger_polls_total{{messenger=\"{name}\",result=\"ok\"}} ");
    until("the messenger is polled", || {
        let text = get(&gateway, "/metrics", &token).1;
        text.lines().any(|line| line.strip_prefix(&polled).is_some_and(|count| count != "0"))
    });
    let text = get(&gateway, "/metrics", &token).1;
    assert!(text.contains(&format!("dmplz_messenger_up{{messenger=\"{name}\"}} 1\n")), "{text}");
    assert!(text.contains(&format!("dmplz_messenger_last_poll_age_seconds{{messenger=\"{name}\"}} ")), "{text}");
    drop(second);
}

/// The owners of all connections are read from the kernel together.
fn a_crowd_of_connections_keeps_nobody_waiting_and_costs_no_threads() {
    let home = bare_home();
    let gateway = home.serve();
    let host = gateway.url().trim_start_matches("http://").to_owned();
    let said = ["", "G", "GET / HTTP/1.1\r\n"].into_iter().cycle();
    let mut crowd: Vec<TcpStream> = said
        .take(600)
        .map(|said| {
            let mut stream = TcpStream::connect(&host).unwrap();
            // The gateway may have closed it already, because it limits the number of connections.
            let _ = stream.write_all(said.as_bytes());
            stream
        })
        .collect();
    // Silent connections are given up after ten seconds; a request waits for none of that.
    crowd.iter_mut().for_each(|stream| stream.set_nonblocking(true).unwrap());
    let answered = std::thread::spawn({
        let host = host.clone();
        move || {
            let mut stream = TcpStream::connect(&host).unwrap();
            stream.set_read_timeout(Some(std::time::Duration::from_secs(8))).unwrap();
            write!(stream, "GET /healthz HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).map(|_| answer.starts_with("HTTP/1.1 200 "))
        }
    });
    assert!(answered.join().unwrap().expect("an answer in time"));
    if let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", gateway.pid())) {
        let threads = status.lines().find_map(|line| line.strip_prefix("Threads:")).unwrap();
        assert!(threads.trim().parse::<usize>().unwrap() < 40, "{threads}");
    }
}

fn a_socket_that_goes_missing_is_bound_again_and_hooks_find_it() {
    let (home, gateway, mut person) = gateway();
    std::fs::remove_file(gateway.socket()).unwrap();
    until("the socket is there again", || gateway.socket().exists());
    let hook = home.hook(&stdin::push());
    let request = person.await_request();
    Surface::to(&gateway.socket()).deny(&request, "no").unwrap();
    hook.ended().denies("User rejected the request. Reason: no");
}
