//! Tests of requests that end without an answer on their card: another event of the session, a signal, the client's
//! death. Each retires the card and leaves nothing behind.

use std::time::{Duration, Instant};

use dmplz_e2e::{Chat, Choice, Home, JIN, Message, stdin};
use serde_json::{Value, json};

use crate::home;

tests! {
    on_each:
        call_that_went_on_retires_its_card,
        failed_call_retires_its_card,
        end_of_the_turn_retires_the_cards_of_the_main_conversation,
        next_prompt_retires_the_cards_of_the_main_conversation,
        end_of_the_session_retires_all_its_cards,
        approved_plan_is_recognised_although_its_input_is_gone,
        sigterm_retires_the_card,
        death_of_the_client_retires_the_card,
        sigterm_while_a_reason_is_awaited_keeps_the_denial,
        sigterm_while_the_card_is_being_posted_retires_it,
        answer_in_the_terminal_while_a_reason_is_awaited_keeps_the_denial,
        client_that_dies_at_once_leaves_no_open_card,
        card_that_somebody_deletes_is_no_decision;
    on_telegram:
        events_of_others_change_nothing,
        twin_calls_are_retired_one_by_one,
        sigterm_in_the_queue_frees_the_place,
        death_of_the_client_in_the_queue_frees_the_place,
        deadline_in_the_queue_is_no_decision,
        allow_that_nobody_took_is_not_shown_as_allowed;
}

const TERMINAL: &str = "↩️ 다른 곳에서 처리됨: Bash\n터미널에서 이미 답했습니다.";

/// Returns the event that follows a request, with the same session, agent and call.
fn after(request: &Value, event: &str) -> Value {
    let mut event = stdin::captured(event);
    for field in ["session_id", "agent_id", "agent_type", "tool_name", "tool_input"] {
        match request.get(field) {
            Some(value) if event.get(field).is_some() || field.starts_with("agent") || field == "session_id" => {
                event[field] = value.clone();
            }
            _ => {}
        }
    }
    event
}

/// Checks that an event retires the card of an open request.
fn retires(chat: &Chat, request: &Value, event: &Value, shows: &str) {
    let home = home(chat);
    let hook = home.hook(request);
    let card = chat.await_card();
    home.hook(event).ended().is_silent();
    hook.ended().is_silent();
    chat.await_retired(&card, shows);
    home.nothing_is_left();
    assert_eq!(home.requests()[0]["outcome"], "resolved_elsewhere");
    assert!(home.rejections().is_empty());
    chat.assert_clean();
}

fn call_that_went_on_retires_its_card(chat: Chat) {
    let request = stdin::push();
    retires(&chat, &request, &after(&request, "PostToolUse-Bash"), TERMINAL);
}

fn failed_call_retires_its_card(chat: Chat) {
    let request = stdin::captured("PermissionRequest-Bash-subagent");
    retires(&chat, &request, &after(&request, "PostToolUseFailure-Bash"), TERMINAL);
}

fn end_of_the_turn_retires_the_cards_of_the_main_conversation(chat: Chat) {
    let request = stdin::push();
    retires(&chat, &request, &after(&request, "Stop"), TERMINAL);
}

fn next_prompt_retires_the_cards_of_the_main_conversation(chat: Chat) {
    let request = stdin::push();
    retires(&chat, &request, &after(&request, "UserPromptSubmit"), TERMINAL);
}

fn end_of_the_session_retires_all_its_cards(chat: Chat) {
    let request = stdin::captured("PermissionRequest-Bash-subagent");
    let mut event = stdin::captured("SessionEnd");
    event["session_id"] = request["session_id"].clone();
    retires(&chat, &request, &event, TERMINAL);
}

fn approved_plan_is_recognised_although_its_input_is_gone(chat: Chat) {
    let request = stdin::captured("PermissionRequest-ExitPlanMode");
    let mut event = stdin::captured("PostToolUse-ExitPlanMode");
    assert_eq!(event["tool_input"], json!({}));
    event["session_id"] = request["session_id"].clone();
    retires(&chat, &request, &event, "↩️ 다른 곳에서 처리됨: ExitPlanMode");
}

