//! Many WebSocket clients in one process, which executes the commands on its standard input.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::figures::now;

/// The variable with the gateway's address and its token.
pub(crate) const ADDRESS: &str = "DMPLZ_TEST_CROWD";

type Client = WebSocketStream<TcpStream>;
/// The numbers of events, and when each was received.
type Heard = Arc<Mutex<Vec<(u64, u64)>>>;

pub(crate) async fn open(address: &str) -> Client {
    let (port, token) = address.split_once(' ').unwrap();
    let mut request = format!("ws://127.0.0.1:{port}/ws").into_client_request().unwrap();
    request.headers_mut().append("authorization", format!("Bearer {token}").parse().unwrap());
    let stream = TcpStream::connect(("127.0.0.1", port.parse().unwrap())).await.unwrap();
    tokio_tungstenite::client_async(request, stream).await.unwrap().0
}

async fn subscribed(address: &str) -> Client {
    let mut client = open(address).await;
    client.send(Message::text(r#"{"jsonrpc":"2.0","id":1,"method":"events.subscribe"}"#)).await.unwrap();
    client
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn run(address: &str) {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let (mut readers, mut mute) = (JoinSet::new(), Vec::new());
    let heard = Heard::default();
    while let Some(line) = lines.next_line().await.unwrap() {
        let answer = match line.split_once(' ') {
            Some(("readers", count)) => {
                heard.lock().unwrap().clear();
                for _ in 0..count.parse().unwrap() {
                    let mut client = subscribed(address).await;
                    assert!(client.next().await.unwrap().unwrap().is_text(), "the reply");
                    readers.spawn(read(client, Arc::clone(&heard)));
                }
                "done".to_owned()
            }
            Some(("mute", count)) => {
                for _ in 0..count.parse().unwrap() {
                    mute.push(subscribed(address).await);
                }
                // Their subscriptions are on their way; the gateway reads in order of arrival.
                drop(open(address).await);
                "done".to_owned()
            }
            Some(("heard", last)) => {
                let last: u64 = last.parse().unwrap();
                let all = || heard.lock().unwrap().iter().filter(|(event, _)| *event == last).count() == readers.len();
                while !all() {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                serde_json::to_string(&std::mem::take(&mut *heard.lock().unwrap())).unwrap()
            }
            _ => {
                readers.shutdown().await;
                "done".to_owned()
            }
        };
        println!("answer: {answer}");
    }
}

async fn read(mut client: Client, heard: Heard) {
    while let Some(Ok(message)) = client.next().await {
        let Message::Text(text) = message else { continue };
        let at = now();
        let number = text.split_once("\"eventId\":").map(|(_, rest)| rest.split(|c: char| !c.is_ascii_digit()).next());
        if let Some(event) = number.flatten().and_then(|number| number.parse().ok()) {
            heard.lock().unwrap().push((event, at));
        }
    }
}
