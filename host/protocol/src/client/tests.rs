use std::io::{BufRead, BufReader};
use std::os::unix::net::UnixListener;
use std::thread;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::*;

/// A method that these tests call.
#[derive(Serialize, Deserialize)]
struct Ask {}

impl Method for Ask {
    const NAME: &'static str = "y.z";
    type Answer = Value;
}

/// Starts a gateway that answers each line it reads with the next messages of a script.
fn scripted(said: &'static [&'static [&'static str]]) -> (tempfile::TempDir, std::path::PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("gateway.sock");
    let listener = UnixListener::bind(&path).unwrap();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        for answer in said {
            lines.next().unwrap().unwrap();
            for line in *answer {
                stream.write_all(line.as_bytes()).unwrap();
            }
        }
        // Keeps the connection open until the client closes it.
        lines.next();
    });
    (dir, path)
}

fn soon() -> Option<Instant> {
    Some(Instant::now() + Duration::from_secs(40))
}

#[test]
fn where_nothing_listens_no_gateway_is_running() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("gateway.sock");
    assert!(Client::connect(&path).unwrap_err().is_not_running());
    drop(UnixListener::bind(&path).unwrap());
    assert!(path.exists(), "a killed gateway leaves its socket");
    assert!(Client::connect(&path).unwrap_err().is_not_running());
}

#[test]
fn what_is_told_while_an_answer_is_awaited_is_kept_in_order() {
    let (_dir, path) = scripted(&[&[
        "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":{\"n\":1}}\n{\"jsonrpc\":\"2.0\",\"met",
        "hod\":\"b\"}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"n\":2}}\n{\"jsonrpc\":\"2.0\",\"method\":\"c\"}\n",
    ]]);
    let mut client = Client::connect(&path).unwrap();
    let answer = client.call(&Ask {}, soon()).unwrap();
    assert_eq!(answer, json!({ "n": 2 }));
    for name in ["a", "b", "c"] {
        assert!(matches!(client.next(soon()).unwrap(), Incoming::Told(told) if told.method == name));
    }
    assert!(client.ready().unwrap().is_none());
}

#[test]
fn a_refusal_keeps_its_code_and_what_belongs_to_it() {
    let (_dir, path) = scripted(&[
        &[
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32002,\"message\":\"it was answered\",\"data\":{\"status\":\"ended\"}}}\n",
        ],
        &["{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601,\"message\":\"no\"}}\n"],
        &["{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"read it\"}}\n"],
    ]);
    let mut client = Client::connect(&path).unwrap();
    let refused = client.call(&Ask {}, soon()).unwrap_err();
    assert_eq!((refused.code(), refused.to_string().as_str()), (Some(Code::ANSWERED), "it was answered"));
    assert!(matches!(client.call(&Ask {}, soon()), Err(GatewayError::TooOld(name)) if name == "y.z"));
    assert!(matches!(client.call(&Ask {}, soon()), Err(GatewayError::Refused(_))));
}

#[test]
fn a_gateway_that_says_nothing_is_not_waited_for_longer_than_it_may_take() {
    let (_dir, path) = scripted(&[&[], &[]]);
    let mut client = Client::connect(&path).unwrap();
    let brief = Some(Instant::now() + Duration::from_millis(30));
    assert!(matches!(client.call(&Ask {}, brief), Err(GatewayError::TimedOut)));
    assert!(matches!(client.call(&Ask {}, brief), Err(GatewayError::TimedOut)));
}

#[test]
fn a_closed_connection_and_a_line_that_is_no_answer_are_errors() {
    let (_dir, path) = scripted(&[&["{\"jsonrpc\":\"2.0\",\"id\":1}\n"]]);
    let mut client = Client::connect(&path).unwrap();
    assert!(matches!(client.call(&Ask {}, soon()), Err(GatewayError::Garbled(_))));
    drop(client);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("gateway.sock");
    let listener = UnixListener::bind(&path).unwrap();
    let mut client = Client::connect(&path).unwrap();
    drop(listener.accept().unwrap());
    assert!(matches!(client.call(&Ask {}, soon()), Err(GatewayError::Lost)));
}
