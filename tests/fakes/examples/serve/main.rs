//! Serves a fake until it is killed, for clients that are not Rust:
//!
//! `cargo run -p dmplz-fakes --example serve -- telegram|discord [PORT [TOKEN]]`, or `-- slack|matrix|mattermost`
//!
//! Prints one line of JSON: the address of the API, its token, and `human`, the address of the actions of people, such
//! as `POST /press?message=1&button=OK`. The other files of this directory list them.
#![allow(clippy::print_stdout, reason = "the line is what this program is for")]

use axum::Router;
use serde_json::Value;
use std::collections::HashMap;
use std::error::Error;
use std::str::FromStr;
use std::time::Duration;

mod discord;
mod matrix;
mod mattermost;
mod presses;
mod slack;
mod telegram;
mod wire;

/// The time for which `/await` waits.
const PATIENCE: Duration = Duration::from_secs(10);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let port = arguments.get(1).map_or(Ok(0), |port| port.parse())?;
    let token = arguments.get(2).cloned();
    let (router, mut about): (Router, Value) = match arguments.first().map(String::as_str) {
        Some("telegram") => telegram::serve(port, token)?,
        Some("discord") => discord::serve(port, token)?,
        Some("slack") => slack::serve().await,
        Some("matrix") => matrix::serve().await,
        Some("mattermost") => mattermost::serve().await,
        _ => return Err("usage: serve telegram|discord [PORT [TOKEN]], or serve slack|matrix|mattermost".into()),
    };
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    if let Value::Object(about) = &mut about {
        about.insert("human".to_owned(), format!("http://{}", listener.local_addr()?).into());
    }
    println!("{about}");
    axum::serve(listener, router).await?;
    Ok(())
}

/// The query of a control URL.
struct Query(HashMap<String, String>);

impl Query {
    /// Returns a parameter; empty if it is absent.
    fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// Returns a parameter as a number; `None` if it is absent.
    fn number<T: FromStr>(&self, name: &str) -> Option<T> {
        self.text(name).parse().ok()
    }

    /// Returns the name and the content of the file at the path `file`; `None` if it is absent or cannot be read.
    fn file(&self) -> Option<(String, Vec<u8>)> {
        let path = std::path::Path::new(self.text("file"));
        Some((path.file_name()?.to_str()?.to_owned(), std::fs::read(path).ok()?))
    }
}
