//! Tests that untrusted text on the page stays text and never becomes markup or code.

use dmplz_e2e::stdin;
use serde_json::json;

use crate::gateway::Gateway;
use crate::page::{DESKTOP, Page};

tests! {
    browser:
        markup_in_any_field_is_text,
        what_hides_or_reorders_is_written_out,
        a_megabyte_is_folded_and_approved_only_unfolded,
        the_watch_on_the_page_sees_what_the_policy_forbids;
}

const ENGLISH: &[(&str, &str)] = &[("DMPLZ_LANG", "en")];

async fn markup_in_any_field_is_text() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let bomb = "<img src=x onerror=\"document.body.remove()\"><script>document.body.remove()</script></code>{{7*7}}";
    let mut request = stdin::bash(bomb, bomb);
    for field in ["cwd", "tool_name", "agent_id", "agent_type"] {
        request[field] = json!(bomb);
    }
    request["tool_input"][bomb] = json!({ bomb: [bomb] });
    request["permission_suggestions"][0]["rules"][0]["ruleContent"] = json!(bomb);
    let hook = gateway.hook(&request);
    page.shows(".card h2", bomb).await;
    page.shows(".card .part", bomb).await;
    page.click(".raw summary").await;
    page.shows(".raw pre", "onerror").await;
    page.click(".actions .deny").await;
    page.until("the field for the reason", "document.activeElement?.id === 'reason'").await;
    page.write(&format!("{bomb}\n")).await;
    hook.ended().denies(&format!("User rejected the request. Reason: {bomb}"));
    page.go("history").await;
    page.shows(".past .tool", bomb).await;
    page.click(".past summary").await;
    page.shows(".past .why", bomb).await;
    assert_eq!(page.count(".card img, .past img, main script").await, 0);
    page.close().await;
}

async fn what_hides_or_reorders_is_written_out() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let mut request = stdin::bash("one", "echo \u{202e}fdp.exe\u{2066}\u{200b}\u{1b}[2K\r; rm -rf /");
    request["cwd"] = json!("/home/\u{202e}user");
    let _hook = gateway.hook(&request);
    page.shows(".card .part.command", "echo ⟨U+202E⟩fdp.exe⟨U+2066⟩⟨U+200B⟩␛[2K␍; rm -rf /").await;
    page.shows(".card .folder", "/home/⟨U+202E⟩user").await;
    page.click(".raw summary").await;
    page.shows(".raw pre", "echo \\u202efdp.exe\\u2066\\u200b\\u001b[2K\\r; rm -rf /").await;
    assert_eq!(
        page.value("/[\\u202a-\\u202e\\u2066-\\u2069\\u200b]/.test(document.body.textContent)").await,
        json!(false)
    );
    page.close().await;
}

async fn a_megabyte_is_folded_and_approved_only_unfolded() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    let command = format!("echo {}; rm -rf /", "x".repeat(1_000_000));
    let hook = gateway.hook(&stdin::bash("one", &command));
    page.shows(".unfold", "Show the other 998,5").await;
    page.click(".actions .approve").await;
    page.shows(".actions .hint", "The folded parts are open now.").await;
    assert_eq!(page.value("document.querySelector('.card .part.command code').textContent").await, json!(command));
    page.click(".actions .approve").await;
    hook.ended().decides(json!({ "behavior": "allow" }));
    page.close().await;
}

async fn the_watch_on_the_page_sees_what_the_policy_forbids() {
    let gateway = Gateway::with(ENGLISH);
    let page = Page::paired(&gateway, DESKTOP).await;
    for (forbidden, directive) in [
        ("document.head.append(Object.assign(document.createElement('script'), { textContent: '1' }))", "script-src"),
        ("document.body.setAttribute('style', 'color: red')", "style-src"),
        ("new Image().src = 'http://127.0.0.1:9/x.png'", "img-src"),
        ("fetch('http://127.0.0.1:9/').catch(() => {})", "connect-src"),
    ] {
        page.value(&format!("(() => {{ {forbidden}; return 1; }})()")).await;
        page.until(directive, &format!("troubles.some((trouble) => trouble.startsWith('policy: {directive}'))")).await;
    }
    page.value("troubles.splice(0).length").await;
    page.close().await;
}
