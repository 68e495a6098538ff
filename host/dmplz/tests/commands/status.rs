use std::process::Stdio;

use dmplz_fakes::telegram::{FakeTelegram, User};
use serde_json::{Value, json};

use crate::command::Home;
use crate::gateway::Gateway;

fn on_telegram(fake: &FakeTelegram) -> Home {
    Home::on_telegram(fake, fake.private_chat(&User::person(7, "Jin")))
}

#[test]
fn a_home_without_anything_is_not_set_up() {
    let home = Home::new();
    assert_eq!(home.run(&["status", "--line"]).stdout, "dmplz: not set up\n");
    let status = home.run(&["status", "--json"]).json();
    assert_eq!((&status["messenger"], &status["waiting"]), (&Value::Null, &0.into()), "{status}");
    assert!(status["missing"].as_str().unwrap().contains("no messenger is set up"), "{status}");
    assert_eq!(Home::new().with("DMPLZ_LANG", "ko").run(&["status", "--line"]).stdout, "dmplz: 설정되지 않음\n");
}

#[test]
fn korean_readers_are_told_in_korean_what_is_missing() {
    let home = Home::new().with("DMPLZ_LANG", "ko");
    let status = home.run(&["status"]).stdout;
    assert!(status.contains("- (설정된 메신저가 없습니다. `dmplz setup`을 실행하거나 "), "{status}");
    let programs = home.run(&["status", "--json"]).json();
    assert!(programs["missing"].as_str().unwrap().contains("no messenger is set up"), "{programs}");
    let listed = home.run(&["approvals", "list"]);
    assert_eq!(listed.code, Some(5), "{listed:?}");
    assert!(listed.stderr.starts_with("dmplz: 실행 중인 게이트웨이가 없습니다: "), "{listed:?}");
}

#[test]
fn what_waits_and_what_failed_last_are_told() {
    let fake = FakeTelegram::spawn_thread();
    let home = on_telegram(&fake);
    let stdin = || {
        Stdio::from(
            std::fs::File::open(home.put("request.json", include_str!("../../src/setup/request.json"))).unwrap(),
        )
    };
    let wrong = home.command(&["hook"]).env("DMPLZ_TELEGRAM_BOT_TOKEN", "110201543:another").stdin(stdin()).output();
    assert!(wrong.unwrap().status.success());
    let mut hook = home.command(&["hook"]).stdin(stdin()).stdout(Stdio::null()).spawn().unwrap();
    let wait = std::time::Duration::from_secs(40);
    fake.await_message_blocking(wait, |message| message.button("✅ Approve").is_some()).unwrap();
    let line = home.run(&["status", "--line"]).stdout;
    assert!(line.starts_with("dmplz Telegram · 1 waiting · failed at ") && line.len() == 47, "{line:?}");
    let status = home.run(&["status", "--json"]).json();
    assert_eq!((&status["messenger"], &status["waiting"]), (&"telegram".into(), &1.into()), "{status}");
    assert_eq!((&status["gateway"], &status["grants"]), (&Value::Null, &0.into()), "{status}");
    assert_eq!(status["last_failure"]["tool"], "Bash", "{status}");
    let text = home.run(&["status"]).stdout;
    assert!(text.contains("messenger   Telegram\n") && text.contains("last failure "), "{text}");
    hook.kill().unwrap();
    hook.wait().unwrap();
    assert!(home.run(&["status", "--line"]).stdout.starts_with("dmplz Telegram · failed at "), "nothing waits");
}

#[test]
fn the_gateway_tells_what_waits_where_it_runs() {
    let home = Home::new();
    let gateway = Gateway::start(&home);
    let mut surface = gateway.line();
    surface.call("events.subscribe", &json!({ "types": ["approval.requested"] }));
    let _waits = gateway.asking("11111111-1111-4111-8111-111111111111", "ls");
    let status = home.run(&["status", "--json"]).json();
    assert_eq!((&status["waiting"], status["gateway"].is_u64()), (&1.into(), true), "{status}");
    assert_eq!(home.run(&["status", "--line"]).stdout, "dmplz gateway · 1 waiting\n");
}