fn events_of_others_change_nothing(chat: Chat) {
    let home = home(&chat);
    let request = stdin::captured("PermissionRequest-Bash-subagent");
    let hook = home.hook(&request);
    let card = chat.await_card();
    let done = after(&request, "PostToolUse-Bash");
    let mut other_call = done.clone();
    other_call["tool_input"] = json!({ "command": "touch other.txt" });
    let mut other_agent = done.clone();
    other_agent["agent_id"] = json!("another");
    let mut main_agent = done.clone();
    main_agent.as_object_mut().unwrap().remove("agent_id");
    let mut other_session = done.clone();
    other_session["session_id"] = json!("another");
    let mut other_tool = done;
    other_tool["tool_name"] = json!("Write");
    // A subagent continues when the main conversation's turn ends.
    let mut stop = stdin::captured("Stop");
    stop["session_id"] = request["session_id"].clone();
    let mut prompt = stdin::captured("UserPromptSubmit");
    prompt["session_id"] = request["session_id"].clone();
    for event in [other_call, other_agent, main_agent, other_session, other_tool, stop, prompt] {
        home.hook(&event).ended().is_silent();
    }
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.assert_clean();
}

fn twin_calls_are_retired_one_by_one(chat: Chat) {
    let home = home(&chat);
    let request = stdin::push();
    let first = home.hook(&request);
    let card = chat.await_card();
    let second = home.hook(&request);
    home.await_cards(1, "queued");
    home.hook(&after(&request, "PostToolUse-Bash")).ended().is_silent();
    first.ended().is_silent();
    chat.await_retired(&card, TERMINAL);
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    second.ended().decides(json!({ "behavior": "allow" }));
    chat.assert_clean();
}

/// Checks that the card of an open request is retired when something happens to its process, within the time that the
/// client allows.
fn ends(chat: &Chat, happens: impl FnOnce(&dmplz_e2e::Hook), shows: &str) {
    let home = home(chat);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    let began = Instant::now();
    happens(&hook);
    let ended = hook.ended();
    // A second is the promise; the rest is for a busy machine.
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(ended.stdout, "");
    chat.await_retired(&card, shows);
    home.nothing_is_left();
    assert_eq!(home.requests()[0]["outcome"], "resolved_elsewhere");
    chat.assert_clean();
    can_go_on(&home, chat);
}

/// Checks that the next request works.
fn can_go_on(home: &Home, chat: &Chat) -> Message {
    let hook = home.hook(&stdin::bash("next", "true"));
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    hook.ended().decides(json!({ "behavior": "allow" }));
    chat.await_retired(&card, "✅")
}

fn sigterm_retires_the_card(chat: Chat) {
    ends(&chat, |hook| hook.terminate(), "↩️ 다른 곳에서 처리됨: Bash\nClaude Code가 이 요청을 중단했습니다.");
}

fn death_of_the_client_retires_the_card(chat: Chat) {
    ends(&chat, |hook| hook.hang_up(), "↩️ 다른 곳에서 처리됨: Bash\nClaude Code가 종료되었습니다.");
}

fn sigterm_while_a_reason_is_awaited_keeps_the_denial(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    let prompt = chat.await_prompt();
    hook.terminate();
    hook.ended().denies("User rejected the request. (No reason provided: timeout)");
    chat.await_retired(&card, "❌ 거부됨");
    chat.await_retired(&prompt, "사유 없음");
    assert_eq!(home.rejections().len(), 1);
    home.nothing_is_left();
    chat.assert_clean();
}

fn sigterm_while_the_card_is_being_posted_retires_it(chat: Chat) {
    let home = home(&chat);
    chat.fail(chat.posting(), dmplz_fakes::Fault::HeldAfter);
    let hook = home.hook(&stdin::push());
    chat.await_message("the card", Message::is_card);
    hook.terminate();
    chat.wire().release();
    let ended = hook.ended();
    assert_eq!(ended.stdout, "");
    can_go_on(&home, &chat);
    let first = chat.cards().remove(0);
    assert!(!first.is_open(), "{first:?}");
    assert!(first.deleted || first.text.starts_with("↩️") || first.text.starts_with("⚠️"), "{first:?}");
    home.nothing_is_left();
}

