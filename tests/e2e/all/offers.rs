//! Tests of what a card offers besides yes and no, alone and through the gateway, and of what the client gets for each
//! answer.

use dmplz_e2e::{Chat, Choice, Home, JIN, Message, stdin};
use dmplz_state::StateDir;
use dmplz_state::store::{Note, Store, StoreOptions};
use serde_json::{Value, json};

use crate::home;

tests! {
    by_buttons_alone:
        always_is_stored_where_the_person_says,
        plan_takes_three_answers,
        questions_are_answered_with_a_way_back,
        question_is_answered_in_own_words,
        agent_is_told_what_to_do_instead;
    on_telegram:
        without_a_suggestion_there_is_no_always,
        killed_gateway_comes_back_to_a_half_filled_card,
        place_chosen_long_ago_is_chosen_again,
        question_that_the_terminal_answered_retires_its_card,
        questions_are_asked_ahead_where_that_is_set,
        command_line_answers_what_the_card_asks;
    on_each:
        question_that_cannot_be_read_is_left_to_the_terminal;
}

/// Does the same alone and through the gateway.
fn both_ways(chat: &Chat, test: impl Fn(&Home)) {
    for serves in [false, true] {
        let mut home = home(chat);
        home.set("DMPLZ_LANG", "en");
        let _gateway = serves.then(|| home.serve());
        test(&home);
    }
    chat.assert_clean();
}

/// Presses what begins so, once it is there, or once a card is that shows a page of its choices.
#[track_caller]
fn press(chat: &Chat, label: &'static str) -> Message {
    let is_it = |choice: &String| choice.starts_with(label) || choice.starts_with('➕');
    let offers = |message: &Message| !message.deleted && message.choices.iter().any(is_it);
    let card = chat.await_message(label, offers);
    chat.press(&card, Choice::Is(label), JIN);
    card
}

fn answered(input: &Value, answers: Value) -> Value {
    let mut input = input.clone();
    input["answers"] = answers;
    json!({ "behavior": "allow", "updatedInput": input })
}

fn always_is_stored_where_the_person_says(chat: Chat) {
    let ways: [(&[&str], &str, &str); 4] = [
        (&[], "Yes, allow <Bash> for this project (just you)", "localSettings"),
        (&["🔄 Scope: this project (just you)"], "Yes, allow <Bash> for all projects", "userSettings"),
        (
            &["🔄 Scope: this project (just you)", "🔄 Scope: all projects"],
            "Yes, allow <Bash> for this project (shared)",
            "projectSettings",
        ),
        (
            &["🔄 Scope: this project (just you)", "🔄 Scope: all projects", "🔄 Scope: this project (shared)"],
            "Yes, allow <Bash> for this session",
            "session",
        ),
    ];
    both_ways(&chat, |home| {
        for (scopes, always, destination) in ways {
            let hook = home.hook(&stdin::captured("PermissionRequest-Bash-curl"));
            let card = chat.await_card();
            assert!(card.text.contains("Bash(curl -s http://127.0.0.1:9/x)"), "{card:?}");
            for scope in scopes {
                press(&chat, scope);
            }
            press(&chat, always);
            let rule = json!({ "toolName": "Bash", "ruleContent": "curl -s http://127.0.0.1:9/x" });
            let stored =
                json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": destination });
            hook.ended().decides(json!({ "behavior": "allow", "updatedPermissions": [stored] }));
            chat.await_retired(&card, "💾 Always allowed: Bash");
        }
        assert_eq!(home.requests()[0]["outcome"], "approved_always");
    });
}

fn without_a_suggestion_there_is_no_always(chat: Chat) {
    both_ways(&chat, |home| {
        let hook = home.hook(&stdin::captured("PermissionRequest-Bash-compound"));
        let card = chat.await_card();
        let reaches = |label: &&String| label.starts_with("Yes") || label.starts_with("🔄 Scope");
        assert_eq!(card.choices.iter().find(reaches), None, "{card:?}");
        press(&chat, "✅ Approve");
        assert_eq!(hook.ended().decision()["behavior"], "allow");
        chat.await_retired(&card, "✅ Approved: Bash");
    });
}

