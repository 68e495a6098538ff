//! Tests of hooks that ask through the gateway: `dmplz serve` runs, and a person answers on another surface.

pub(crate) mod broken;
pub(crate) mod files;
pub(crate) mod gone;
pub(crate) mod grants;
pub(crate) mod lead;
pub(crate) mod messengers;
pub(crate) mod sessions;
pub(crate) mod supervised;
pub(crate) mod topics;
pub(crate) mod unasked;

use std::time::Duration;

use dmplz_e2e::{Chat, Choice, Gateway, Home, JIN, Surface, stdin, until};
use serde_json::json;

use crate::bare_home;

tests! {
    once:
        approval_reaches_the_hook,
        session_grant_reaches_the_hook,
        denial_reaches_the_hook_with_its_reason,
        denial_without_a_reason_says_so,
        surface_sees_what_is_asked_and_whether_it_was_taken,
        second_answer_is_told_who_won,
        many_hooks_wait_at_once_and_each_gets_its_own_answer,
        question_that_nobody_answers_expires_and_decides_nothing,
        question_that_nobody_answers_is_denied_where_that_is_set,
        with_nobody_listening_and_no_messenger_nothing_is_decided,
        rule_decides_before_anybody_is_asked,
        second_gateway_says_who_runs_and_ends,
        gateway_that_is_told_to_stop_ends_well,
        state_of_the_gateway_is_ours_alone;
    on_telegram:
        with_nobody_listening_the_hook_asks_alone,
        gateway_that_is_switched_off_for_hooks_is_not_asked;
}

/// Starts a gateway, and a person at one of its surfaces.
fn gateway() -> (Home, Gateway, Surface) {
    let home = bare_home();
    let gateway = home.serve();
    let person = gateway.watch();
    (home, gateway, person)
}

fn approval_reaches_the_hook() {
    let (home, _gateway, mut person) = gateway();
    let hook = home.hook(&stdin::push());
    let request = person.await_request();
    person.answer(&request, "approve").unwrap();
    hook.ended().decides(json!({ "behavior": "allow" }));
    assert_eq!(home.requests()[0]["outcome"], "approved");
    assert_eq!(home.requests()[0]["provider"], "cli");
}

fn session_grant_reaches_the_hook() {
    let (home, _gateway, mut person) = gateway();
    let hook = home.hook(&stdin::push());
    let request = person.await_request();
    assert_eq!(request["offersSession"], true);
    person.answer(&request, "session").unwrap();
    let rule = json!({ "toolName": "Bash", "ruleContent": "git push *" });
    let grant = json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session" });
    hook.ended().decides(json!({ "behavior": "allow", "updatedPermissions": [grant] }));
}

fn denial_reaches_the_hook_with_its_reason() {
    let (home, _gateway, mut person) = gateway();
    let hook = home.hook(&stdin::push());
    let request = person.await_request();
    person.deny(&request, "  not to main  ").unwrap();
    hook.ended().denies("User rejected the request. Reason: not to main");
    assert_eq!(home.rejections()[0]["reason"], "not to main");
    assert_eq!(home.rejections()[0]["provider"], "cli");
}

fn denial_without_a_reason_says_so() {
    let (home, _gateway, mut person) = gateway();
    let hook = home.hook(&stdin::push());
    let request = person.await_request();
    person.answer(&request, "deny").unwrap();
    hook.ended().denies("User rejected the request. (No reason provided)");
}

fn surface_sees_what_is_asked_and_whether_it_was_taken() {
    let (home, _gateway, mut person) = gateway();
    let event = stdin::captured("PermissionRequest-Bash");
    let hook = home.hook(&event);
    let request = person.await_request();
    assert_eq!(request["tool"], "Bash");
    assert_eq!(request["input"], event["tool_input"]);
    assert_eq!(request["source"]["sessionId"], event["session_id"]);
    person.answer(&request, "approve").unwrap();
    assert_eq!(person.await_told("approval.taken")["taken"], true);
    hook.ended().decides(json!({ "behavior": "allow" }));
}

fn second_answer_is_told_who_won() {
    let (home, gateway, mut person) = gateway();
    let hook = home.hook(&stdin::push());
    let request = person.await_request();
    person.deny(&request, "first").unwrap();
    let late = gateway.connect().answer(&request, "approve").unwrap_err();
    assert_eq!(
        (&late["code"], &late["data"]["resolution"]["outcome"]),
        (&json!(-32002), &json!("rejected_with_reason"))
    );
    hook.ended().denies("User rejected the request. Reason: first");
}

