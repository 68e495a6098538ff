//! Tests that a program's run is approved on the page, and that its output can be watched.

use serde_json::json;

use crate::gateway::Gateway;
use crate::page::{DESKTOP, Page};

tests! {
    browser:
        what_runs_is_shown_as_it_runs,
        what_is_denied_never_runs;
}

const ENGLISH: &[(&str, &str)] = &[("DMPLZ_LANG", "en")];

/// Asks for a run as a program would.
async fn invoke(gateway: &Gateway, page: &Page, script: &str) {
    let call = json!({ "argv": ["/bin/sh", "-c", script], "cwd": "/" });
    let answer = page
        .promised(&format!(
            "fetch('/api/v1/tools', {{ method: 'POST', headers: {{ 'content-type': 'application/json', \
             authorization: {} }}, body: {} }}).then((answer) => answer.json())",
            json!(format!("Bearer {}", gateway.token())),
            json!(call.to_string())
        ))
        .await;
    assert_eq!(answer["awaitingApproval"], true, "{answer}");
    page.shows(".card .part.command", script).await;
    page.shows(".card .from", "Tool run").await;
}

async fn what_runs_is_shown_as_it_runs() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    invoke(&gateway, &page, "echo \"<b>hello</b>\"; echo oops >&2; exit 3").await;
    page.click(".actions .approve").await;
    page.go("runs").await;
    page.shows(".runs .state", "Failed · exit code 3").await;
    page.shows(".runs pre", "<b>hello</b>").await;
    page.shows(".runs pre", "oops").await;
    page.close().await;
}

async fn what_is_denied_never_runs() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    invoke(&gateway, &page, "echo ran").await;
    page.click(".actions .deny").await;
    page.click(".reason .deny").await;
    page.go("runs").await;
    page.shows(".runs .state", "Forbidden").await;
    assert_eq!(page.count(".runs pre").await, 0);
    page.close().await;
}
