//! The documentation of the gateway is checked against a running one: every command of a `sh` block succeeds, every line of a
//! `json` block is answered over the WebSocket, and every other command that is named is one that there is.

use std::path::Path;
use std::process::{Command, Stdio};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::command::Home;
use crate::gateway::Gateway;
use crate::policy_docs::{blocks, path};

/// Requests that the document answers: how it names them, and how they must end.
const ASKED: [(&str, &str); 4] = [
    ("3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f", "approved"),
    ("9a41c7e0-6f3b-4c1e-9b1d-0a1b2c3d4e5f", "rejected_with_reason"),
    ("5d77f1a0-6f3b-4c1e-9b1d-0a1b2c3d4e5f", "rejected_with_reason"),
    ("c0de0001-6f3b-4c1e-9b1d-0a1b2c3d4e5f", "approved"),
];
/// The gateway's address in the document.
const ADDRESS: &str = "127.0.0.1:4780";

#[test]
fn the_english_documentation_of_the_gateway_works() {
    check("GATEWAY.md", "en");
}

#[test]
fn the_korean_documentation_of_the_gateway_works() {
    check("GATEWAY.ko.md", "ko");
}

#[test]
fn the_documentation_of_sessions_names_commands_that_there_are() {
    let home = Home::new();
    for document in ["SESSIONS.md", "SESSIONS.ko.md"] {
        let text = std::fs::read_to_string(path(document)).unwrap();
        let commands: std::collections::BTreeSet<_> = named(&text).collect();
        assert!(commands.len() > 8, "{document}: {commands:?}");
        for words in commands {
            assert!(is_there(&home, &words), "{document}: {words:?}");
        }
    }
}

#[test]
fn the_unit_of_the_documentation_waits_for_the_gateway_watches_it_and_never_gives_up() {
    let unit = std::fs::read_to_string(path("dmplz.service")).unwrap();
    for line in [
        "Type=notify", "Restart=always", "StartLimitIntervalSec=0", "WatchdogSec=60", "RestartMaxDelaySec=30s",
        "KillMode=process",
    ] {
        assert!(unit.lines().any(|there| there == line), "{line}");
    }
}

#[track_caller]
fn check(document: &str, lang: &str) {
    let text = std::fs::read_to_string(path(document)).unwrap();
    let home = Home::new().with("DMPLZ_LANG", lang);
    let gateway = Gateway::start(&home);
    let mut surface = gateway.line();
    surface.call("events.subscribe", &json!({}));
    let mut asked: Vec<_> = ASKED.map(|(id, end)| (gateway.asking(id, "git push"), end)).into();
    let scripts: Vec<String> = blocks(&text, "sh").map(|block| block.join("\n")).collect();
    assert!(scripts.len() >= 4, "{document}");
    for script in scripts {
        let script = script.replace(ADDRESS, &gateway.address());
        let output = shell(&home, &script);
        assert!(output.status.success(), "{document}: {script}\n{output:?}");
    }
    let calls: Vec<&str> = blocks(&text, "json").flatten().collect();
    assert!(calls.len() >= 3, "{document}");
    for (call, answer) in calls.iter().zip(answers(&home, &gateway, &calls)) {
        assert!(answer.get("result").is_some(), "{document}: {call}\n{answer}");
    }
    let scraped = scraped(&home, &gateway, &text);
    let metrics: Vec<&str> = text.split('`').filter(|code| is_metric(code)).collect();
    assert!(metrics.len() > 15, "{document}: {metrics:?}");
    let families: Vec<&str> =
        scraped.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    for name in &metrics {
        assert!(families.contains(name), "{document}: {name} is no metric");
    }
    for family in families {
        assert!(metrics.contains(&family), "{document}: {family} is not explained");
    }
    for (hook, end) in &mut asked {
        assert_eq!(hook.decided()["outcome"], *end, "{document}");
    }
    assert_eq!(named(&text).filter(|words| !is_there(&home, words)).collect::<Vec<_>>(), Vec::<Vec<&str>>::new());
}

fn is_metric(code: &str) -> bool {
    let is_name = |code: &str| code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    ["dmplz_", "process_"].iter().any(|prefix| code.starts_with(prefix)) && is_name(code)
}

/// Returns what Prometheus and the Collector read with the document's settings.
fn scraped(home: &Home, gateway: &Gateway, text: &str) -> String {
    let mut scraped = String::new();
    let settings: Vec<Vec<&str>> = blocks(text, "yaml").collect();
    assert_eq!(settings.len(), 2);
    for lines in settings {
        let value = |key: &str| {
            let line = lines.iter().find_map(|line| line.trim().trim_start_matches("- ").strip_prefix(key));
            line.unwrap_or_else(|| panic!("{key} {lines:?}")).trim().trim_matches(['[', ']', '"']).to_owned()
        };
        let file = value("credentials_file:").replace("/home/ann/", "$HOME/");
        let target = value("targets:").replace(ADDRESS, &gateway.address());
        // `/metrics` is Prometheus's default path.
        let output =
            shell(home, &format!("curl -fsS -H \"Authorization: Bearer $(cat {file})\" http://{target}/metrics"));
        assert!(output.status.success(), "{lines:?}\n{output:?}");
        scraped = String::from_utf8(output.stdout).unwrap();
    }
    scraped
}

fn shell(home: &Home, script: &str) -> std::process::Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_dmplz")).parent().unwrap();
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", script]).stdin(Stdio::null()).current_dir(home.path().join("work"));
    bash.env_clear().envs(home.environment()).env("HOME", home.path());
    bash.env("PATH", format!("{}:/usr/bin:/bin", binary.display())).output().unwrap()
}

/// Returns the gateway's answers to calls over the WebSocket, in order.
fn answers(home: &Home, gateway: &Gateway, calls: &[&str]) -> Vec<Value> {
    let token = std::fs::read_to_string(home.state().join("gateway.token")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut request = format!("ws://{}/ws", gateway.address()).into_client_request().unwrap();
        request.headers_mut().insert("authorization", format!("Bearer {}", token.trim()).parse().unwrap());
        let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
        let mut answers = Vec::new();
        for call in calls {
            let id = serde_json::from_str::<Value>(call).unwrap()["id"].clone();
            socket.send(Message::text(*call)).await.unwrap();
            answers.push(loop {
                let said: Value =
                    serde_json::from_str(socket.next().await.unwrap().unwrap().to_text().unwrap()).unwrap();
                if said["id"] == id {
                    break said;
                }
            });
        }
        answers
    })
}

/// Returns the commands of this program in the text, by their first words.
fn named(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let pieces = text.split(['`', '\n']).filter_map(|piece| piece.strip_prefix("dmplz "));
    pieces.map(|rest| {
        let is_name = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
        let words = rest.split(' ').take(2).take_while(is_name).collect::<Vec<_>>();
        let has_subcommands =
            words.first().is_some_and(|word| ["approvals", "audit", "policy", "sessions"].contains(word));
        words.into_iter().take(if has_subcommands { 2 } else { 1 }).collect()
    })
}

fn is_there(home: &Home, words: &[&str]) -> bool {
    let arguments: Vec<&str> = words.iter().copied().chain(["--help"]).collect();
    home.run(&arguments).code == Some(0)
}
