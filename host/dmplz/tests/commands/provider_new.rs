//! `dmplz provider new`: the folder that it writes builds against the packaged SDK, without a network, passes its tests and
//! `provider test`, and its component asks by a card in a real hook. `languages` shows the same of Python and JavaScript.

mod languages;
mod server;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::command::Home;
use crate::provider_dev::Watching;
use crate::registry::Registry;
use server::Server;

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
    // Packing sets every file to one date, by which Cargo would take the SDK for the one that the kept directory was built with.
    runs(Command::new("tar").arg("xzmf").arg(&packed).arg("-C").arg(&target));
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

    std::fs::copy(target.join("wasm32-wasip2/release/my_chat.wasm"), home.path().join("work/my_chat.wasm")).unwrap();
    keeps_its_promises(&home);
    let registry = Registry::start();
    registry.put("ann/my-chat", "0.1.0", &std::fs::read(home.path().join("work/my_chat.wasm")).unwrap(), &json!({}));
    answers_a_card(home, &registry.reference("ann/my-chat:0.1.0"));
}

/// Checks that `work/my_chat.wasm` keeps every promise that can be asked.
fn keeps_its_promises(home: &Home) {
    let left = home.run(&["provider", "test", "./my_chat.wasm", "--wire", "my-chat/wire.json", "--json"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let report = left.json();
    let rows = report["promises"].as_array().unwrap();
    assert!(rows.len() == 20 && rows.iter().all(|row| row["state"] == "kept"), "{report:#}");
}

/// Tries `work/my_chat.wasm`, installs it from a registry, and lets a real hook ask with it, at a server where a person approves.
fn answers_a_card(home: Home, reference: &str) {
    for folder in [home.path().to_owned(), home.path().join("work")] {
        std::fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    }
    let (developed, tried, asked) = (Server::start(), Server::start(), Server::start());
    let home = home
        .with("DMPLZ_MY_CHAT_TOKEN", "token-0123456789")
        .with("DMPLZ_MY_CHAT_ROOM", "r1")
        .with("DMPLZ_MY_CHAT_ALLOWED_USERS", "u1")
        .with("DMPLZ_MY_CHAT_SERVER", &developed.url);
    let watching = Watching::start(&home, "my-chat", &["--try", "--build", "true", "--component", "../my_chat.wasm"]);
    watching.shows("20 kept, 0 broken, 0 not asked");
    let posted = format!("my-chat  POST {}/rooms/r1/messages -> 200 (", developed.url);
    watching.shows_all(&[&posted, "The card was answered."]);
    drop(watching);
    let home = home.with("DMPLZ_MY_CHAT_SERVER", &tried.url);
    let component = home.path().join("work/my_chat.wasm");
    let left = home.run(&["provider", "try", component.to_str().unwrap(), "--wait", "60", "--json"]);
    assert_eq!(left.code, Some(0), "{left:?}: {:?}", tried.asked());
    assert_eq!(left.json()["pressed"], "allow");
    was_asked(&tried);

    let left = home.run(&["provider", "add", reference, "--yes"]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let home = home.with("DMPLZ_PROVIDER", "my-chat").with("DMPLZ_MY_CHAT_SERVER", &asked.url);
    let request = home.put("request.json", &request().to_string());
    let left = home.run_with(&["hook"], std::fs::File::open(request).unwrap().into());
    assert_eq!(left.code, Some(0), "{left:?}: {:?}", asked.asked());
    assert_eq!(left.json()["hookSpecificOutput"]["decision"]["behavior"], "allow", "{left:?}");
    was_asked(&asked);
}

/// Checks what the server was asked: each time with the token, and at last for a card without buttons.
fn was_asked(server: &Server) {
    let asked = server.asked();
    assert!(asked.iter().all(|asked| asked.header("authorization") == "Bearer token-0123456789"), "{asked:?}");
    let last = asked.iter().rev().find(|asked| asked.method == "PUT" && asked.target == "/messages/m1").unwrap();
    assert_eq!(server::body(last)["buttons"], json!([]), "the card's end has no buttons");
}

fn request() -> Value {
    json!({
        "session_id": "s-1", "transcript_path": "/t", "cwd": "/home/ann/shop", "hook_event_name": "PermissionRequest",
        "permission_mode": "default", "tool_name": "Bash", "tool_input": { "command": "make deploy" },
    })
}

#[test]
fn trying_says_what_is_missing_and_what_went_wrong() {
    let home = Home::new();
    for (arguments, why) in [
        (&["provider", "try", "telegram"][..], "the chat to ask in is not known: set DMPLZ_TELEGRAM_CHAT_ID"),
        (&["provider", "try", "./none.wasm"], "./none.wasm cannot be tried"),
        (&["provider", "try", "carrier-pigeon"], "carrier-pigeon is neither a bundled messenger, nor an installed"),
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
    Where no registry has dmplz-provider-sdk 0.10, name providers/sdk of dmplz's repository with --sdk.
    ");
    let cargo = std::fs::read_to_string(home.path().join("work/acme-chat/Cargo.toml")).unwrap();
    assert!(cargo.contains("name = \"acme-chat\"") && cargo.contains("dmplz-provider-sdk = \"0.10\"\n"), "{cargo}");
    let sdk = std::fs::read_to_string(workspace().join("providers/sdk/Cargo.toml")).unwrap();
    assert!(sdk.contains("version = \"0.10."), "the template depends on another SDK");
    for (arguments, why) in [
        (&["provider", "new", "acme-chat"][..], "the folder acme-chat cannot be made"),
        (&["provider", "new", "../x"], "../x cannot be the name of a provider"),
        (&["provider", "new", "telegram"], "a messenger that comes with dmplz has it"),
        (&["provider", "new", "other", "--sdk", "/none"], "/none cannot be used as the SDK"),
        (
            &["provider", "new", "other", "--lang", "python", "--sdk", "/none"],
            "--sdk is for Rust: other languages need no SDK",
        ),
    ] {
        let left = home.run(arguments);
        assert!(left.code == Some(1) && left.stderr.contains(why), "{why}: {left:?}");
    }
    assert!(!home.path().join("work/other").exists());
}
