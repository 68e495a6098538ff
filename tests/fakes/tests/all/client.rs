use bytes::Bytes;
use dmplz_fakes::{FakeDiscord, FakeTelegram};
use http::{HeaderMap, Method, Request};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// What the server replied.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {:?}", self.body))
    }
}

/// Sends one request on a connection of its own. The error tells how the connection ended.
pub async fn send(request: Request<Bytes>) -> Result<Reply, String> {
    let authority = request.uri().authority().unwrap().to_string();
    let stream = TcpStream::connect(&authority).await.map_err(|error| error.to_string())?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    let path = request.uri().path_and_query().unwrap().to_string();
    let (mut parts, body) = request.into_parts();
    parts.uri = path.parse().unwrap();
    parts.headers.entry("host").or_insert(authority.parse().unwrap());
    let response = sender.send_request(Request::from_parts(parts, Full::new(body))).await;
    let response = response.map_err(|error| error.to_string())?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let body = response.into_body().collect().await.map_err(|error| error.to_string())?.to_bytes();
    connection.abort();
    Ok(Reply { status, headers, body })
}

/// Returns a request with a JSON body.
pub fn json(method: Method, url: &str, body: &Value) -> Request<Bytes> {
    let request = Request::builder().method(method).uri(url).header("content-type", "application/json");
    request.body(Bytes::from(body.to_string())).unwrap()
}

/// Calls a method of the Bot API with a JSON body.
pub async fn call(telegram: &FakeTelegram, method: &str, params: Value) -> Reply {
    let url = format!("{}/bot{}/{method}", telegram.base_url(), telegram.token());
    send(json(Method::POST, &url, &params)).await.unwrap()
}

/// Calls a method that must succeed. Returns its result.
pub async fn result(telegram: &FakeTelegram, method: &str, params: Value) -> Value {
    let reply = call(telegram, method, params).await.json();
    assert_eq!(reply["ok"], true, "{reply}");
    reply["result"].clone()
}

/// Calls a method that must fail. Returns the code and the description.
pub async fn refusal(telegram: &FakeTelegram, method: &str, params: Value) -> (u64, String) {
    let reply = call(telegram, method, params).await;
    let body = reply.json();
    assert_eq!(body["ok"], false, "{body}");
    assert_eq!(body["error_code"], reply.status);
    (body["error_code"].as_u64().unwrap(), body["description"].as_str().unwrap().to_owned())
}

/// Sends a request to Discord with the bot's token.
pub async fn discord(fake: &FakeDiscord, method: Method, path: &str, body: Value) -> Reply {
    let mut request = json(method, &format!("{}{path}", fake.base_url()), &body);
    if body.is_null() {
        *request.body_mut() = Bytes::new();
    }
    let headers = request.headers_mut();
    headers.insert("authorization", format!("Bot {}", fake.token()).parse().unwrap());
    headers.insert("user-agent", "DiscordBot (https://example.org, 1)".parse().unwrap());
    send(request).await.unwrap()
}

/// Sends a request to Discord that must be refused. Returns the error, such as `404 10003 Unknown Channel`.
pub async fn refused(fake: &FakeDiscord, method: Method, path: &str, body: Value) -> String {
    let reply = discord(fake, method, path, body).await;
    let body = reply.json();
    format!("{} {} {}", reply.status, body["code"], body["message"].as_str().unwrap_or_default())
}
