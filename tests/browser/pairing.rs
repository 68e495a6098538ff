//! A browser gets in with a code from the terminal, once, and not otherwise.

use serde_json::json;

use crate::gateway::Gateway;
use crate::page::{DESKTOP, PHONE, Page};

tests! {
    browser:
        a_wrong_code_lets_nobody_in,
        a_code_counts_once,
        a_link_pairs_once_and_leaves_no_code_in_the_address,
        paired_browsers_are_listed_and_one_that_is_revoked_is_logged_out_at_once,
        the_page_speaks_korean_unless_told_otherwise;
}

async fn a_wrong_code_lets_nobody_in() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let page = Page::unpaired(&gateway, PHONE).await;
    page.shows(".pairing", "dmplz pair").await;
    page.until("the field", "document.activeElement?.id === 'code'").await;
    page.write("ZZZZ-ZZZZ-ZZZZ\n").await;
    page.shows(".trouble", "This code is wrong or has expired.").await;
    assert_eq!(page.count(".inbox").await, 0);
    assert_eq!(page.promised("fetch('/api/v1/approvals').then((answer) => answer.status)").await, 401);
    page.pair(&gateway).await;
    page.close().await;
}

async fn a_code_counts_once() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let code = gateway.code();
    let (first, second) = (Page::unpaired(&gateway, DESKTOP).await, Page::unpaired(&gateway, DESKTOP).await);
    for page in [&first, &second] {
        page.until("the field", "document.activeElement?.id === 'code'").await;
        page.write(&format!("{}\n", code.to_lowercase())).await;
    }
    first.online().await;
    second.shows(".trouble", "This code is wrong or has expired.").await;
    // What lets this browser in is a key that no script can read, and nothing else is kept.
    assert_eq!(first.value("[document.cookie, localStorage.length]").await, json!(["", 0]));
    let private = "import('/assets/identity.js').then(async ({ kept }) => { const { pair } = await kept(); \
                   return [pair.privateKey.extractable, await crypto.subtle.exportKey('pkcs8', pair.privateKey).catch((error) => error.name)]; })";
    assert_eq!(first.promised(private).await, json!([false, "InvalidAccessError"]));
    first.close().await;
    second.close().await;
}

async fn a_link_pairs_once_and_leaves_no_code_in_the_address() {
    let gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let link = gateway.pairing()["link"].as_str().unwrap().to_owned();
    let (sent, code) = link.split_once("#pair=").unwrap();
    assert!(!sent.contains(code));
    let (first, second) = (Page::unpaired(&gateway, PHONE).await, Page::unpaired(&gateway, PHONE).await);
    first.open(&link).await;
    first.online().await;
    assert_eq!(first.value("location.href").await, format!("{}/", gateway.url));
    second.open(&link).await;
    second.shows(".trouble", "This code is wrong or has expired.").await;
    assert_eq!(second.value("location.href").await, format!("{}/", gateway.url));
    // A browser that is paired stays so, and the code is not used up.
    let link = gateway.pairing()["link"].as_str().unwrap().to_owned();
    first.open(&link).await;
    first.online().await;
    assert_eq!(first.value("location.href").await, format!("{}/", gateway.url));
    second.open(&link).await;
    second.online().await;
    first.close().await;
    second.close().await;
}

async fn paired_browsers_are_listed_and_one_that_is_revoked_is_logged_out_at_once() {
    let mut gateway = Gateway::with(&[("DMPLZ_LANG", "en")]);
    let (page, other) = (Page::paired(&gateway, PHONE).await, Page::paired(&gateway, DESKTOP).await);
    // Both are still known after a restart.
    gateway.kill();
    page.shows(".lost", "Connection lost.").await;
    gateway.restart();
    page.online().await;
    other.online().await;
    page.click(".bell").await;
    page.click(".notify .devices").await;
    page.until("both", "document.querySelectorAll('.browsers li').length === 2").await;
    page.shows(".browsers li", "Chrome, Linux · this browser").await;
    other.click(".bell").await;
    other.shows("dialog", "Notifications on this device").await;
    let theirs = "[...document.querySelectorAll('.browsers li')].find((it) => !it.innerText.includes('this browser'))";
    let theirs = format!("{theirs}.querySelector('button')");
    page.value(&format!("(() => {{ {theirs}.click(); {theirs}.click(); }})()")).await;
    page.until(
        "a question",
        &format!("{theirs}.matches(':enabled') && {theirs}.innerText === 'Press once more to disconnect it'"),
    )
    .await;
    assert_eq!(page.count(".browsers li").await, 2, "a double click is one press");
    page.value(&format!("{theirs}.click()")).await;
    other.shows(".trouble", "This browser is no longer paired.").await;
    // A dialog that was open does not stand in the way.
    other.until("the field", "document.activeElement?.id === 'code'").await;
    assert_eq!(other.count("dialog").await, 0);
    page.until("one", "document.querySelectorAll('.browsers li').length === 1").await;
    page.click(".browsers .all").await;
    page.shows(".browsers .all", "Press once more").await;
    page.click(".browsers .all").await;
    page.shows(".trouble", "This browser is no longer paired.").await;
    assert_eq!(page.count("dialog").await, 0);
    assert_eq!(gateway.run(&["pair", "list", "--json"]).replace([' ', '\n'], ""), r#"{"browsers":[]}"#);
    page.close().await;
    other.close().await;
}

async fn the_page_speaks_korean_unless_told_otherwise() {
    let gateway = Gateway::start();
    let page = Page::paired(&gateway, DESKTOP).await;
    page.shows(".empty", "기다리는 요청이 없습니다").await;
    assert_eq!(page.value("document.documentElement.lang").await, "ko");
    page.click(".lang").await;
    page.shows(".empty", "Nothing is waiting for you").await;
    assert_eq!(page.value("document.documentElement.lang").await, "en");
    page.value("location.reload()").await;
    page.shows(".empty", "Nothing is waiting for you").await;
    page.close().await;
}
