//! Tests of installed providers.

use std::fs;

use dmplz_e2e::{Home, stdin};
use dmplz_guests::HOSTILE;
use serde_json::json;

use crate::bare_home;

tests! {
    once:
        installed_provider_brings_the_answer,
        provider_by_path_serves_the_gateway,
        installed_provider_runs_only_as_it_was_pinned;
}

/// Returns a home in which the component is installed under its name. It reports that a user pressed `choice`.
fn home_pressing(choice: &str) -> Home {
    let mut home = bare_home();
    let file = home.path().join("x.wasm");
    fs::write(&file, HOSTILE).unwrap();
    let added = home.run(&["provider", "add", file.to_str().unwrap(), "--yes"]);
    assert!(added.status.success(), "{added:?}");
    fs::remove_file(&file).unwrap();
    home.set("DMPLZ_PROVIDER", "hostile").set("DMPLZ_HOSTILE_CHAT_ID", "room").set("DMPLZ_ALLOWED_USERS", "u");
    home.set("DMPLZ_HOSTILE_TOKEN", "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw");
    home.set("DMPLZ_HOSTILE_SPARE", "xoxb-5512345678-abcdefghijklmnop");
    home.set("DMPLZ_HOSTILE_MODE", "press").set("DMPLZ_HOSTILE_TEXT", choice);
    home
}

fn installed_provider_brings_the_answer() {
    let mut home = home_pressing("approve");
    home.hook(&stdin::push()).ended().decides(json!({ "behavior": "allow" }));
    home.set("DMPLZ_ALLOWED_USERS", "somebody-else").set("DMPLZ_HOOK_TIMEOUT_MS", "5000");
    home.set("DMPLZ_REJECT_REASON_TIMEOUT_MS", "1000");
    home.hook(&stdin::push()).ended().decides_nothing();
    home.never_keeps("AAHdqTcv");
}

fn provider_by_path_serves_the_gateway() {
    let mut home = home_pressing("approve");
    assert!(home.run(&["provider", "remove", "hostile"]).status.success());
    let file = home.path().join("v2.wasm");
    fs::write(&file, HOSTILE).unwrap();
    home.set("DMPLZ_PROVIDER", file);
    let gateway = home.serve();
    home.hook(&stdin::push()).ended().decides(json!({ "behavior": "allow" }));
    drop(gateway);
}

fn installed_provider_runs_only_as_it_was_pinned() {
    let home = home_pressing("approve");
    for folder in ["providers", "cache"] {
        for file in fs::read_dir(home.state().join(folder)).unwrap() {
            let path = file.unwrap().path();
            let spoilt = [fs::read(&path).unwrap(), b"\0\x02\0x".to_vec()].concat();
            fs::write(path, spoilt).unwrap();
        }
    }
    let ended = home.hook(&stdin::push()).ended();
    ended.decides_nothing();
    assert!(ended.stderr.contains("it is not the component that was installed"), "{ended:?}");
}
