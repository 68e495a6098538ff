//! Tests of a full disk.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::gateway::Gateway;
use crate::kills::check;
use crate::load::{Disk, Load, NOT_RECORDED, code};

/// The limit of the file's size in blocks: enough for the empty database, and for some hundred requests.
const BLOCKS: u64 = 1024;

#[test]
fn a_full_disk_refuses_what_it_cannot_keep_and_nothing_that_was_taken_is_lost() {
    let mut gateway = Gateway::start_limited(&[], Some(BLOCKS));
    let load = Load::start(gateway.socket(), Disk::Full, 8, 2);
    let end = Instant::now() + Duration::from_secs(60);
    let mut probes = Vec::new();
    while !is_full(&gateway, &mut probes) {
        assert!(Instant::now() < end, "the disk does not fill up");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The gateway still serves requests that write nothing.
    gateway.connect().call("approvals.list", json!({})).unwrap();
    gateway.kill();
    gateway.make_room();
    gateway.restart();
    let mut book = load.finish();
    book.acknowledged.retain(|id, _| !probes.contains(id));
    assert!(!book.acknowledged.is_empty());
    check(&book);
    gateway.check_audit();
}

/// Returns whether a new request is refused because it cannot be stored. A request that is accepted may be answered.
fn is_full(gateway: &Gateway, probes: &mut Vec<String>) -> bool {
    let mut surface = gateway.connect();
    if surface.call("events.subscribe", json!({})).is_err() {
        return false;
    }
    let input = json!({ "hook_event_name": "PermissionRequest", "session_id": "full", "cwd": "/", "tool_name": "Bash",
        "tool_input": { "command": "x".repeat(4096) } });
    let id = uuid::Uuid::new_v4().to_string();
    probes.push(id.clone());
    let params = json!({ "requestId": id, "input": input, "remarks": [], "expiresInMs": 50 });
    surface.call("hook.ask", params).is_err_and(|error| code(&error) == NOT_RECORDED)
}
