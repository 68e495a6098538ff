//! Tests of the lines of `dmplz serve` about requests on stderr.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::command::Home;
use crate::gateway::Gateway;

const ID: &str = "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";

#[test]
fn a_request_is_a_line_when_it_is_asked_and_ended_and_its_input_is_in_none() {
    let home = Home::new().with("DMPLZ_LOG", "info");
    let (gateway, said) = Gateway::start_saying(&home);
    let mut surface = gateway.line();
    surface.call("events.subscribe", &json!({}));
    let mut hook = gateway.asking(ID, "curl -H 'authorization: hunter2' x");
    assert_eq!(home.run(&["approvals", "approve", ID]).code, Some(0));
    hook.decided();
    // The line is written concurrently with the answer.
    let end = Instant::now() + Duration::from_secs(40);
    let said = || std::fs::read_to_string(&said).unwrap();
    while !said().contains("approved") && Instant::now() < end {
        std::thread::yield_now();
    }
    let said = said();
    assert!(said.contains("request 3f0c1a52: Bash asks in /home/ann/shop\n"), "{said}");
    assert!(said.contains("request 3f0c1a52: approved by Ann on cli after "), "{said}");
    assert!(!said.contains("hunter2"), "{said}");
}
