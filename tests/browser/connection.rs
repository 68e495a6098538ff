//! A page that lost its gateway says so, comes back by itself, and then knows what the gateway knows.

use dmplz_e2e::stdin;
use serde_json::json;

use crate::gateway::Gateway;
use crate::page::{DESKTOP, Page};

tests! {
    browser:
        a_killed_gateway_comes_back_and_nothing_is_lost_or_doubled,
        a_page_whose_session_ended_asks_to_be_paired_again;
}

async fn a_killed_gateway_comes_back_and_nothing_is_lost_or_doubled() {
    let mut gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, DESKTOP).await;
    let (first, second) =
        (gateway.hook(&stdin::bash("one", "make one")), gateway.hook(&stdin::bash("two", "make two")));
    page.until("both", "document.querySelectorAll('.rows button').length === 2").await;
    page.until("the buttons", "document.querySelector('.actions .approve:enabled')").await;
    gateway.kill();
    page.shows(".lost", "Connection lost.").await;
    page.write("aa").await;
    page.shows(".toast.bad", "The connection was lost: not confirmed.").await;
    gateway.restart();
    page.online().await;
    page.until("both, once each", "document.querySelectorAll('.rows button[data-status=open]').length === 2").await;
    let third = gateway.hook(&stdin::bash("three", "make three"));
    page.until("what came later", "document.querySelectorAll('.rows button[data-status=open]').length === 3").await;
    for _ in 0..3 {
        page.click(".actions .approve").await;
        page.until(
            "the next one",
            "document.querySelector('.actions .approve:enabled') || !document.title.startsWith('(')",
        )
        .await;
    }
    for hook in [first, second, third] {
        hook.ended().decides(json!({ "behavior": "allow" }));
    }
    page.until("nothing waits", "document.title === 'dmplz'").await;
    page.close().await;
}

async fn a_page_whose_session_ended_asks_to_be_paired_again() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::paired(&gateway, DESKTOP).await;
    page.click(".logout").await;
    page.shows(".pairing", "Pair this browser").await;
    page.until("the field", "document.activeElement?.id === 'code'").await;
    page.write(&format!("{}\n", gateway.code())).await;
    page.online().await;
    page.close().await;
}
