//! What a session may do without asking: what was allowed from then on, and modes in which nobody is asked.

use std::fs;

use serde_json::Value;

use crate::page::DESKTOP;
use crate::sessions::{Desk, press, say, started, until_there};

tests! {
    browser:
        what_was_allowed_on_the_page_is_listed_with_who_allowed_it_and_revoked,
        a_mode_in_which_nobody_is_asked_is_wanted_here_and_approved_elsewhere;
}

async fn what_was_allowed_on_the_page_is_listed_with_who_allowed_it_and_revoked() {
    let desk = Desk::new(&[], "work");
    let page = desk.page(DESKTOP).await;
    started(&page, "ask one").await;
    page.click(".request [data-decision=session]").await;
    until_there(&desk.work().join("ran-1")).await;
    page.shows(".session .state", "Idle").await;
    page.click(".controls > summary").await;
    press(&page, "Permission rules of Claude Code").await;
    page.shows(".rules-of", "Allowed on cards from then on:").await;
    page.shows(".rules-of .row", "Bash(touch ran-1)").await;
    page.shows(".rules-of .row", "this session, by").await;
    let label = page.value("document.querySelector('.rules-of button').getAttribute('aria-label')").await;
    assert_eq!(label, "Revoke: Bash(touch ran-1)");
    press(&page, "Revoke").await;
    page.until("the list without it", "document.querySelector('.rules-of .row') === null").await;
    page.shows(".rules-of", "Bash(touch *)").await;
    let heard = fs::read_to_string(desk.work().join("heard")).unwrap();
    let told: Vec<&str> = heard.lines().filter(|line| line.contains("apply_flag_settings")).collect();
    assert!(told.len() == 2 && told[0].contains("Bash(touch ran-1)") && told[1].contains(r#""allow":[]"#), "{told:?}");
    page.close().await;
}

async fn a_mode_in_which_nobody_is_asked_is_wanted_here_and_approved_elsewhere() {
    let desk = Desk::new(&[("DMPLZ_RUN_MODES", "dont-ask")], "work");
    let page = desk.page(DESKTOP).await;
    started(&page, "say hi").await;
    page.shows(".session .state", "Idle").await;
    page.click(".controls > summary").await;
    let modes = page.value("[...document.querySelectorAll('#session-mode option')].map((it) => it.value)").await;
    assert_eq!(modes, serde_json::json!(["default", "acceptEdits", "plan", "dontAsk"]));
    page.value("(() => { const mode = document.getElementById('session-mode'); mode.value = 'dontAsk'; mode.dispatchEvent(new Event('change')); return 1; })()")
        .await;
    page.shows(".request", "From now on, nobody is asked").await;
    page.shows(".request .unanswerable", "approved on another surface").await;
    assert_eq!(page.count(".request [data-decision=approve]").await, 0);
    assert_eq!(page.count(".request [data-decision=deny]").await, 1);
    page.until("the mode that it has", "document.getElementById('session-mode').value === 'default'").await;
    let open: Value = serde_json::from_str(&desk.run(&["approvals", "list", "--json"])).unwrap();
    let id = open["approvals"][0]["id"].as_str().or(open[0]["id"].as_str()).expect("the request").to_owned();
    desk.run(&["approvals", "approve", &id]);
    page.until("the mode", "document.getElementById('session-mode').value === 'dontAsk'").await;
    say(&page, "say more").await;
    page.close().await;
}
