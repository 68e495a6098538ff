//! Tests of hostile providers. Whatever the provider does, the hook ends in time, without a decision, and states the
//! reason in one line. The provider cannot allow anything, and cannot keep the hook from ending.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use dmplz_e2e::{Home, stdin};
use dmplz_guests::HOSTILE;

use crate::bare_home;

tests! {
    once:
        component_that_traps_is_no_decision,
        component_that_never_returns_is_no_decision,
        component_that_takes_too_much_is_no_decision,
        component_that_forgets_to_wait_is_no_decision,
        component_that_answers_nonsense_is_no_decision,
        component_that_others_may_replace_is_not_run;
}

const TOKEN: &str = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
const PATIENCE: Duration = Duration::from_secs(5);

/// Returns a home whose messenger is the hostile component. It is compiled already, because a debug build needs more
/// time for that than a request has.
fn hostile_home() -> Home {
    let mut home = bare_home();
    let file = home.path().join("hostile.wasm");
    fs::write(&file, HOSTILE).unwrap();
    home.set("DMPLZ_PROVIDER", file).set("DMPLZ_HOSTILE_CHAT_ID", "room").set("DMPLZ_ALLOWED_USERS", "*");
    home.set("DMPLZ_HOSTILE_TOKEN", TOKEN).set("DMPLZ_HOSTILE_SPARE", "xoxb-5512345678-abcdefghijklmnop");
    home.set("DMPLZ_HOOK_TIMEOUT_MS", PATIENCE.as_millis().to_string()).set("DMPLZ_REJECT_REASON_TIMEOUT_MS", "1000");
    home.set("DMPLZ_HOSTILE_MODE", "trap").set("DMPLZ_HOSTILE_AT", "connect");
    home.hook(&stdin::push()).ended().decides_nothing();
    home
}

/// Asks for a permission through it once for each deed (mode, export, what is said of it), in one home.
fn is_no_decision(deeds: &[(&str, &str, &str)]) {
    let mut home = hostile_home();
    for (mode, at, why) in deeds {
        home.set("DMPLZ_HOSTILE_MODE", *mode).set("DMPLZ_HOSTILE_AT", *at);
        let begun = Instant::now();
        let ended = home.hook(&stdin::push()).ended();
        ended.decides_nothing();
        assert!(ended.stderr.contains(why), "{mode} at {at}: {ended:?}");
        assert!(begun.elapsed() < PATIENCE * 3, "{mode} at {at}: {:?}", begun.elapsed());
        assert!(!ended.stderr.contains("AAHdqTcv"), "{ended:?}");
        assert_eq!(home.places(), 0, "{mode} at {at}");
    }
    home.never_keeps("AAHdqTcv");
}

fn component_that_traps_is_no_decision() {
    let why = "it trapped: wasm trap: wasm `unreachable` instruction executed";
    is_no_decision(
        &["connect", "open", "post", "receive", "revise"].map(|at| ("trap", at, if at == "revise" { "" } else { why })),
    );
}

fn component_that_never_returns_is_no_decision() {
    is_no_decision(&[
        ("spin", "open", "the chat on hostile cannot be opened: "),
        ("nap", "post", "nobody could be asked on hostile: "),
        ("doze", "receive", ""),
        ("poll", "revise", ""),
    ]);
}

fn component_that_takes_too_much_is_no_decision() {
    is_no_decision(&[
        ("grow", "post", "it wanted more than 64 MiB of memory"),
        ("recurse", "receive", "it trapped: wasm trap: call stack exhausted"),
        ("log", "post", "(further lines of this call were dropped)"),
        ("giant-text", "post", "it passed more than 32 MiB in one call"),
    ]);
}

/// The component always answers `receive` at once with nothing.
fn component_that_forgets_to_wait_is_no_decision() {
    is_no_decision(&[("", "", "")]);
}

fn component_that_answers_nonsense_is_no_decision() {
    is_no_decision(&[
        ("giant-list", "receive", "it passed more than 32 MiB in one call"),
        ("long-list", "receive", "it broke the contract: it brought more than 1,000 events at once"),
        ("fail", "post", "nobody could be asked on hostile: "),
        ("fail", "receive", "nobody could be asked on hostile: "),
    ]);
}

fn component_that_others_may_replace_is_not_run() {
    let home = hostile_home();
    let file = home.path().join("hostile.wasm");
    for (place, mode, why) in
        [(file.as_path(), 0o666, "others may write to it"), (home.path(), 0o777, "others may write to /")]
    {
        let was = fs::metadata(place).unwrap().permissions();
        fs::set_permissions(place, Permissions::from_mode(mode)).unwrap();
        let ended = home.hook(&stdin::push()).ended();
        ended.decides_nothing();
        assert!(ended.stderr.contains(why), "{ended:?}");
        fs::set_permissions(place, was).unwrap();
    }
}