fn plan_takes_three_answers(chat: Chat) {
    both_ways(&chat, |home| {
        for (label, mode) in [("⏩ Yes, and auto-accept", "acceptEdits"), ("✅ Yes, and manually", "default")] {
            let hook = home.hook(&stdin::captured("PermissionRequest-ExitPlanMode"));
            let card = press(&chat, label);
            let mode = json!({ "type": "setMode", "mode": mode, "destination": "session" });
            let allow = json!({ "behavior": "allow", "updatedInput": {}, "updatedPermissions": [mode] });
            hook.ended().decides(allow);
            chat.await_retired(&card, "✅ Approved: ExitPlanMode");
        }
        let hook = home.hook(&stdin::captured("PermissionRequest-ExitPlanMode"));
        let card = press(&chat, "❌ No, keep planning");
        chat.await_message("the prompt", |message| message.id > card.id && message.text.contains("what to change"));
        chat.say(JIN, "leave B out");
        hook.ended().denies("User rejected the request. Reason: leave B out");
        chat.await_retired(&card, "❌ Denied: ExitPlanMode");
    });
}

fn questions_are_answered_with_a_way_back(chat: Chat) {
    let asked = stdin::captured("PermissionRequest-AskUserQuestion");
    both_ways(&chat, |home| {
        let hook = home.hook(&asked);
        let card = press(&chat, "2️⃣ Blue");
        press(&chat, "👈 Back");
        press(&chat, "1️⃣ Red");
        for label in ["▫️ Ham", "▫️ Cheese", "👉 Next", "📨 Submit"] {
            press(&chat, label);
        }
        let answers = json!({ "Which color?": "Red", "Which toppings?": "Cheese, Ham" });
        hook.ended().decides(answered(&asked["tool_input"], answers));
        chat.await_retired(&card, "📨 Answered: AskUserQuestion");
        assert_eq!(home.requests()[0]["outcome"], "answered");
    });
}

fn question_is_answered_in_own_words(chat: Chat) {
    let asked = stdin::captured("PermissionRequest-AskUserQuestion");
    both_ways(&chat, |home| {
        let hook = home.hook(&asked);
        let card = press(&chat, "📝 Other");
        chat.await_message("the prompt", |message| message.id > card.id && message.text.contains("write your answer"));
        chat.say(JIN, "green, please");
        for label in ["▫️ Basil", "👉 Next", "📨 Submit"] {
            press(&chat, label);
        }
        let answers = json!({ "Which color?": "green, please", "Which toppings?": "Basil" });
        hook.ended().decides(answered(&asked["tool_input"], answers));
        chat.await_retired(&card, "📨 Answered: AskUserQuestion");
    });
}

fn killed_gateway_comes_back_to_a_half_filled_card(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_LANG", "en");
    let gateway = home.serve();
    let asked = stdin::captured("PermissionRequest-AskUserQuestion");
    let hook = home.hook(&asked);
    press(&chat, "2️⃣ Blue");
    let card = press(&chat, "▫️ Cheese");
    chat.await_message("the choice", |message| message.choices.iter().any(|choice| choice.starts_with("✅ Cheese")));
    gateway.kill();
    let _gateway = home.serve();
    press(&chat, "👉 Next");
    press(&chat, "📨 Submit");
    let answers = json!({ "Which color?": "Blue", "Which toppings?": "Cheese" });
    hook.ended().decides(answered(&asked["tool_input"], answers));
    chat.await_retired(&card, "📨 Answered: AskUserQuestion");
    chat.assert_clean();
}

