//! Runs scripts on WebSockets. Each line of a script is one action, and gives one line of the result. Connections are
//! kept until they are dropped, also between exports. `send`, `receive` and `close` use the last one.
//!
//! | line | action |
//! |---|---|
//! | `connect URL` | opens another connection |
//! | `open COUNT URL` | opens and drops this many; returns how often each outcome occurred |
//! | `send FRAME`, `flood COUNT`, `giant BYTES` | sends a frame, this many small ones, one of this many bytes |
//! | `giants COUNT` | sends this many of the largest frames |
//! | `receive WAIT`, `all WAIT` | receives one frame; receives frames until none is left, and returns their number and what ended them |
//! | `close CODE`, `drop` | closes the last connection with a code; drops it |
//! | `sleep MILLISECONDS`, `trap`, `spin` | sleeps; panics; loops without end |

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::bindings::dmplz::messenger::clock;
use crate::bindings::dmplz::messenger::socket::{Connection, Error, connect};
use crate::spin;

thread_local! {
    static OPEN: RefCell<Vec<Connection>> = const { RefCell::new(Vec::new()) };
}

/// Runs all lines.
pub(crate) fn follow(script: &str) -> String {
    script.lines().map(deed).collect::<Vec<_>>().join("\n")
}

fn deed(line: &str) -> String {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let number = rest.parse().unwrap_or(0);
    match verb {
        "connect" => match connect(rest) {
            Ok(connection) => {
                OPEN.with_borrow_mut(|open| open.push(connection));
                "connected".to_owned()
            }
            Err(error) => shown(&error),
        },
        "open" => open(rest),
        "send" => on_last(|last| outcome(&last.send(rest))),
        "giant" => on_last(|last| outcome(&last.send(&"x".repeat(number)))),
        "giants" => {
            let frame = "x".repeat(64 << 10);
            on_last(|last| counted((0..number).map(|_| outcome(&last.send(&frame)))))
        }
        "flood" => on_last(|last| counted((0..number).map(|_| outcome(&last.send("x"))))),
        "receive" => on_last(|last| match last.receive(wait(number)) {
            Ok(Some(frame)) if frame.len() > 200 => format!("{} bytes", frame.len()),
            Ok(Some(frame)) => frame,
            Ok(None) => "nothing".to_owned(),
            Err(error) => shown(&error),
        }),
        "all" => on_last(|last| {
            let mut count = 0;
            loop {
                match last.receive(wait(number)) {
                    Ok(Some(_)) => count += 1,
                    Ok(None) => return format!("{count}, nothing"),
                    Err(error) => return format!("{count}, {}", shown(&error)),
                }
            }
        }),
        "close" => on_last(|last| {
            last.close(u16::try_from(number).unwrap_or(0));
            "said".to_owned()
        }),
        "drop" => format!("{}", OPEN.with_borrow_mut(Vec::pop).is_some()),
        "sleep" => {
            clock::sleep(wait(number));
            "slept".to_owned()
        }
        "trap" => panic!("trapped with sockets"),
        "spin" => spin(),
        _ => String::new(),
    }
}

fn open(rest: &str) -> String {
    let Some((count, url)) = rest.split_once(' ') else { return String::new() };
    counted((0..count.parse().unwrap_or(0)).map(|_| outcome(&connect(url))))
}

fn on_last(deed: impl FnOnce(&Connection) -> String) -> String {
    OPEN.with_borrow(|open| open.last().map_or("none is open".to_owned(), deed))
}

fn counted(outcomes: impl Iterator<Item = String>) -> String {
    let mut counts = BTreeMap::new();
    for outcome in outcomes {
        *counts.entry(outcome).or_insert(0) += 1;
    }
    counts.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect::<Vec<_>>().join(", ")
}

fn outcome<T>(answer: &Result<T, Error>) -> String {
    answer.as_ref().map_or_else(shown, |_| "ok".to_owned())
}

fn wait(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn shown(error: &Error) -> String {
    match error {
        Error::Refused(why) => format!("refused: {why}"),
        Error::Unreachable(why) => format!("unreachable: {why}"),
        Error::Closed(closure) => format!("closed {:?} {:?}", closure.code, closure.reason),
        other => format!("{other:?}").replace("Error::", "").to_lowercase(),
    }
}
