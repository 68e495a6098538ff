//! Tests in which one side of the gateway disconnects while the other waits.

use dmplz_e2e::{Gateway, Home, Hook, Surface, stdin};
use serde_json::{Value, json};

use super::{await_open, gateway};

tests! {
    once:
        gateway_that_is_killed_and_comes_back_answers_the_hook_that_waited,
        gateway_that_stops_and_comes_back_answers_the_hook_that_waited,
        answer_that_was_acknowledged_survives_the_gateways_death,
        gateway_that_never_comes_back_decides_nothing,
        sigterm_withdraws_the_request,
        death_of_the_client_withdraws_the_request,
        death_of_the_hook_withdraws_the_request,
        sigterm_while_a_reason_is_awaited_keeps_the_denial,
        denial_stands_when_the_gateway_is_gone_and_the_hook_is_stopped,
        denial_stands_when_the_gateway_is_gone_and_no_reason_comes,
        denial_that_was_sent_before_the_limit_counts_after_a_suspension,
        call_that_went_on_retires_its_request,
        twin_calls_are_retired_one_by_one,
        end_of_the_session_retires_its_requests,
        events_of_others_retire_nothing;
}

const TERMINAL: &str = "terminal";

fn comes_back(ends: impl FnOnce(Gateway)) {
    let (home, gateway, mut person) = gateway();
    let hook = home.hook(&stdin::push());
    let request = person.await_request();
    ends(gateway);
    let gateway = home.serve();
    let mut person = gateway.connect();
    await_open(&mut person, 1);
    person.deny(&request, "later").unwrap();
    hook.ended().denies("User rejected the request. Reason: later");
    assert_eq!(home.requests().len(), 1);
}

fn gateway_that_is_killed_and_comes_back_answers_the_hook_that_waited() {
    comes_back(Gateway::kill);
}

fn gateway_that_stops_and_comes_back_answers_the_hook_that_waited() {
    comes_back(|gateway| assert_eq!(gateway.stop().code(), Some(0)));
}

fn answer_that_was_acknowledged_survives_the_gateways_death() {
    let (home, gateway, mut person) = gateway();
    let hook = home.hook(&stdin::push());
    let request = person.await_request();
    // The hook is stopped, so that it cannot take the answer before the gateway is gone.
    hook.pause();
    person.deny(&request, "no").unwrap();
    gateway.kill();
    hook.go_on();
    let _gateway = home.serve();
    hook.ended().denies("User rejected the request. Reason: no");
}

fn gateway_that_never_comes_back_decides_nothing() {
    let (mut home, gateway, mut person) = gateway();
    home.set("DMPLZ_QUESTION_TIMEOUT_MS", "1200");
    let hook = home.hook(&stdin::push());
    person.await_request();
    gateway.kill();
    hook.ended().decides_nothing();
    assert_eq!(home.requests()[0]["outcome"], "expired");
}

fn withdraws(happens: impl FnOnce(&Hook), cause: &str) {
    let (home, _gateway, mut person) = gateway();
    let hook = home.hook(&stdin::push());
    person.await_request();
    happens(&hook);
    assert_eq!(person.await_end(), json!({ "outcome": "resolved_elsewhere", "cause": cause }));
    assert_eq!(hook.ended().stdout, "");
}

fn sigterm_withdraws_the_request() {
    withdraws(Hook::terminate, "stopped");
}

fn death_of_the_client_withdraws_the_request() {
    withdraws(Hook::hang_up, "client_gone");
}

fn death_of_the_hook_withdraws_the_request() {
    withdraws(Hook::kill, "client_gone");
}

fn sigterm_while_a_reason_is_awaited_keeps_the_denial() {
    let (home, _gateway, mut person) = gateway();
    let hook = home.hook(&stdin::push());
    let request = person.await_request();
    let deny = json!({ "id": request["id"], "decision": "deny", "reasonToCome": true });
    person.call("approval.respond", deny).unwrap();
    hook.terminate();
    hook.ended().denies("User rejected the request. (No reason provided: timeout)");
    assert_eq!(home.rejections().len(), 1);
}

#[track_caller]
fn denied_with_a_reason_to_come(person: &mut Surface, request: &Value) {
    let deny = json!({ "id": request["id"], "decision": "deny", "reasonToCome": true });
    person.call("approval.respond", deny).unwrap();
}