/// Makes the forms in the gateway's notes older, as if it had been away for this time.
fn age(home: &Home, surface: &str, by_ms: u64) {
    let mut store = Store::open(&StateDir::open(home.state()).unwrap(), StoreOptions::default(), 0).unwrap();
    let notes = store.reads().notes(surface).unwrap();
    let mut batch = store.batch().unwrap();
    for Note { request_id, body } in notes {
        let mut body: Value = serde_json::from_str(&body).unwrap();
        let touched = &mut body["form"]["touchedMs"];
        *touched = (touched.as_u64().unwrap() - by_ms).into();
        batch.attempt(|writes| writes.keep_note(&request_id, surface, &body.to_string())).unwrap();
    }
    batch.commit().unwrap();
}

fn place_chosen_long_ago_is_chosen_again(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_LANG", "en");
    let gateway = home.serve();
    let hook = home.hook(&stdin::captured("PermissionRequest-Bash-curl"));
    let chosen = chat.press(&chat.await_card(), Choice::Is("🔄 Scope: this project (just you)"), JIN);
    chat.await_silence(&chosen);
    let everywhere = "Yes, allow <Bash> for all projects";
    let card = chat.await_message("the place", |message| message.choices.iter().any(|choice| choice == everywhere));
    gateway.kill();
    age(&home, chat.provider(), 15 * 60_000 + 1);
    let _gateway = home.serve();
    let late = chat.press(&card, Choice::Is(everywhere), JIN);
    chat.await_told(
        &late,
        "The choices on this card are more than 15 minutes old. Please check them, then press again.",
    );
    press(&chat, "Yes, allow <Bash> for this project (just you)");
    let stored = &hook.ended().decision()["updatedPermissions"][0];
    assert_eq!(stored["destination"], "localSettings");
    chat.await_retired(&card, "💾 Always allowed: Bash");
    chat.assert_clean();
}

fn agent_is_told_what_to_do_instead(chat: Chat) {
    both_ways(&chat, |home| {
        let hook = home.hook(&stdin::push());
        let card = press(&chat, "💬 Tell Claude");
        chat.await_message("the prompt", |message| message.id > card.id && message.text.contains("should do instead"));
        chat.say(JIN, "open a pull request");
        hook.ended().denies("User rejected the request and said what to do instead: open a pull request");
        chat.await_retired(&card, "Instead: open a pull request");
        assert_eq!(home.rejections()[0]["reason"], "open a pull request");
    });
}

fn question_that_the_terminal_answered_retires_its_card(chat: Chat) {
    let asked = stdin::captured("PermissionRequest-AskUserQuestion");
    let done = stdin::of_session(stdin::captured("PostToolUse-AskUserQuestion"), &asked["session_id"]);
    both_ways(&chat, |home| {
        let hook = home.hook(&asked);
        let card = press(&chat, "2️⃣ Blue");
        home.hook(&done).ended().is_silent();
        hook.ended().decides_nothing();
        chat.await_retired(&card, "↩️ Settled elsewhere: AskUserQuestion");
    });
}

fn questions_are_asked_ahead_where_that_is_set(chat: Chat) {
    let asked = stdin::captured("PermissionRequest-AskUserQuestion");
    let ahead = stdin::captured("PreToolUse-AskUserQuestion");
    for serves in [false, true] {
        let mut home = home(&chat);
        home.set("DMPLZ_LANG", "en");
        home.hook(&ahead).ended().is_silent();
        home.set("DMPLZ_QUESTIONS_AHEAD", "on");
        let _gateway = serves.then(|| home.serve());
        home.hook(&asked).ended().is_silent();
        home.hook(&stdin::captured("PreToolUse-Bash")).ended().is_silent();
        let hook = home.hook(&ahead);
        let card = press(&chat, "2️⃣ Blue");
        for label in ["▫️ Cheese", "👉 Next", "📨 Submit"] {
            press(&chat, label);
        }
        let input = answered(&ahead["tool_input"], json!({ "Which color?": "Blue", "Which toppings?": "Cheese" }));
        let specific = json!({
            "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input["updatedInput"],
        });
        assert_eq!(hook.answer(), json!({ "hookSpecificOutput": specific }));
        chat.await_retired(&card, "📨 Answered: AskUserQuestion");
        let hook = home.hook(&ahead);
        let card = press(&chat, "❌ No answer");
        chat.skip(JIN);
        let reason = "User rejected the request. (No reason provided)";
        let specific = json!({
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason,
        });
        assert_eq!(hook.answer(), json!({ "hookSpecificOutput": specific }));
        chat.await_retired(&card, "❌ Denied: AskUserQuestion");
    }
    chat.assert_clean();
}

