//! Everything by keyboard, and nothing by one key that slipped.

use dmplz_e2e::stdin;
use serde_json::json;

use crate::gateway::Gateway;
use crate::page::{DESKTOP, ESCAPE, Page};
use crate::sessions::{Desk, started};

tests! {
    browser:
        a_whole_run_needs_no_pointer,
        the_request_that_is_looked_at_stays_so_while_another_view_is_in_sight,
        one_key_alone_answers_nothing,
        what_was_taken_back_is_not_sent_by_enter,
        a_key_that_is_held_presses_a_button_once,
        the_enter_that_opened_the_reason_does_not_send_it,
        an_answer_that_failed_leaves_the_focus_on_itself,
        what_was_begun_in_a_session_outlasts_other_requests,
        keys_mean_the_same_while_hangul_is_typed;
}

const ENGLISH: &[(&str, &str)] = &[("DMPLZ_LANG", "en")];

async fn a_whole_run_needs_no_pointer() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let first = gateway.hook(&stdin::bash("one", "make one"));
    page.shows(".card .part.command", "make one").await;
    let second = gateway.hook(&stdin::push());
    page.until("both", "document.querySelectorAll('.rows button').length === 2").await;
    page.write("j").await;
    page.shows(".card .part.command", "git push").await;
    page.write("s").await;
    page.shows(".actions .hint", "Press once more to allow it for the session.").await;
    page.write("\n").await;
    let session = second.answer();
    assert!(session.to_string().contains("updatedPermissions"), "{session}");
    page.shows(".card .part.command", "make one").await;
    page.until("the buttons", "document.querySelector('.actions .deny:enabled')").await;
    page.write("d").await;
    page.until("the field for the reason", "document.activeElement?.id === 'reason'").await;
    page.write("no\n").await;
    first.ended().denies("User rejected the request. Reason: no");
    page.shows(".empty", "Nothing is waiting for you").await;
    page.write("2/").await;
    page.until("the search", "document.activeElement?.id === 'search'").await;
    page.write("push origin").await;
    page.until("one", "document.querySelectorAll('.past > li').length === 1").await;
    page.write(&format!("{ESCAPE}?")).await;
    page.shows("dialog", "Keyboard").await;
    page.write(&ESCAPE.to_string()).await;
    page.until("no dialog", "!document.querySelector('dialog')").await;
    page.write("3").await;
    page.shows(".figures", "Requests").await;
    page.close().await;
}

async fn the_request_that_is_looked_at_stays_so_while_another_view_is_in_sight() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let _first = gateway.hook(&stdin::bash("one", "make one"));
    page.shows(".card .part.command", "make one").await;
    let _second = gateway.hook(&stdin::push());
    page.until("both", "document.querySelectorAll('.rows button').length === 2").await;
    page.write("j").await;
    page.shows(".card .part.command", "git push").await;
    page.write("21").await;
    page.shows(".card .part.command", "git push").await;
    page.click(".lang").await;
    page.shows(".card .part.command", "git push").await;
    page.close().await;
}

async fn one_key_alone_answers_nothing() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let hook = gateway.hook(&stdin::push());
    page.until("the buttons", "document.querySelector('.actions .approve:enabled')").await;
    for key in "abcdefghijklmnopqrstuvwxyz \n".chars() {
        page.write(&format!("{key}{ESCAPE}{ESCAPE}")).await;
    }
    // After `a`, another key cancels it.
    page.write("asa").await;
    page.shows(".actions .hint", "Press once more to approve.").await;
    page.write(&ESCAPE.to_string()).await;
    page.until("taken back", "!document.querySelector('.armed')").await;
    assert_eq!(page.count(".rows [data-status=open]").await, 1);
    assert_eq!(page.count(".actions .approve").await, 1);
    page.write("aa").await;
    hook.ended().decides(json!({ "behavior": "allow" }));
    page.close().await;
}

