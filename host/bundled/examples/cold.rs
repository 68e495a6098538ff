//! Measures the stages of a cold start: `cold URL TOKEN CHAT` posts one card through the embedded Telegram component,
//! and prints the microseconds since `main`, one line per stage.

#![allow(clippy::print_stdout, reason = "prints what it measured")]

use std::collections::BTreeMap;
use std::env::args;
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use dmplz_core::messenger::{Card, Chat};
use dmplz_plugin::{Account, Described, Engine, Grants, Host, LogLevel, Secret};

const WITHIN: Duration = Duration::from_secs(10);

fn main() -> Result<(), Box<dyn Error>> {
    let begun = Instant::now();
    let mut stages = Vec::new();
    let mut stage = |name: &'static str| stages.push((name, begun.elapsed().as_micros()));
    let [base, token, chat] = <[String; 3]>::try_from(args().skip(1).collect::<Vec<_>>()).unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    stage("runtime");
    runtime.block_on(async {
        let engine = Engine::new()?;
        stage("engine");
        let component = dmplz_bundled::component(&engine, "telegram").ok_or("no telegram")??;
        stage("component");
        let host = Host::new(Arc::new(|_: &str, _: LogLevel, line: &str| println!("{line}")));
        let described = Described::new(&component, host).await?;
        stage("describe");
        let provider = described
            .connect(Account {
                settings: BTreeMap::from([("api-base".to_owned(), base)]),
                secrets: BTreeMap::from([("bot-token".to_owned(), Secret::new(token))]),
                grants: Grants::Manifest,
                ..Account::default()
            })
            .await?;
        stage("connect");
        let chat = provider.open(&Chat::Room(chat), WITHIN).await?;
        stage("open");
        provider.post(&chat, &card(), WITHIN).await?;
        stage("first post");
        provider.post(&chat, &card(), WITHIN).await?;
        stage("second post");
        Ok::<_, Box<dyn Error>>(())
    })?;
    for (name, microseconds) in stages {
        println!("{microseconds:>7} {name}");
    }
    Ok(())
}

fn card() -> Card {
    Card::new("Cold", "May I?".to_owned(), Vec::new())
}