fn command_line_answers_what_the_card_asks(chat: Chat) {
    let mut home = home(&chat);
    home.set("DMPLZ_LANG", "en");
    let _gateway = home.serve();
    let asked = stdin::captured("PermissionRequest-AskUserQuestion");
    let hook = home.hook(&asked);
    // Half of it is filled in on the messenger, and none of that counts.
    let card = press(&chat, "1️⃣ Red");
    let id = id_of(&home);
    let approve = home.run(&["approvals", "approve", &id]);
    let said = String::from_utf8_lossy(&approve.stderr).into_owned();
    assert!(
        said.contains("it cannot be approved without answers") && said.contains("it takes answers, deny"),
        "{said}"
    );
    let half = home.run(&["approvals", "answer", &id, "--choose", "1=2"]);
    assert!(String::from_utf8_lossy(&half.stderr).contains("there is no answer to"), "{half:?}");
    let whole = ["approvals", "answer", &id, "--choose", "1=2", "--choose", "toppings=ham,1", "--say", "2=no olives"];
    assert_eq!(home.run(&whole).status.code(), Some(0));
    let answers = json!({ "Which color?": "Blue", "Which toppings?": "Cheese, Ham, no olives" });
    hook.ended().decides(answered(&asked["tool_input"], answers));
    chat.await_retired(&card, "Answered on: the command line");
    assert_eq!(home.run(&whole).status.code(), Some(6));

    let hook = home.hook(&stdin::captured("PermissionRequest-Bash-curl"));
    let card = chat.await_card();
    let id = id_of(&home);
    let shown = home.run(&["approvals", "show", &id]);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("«Bash(curl -s http://127.0.0.1:9/x)»"), "{shown:?}");
    let always = home.run(&["approvals", "approve", &id, "--always", "--scope", "project"]);
    assert_eq!(always.status.code(), Some(0), "{always:?}");
    assert_eq!(hook.ended().decision()["updatedPermissions"][0]["destination"], "projectSettings");
    chat.await_retired(&card, "💾 Always allowed: Bash");

    let hook = home.hook(&stdin::push());
    let card = chat.await_card();
    let told = home.run(&["approvals", "deny", &id_of(&home), "--tell", "open a pull request"]);
    assert_eq!(told.status.code(), Some(0), "{told:?}");
    hook.ended().denies("User rejected the request and said what to do instead: open a pull request");
    chat.await_retired(&card, "Instead: open a pull request");
    chat.assert_clean();
}

/// Returns the id of the only open request.
#[track_caller]
fn id_of(home: &Home) -> String {
    let listed = home.run(&["approvals", "list", "--json"]);
    let listed: Value = serde_json::from_slice(&listed.stdout).unwrap_or_else(|_| panic!("{listed:?}"));
    let id = listed.pointer("/approvals/0/id").or(listed.pointer("/0/id")).unwrap_or_else(|| panic!("{listed}"));
    id.as_str().unwrap().to_owned()
}

fn question_that_cannot_be_read_is_left_to_the_terminal(chat: Chat) {
    for questions in [json!([]), json!("Which?"), json!([{ "question": "", "options": [] }])] {
        let home = home(&chat);
        let mut asked = stdin::captured("PermissionRequest-AskUserQuestion");
        asked["tool_input"]["questions"] = questions;
        home.hook(&asked).ended().is_silent();
    }
    assert!(chat.wire().calls().is_empty());
}
