//! The misbehaviour of the component.

use std::hint::black_box;
use std::io::Write;

use crate::bindings::dmplz::messenger::types::{Chosen, Error, Event, MessageRef, Said, SentFile, User, Watch};
use crate::bindings::dmplz::messenger::{clock, http, log};
use crate::{setting, spin};

/// Does what the settings say, at the export that they name. Returns the result of a request as text.
pub(crate) fn at(export: &str) -> Result<Option<String>, Error> {
    if setting("at") != export {
        return Ok(None);
    }
    match setting("mode").as_str() {
        "trap" => panic!("trapped in {export}"),
        "spin" => spin(),
        "grow" => grow(),
        "recurse" => Ok(Some(recurse(1).to_string())),
        "log" => loop {
            log::write(log::Level::Warn, "and another line");
        },
        "giant-log" => {
            log::write(log::Level::Warn, &"x".repeat(20 << 20));
            Ok(None)
        }
        "giant-text" => Ok(Some("x".repeat(33 << 20))),
        "nap" => loop {
            clock::sleep(1_000);
        },
        "doze" => loop {
            std::thread::sleep(std::time::Duration::from_secs(3600));
        },
        "probe" => Ok(Some(crate::probes::report())),
        "poll" => loop {
            black_box(clock::now());
        },
        "say" => {
            log::write(log::Level::Warn, &setting("text"));
            Ok(Some(clock::remaining().to_string()))
        }
        "mutter" => {
            let written = writeln!(std::io::stderr(), "{}", setting("text"));
            Ok(Some(written.is_ok().to_string()))
        }
        "fetch" => Ok(Some(fetch())),
        "socket" => Ok(Some(crate::sockets::follow(&setting("script")))),
        "keep" => Ok(Some(crate::keeping::follow(&setting("script")))),
        "hoard" => Ok(Some(crate::keeping::hoard())),
        "fail" => Err(Error::Other(Some(setting("text")))),
        _ => Ok(None),
    }
}

fn grow() -> ! {
    let mut hoard = Vec::new();
    loop {
        hoard.push(black_box(vec![1_u8; 1 << 20]));
    }
}

#[allow(unconditional_recursion, reason = "that is the point")]
fn recurse(depth: u64) -> u64 {
    black_box(recurse(black_box(depth + 1))) + 1
}

/// Returns the same event this number of times.
pub(crate) fn events(count: usize) -> Vec<Event> {
    let message = MessageRef { chat: "c".into(), id: "1".into(), sequence: 1 };
    let user = User { id: "u".into(), name: "n".into(), is_bot: false };
    let said = Said { message, reply_to: None, user, text: String::new(), files: Vec::new() };
    vec![Event::Said(said); count]
}

/// Returns one message with this number of files.
pub(crate) fn message_with_files(count: usize) -> Vec<Event> {
    let message = MessageRef { chat: "c".into(), id: "1".into(), sequence: 1 };
    let user = User { id: "u".into(), name: "n".into(), is_bot: false };
    let files = vec![SentFile { id: "f".into(), name: "n".into(), size: None }; count];
    vec![Event::Said(Said { message, reply_to: None, user, text: String::new(), files })]
}

/// Returns a press on each card.
pub(crate) fn presses(watching: &[Watch]) -> Vec<Event> {
    let press = |watch: &Watch| Chosen {
        message: watch.message.clone(),
        tag: None,
        choice: setting("text"),
        user: User { id: "u".into(), name: "n".into(), is_bot: false },
        token: String::new(),
        text: None,
    };
    watching.iter().map(|watch| Event::Chosen(press(watch))).collect()
}

/// Sends one GET, and returns the result as text.
pub(crate) fn fetch_from(url: &str) -> String {
    send(http::Request { method: http::Method::Get, url: url.to_owned(), headers: vec![], body: vec![], timeout: None })
}

fn fetch() -> String {
    let method = match setting("method").as_str() {
        "POST" => http::Method::Post,
        _ => http::Method::Get,
    };
    let patience = setting("patience").parse().ok();
    send(http::Request {
        method,
        url: setting("url"),
        headers: headers(),
        body: setting("body").into_bytes(),
        timeout: patience,
    })
}

/// Returns the headers of the setting, a line each.
pub(crate) fn headers() -> Vec<http::Header> {
    setting("headers").lines().filter_map(|line| line.split_once(": ")).map(header).collect()
}

fn header((name, value): (&str, &str)) -> http::Header {
    http::Header { name: name.to_owned(), value: value.to_owned() }
}

fn send(request: http::Request) -> String {
    match http::send(&request) {
        Ok(response) => {
            let headers: Vec<String> = response.headers.iter().map(|h| format!("{}: {}", h.name, h.value)).collect();
            format!("{}\n{}\n\n{}", response.status, headers.join("\n"), String::from_utf8_lossy(&response.body))
        }
        Err(error) => format!("{error:?}"),
    }
}
