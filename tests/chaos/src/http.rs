//! Requests of local programs to the gateway over HTTP and its WebSocket.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Message, WebSocket};

/// The time limit of every request, which is exceeded only if something is broken.
const PATIENCE: Duration = Duration::from_secs(20);

/// Sends one request on a connection of its own. Returns the status and the body.
///
/// # Errors
/// If the gateway cannot be reached, or sends a malformed answer.
pub(crate) fn ask(
    address: &str,
    token: &str,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> anyhow::Result<(u16, String)> {
    let mut stream = connect(address)?;
    let body = body.map(Value::to_string).unwrap_or_default();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).context("read a status")?;
    let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default();
    Ok((status, body))
}

/// Opens the WebSocket for programs.
///
/// # Errors
/// If the gateway does not accept the connection.
pub(crate) fn open(address: &str, token: &str) -> anyhow::Result<WebSocket<TcpStream>> {
    let mut request = format!("ws://{address}/ws").into_client_request()?;
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse()?);
    let (socket, _) = tokio_tungstenite::tungstenite::client(request, connect(address)?)
        .map_err(|error| anyhow::anyhow!("open the WebSocket: {error}"))?;
    Ok(socket)
}

/// Calls a method on the WebSocket; other messages are dropped.
///
/// # Errors
/// If the connection broke.
pub(crate) fn call(socket: &mut WebSocket<TcpStream>, method: &str, params: &Value) -> anyhow::Result<Value> {
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    socket.send(Message::text(call.to_string()))?;
    loop {
        if let Message::Text(text) = socket.read()? {
            let answer: Value = serde_json::from_str(&text)?;
            if answer["id"] == 1 {
                return Ok(answer);
            }
        }
    }
}

fn connect(address: &str) -> anyhow::Result<TcpStream> {
    let stream = TcpStream::connect(address).context("connect to the gateway")?;
    stream.set_read_timeout(Some(PATIENCE))?;
    Ok(stream)
}
