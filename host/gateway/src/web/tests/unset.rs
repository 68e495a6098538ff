//! What is missing or empty lets nobody in.

use serde_json::json;

use super::desk::Gateway;

#[tokio::test]
async fn an_empty_code_lets_nobody_in_whether_there_are_codes_or_not() {
    let gateway = Gateway::start().await;
    let code = |made: bool| made.then(|| gateway.pairing.create().unwrap());
    for made in [false, true] {
        for typed in [json!({ "code": "" }), json!({ "code": " - " }), json!({ "code": null }), json!({})] {
            let _live = code(made);
            let answer = gateway.page("POST /api/v1/pair", "", Some(&typed)).await;
            assert!([400, 401].contains(&answer.status) && answer.header("set-cookie").is_none(), "{typed} {answer:?}");
        }
    }
}

#[tokio::test]
async fn an_empty_token_cookie_or_key_lets_nobody_in() {
    let gateway = Gateway::start().await;
    let cookie = gateway.paired().await;
    let secret = cookie.split_once('=').unwrap().1.to_owned();
    let (host, own) = (gateway.host(), gateway.origin());
    for shown in [
        "authorization:".to_owned(),
        "authorization: ".to_owned(),
        "authorization: Bearer".to_owned(),
        "authorization: Bearer ".to_owned(),
        "authorization: Bearer \t ".to_owned(),
        format!("authorization: Bearer \r\ncookie: {cookie}"),
        "cookie: dmplz_session=\r\nx-dmplz-key:".to_owned(),
        format!("cookie: dmplz_session={secret}\r\nx-dmplz-key:"),
        format!("cookie: dmplz_session={secret}\r\nx-dmplz-key: "),
        format!("cookie: dmplz_session={secret}\r\nsec-websocket-protocol: dmplz, dmplz-key."),
        format!("cookie: dmplz_session=\r\nx-dmplz-key: {}", gateway.key(&cookie).unwrap()),
        format!("x-dmplz-key: {}", gateway.key(&cookie).unwrap()),
    ] {
        let text = format!("GET /api/v1/approvals HTTP/1.1\r\nhost: {host}\r\norigin: {own}\r\n{shown}\r\n\r\n");
        assert_eq!(gateway.raw(text.as_bytes()).await.status, 401, "{shown:?}");
    }
}
