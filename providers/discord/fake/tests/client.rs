//! A minimal client of the gateway.

use dmplz_fakes::FakeDiscord;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

const SOON: Duration = Duration::from_secs(10);

/// A client with one connection.
pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// The end of a connection, with its close code if there was one.
#[derive(Debug, PartialEq, Eq)]
pub struct Closed(pub Option<u16>);

impl Client {
    /// Connects, and waits for HELLO.
    pub async fn connect(url: &str) -> Result<(Self, Value), Closed> {
        let url = format!("{url}/?v=10&encoding=json");
        let (socket, _) = tokio_tungstenite::connect_async(&url).await.map_err(|_| Closed(None))?;
        let mut client = Self { socket };
        let hello = client.receive().await?;
        Ok((client, hello))
    }

    /// Connects and identifies. Returns READY too.
    pub async fn identify(fake: &FakeDiscord, intents: u64) -> Result<(Self, Value), Closed> {
        let (mut client, hello) = Self::connect(fake.gateway().url()).await?;
        assert_eq!(hello["op"], 10);
        client.send(&identify(fake.token(), intents)).await;
        let ready = client.receive().await?;
        Ok((client, ready))
    }

    /// Connects, and resumes the session of a READY.
    pub async fn resume(fake: &FakeDiscord, ready: &Value, seq: u64) -> Result<Self, Closed> {
        let (mut client, _) = Self::connect(ready["d"]["resume_gateway_url"].as_str().unwrap()).await?;
        let data = json!({"token": fake.token(), "session_id": ready["d"]["session_id"], "seq": seq});
        client.send(&json!({"op": 6, "d": data})).await;
        Ok(client)
    }

    pub async fn send(&mut self, payload: &Value) {
        // If the connection is broken, the next `receive` reports it.
        let _ = self.socket.send(Message::text(payload.to_string())).await;
    }

    /// Waits for the next payload.
    pub async fn receive(&mut self) -> Result<Value, Closed> {
        loop {
            match tokio::time::timeout(SOON, self.socket.next()).await.expect("a frame in time") {
                Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(frame))) => return Err(Closed(frame.map(|frame| frame.code.into()))),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(Closed(None)),
            }
        }
    }

    /// Waits for the next event of this name, and drops others.
    pub async fn event(&mut self, name: &str) -> Result<Value, Closed> {
        loop {
            let payload = self.receive().await?;
            if payload["t"] == name {
                return Ok(payload);
            }
        }
    }

    /// Closes with a code, and waits until the server has closed too.
    pub async fn close(mut self, code: u16) {
        let frame = tokio_tungstenite::tungstenite::protocol::CloseFrame { code: code.into(), reason: "".into() };
        let _ = self.socket.close(Some(frame)).await;
        while self.socket.next().await.is_some_and(|frame| frame.is_ok()) {}
    }
}

pub fn identify(token: &str, intents: u64) -> Value {
    let properties = json!({"os": "linux", "browser": "test", "device": "test"});
    json!({"op": 2, "d": {"token": token, "intents": intents, "properties": properties}})
}