fn many_hooks_wait_at_once_and_each_gets_its_own_answer() {
    let (home, _gateway, mut person) = gateway();
    let hooks: Vec<_> = (0..8).map(|n| home.hook(&stdin::bash(&format!("s{n}"), &format!("echo {n}")))).collect();
    for _ in 0..8 {
        let request = person.await_request();
        let command = request["input"]["command"].as_str().unwrap().to_owned();
        person.deny(&request, &format!("no {command}")).unwrap();
    }
    for (n, hook) in hooks.into_iter().enumerate() {
        hook.ended().denies(&format!("User rejected the request. Reason: no echo {n}"));
    }
}

fn question_that_nobody_answers_expires_and_decides_nothing() {
    let (mut home, _gateway, mut person) = gateway();
    home.set("DMPLZ_QUESTION_TIMEOUT_MS", "600");
    let ended = home.hook(&stdin::push()).ended();
    assert_eq!(ended.explains(), "dmplz: 시간 안에 아무도 답하지 않았습니다. 여기서 답해 주세요.");
    assert_eq!(ended.stderr, "");
    assert_eq!(person.await_end(), json!({ "outcome": "expired", "cause": "nobody" }));
    assert_eq!(home.requests()[0]["outcome"], "expired");
}

fn question_that_nobody_answers_is_denied_where_that_is_set() {
    let (mut home, _gateway, _person) = gateway();
    home.set("DMPLZ_QUESTION_TIMEOUT_MS", "600").set("DMPLZ_ON_EXPIRED", "deny");
    let told = "Nobody answered the permission request in time, so it was not allowed. No user rejected it.";
    home.hook(&stdin::push()).ended().denies(told);
}

fn with_nobody_listening_and_no_messenger_nothing_is_decided() {
    let home = bare_home();
    let _gateway = home.serve();
    let ended = home.hook(&stdin::push()).ended();
    ended.decides_nothing();
    assert!(
        ended.complaint().starts_with("the gateway refused: no messenger, page or terminal is listening"),
        "{ended:?}"
    );
}

fn rule_decides_before_anybody_is_asked() {
    let (home, _gateway, mut person) = gateway();
    let rule = "[[rule]]\ntoolName = \"Bash\"\ncommandPrefix = \"git push\"\ndecision = \"deny\"\npriority = 100\n";
    std::fs::write(home.state().join("policy.toml"), rule).unwrap();
    let ended = home.hook(&stdin::push()).ended();
    assert_eq!(ended.decision()["behavior"], "deny");
    let open = person.call("approvals.list", json!({ "status": "all" })).unwrap();
    assert_eq!(open["approvals"], json!([]));
}

fn second_gateway_says_who_runs_and_ends() {
    let (home, gateway, _person) = gateway();
    let second = home.run(&["serve"]);
    assert_eq!(second.status.code(), Some(1));
    let told = String::from_utf8(second.stderr).unwrap();
    assert!(
        told.starts_with(&format!("dmplz: 다른 게이트웨이가 이미 실행 중입니다(프로세스 {})\n", gateway.pid())),
        "{told}"
    );
    assert!(second.stdout.is_empty());
    gateway.connect().call("approvals.list", json!({})).unwrap();
}

fn gateway_that_is_told_to_stop_ends_well() {
    let (home, gateway, mut person) = gateway();
    let socket = gateway.socket();
    assert_eq!(gateway.stop().code(), Some(0));
    person.await_told("gateway.stopping");
    assert_eq!(person.read(), None);
    assert!(!socket.exists());
    assert_eq!(home.serve().stop().code(), Some(0));
}

fn state_of_the_gateway_is_ours_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (home, _gateway, _person) = gateway();
    for name in ["gateway.sock", "gateway.lock", "gateway.token", "state.db", "audit.head"] {
        let mode = home.state().join(name).metadata().unwrap_or_else(|error| panic!("{name}: {error}")).permissions();
        assert_eq!(mode.mode() & 0o777, 0o600, "{name}");
    }
}

fn with_nobody_listening_the_hook_asks_alone(chat: Chat) {
    let mut home = bare_home();
    let _gateway = home.serve();
    for (name, value) in chat.settings() {
        home.set(name, value);
    }
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.assert_clean();
}

fn gateway_that_is_switched_off_for_hooks_is_not_asked(chat: Chat) {
    let (mut home, gateway, _person) = gateway();
    for (name, value) in chat.settings() {
        home.set(name, value);
    }
    home.set("DMPLZ_GATEWAY", "off");
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    let all = gateway.connect().call("approvals.list", json!({ "status": "all" })).unwrap();
    assert_eq!(all["approvals"], json!([]));
    chat.assert_clean();
}

/// Waits until this number of requests is open.
#[track_caller]
fn await_open(person: &mut Surface, count: usize) {
    until(&format!("{count} open requests"), || {
        let open = person.call("approvals.list", json!({})).unwrap();
        std::thread::sleep(Duration::from_millis(5));
        open["approvals"].as_array().unwrap().len() == count
    });
}
