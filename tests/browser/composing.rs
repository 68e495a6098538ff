//! Tests of what a person is writing to a session.

use serde_json::json;

use crate::page::DESKTOP;
use crate::sessions::{Desk, started};

tests! {
    browser:
        what_is_written_while_a_message_is_sent_is_the_next_message,
        an_enter_that_ends_a_syllable_sends_no_message;
}

/// Holds back what the page sends to a session.
const HOLD: &str = "(() => { const { send } = WebSocket.prototype; globalThis.held = []; \
    WebSocket.prototype.send = function (text) { \
        if (text.includes('session.send')) held.push(() => send.call(this, text)); \
        else send.call(this, text); \
    }; })()";

async fn what_is_written_while_a_message_is_sent_is_the_next_message() {
    let desk = Desk::new(&[], "work");
    let page = desk.page(DESKTOP).await;
    started(&page, "ask one").await;
    page.value(HOLD).await;
    page.click("#session-message").await;
    page.write("first\n").await;
    page.until("the message on its way", "held.length === 1").await;
    page.write("second").await;
    page.value("held.forEach((send) => send())").await;
    page.until("it to be sent", "document.querySelector('.composer .approve').ariaBusy === null").await;
    page.shows(".queue", "first").await;
    let left = "[document.getElementById('session-message').value, Object.values(sessionStorage).some((kept) => kept.includes('second'))]";
    assert_eq!(page.value(left).await, json!(["second", true]));
    page.close().await;
}

async fn an_enter_that_ends_a_syllable_sends_no_message() {
    let desk = Desk::new(&[], "work");
    let page = desk.page(DESKTOP).await;
    started(&page, "ask one").await;
    page.value(HOLD).await;
    page.click("#session-message").await;
    page.write("first").await;
    // Chromium and Firefox, then Safari.
    for how in ["isComposing: true", "keyCode: 229"] {
        let enter = format!(
            "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Enter', bubbles: true, cancelable: true, {how} }}))"
        );
        assert_eq!(page.value(&enter).await, true, "{how}: the keyboard keeps it");
    }
    assert_eq!(page.value("held.length").await, 0);
    page.write("\n").await;
    page.until("the message on its way", "held.length === 1").await;
    page.close().await;
}
