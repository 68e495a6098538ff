//! What programs get of a command that failed.

use serde_json::{Value, json};

use crate::command::Home;

const ID: &str = "3f0c1a52-6f3b-4c1e-9b1d-0a1b2c3d4e5f";

#[test]
fn with_json_a_failure_is_an_object_with_the_words_and_the_exit_code_of_the_command() {
    let home = Home::new();
    for (arguments, code, exit) in [
        (&["approvals", "list"][..], "no_gateway", 5),
        (&["approvals", "show", ID], "no_gateway", 5),
        (&["approvals", "approve", ""], "bad_id", 2),
        (&["pair"], "no_gateway", 5),
        (&["pair", "list"], "no_gateway", 5),
        (&["sessions", "list"], "no_gateway", 5),
        (&["people", "list"], "settings", 3),
        (&["provider", "search"], "settings", 3),
        (&["provider", "inspect", "nope"], "failed", 1),
        (&["policy", "check", "--policy", "/nonexistent", "ls"], "failed", 3),
        (&["policy", "lint", "--policy", "/nonexistent"], "failed", 1),
        (&["store", "backup", "copy.db"], "failed", 1),
        (&["store", "restore", "copy.db"], "failed", 1),
        (&["notify", "test", "phone"], "failed", 1),
    ] {
        let left = home.run(&[arguments, &["--json"]].concat());
        let failed = left.json();
        assert_eq!((left.code, &failed["ok"]), (Some(exit), &json!(false)), "{arguments:?}: {left:?}");
        let error = &failed["error"];
        assert_eq!((&error["code"], &error["exit"]), (&json!(code), &json!(exit)), "{arguments:?}: {left:?}");
        let next = error["next"].as_str().map(|next| format!("hint: {next}\n")).unwrap_or_default();
        let said = format!("dmplz: {}\n{next}", error["what"].as_str().unwrap());
        assert_eq!(left.stderr, said, "{arguments:?}");
        assert_eq!(home.run(arguments).stdout, "", "{arguments:?}");
    }
    let left = Home::new().with("DMPLZ_PROVIDER", "carrier-pigeon").run(&["people", "list", "--json"]);
    assert_eq!((left.code, &left.json()["error"]["code"]), (Some(3), &json!("settings")), "{left:?}");
    let exec = home.run(&["exec", "--json", "--", "true"]);
    assert_eq!((exec.code, &exec.json()["error"]["exit"]), (Some(69), &json!(69)), "{exec:?}");
}

#[test]
fn with_json_certificates_that_cannot_be_read_are_a_wrong_setting() {
    let home = Home::new().with("DMPLZ_CA_FILE", "/nonexistent.pem");
    let left = home.run(&["provider", "inspect", "oci://localhost:9/ann/acme:1.0.0", "--json"]);
    let error = &left.json()["error"];
    assert_eq!((left.code, &error["code"]), (Some(3), &json!("settings")), "{left:?}");
    let next = "set DMPLZ_CA_FILE to the path of a file of certificates (PEM), or unset it";
    assert_eq!(error["next"], next, "{left:?}");
}

#[test]
fn with_json_a_command_line_that_is_not_understood_is_an_object_too() {
    let home = Home::new();
    for (arguments, exit, what) in [
        (&["status", "--json", "--bogus"][..], 2, "unexpected argument '--bogus' found"),
        (&["hooks", "lis", "--json"], 2, "unrecognized subcommand 'lis'"),
        (&["policy", "check", "--json"], 64, "the following required arguments were not provided: <COMMAND>"),
        (&["exec", "--json"], 64, "the following required arguments were not provided: <CMD>..."),
    ] {
        let left = home.run(arguments);
        let error = &left.json()["error"];
        assert_eq!(
            (left.code, &error["code"], &error["exit"]),
            (Some(exit), &json!("usage"), &json!(exit)),
            "{left:?}"
        );
        assert_eq!(error["what"], what, "{left:?}");
        assert!(error["next"].as_str().unwrap().ends_with("--help tells more"), "{left:?}");
        assert!(left.stderr.starts_with("error: "), "{left:?}");
    }
    for arguments in
        [&["serve", "--json", "--bogus"][..], &["exec", "--bogus", "--", "x", "--json"], &["status", "--bogus"]]
    {
        assert_eq!(home.run(arguments).stdout, "", "{arguments:?}");
    }
    assert_eq!(home.run(&["policy", "check", "--help", "--json"]).code, Some(0));
}

#[test]
fn a_damaged_store_is_told_once_to_programs() {
    let home = Home::new();
    home.keep("state.db", &"this is no database".repeat(300));
    let copy = home.put("copy.db", &"this is no database".repeat(300));
    for (arguments, key) in [(&["store", "check"][..], "ok"), (&["audit", "verify"], "verified")] {
        let left = home.run(&[arguments, &["--json"]].concat());
        assert_eq!((left.code, &left.json()[key]), (Some(4), &json!(false)), "{left:?}");
    }
    let left = home.run(&["store", "restore", copy.to_str().unwrap(), "--json"]);
    assert_eq!((left.code, &left.json()["error"]["code"]), (Some(4), &json!("damaged")), "{left:?}");
}

#[test]
fn what_streams_an_object_a_line_writes_no_other() {
    let home = Home::new().with("DMPLZ_HOOK_TIMEOUT_MS", "5 parsecs");
    for arguments in [&["serve", "--json"][..], &["notify", "list", "--json"]] {
        let left = home.run(arguments);
        let told = serde_json::from_str::<Value>(&left.stdout).is_ok();
        assert_eq!((left.code, told), (Some(3), arguments[0] != "serve"), "{left:?}");
    }
}
