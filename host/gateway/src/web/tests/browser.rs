//! A page in its browser: its keys, the handshake, and calls.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::desk::Gateway;
use crate::browsers::{GatewayKey, PageKey};
use crate::pairing::mac_of;
use crate::web::handshake::transcript;
use crate::web::secret;

pub(super) type Client = WebSocketStream<TcpStream>;

/// A browser. Its key has the same form as the gateway's key.
pub(super) struct Browser {
    key: GatewayKey,
    /// The key of the gateway that it is paired with.
    gateway: String,
    origin: String,
}

/// A connection on which the page has not proved its identity yet.
pub(super) struct Challenged {
    pub(super) client: Client,
    pub(super) nonce: String,
    pub(super) challenge: Value,
}

/// Opens a WebSocket with these headers. Returns the status and the body if the gateway refuses.
pub(super) async fn open(port: u16, host: &str, headers: &[(&str, &str)]) -> Result<Client, (u16, Value)> {
    let mut request = format!("ws://{host}/ws").into_client_request().unwrap();
    for (name, value) in headers {
        let name: http::HeaderName = name.parse().unwrap();
        request.headers_mut().append(name, value.parse().unwrap());
    }
    let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    match tokio_tungstenite::client_async(request, stream).await {
        Ok((client, _)) => Ok(client),
        Err(Error::Http(refused)) => {
            let body = refused.body().as_deref().unwrap_or_default();
            Err((refused.status().as_u16(), serde_json::from_slice(body).unwrap_or_default()))
        }
        Err(error) => panic!("{error}"),
    }
}

pub(super) async fn say(client: &mut Client, text: impl Into<String>) {
    client.send(Message::text(text.into())).await.unwrap();
}

/// Returns the next text.
pub(super) async fn hear(client: &mut Client) -> Value {
    loop {
        match client.next().await.expect("a message").unwrap() {
            Message::Text(text) => return serde_json::from_str(&text).unwrap(),
            Message::Ping(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

pub(super) async fn call(client: &mut Client, method: &str, params: Value) -> Value {
    say(client, json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()).await;
    loop {
        let heard = hear(client).await;
        if heard.get("id").is_some() {
            return heard;
        }
    }
}

/// Returns the close code of the gateway.
pub(super) async fn closed(client: &mut Client) -> u16 {
    loop {
        match client.next().await {
            Some(Ok(Message::Close(Some(frame)))) => return frame.code.into(),
            Some(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

impl Browser {
    /// Returns a browser that is not paired.
    pub(super) fn at(gateway: &Gateway) -> Self {
        Self { key: GatewayKey::generate().unwrap(), gateway: String::new(), origin: gateway.origin() }
    }

    /// Returns a browser that was just paired.
    pub(super) async fn paired(gateway: &Gateway) -> Self {
        let mut browser = Self::at(gateway);
        let code = gateway.pairing.create().unwrap().code;
        let (_, welcome) = browser.pair(gateway, &code).await;
        assert!(welcome["welcome"].is_object(), "{welcome}");
        browser
    }

    /// Returns the same browser with a page at another origin.
    pub(super) fn elsewhere(self, origin: &str) -> Self {
        Self { origin: origin.to_owned(), ..self }
    }

    /// Returns the hello frame.
    pub(super) fn hello_frame(&self, nonce: &str) -> Value {
        json!({ "hello": { "nonce": nonce, "key": self.key.public() } })
    }

    /// Opens a connection and says hello.
    pub(super) async fn hello(&self, gateway: &Gateway) -> Challenged {
        self.hello_as(gateway, &self.origin).await
    }

    /// Says hello through a program that claims to be at this origin.
    pub(super) async fn hello_as(&self, gateway: &Gateway, origin: &str) -> Challenged {
        let protocols = format!("dmplz, key.{}", self.key.public());
        let headers = [("origin", origin), ("sec-websocket-protocol", &*protocols)];
        let mut client = open(gateway.port, &gateway.host(), &headers).await.unwrap();
        let nonce = secret::random().unwrap();
        say(&mut client, self.hello_frame(&nonce).to_string()).await;
        let challenge = hear(&mut client).await["challenge"].clone();
        Challenged { client, nonce, challenge }
    }

    /// Pairs by a code. Returns the gateway's reply.
    pub(super) async fn pair(&mut self, gateway: &Gateway, code: &str) -> (Client, Value) {
        let origin = self.origin.clone();
        self.pair_as(gateway, &origin, code).await
    }

    /// Pairs by a code, through a program that claims to be at this origin.
    pub(super) async fn pair_as(&mut self, gateway: &Gateway, origin: &str, code: &str) -> (Client, Value) {
        let mut challenged = self.hello_as(gateway, origin).await;
        self.gateway = challenged.challenge["key"].as_str().unwrap().to_owned();
        let mac = mac_of(code, &self.text("page pairs", &challenged));
        say(&mut challenged.client, json!({ "pair": { "mac": mac } }).to_string()).await;
        let answer = hear(&mut challenged.client).await;
        if let Some(shown) = answer["welcome"]["mac"].as_str() {
            assert_eq!(shown, mac_of(code, &self.text("gateway pairs", &challenged)));
        }
        (challenged.client, answer)
    }

    /// Connects again. Returns the gateway's reply.
    pub(super) async fn meet(&self, gateway: &Gateway) -> (Client, Value) {
        let mut challenged = self.hello(gateway).await;
        let proof = self.proof(&challenged).to_string();
        say(&mut challenged.client, proof).await;
        let answer = hear(&mut challenged.client).await;
        (challenged.client, answer)
    }

    /// Connects again and is let in.
    pub(super) async fn online(&self, gateway: &Gateway) -> Client {
        let (client, answer) = self.meet(gateway).await;
        assert!(answer["welcome"].is_object(), "{answer}");
        client
    }

    /// Returns this page's reply to a challenge.
    pub(super) fn proof(&self, challenged: &Challenged) -> Value {
        json!({ "prove": { "signature": self.key.sign(&self.text("page proves", challenged)).unwrap() } })
    }

    /// Returns whether the challenge was signed by the gateway that this browser is paired with.
    pub(super) fn knows(&self, challenged: &Challenged) -> bool {
        let gateway = PageKey::read(&self.gateway).unwrap();
        let text = self.text("gateway proves", challenged);
        gateway.signed(&text, challenged.challenge["signature"].as_str().unwrap())
    }

    fn text(&self, what: &str, challenged: &Challenged) -> String {
        let theirs = challenged.challenge["nonce"].as_str().unwrap();
        transcript(what, [&self.origin, &challenged.nonce, theirs, &self.key.public(), &self.gateway])
    }
}