async fn what_was_taken_back_is_not_sent_by_enter() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let hook = gateway.hook(&stdin::push());
    page.until("the buttons", "document.querySelector('.actions .approve:enabled')").await;
    page.write("a").await;
    page.shows(".actions .hint[role=status]", "Press once more to approve.").await;
    page.write(&format!("{ESCAPE}\n ")).await;
    let state = "[document.querySelector('.actions').ariaBusy, document.querySelectorAll('.rows [data-status=open]').length, document.activeElement.dataset.decision ?? null]";
    assert_eq!(page.value(state).await, json!([null, 1, null]));
    // A button that the person went to keeps the focus.
    page.value("document.querySelector('.actions .approve').focus()").await;
    page.write(&format!("a{ESCAPE}")).await;
    assert_eq!(page.value("document.activeElement.dataset.decision").await, "approve");
    page.write("\n").await;
    hook.ended().decides(json!({ "behavior": "allow" }));
    page.close().await;
}

async fn a_key_that_is_held_presses_a_button_once() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    page.promised(
        "import('/assets/fields.js').then(({ twice }) => {
            globalThis.probe = { acts: 0, clicks: 0 };
            probe.button = twice('Remove', 'Sure?', () => (probe.acts += 1));
            probe.button.addEventListener('click', () => (probe.clicks += 1));
            document.body.append(probe.button);
            probe.button.focus();
        })",
    )
    .await;
    page.enter("keyDown", false).await;
    page.until("the question", "probe.clicks === 1 && document.activeElement === probe.button").await;
    page.until("a button that takes it", "!probe.button.disabled").await;
    page.enter("keyDown", true).await;
    page.enter("keyUp", false).await;
    assert_eq!(page.value("[probe.acts, probe.clicks]").await, json!([0, 1]));
    page.hold_enter().await;
    page.until("the second press", "probe.acts === 1 && probe.clicks === 2").await;
    page.close().await;
}

async fn the_enter_that_opened_the_reason_does_not_send_it() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let hook = gateway.hook(&stdin::push());
    page.until("the buttons", "document.querySelector('.actions .deny:enabled')").await;
    page.value("document.querySelector('.actions .deny').focus()").await;
    page.hold_enter().await;
    page.until("the field for the reason", "document.activeElement?.id === 'reason'").await;
    assert_eq!(page.value("[reason.value, document.querySelector('.actions').ariaBusy]").await, json!(["", null]));
    page.write("\n").await;
    assert_eq!(hook.ended().decision()["behavior"], "deny");
    page.close().await;
}

async fn an_answer_that_failed_leaves_the_focus_on_itself() {
    let mut gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let _hook = gateway.hook(&stdin::push());
    page.until("the buttons", "document.querySelector('.actions .approve:enabled')").await;
    gateway.kill();
    page.shows(".lost", "Connection lost.").await;
    page.write("ss").await;
    page.shows(".toast.bad", "The connection was lost, so the answer is not confirmed.").await;
    page.until("the same answer", "document.activeElement?.dataset.decision === 'session'").await;
    gateway.restart();
    page.online().await;
    page.close().await;
}

async fn what_was_begun_in_a_session_outlasts_other_requests() {
    let desk = Desk::new(&[], "work");
    let page = desk.page(DESKTOP).await;
    started(&page, "ask one").await;
    page.until("the buttons", "document.querySelector('.request .approve:enabled')").await;
    page.value("(globalThis.begun = document.querySelector('.request .approve')).focus()").await;
    let _other = desk.hook(&stdin::bash("two", "make two"));
    page.until("the other request", "document.title === '(2) dmplz'").await;
    assert_eq!(page.value("document.activeElement === begun").await, true);
    page.close().await;
}

async fn keys_mean_the_same_while_hangul_is_typed() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let hook = gateway.hook(&stdin::push());
    page.until("the buttons", "document.querySelector('.actions .approve:enabled')").await;
    for _ in 0..2 {
        page.value("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ㅁ', code: 'KeyA', bubbles: true }))")
            .await;
    }
    hook.ended().decides(json!({ "behavior": "allow" }));
    page.close().await;
}