fn denial_stands_when_the_gateway_is_gone_and_the_hook_is_stopped() {
    let (home, gateway, mut person) = gateway();
    let hook = home.hook(&stdin::push());
    let request = person.await_request();
    denied_with_a_reason_to_come(&mut person, &request);
    gateway.kill();
    hook.terminate();
    hook.ended().denies("User rejected the request. (No reason provided: timeout)");
}

fn denial_stands_when_the_gateway_is_gone_and_no_reason_comes() {
    let (home, gateway, mut person) = gateway_for_reasons_of("700");
    let hook = home.hook(&stdin::push());
    let request = person.await_request();
    denied_with_a_reason_to_come(&mut person, &request);
    gateway.kill();
    hook.ended().denies("User rejected the request. (No reason provided: timeout)");
}

fn gateway_for_reasons_of(ms: &str) -> (Home, Gateway, Surface) {
    let mut home = crate::bare_home();
    home.set("DMPLZ_REJECT_REASON_TIMEOUT_MS", ms);
    let gateway = home.serve();
    let person = gateway.watch();
    (home, gateway, person)
}

fn denial_that_was_sent_before_the_limit_counts_after_a_suspension() {
    let (mut home, gateway, mut person) = gateway();
    home.set("DMPLZ_QUESTION_TIMEOUT_MS", "1500");
    let hook = home.hook(&stdin::push());
    let request = person.await_request();
    hook.pause();
    person.deny(&request, "no").unwrap();
    person.await_end();
    // The time limits of two other hooks, one after the other, are longer than that of the waiting one.
    for other in ["first", "second"] {
        home.hook(&stdin::bash(other, "true")).ended().explains();
    }
    gateway.kill();
    hook.go_on();
    hook.ended().denies("User rejected the request. Reason: no");
}

/// Returns the event that follows a request, with the same session, agent and call.
fn after(request: &Value, event: &str) -> Value {
    let mut event = stdin::captured(event);
    for field in ["session_id", "tool_name", "tool_input"] {
        if event.get(field).is_some() {
            event[field] = request[field].clone();
        }
    }
    event
}

#[track_caller]
fn is_retired(person: &mut Surface, hook: Hook) {
    assert_eq!(person.await_end(), json!({ "outcome": "resolved_elsewhere", "cause": TERMINAL }));
    hook.ended().is_silent();
}

fn call_that_went_on_retires_its_request() {
    let (home, _gateway, mut person) = gateway();
    let request = stdin::push();
    let hook = home.hook(&request);
    person.await_request();
    home.hook(&after(&request, "PostToolUse-Bash")).ended().is_silent();
    is_retired(&mut person, hook);
}

fn twin_calls_are_retired_one_by_one() {
    let (home, _gateway, mut person) = gateway();
    let request = stdin::push();
    let first = home.hook(&request);
    person.await_request();
    let second = home.hook(&request);
    let twin = person.await_request();
    home.hook(&after(&request, "PostToolUse-Bash")).ended().is_silent();
    is_retired(&mut person, first);
    person.answer(&twin, "approve").unwrap();
    second.ended().decides(json!({ "behavior": "allow" }));
}

fn end_of_the_session_retires_its_requests() {
    let (home, _gateway, mut person) = gateway();
    let request = stdin::push();
    let hook = home.hook(&request);
    person.await_request();
    home.hook(&after(&request, "SessionEnd")).ended().is_silent();
    is_retired(&mut person, hook);
}

fn events_of_others_retire_nothing() {
    let (home, _gateway, mut person) = gateway();
    let request = stdin::push();
    let hook = home.hook(&request);
    let asked = person.await_request();
    let done = after(&request, "PostToolUse-Bash");
    let mut other_session = done.clone();
    other_session["session_id"] = json!("another");
    let mut other_call = done.clone();
    other_call["tool_input"] = json!({ "command": "true" });
    let mut subagent = done;
    subagent["agent_id"] = json!("another");
    for event in [other_session, other_call, subagent] {
        home.hook(&event).ended().is_silent();
    }
    person.answer(&asked, "approve").unwrap();
    hook.ended().decides(json!({ "behavior": "allow" }));
}
