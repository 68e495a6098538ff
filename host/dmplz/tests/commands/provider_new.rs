//! `dmplz provider new`: the folder that it writes builds against the packaged SDK, without a network, passes its tests and
//! `provider test`, and its component asks by a card in a real hook.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::command::Home;

/// Returns the target directory, which is kept between runs because a build takes a minute.
fn kept() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("provider-new")
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns a nested Cargo of the workspace's toolchain, without the environment of the outer one.
fn cargo(folder: &Path) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    dmplz_guest_build::scrub(&mut cargo);
    cargo.current_dir(folder).arg("--offline");
    cargo
}

#[track_caller]
fn runs(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Returns the SDK as a registry would deliver it, packed and unpacked.
fn sdk() -> PathBuf {
    let target = kept().join("sdk");
    // One of another version may be left.
    let _ = std::fs::remove_dir_all(target.join("package"));
    let package = ["package", "--package", "dmplz-provider-sdk", "--no-verify", "--allow-dirty", "--target-dir"];
    runs(cargo(&workspace()).args(package).arg(&target));
    let packed = std::fs::read_dir(target.join("package")).unwrap().map(|entry| entry.unwrap().path());
    let packed = packed.into_iter().find(|path| path.extension().is_some_and(|it| it == "crate")).unwrap();
    runs(Command::new("tar").arg("xzf").arg(&packed).arg("-C").arg(&target));
    target.join(packed.file_stem().unwrap())
}

#[test]
fn a_new_provider_builds_keeps_its_promises_and_asks_by_a_card() {
    let home = Home::new();
    let sdk = sdk();
    let left = home.run(&["provider", "new", "my-chat", "--sdk", sdk.to_str().unwrap(), "--json"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let written = left.json();
    assert_eq!(written["component"], "target/wasm32-wasip2/release/my_chat.wasm");
    let folder = home.path().join("work/my-chat");
    // What is locked is what is there without a network.
    std::fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let target = kept().join("target");
    runs(cargo(&folder).args(["build", "--release", "--target", "wasm32-wasip2", "--target-dir"]).arg(&target));
    runs(cargo(&folder).args(["test", "--quiet", "--target-dir"]).arg(&target));

    let component = home.path().join("work/my_chat.wasm");
    std::fs::copy(target.join("wasm32-wasip2/release/my_chat.wasm"), &component).unwrap();
    let left = home.run(&["provider", "test", "./my_chat.wasm", "--wire", "my-chat/wire.json", "--json"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let report = left.json();
    let rows = report["promises"].as_array().unwrap();
    assert!(rows.len() == 20 && rows.iter().all(|row| row["state"] == "kept"), "{report:#}");

    answers_a_card(home, &component);
}

/// Runs the component in a real hook, with a server at which a person answers.
fn answers_a_card(home: Home, component: &Path) {
    let server = Server::start();
    for folder in [home.path().to_owned(), home.path().join("work")] {
        std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    }
    let home = home
        .with("DMPLZ_MY_CHAT_SERVER", &server.url)
        .with("DMPLZ_MY_CHAT_TOKEN", "token-0123456789")
        .with("DMPLZ_MY_CHAT_ROOM", "r1")
        .with("DMPLZ_MY_CHAT_ALLOWED_USERS", "u1");
    let left = home.run(&["provider", "try", component.to_str().unwrap(), "--wait", "60", "--json"]);
    assert_eq!(left.code, Some(0), "{left:?}: {:?}", server.asked());
    assert_eq!(left.json()["pressed"], "allow");
    let asked = server.asked();
    assert!(asked.iter().all(|asked| asked.token == "Bearer token-0123456789"));
    let last = asked.iter().rev().find(|asked| asked.line.starts_with("PUT /messages/m1 ")).unwrap();
    assert_eq!(last.body["buttons"], json!([]), "the card's end has no buttons");
}

#[test]
fn trying_says_what_is_missing_and_what_went_wrong() {
    let home = Home::new();
    for (arguments, why) in [
        (&["provider", "try", "telegram"][..], "the chat to ask in is not known: set DMPLZ_TELEGRAM_CHAT_ID"),
        (&["provider", "try", "./none.wasm"], "./none.wasm cannot be tried"),
        (&["provider", "try", "carrier-pigeon"], "DMPLZ_PROVIDER cannot be used: it is \"carrier-pigeon\""),
    ] {
        let left = home.run(arguments);
        assert!(left.code != Some(0) && left.stderr.contains(why), "{why}: {left:?}");
    }
}

#[test]
fn a_folder_is_written_once_and_never_over_another() {
    let home = Home::new();
    let left = home.run(&["provider", "new", "acme-chat"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    insta::assert_snapshot!(left.stdout, @"
    The folder acme-chat is written. Next:
      cd acme-chat
      cargo build --release --target wasm32-wasip2
      cargo test && dmplz provider test target/wasm32-wasip2/release/acme_chat.wasm --wire wire.json
    Where no registry has dmplz-provider-sdk 0.7, name providers/sdk of dmplz's repository with --sdk.
    ");
    let cargo = std::fs::read_to_string(home.path().join("work/acme-chat/Cargo.toml")).unwrap();
    assert!(cargo.contains("name = \"acme-chat\"") && cargo.contains("dmplz-provider-sdk = \"0.7\"\n"), "{cargo}");
    let sdk = std::fs::read_to_string(workspace().join("providers/sdk/Cargo.toml")).unwrap();
    assert!(sdk.contains("version = \"0.7."), "the template depends on another SDK");
    for (arguments, why) in [
        (&["provider", "new", "acme-chat"][..], "the folder acme-chat cannot be made"),
        (&["provider", "new", "../x"], "../x cannot be the name of a provider"),
        (&["provider", "new", "telegram"], "a messenger that comes with dmplz has it"),
        (&["provider", "new", "other", "--sdk", "/none"], "/none cannot be used as the SDK"),
    ] {
        let left = home.run(arguments);
        assert!(left.code == Some(1) && left.stderr.contains(why), "{why}: {left:?}");
    }
    assert!(!home.path().join("work/other").exists());
}

/// The imaginary messenger, on which a person approves the first card.
struct Server {
    url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

#[derive(Debug, Clone)]
struct Asked {
    line: String,
    token: String,
    body: Value,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::<Mutex<Vec<Asked>>>::default();
        let kept = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || serve(stream.unwrap(), &kept));
            }
        });
        Self { url, asked }
    }

    fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

/// Answers the requests of one connection until it is closed.
fn serve(stream: TcpStream, asked: &Mutex<Vec<Asked>>) {
    let (mut reader, mut writer) = (BufReader::new(stream.try_clone().unwrap()), stream);
    while let Some(request) = read(&mut reader) {
        let line = request.line.clone();
        let reply = {
            let mut asked = asked.lock().unwrap();
            asked.push(request);
            let card = asked.iter().find(|asked| asked.line.starts_with("POST /rooms/r1/messages ")).map(|asked| &asked.body);
            match (line.split(' ').collect::<Vec<_>>().as_slice(), card) {
                (["POST", "/rooms/r1/messages", _], _) => json!({ "id": "m1", "number": 1 }),
                (["GET", "/events?after=", _], Some(card)) => {
                    let message = json!({ "id": "m1", "number": 1 });
                    let user = json!({ "id": "u1", "name": "Jin" });
                    let press = json!({ "room": "r1", "message": message, "button": "approve", "nonce": card["nonce"], "press": "p1", "user": user });
                    json!({ "events": [press], "next": "c1" })
                }
                _ => json!({}),
            }
        }
        .to_string();
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", reply.len());
        if writer.write_all((head + &reply).as_bytes()).is_err() {
            return;
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Asked> {
    let (mut lines, mut length) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_owned();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length: ") {
            length = value.parse().unwrap();
        }
        lines.push(line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let token = lines.iter().find_map(|line| line.strip_prefix("authorization: ")).unwrap_or_default().to_owned();
    Some(Asked { line: lines.remove(0), token, body: serde_json::from_slice(&body).unwrap_or_default() })
}
