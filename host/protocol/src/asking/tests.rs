//! A hook's conversation with a scripted gateway.

use std::cell::RefCell;
use std::pin::pin;

use dmplz_core::claude::HookInput;
use dmplz_core::request;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};

use super::*;

const ID: &str = "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";

/// A gateway that accepts one connection.
struct Once(RefCell<Option<DuplexStream>>);

impl Dial for Once {
    type Stream = DuplexStream;

    fn dial(&self) -> io::Result<DuplexStream> {
        self.0.borrow_mut().take().ok_or(io::ErrorKind::ConnectionRefused.into())
    }
}

fn asks_for(command: &str) -> HookInput {
    let input = json!({ "hook_event_name": "PermissionRequest", "session_id": "s", "cwd": "/", "tool_name": "Bash",
        "tool_input": { "command": command } });
    HookInput::parse(input.to_string().as_bytes()).unwrap()
}

/// Returns how a hook's request for this command ends, and the line that the gateway read. The gateway starts to read
/// after `delay`, and then refuses.
async fn refused_after(command: &str, delay: Duration) -> (End, String) {
    let (ours, theirs) = duplex(1 << 10);
    let gateway = async move {
        let (mut stream, mut line) = (BufReader::new(theirs), String::new());
        sleep(delay).await;
        stream.read_line(&mut line).await.unwrap();
        let refusal = json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32603, "message": "no room" } });
        let _ = stream.write_all(format!("{refusal}\n").as_bytes()).await;
        line
    };
    let input = asks_for(command);
    let expires = Instant::now() + Duration::from_secs(60);
    let asking = Asking { id: ID.parse().unwrap(), input: &input, remarks: &[], grantable: None, expires };
    let connection = Connection::over(ours, asking.question().unwrap());
    let (dial, sign) = (Once(RefCell::new(None)), pin!(std::future::pending::<Resolver>()));
    let hook = async { Talk::over(&asking, &dial, Some(connection)).until(expires, sign).await.1 };
    tokio::join!(hook, gateway)
}

#[tokio::test(start_paused = true)]
async fn a_gateway_is_waited_for_as_long_as_the_request_is_long() {
    let megabyte = "x".repeat(1_000_000);
    for (command, delay_ms, refusal) in [
        ("ls", 2_900, "the gateway refused: no room"),
        ("ls", 3_500, "the gateway runs and does not answer"),
        (&megabyte, 12_500, "the gateway refused: no room"),
        (&megabyte, 13_500, "the gateway runs and does not answer"),
    ] {
        let (end, _) = refused_after(command, Duration::from_millis(delay_ms)).await;
        let what = format!("{} bytes after {delay_ms} ms: {end:?}", command.len());
        assert!(matches!(end, End::NotTaken(why) if why.to_string() == refusal), "{what}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_read_at_the_last_moment_is_written_once() {
    let command = "x".repeat(10_000);
    let (End::NotTaken(why), line) = refused_after(&command, Duration::from_millis(3_150)).await else { panic!() };
    assert_eq!(why.to_string(), "the gateway refused: no room");
    assert!(serde_json::from_str::<Value>(&line).is_ok(), "{line}");
}

/// Returns how a hook's request ends if its gateway accepts it, reports a denial with a pending reason, and then sends
/// `last`.
async fn ended(last: Value) -> End {
    let (ours, theirs) = duplex(1 << 16);
    let denial = json!({ "outcome": "rejected_no_reason", "reason_source": "timeout",
        "by": { "surface": "web", "id": "owner", "name": "Ada" } });
    let said = [
        json!({ "jsonrpc": "2.0", "method": "hook.accepted", "params": { "requestId": ID, "protocol": 1 } }),
        json!({ "jsonrpc": "2.0", "method": "hook.denied", "params": { "requestId": ID, "resolution": denial, "leftMs": 60_000 } }),
        last,
    ];
    let gateway = async move {
        let mut stream = BufReader::new(theirs);
        stream.read_line(&mut String::new()).await.unwrap();
        for line in said {
            stream.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        }
        std::future::pending::<()>().await;
    };
    let input = asks_for("ls");
    let expires = Instant::now() + Duration::from_secs(60);
    let asking = Asking { id: ID.parse().unwrap(), input: &input, remarks: &[], grantable: None, expires };
    let dial = Once(RefCell::new(Some(ours)));
    let sign = pin!(std::future::pending::<Resolver>());
    tokio::select! {
        (_, end) = Talk::over(&asking, &dial, None).until(expires + Duration::from_secs(1), sign) => end,
        () = gateway => unreachable!("it says no more"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_denial_that_was_heard_stands_whatever_the_gateway_says_next() {
    let resolution = |resolution: Value| json!({ "jsonrpc": "2.0", "id": 1, "result": { "resolution": resolution } });
    let approved = json!({ "outcome": "approved", "by": { "surface": "web", "id": "owner", "name": "Ada" } });
    for last in [
        resolution(json!({ "outcome": "approved" })),
        resolution(approved),
        resolution(json!({ "outcome": "rejected_with_reason" })),
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32603, "message": "no" } }),
        json!("nonsense"),
    ] {
        let End::Resolved(end) = ended(last.clone()).await else { panic!("{last}") };
        assert_eq!(end.outcome, request::End::RejectedNoReason, "{last}");
        assert!(end.outcome().is_ok(), "{last}");
    }
    let why = json!({ "outcome": "rejected_with_reason", "reason": "no", "reason_source": "user_input",
        "by": { "surface": "web", "id": "owner", "name": "Ada" } });
    let End::Resolved(end) = ended(resolution(why)).await else { panic!("it ended with a reason") };
    assert_eq!((end.outcome, end.reason.as_deref()), (request::End::RejectedWithReason, Some("no")));
}
