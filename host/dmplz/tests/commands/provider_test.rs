//! `dmplz provider test`: what it says of the messengers that come with dmplz, and of components that misbehave.

use std::fs;
use std::path::{Path, PathBuf};

use dmplz_guests::HOSTILE;
use serde_json::{Value, json};

use crate::command::{Home, Left};

/// Returns the path of a file in the workspace.
fn workspace(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)
}

/// Returns the result for a promise, of one transport or of the component.
fn row<'a>(report: &'a Value, promise: &str) -> &'a Value {
    let rows = report["promises"].as_array().unwrap();
    rows.iter().find(|row| row["promise"] == promise).unwrap_or_else(|| panic!("no {promise}: {report:#}"))
}

/// Returns the promises in a state, each once.
fn all(report: &Value, state: &str) -> Vec<String> {
    let rows = report["promises"].as_array().unwrap().iter().filter(|row| row["state"] == state);
    let mut names: Vec<String> = rows.map(|row| row["promise"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names.dedup();
    names
}

/// Returns a home in which the hostile component is installed, so that it is compiled only once.
fn with_hostile() -> Home {
    let home = Home::new();
    fs::write(home.path().join("work/x.wasm"), HOSTILE).unwrap();
    let added = home.run(&["provider", "add", "./x.wasm", "--yes"]);
    assert_eq!(added.code, Some(0), "{added:?}");
    home
}

fn tested(home: &Home, settings: &[&str]) -> Left {
    let set = settings.iter().flat_map(|setting| ["--set", setting]);
    home.run(
        &["provider", "test", "hostile", "--json", "--transport", "hostile"].into_iter().chain(set).collect::<Vec<_>>(),
    )
}

#[test]
fn the_messengers_that_come_with_dmplz_keep_every_promise() {
    let home = Home::new();
    for messenger in dmplz_bundled::MESSENGERS {
        let wire = workspace(&format!("providers/{}/wire.json", messenger.name));
        let left = home.run(&["provider", "test", messenger.name, "--json", "--wire", wire.to_str().unwrap()]);
        assert_eq!(left.code, Some(0), "{}: {left:?}", messenger.name);
        let report = left.json();
        assert_eq!(report["name"], messenger.name);
        // Over a WebSocket nobody can press here, so a recording of such a transport has no press.
        let recording: serde_json::Value = serde_json::from_str(&fs::read_to_string(&wire).unwrap()).unwrap();
        let kept = if recording["press"].is_null() { 18 } else { 20 };
        assert!(all(&report, "kept").len() == kept && all(&report, "broken").is_empty(), "{report:#}");
    }
}

#[test]
fn what_only_the_messenger_can_show_is_not_asked_without_a_recording() {
    let home = Home::new();
    let left = home.run(&["provider", "test", "discord", "--json", "--transport", "gateway"]);
    let report = left.json();
    assert_eq!((left.code, row(&report, "posted")["why"].as_str()), (Some(0), Some("no_recording")));
    assert_eq!(row(&report, "frames")["why"], "no_server");
    let left = home.run(&["provider", "test", "discord", "--transport", "gateway"]);
    let not_asked: Vec<&str> = left.stdout.lines().filter(|line| line.starts_with("  - ")).collect();
    insta::assert_snapshot!(not_asked.join("\n"), @"
    - posted, pressed, acknowledged, ended, exchange: not asked: no exchange was given (--wire)
    - frames: not asked: its WebSockets reach no server here
    ");
}

#[test]
fn a_recorded_exchange_shows_a_card_posted_answered_and_ended() {
    let home = Home::new();
    let wire = workspace("providers/telegram/wire.json");
    let left = home.run(&["provider", "test", "telegram", "--wire", wire.to_str().unwrap()]);
    assert_eq!(left.code, Some(0), "{left:?}");
    let shown = left.stdout.split_once('\n').unwrap().1;
    insta::assert_snapshot!(shown, @"
      ✓ component     is a component of the contract
      ✓ manifest      has a manifest that can be used
      ✓ same          says the same of itself in every instance, at any time
      ✓ settings      takes its settings, and names the one that it cannot use
      ✓ offline       describe and connect ask no server
    updates
      ✓ returns       every export returns in time, whatever the server does
      ✓ sound         no export traps, oversteps a limit or breaks the contract
      ✓ honest        says that a card was posted or changed only where the server took it
      ✓ again         says that another try can help, where the server is away or busy
      ✓ nothing       reports nothing that no server told
      ✓ origins       asks only the servers that its manifest names
      ✓ secrets       puts secrets only where its manifest says
      ✓ requests      makes requests that the host can send
      ✓ quiet         writes at most 64 lines to the log in one export
      ✓ cards         takes every kind of card, or says too-large before it asks the server
      ✓ posted        recording: a card is posted
      ✓ pressed       recording: the press is reported
      ✓ acknowledged  recording: who pressed is told
      ✓ ended         recording: the card's end is shown
      ✓ exchange      recording: it asks what was recorded, and nothing else
    20 kept, 0 broken, 0 not asked
    ");
}

#[test]
fn what_a_recording_does_not_have_is_told() {
    let home = Home::new();
    let wire = fs::read_to_string(workspace("providers/telegram/wire.json")).unwrap();
    for (old, new, promise, told) in [
        (
            "RecordedCard01:deny",
            "RecordedCard01:approve",
            "pressed",
            "receive: it brought a press of approve by 7 on the message 41, then: ",
        ),
        (
            "/sendMessage",
            "/sendPhoto",
            "exchange",
            "it never asks: POST https://api.telegram.org/bot{secret:bot-token}/sendPhoto",
        ),
        ("\"message_id\": 41 }", "\"message_id\": 42 }", "ended", "revise: the messenger cannot be reached"),
    ] {
        home.put("wire.json", &wire.replace(old, new));
        let left = home.run(&["provider", "test", "telegram", "--json", "--wire", "wire.json"]);
        assert_eq!(left.code, Some(4), "{left:?}");
        let row = row(&left.json(), promise).clone();
        assert!(row["state"] == "broken" && row["detail"].to_string().contains(told), "{told}: {row:#}");
    }
    for (bad, why) in [
        ("{\"chat\": 7}", ""),
        ("[]", "it is no JSON object"),
        ("{\"chat\": {\"room\": \"r\"}, \"exchanges\": [7]}", "expected an object"),
    ] {
        home.put("wire.json", bad);
        let left = home.run(&["provider", "test", "telegram", "--wire", "wire.json"]);
        assert!(left.code == Some(1) && left.stderr.contains("wire.json is no recorded exchange: "), "{left:?}");
        assert!(left.stderr.contains(why) && !left.stderr.contains("struct "), "{left:?}");
    }
}

/// Covers the eleven kinds of misbehaviour that the sandbox stops, and those that the host only notices.
#[test]
fn each_component_that_misbehaves_is_caught_in_words() {
    let home = with_hostile();
    let overstays = "it did not return in time";
    let cases: [(&[&str], &str, &str); 17] = [
        (&["mode=trap", "at=post"], "sound", "post, where the server cannot be reached: hostile: it trapped"),
        (&["mode=trap", "at=post"], "sound", "(it said: post: trapped in post"),
        (&["mode=spin", "at=revise"], "", "it computed for too long|it did not return in time"),
        (&["mode=grow", "at=post"], "sound", "it wanted more than 64 MiB of memory"),
        (&["mode=recurse", "at=receive"], "sound", "call stack exhausted"),
        (&["mode=log", "at=acknowledge"], "quiet", "it wrote more than 64 lines"),
        (&["mode=giant-text", "at=post"], "sound", "it passed more than 32 MiB in one call"),
        (&["mode=giant-list", "at=receive"], "sound", "it passed more than 32 MiB in one call"),
        (&["mode=long-list", "at=receive"], "sound", "it brought more than 1,000 events at once"),
        (&["mode=nap", "at=diagnose"], "returns", overstays),
        (&["mode=doze", "at=open"], "returns", overstays),
        (&["mode=poll", "at=introduce"], "returns", overstays),
        (
            &["mode=fail", "at=post", "text=no idea"],
            "again",
            "post, where the server cannot be reached: the provider failed: no idea",
        ),
        (&["mode=trap", "at=connect"], "sound", "connect: it trapped"),
        (&["mode=press", "text=approve"], "nothing", "it reports 1 of what people did"),
        (&["mode=fetch", "at=post", "url=https://evil.example/"], "origins", "https://evil.example is not granted"),
        (
            &["mode=fetch", "at=open", "url=https://granted.example/", "headers=authorization: Bot {secret:token}"],
            "secrets",
            "the secret token does not belong to https://granted.example",
        ),
    ];
    let home = &home;
    std::thread::scope(|scope| {
        for chunk in cases.chunks(6) {
            let runs: Vec<_> = chunk.iter().map(|case| scope.spawn(move || (case, tested(home, case.0)))).collect();
            for run in runs {
                let ((settings, promise, told), left) = run.join().unwrap();
                assert_eq!(left.code, Some(4), "{settings:?}: {left:?}");
                let report = left.json();
                let rows = report["promises"].as_array().unwrap().iter();
                let broken =
                    rows.filter(|row| row["state"] == "broken" && (promise.is_empty() || row["promise"] == *promise));
                let details: String = broken.map(|row| row["detail"].to_string()).collect();
                assert!(told.split('|').any(|told| details.contains(told)), "{settings:?}: {report:#}");
            }
        }
    });
}

#[test]
fn a_component_that_posts_nothing_and_says_that_it_did_is_caught() {
    let home = with_hostile();
    let left = tested(&home, &[]);
    let report = left.json();
    assert_eq!((left.code, all(&report, "broken")), (Some(4), vec!["honest".to_owned()]), "{report:#}");
    let detail = row(&report, "honest")["detail"][0].as_str().unwrap();
    assert_eq!(detail, "post, where the server cannot be reached: it says that it is done");
}

#[test]
fn what_is_no_provider_or_says_what_it_may_not_is_a_broken_promise() {
    let home = Home::new();
    let file = home.path().join("work/x.wasm");
    fs::write(&file, "#!/bin/sh").unwrap();
    let left = home.run(&["provider", "test", "./x.wasm", "--json"]);
    assert_eq!(left.code, Some(4));
    assert_eq!(row(&left.json(), "component")["detail"], json!(["it is no WebAssembly component"]));
    let mut wasm = HOSTILE.to_vec();
    let places: Vec<usize> = (0..wasm.len() - 7).filter(|at| wasm[*at..].starts_with(b"hostile")).collect();
    places.into_iter().for_each(|at| wasm[at] = b'H');
    fs::write(&file, &wasm).unwrap();
    let left = home.run(&["provider", "test", "./x.wasm", "--json"]);
    assert_eq!(left.code, Some(4), "{left:?}");
    assert_eq!(
        row(&left.json(), "manifest")["detail"],
        json!(["the name \"Hostile\" must be of [a-z0-9-], at most 32"])
    );
}

#[test]
fn what_cannot_be_tested_is_said_in_one_line() {
    let home = with_hostile();
    for (arguments, why) in [
        (&["provider", "test", "carrier-pigeon"][..], "is neither a bundled messenger"),
        (&["provider", "test", "./none.wasm"], "./none.wasm cannot be tested"),
        (&["provider", "test", "hostile", "--set", "none=1"], "its manifest has no setting none"),
        (&["provider", "test", "hostile", "--transport", "none"], "its manifest has no transport none"),
        (&["provider", "test", "hostile", "--wire", "none.json"], "none.json cannot be read"),
    ] {
        let left = home.run(arguments);
        assert!(left.code == Some(1) && left.stderr.contains(why) && left.stderr.lines().count() == 1, "{left:?}");
    }
}