fn sigterm_in_the_queue_frees_the_place(chat: Chat) {
    in_the_queue(&chat, |hook| hook.terminate());
}

fn death_of_the_client_in_the_queue_frees_the_place(chat: Chat) {
    in_the_queue(&chat, |hook| hook.hang_up());
}

fn in_the_queue(chat: &Chat, happens: impl FnOnce(&dmplz_e2e::Hook)) {
    let home = home(chat);
    let first = home.hook(&stdin::bash("first", "true"));
    let card = chat.await_card();
    let second = home.hook(&stdin::bash("second", "false"));
    home.await_cards(1, "queued");
    happens(&second);
    assert_eq!(second.ended().stdout, "");
    assert_eq!(home.places(), 1);
    chat.press(&card, Choice::Approve, JIN);
    first.ended().decides(json!({ "behavior": "allow" }));
    home.nothing_is_left();
    assert_eq!(chat.cards().len(), 1, "the second one was never shown");
    chat.assert_clean();
}

fn deadline_in_the_queue_is_no_decision(chat: Chat) {
    let mut home = home(&chat);
    let first = home.hook(&stdin::bash("first", "true"));
    let card = chat.await_card();
    home.set("DMPLZ_QUESTION_TIMEOUT_MS", "700");
    let ended = home.hook(&stdin::bash("second", "false")).ended();
    let why = "the requests before it on this bot were not answered";
    let told = "dmplz: 아무에게도 물을 수 없었습니다(이 봇의 앞선 요청들이 답을 받지 못했습니다). 여기서 답해 주세요.";
    assert_eq!(ended.explains(), told);
    assert_eq!(ended.stderr, format!("dmplz: nobody was asked: {why}\n"));
    assert_eq!(home.requests()[0]["outcome"], "expired");
    chat.press(&card, Choice::Approve, JIN);
    first.ended().decides(json!({ "behavior": "allow" }));
    home.nothing_is_left();
    chat.assert_clean();
}

fn allow_that_nobody_took_is_not_shown_as_allowed(chat: Chat) {
    let home = home(&chat);
    chat.fail(chat.polling(), dmplz_fakes::Fault::HeldAfter);
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.press(&card, Choice::Approve, JIN);
    let answered = |call: &dmplz_fakes::Call| call.name == chat.polling() && call.status.is_some();
    chat.wire().await_call_blocking(dmplz_e2e::SOON, answered).expect("a look");
    hook.hang_up();
    chat.wire().release();
    assert_eq!(hook.ended().stdout, "");
    chat.await_retired(&card, "↩️ 다른 곳에서 처리됨: Bash\nClaude Code가 종료되었습니다.");
    chat.assert_clean();
}

fn answer_in_the_terminal_while_a_reason_is_awaited_keeps_the_denial(chat: Chat) {
    let home = home(&chat);
    let request = stdin::push();
    let hook = home.hook(&request);
    let card = chat.await_card();
    chat.press(&card, Choice::Deny, JIN);
    let prompt = chat.await_prompt();
    home.hook(&after(&request, "PostToolUse-Bash")).ended().is_silent();
    hook.ended().denies("User rejected the request. (No reason provided: timeout)");
    chat.await_retired(&card, "❌ 거부됨");
    chat.await_retired(&prompt, "사유 없음");
    home.nothing_is_left();
    chat.assert_clean();
}

fn client_that_dies_at_once_leaves_no_open_card(chat: Chat) {
    let home = home(&chat);
    let hook = home.hook(&stdin::push());
    hook.hang_up();
    assert_eq!(hook.ended().stdout, "");
    assert!(!chat.messages().iter().any(Message::is_open), "{:#?}", chat.messages());
    home.nothing_is_left();
    chat.assert_clean();
}

fn card_that_somebody_deletes_is_no_decision(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_QUESTION_TIMEOUT_MS", "4000");
    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    chat.delete(&card);
    hook.ended().decides_nothing();
    home.nothing_is_left();
    assert_eq!(home.requests()[0]["outcome"], "expired");
    chat.assert_clean();
}
