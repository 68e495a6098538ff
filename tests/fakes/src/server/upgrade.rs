//! Upgrades an HTTP request to a WebSocket: RFC 6455, section 4.2.

use super::{Platform, Serving, until_stopped};
use crate::exchange::Admission;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CONNECTION, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, UPGRADE};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use std::sync::Arc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;

/// A WebSocket, seen by the server.
pub(crate) type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// Returns whether a request asks to become a WebSocket.
pub(super) fn wanted(request: &Request) -> bool {
    request.headers().get(UPGRADE).is_some_and(|to| to.as_bytes().eq_ignore_ascii_case(b"websocket"))
}

/// Accepts the upgrade, and serves the WebSocket after the answer was sent.
pub(super) fn grant<P: Platform>(request: &mut Request, admission: Admission, serving: &Arc<Serving<P>>) -> Response {
    let key = request.headers().get(SEC_WEBSOCKET_KEY).map(|key| derive_accept_key(key.as_bytes()));
    let (Some(key), Some(upgrade)) = (key, request.extensions_mut().remove::<OnUpgrade>()) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let (uri, serving) = (request.uri().clone(), Arc::clone(serving));
    tokio::spawn(async move {
        let conversation = async {
            if let Ok(upgraded) = upgrade.await {
                let socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, None).await;
                serving.platform.converse(uri, admission, socket).await;
            }
        };
        tokio::select! {
            () = conversation => {}
            () = until_stopped(serving.stopped.clone()) => {}
        }
    });
    let mut response = StatusCode::SWITCHING_PROTOCOLS.into_response();
    let headers = response.headers_mut();
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    if let Ok(key) = HeaderValue::from_str(&key) {
        headers.insert(SEC_WEBSOCKET_ACCEPT, key);
    }
    response
}
