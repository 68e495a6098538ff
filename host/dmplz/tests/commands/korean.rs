//! Errors in Korean: the sentence and the hint are in one language.

use crate::command::Home;

#[test]
fn an_error_and_its_hint_are_in_one_language() {
    let home = Home::new().with("DMPLZ_LANG", "ko");
    for (arguments, says) in [
        (&["run"][..], "할 일이 없습니다. 터미널이 아니고, `--` 뒤에 지시도 없습니다"),
        (
            &["approvals", "watch"],
            "물을 수 없습니다. 터미널이 아닙니다. 프로그램은 `dmplz approvals watch --json`을 씁니다",
        ),
        (&["grants", "revoke", "1f3a"], "취소할 것이 없습니다. 허용해 둔 것이 없습니다"),
        (
            &["provider", "inspect", "nope"],
            "들어 있는 메신저도, 설치한 프로바이더도, .wasm 파일도 아닙니다: nope (dmplz provider list)",
        ),
        (
            &["provider", "inspect", "./no.wasm"],
            "프로바이더로 쓸 수 없습니다: ./no.wasm: 컴포넌트를 읽을 수 없습니다: No such file or directory (os error 2)",
        ),
        (
            &["provider", "add", "./no.wasm"],
            "--yes 없이는 설치할 수 없습니다: ./no.wasm: 동의를 물을 수 없습니다. 터미널이 아닙니다",
        ),
        (&["provider", "remove", "nope"], "설치되어 있지 않습니다: nope (dmplz provider list)"),
        (
            &["policy", "lint", "--policy", "/no"],
            "규칙 파일을 읽을 수 없습니다: /no: No such file or directory (os error 2)",
        ),
        (
            &["policy", "trust"],
            "폴더에 .dmplz/policy.toml이 없습니다(`dmplz policy init --workspace`로 만들 수 있습니다): No such file or directory (os error 2)",
        ),
        (&["policy", "import", "--claude", "/no"], "찾을 수 없습니다: /no: No such file or directory (os error 2)"),
        (&["store", "backup", "x.db"], "아직 데이터베이스가 없어 백업할 것이 없습니다"),
        (&["store", "restore", "x.db"], "되돌릴 수 없습니다: x.db: 그런 파일이 없습니다"),
        (
            &["notify", "test", "phone"],
            "없는 채널입니다: \"phone\". config.toml에 [notify.channels]가 없습니다(시작하는 법: docs/NOTIFICATIONS.ko.md)",
        ),
    ] {
        let left = home.run(arguments);
        assert_eq!((left.code, left.stderr), (Some(1), format!("dmplz: {says}\n")), "{arguments:?}");
    }
    let home = home.with("DMPLZ_PROVIDER_INDEX", "/no");
    insta::assert_snapshot!(home.run(&["provider", "search"]).stderr, @"dmplz: 프로바이더 색인을 쓸 수 없습니다: /no (DMPLZ_PROVIDER_INDEX): DMPLZ_PROVIDER_INDEX_KEY에 minisign 키가 없습니다");
    home.keep("state.db", &"this is no database".repeat(300));
    insta::assert_snapshot!(home.run(&["audit", "show"]).stderr, @"
    dmplz: 감사 기록을 읽을 수 없습니다: 데이터베이스가 손상되어 읽을 수 없습니다: file is not a database: Error code 26: file is not a database
    힌트: `dmplz store check`가 자세히 알려 줍니다. 백업이 있으면 `dmplz store restore`로 되돌려 주세요.
    ");
    let home = home.with("DMPLZ_HOOK_TIMEOUT_MS", "5x");
    insta::assert_snapshot!(home.run(&["status"]).stderr, @r#"
    dmplz: DMPLZ_HOOK_TIMEOUT_MS에 쓸 수 없는 값입니다: "5x". 쓸 수 있는 값: 5s부터 24h까지의 기간(예: 90s, 5m, 1h30m). 숫자만 쓰면 밀리초 단위
    힌트: 환경 변수나 config.toml에서 고쳐 주세요.
    "#);
}

#[test]
fn a_command_line_that_is_not_understood_is_told_in_korean() {
    let home = Home::new().with("DMPLZ_LANG", "ko");
    for (arguments, what) in [
        (&["status", "--bogus"][..], "받지 않는 옵션이나 인자입니다: --bogus"),
        (
            &["logs", "--level", "loud"],
            "쓸 수 없는 값입니다: loud (--level <LEVEL>). 쓸 수 있는 값: error, warn, info, debug",
        ),
        (&["serve", "--port", "99999"], "쓸 수 없는 값입니다: 99999 (--port <PORT>). 범위: 0..=65535"),
        (&["serve", "--port", "x"], "쓸 수 없는 값입니다: x (--port <PORT>). 정수를 적어 주세요"),
        (
            &["stats", "--since", "soon"],
            "쓸 수 없는 값입니다: soon (--since <TIME>). 7d, 12h, 2026-11-01, 2026-11-01T09:00:00Z처럼 적어 주세요",
        ),
        (&["notify", "send", "x"], "빠진 것이 있습니다: <TEXT>"),
    ] {
        let left = home.run(arguments);
        assert_eq!((left.code, left.stdout.as_str()), (Some(2), ""), "{left:?}");
        assert!(left.stderr.starts_with(&format!("dmplz: {what}\n힌트: ")), "{left:?}");
        assert!(left.stderr.ends_with(" --help`가 자세히 알려 줍니다.\n"), "{left:?}");
    }
    insta::assert_snapshot!(home.run(&["hooks", "lis"]).stderr, @"
    dmplz: 없는 명령입니다: lis
    힌트: 혹시 이것인가요? dmplz hooks list. 쓰는 법: dmplz hooks <COMMAND>. `dmplz hooks --help`가 자세히 알려 줍니다.
    ");
    assert_eq!(home.run(&["hooks", "lis", "--json"]).json()["error"]["what"], "없는 명령입니다: lis");
    assert!(home.run(&["policy"]).stderr.contains("Usage: dmplz policy"), "the help stays in both languages");
}

#[test]
fn the_doctor_says_what_is_wrong_in_korean_too() {
    let home = Home::new().with("DMPLZ_LANG", "ko").with("DMPLZ_CA_FILE", "/");
    let found = home.run(&["doctor"]).stdout;
    assert!(found.contains("DMPLZ_CA_FILE을 읽을 수 없습니다: /: 디렉터리입니다\n"), "{found}");
    let found = home.with("DMPLZ_STATE_DIR", "/proc/dmplz").run(&["doctor"]).stdout;
    assert!(found.contains("상태 디렉터리를 쓸 수 없습니다: /proc/dmplz: "), "{found}");
}

#[test]
fn the_language_of_the_settings_file_counts_for_errors_too() {
    let home = Home::new().with("DMPLZ_LANG", "").with("LANG", "en_US.UTF-8");
    home.keep("config.toml", "lang = \"ko\"\n");
    assert!(home.run(&["approvals", "list"]).stderr.starts_with("dmplz: 실행 중인 게이트웨이가 없습니다: "));
}

/// Returns what a hook tells the person at the terminal, where it can ask nobody.
fn told_by_a_hook(home: &Home) -> String {
    let event = serde_json::json!({
        "session_id": "s1", "transcript_path": "/t", "cwd": "/", "hook_event_name": "PermissionRequest",
        "permission_mode": "default", "tool_name": "Bash", "tool_input": { "command": "git push" },
    });
    let event = home.put("event.json", &event.to_string());
    let left = home.run_with(&["hook"], std::fs::File::open(event).unwrap().into());
    left.json()["systemMessage"].as_str().unwrap().to_owned()
}

#[test]
fn a_person_reads_in_korean_why_nobody_could_be_asked() {
    let told = told_by_a_hook(&Home::new().with("DMPLZ_LANG", "ko"));
    assert!(told.starts_with("dmplz: 아무에게도 물을 수 없었습니다(설정된 메신저가 없습니다. "), "{told}");
    assert!(told.ends_with("). 여기서 답해 주세요.") && !told.contains("messenger is"), "{told}");
}

#[test]
fn the_language_of_a_file_counts_also_where_another_setting_of_it_is_wrong() {
    let home = Home::new().with("DMPLZ_LANG", "").with("LANG", "en_US.UTF-8");
    home.keep("config.toml", "lang = \"ko\"\ncolour = \"red\"\n");
    let told = told_by_a_hook(&home);
    assert!(
        told.starts_with("dmplz: 아무에게도 물을 수 없었습니다(설정 파일에 없는 설정이 있습니다: \"colour\" "),
        "{told}"
    );
}
