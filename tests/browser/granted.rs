//! Tests that the page shows what passes without a question, and can revoke it.

use dmplz_e2e::stdin;
use serde_json::{Value, json};

use crate::gateway::Gateway;
use crate::page::{DESKTOP, PHONE, Page};

tests! {
    browser:
        a_grant_is_seen_and_taken_back,
        a_whole_way_back_needs_no_pointer,
        what_others_take_back_leaves_the_page_by_itself,
        a_list_that_cannot_be_read_is_said_to_be_so,
        the_grants_have_names_and_fit_a_phone;
}

const ENGLISH: &[(&str, &str)] = &[("DMPLZ_LANG", "en")];
const TAB: &str = "[data-view=grants]";

fn allow() -> Value {
    json!({ "behavior": "allow" })
}

/// Grants a command for half an hour, on the page.
async fn grant(gateway: &Gateway, page: &Page, command: &str) {
    let hook = gateway.hook(&stdin::bash("one", command));
    page.click(".rows button").await;
    page.shows(".card .part.command", command).await;
    page.click(".buttons.besides button:nth-child(2)").await;
    hook.ended().decides(allow());
    let listed = format!("document.querySelector('{TAB} .number').textContent");
    page.until("the grant", &format!("{listed} === '{}'", held(gateway).len())).await;
}

fn held(gateway: &Gateway) -> Vec<Value> {
    serde_json::from_str(&gateway.run(&["grants", "list", "--json"])).unwrap()
}

async fn a_grant_is_seen_and_taken_back() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    assert_eq!(page.count(TAB).await, 0, "there is nothing to see yet");
    grant(&gateway, &page, "echo '<b>all</b>'").await;
    gateway.hook(&stdin::bash("two", "echo '<b>all</b>'")).ended().decides(allow());
    page.go("grants").await;
    page.shows(".in-force .what", "echo '<b>all</b>'").await;
    page.shows(".in-force .about", "Bash · exactly this command").await;
    page.shows(".in-force .from", "29:").await;
    page.shows(".in-force .from", "granted by ada · Web · ").await;
    page.click(".in-force button").await;
    page.shows(".granted .nothing", "Nothing is allowed without asking.").await;
    page.until("somebody is told", "document.getElementById('said').textContent.includes('Asked again from now on')")
        .await;
    assert!(held(&gateway).is_empty());
    let trail = gateway.run(&["audit", "show"]);
    assert!(trail.contains("grant.made") && trail.contains("grant.revoked"), "{trail}");
    page.go("inbox").await;
    assert_eq!(page.count(TAB).await, 0);
    let again = gateway.hook(&stdin::bash("three", "echo '<b>all</b>'"));
    page.shows(".card .part.command", "echo '<b>all</b>'").await;
    page.click(".actions .approve").await;
    again.ended().decides(allow());
    page.close().await;
}

async fn a_whole_way_back_needs_no_pointer() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    for command in ["make one", "make two", "make three"] {
        grant(&gateway, &page, command).await;
    }
    page.value("document.activeElement.blur()").await;
    page.write("5j").await;
    let focused = |name: &str| format!("document.activeElement?.ariaLabel === 'Ask again from now on: {name}'");
    page.until("the first", &focused("make one")).await;
    page.write("j\n").await;
    page.until("the focus goes on with the next", &focused("make three")).await;
    page.write("\n").await;
    page.until("and with the one before", &focused("make one")).await;
    page.write("\n").await;
    page.until("and is not lost", "document.activeElement?.tagName === 'H1'").await;
    assert!(held(&gateway).is_empty());
    page.close().await;
}

async fn what_others_take_back_leaves_the_page_by_itself() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    grant(&gateway, &page, "make one").await;
    grant(&gateway, &page, "make two").await;
    page.go("grants").await;
    page.until("both", "document.querySelectorAll('.in-force li').length === 2").await;
    let first = held(&gateway)[0]["id"].as_str().unwrap().to_owned();
    gateway.run(&["grants", "revoke", &first]);
    page.until("one", "document.querySelectorAll('.in-force li').length === 1").await;
    page.shows(".in-force .what", "make two").await;
    page.close().await;
}

async fn a_list_that_cannot_be_read_is_said_to_be_so() {
    let gateway = Gateway::with(ENGLISH);
    std::fs::write(gateway.state().join("grants.json"), "[").unwrap();
    let page = Page::paired(&gateway, DESKTOP).await;
    page.write("5").await;
    page.shows(".granted .nothing", "cannot be read").await;
    page.close().await;
}

async fn the_grants_have_names_and_fit_a_phone() {
    let gateway = Gateway::with(&[]);
    let page = Page::paired(&gateway, PHONE).await;
    grant(&gateway, &page, &format!("make {}", "x".repeat(300))).await;
    page.go("grants").await;
    page.shows(".in-force button", "이제부터 다시 묻기").await;
    assert_eq!(page.value("document.documentElement.scrollWidth <= innerWidth").await, json!(true));
    let small = "[...document.querySelectorAll('.in-force button, .tabs button')].filter((it) => it.checkVisibility())
        .filter((it) => Math.min(it.offsetWidth, it.offsetHeight) < 40).map((it) => it.outerHTML)";
    assert_eq!(page.value(small).await, json!([]));
    let named = "document.querySelector('.in-force button').ariaLabel.startsWith('이제부터 다시 묻기: make xxx')";
    assert_eq!(page.value(named).await, json!(true));
    page.close().await;
}
