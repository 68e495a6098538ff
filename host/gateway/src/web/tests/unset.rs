//! A missing or empty credential lets nobody in.

use super::desk::Gateway;

#[tokio::test]
async fn an_empty_token_lets_nobody_in() {
    let gateway = Gateway::start().await;
    let (host, own) = (gateway.host(), gateway.origin());
    for shown in [
        "authorization:", "authorization: ", "authorization: Bearer", "authorization: Bearer ",
        "authorization: Bearer \t ", "cookie: dmplz_session=",
    ] {
        let text = format!("GET /api/v1/approvals HTTP/1.1\r\nhost: {host}\r\norigin: {own}\r\n{shown}\r\n\r\n");
        assert_eq!(gateway.raw(text.as_bytes()).await.status, 401, "{shown:?}");
    }
}
