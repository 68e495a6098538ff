use super::*;
use crate::claude::occurrence;

const AT: u64 = 1_800_000_000_000;

/// Returns the occurrence of a recorded event of the client.
fn recorded(name: &str) -> Occurrence {
    let path = format!("{}/../../tests/e2e/stdin/{name}.json", env!("CARGO_MANIFEST_DIR"));
    occurrence(&std::fs::read(path).unwrap(), "id".into(), AT).unwrap().unwrap()
}

fn shown(occurrence: &Occurrence, count: u32, detail: Detail, lang: Lang) -> String {
    let Notice { title, body } = Notice::of(occurrence, count, detail, lang, AT + 1_000);
    format!("{title}\n{body}")
}

#[test]
fn every_event_of_the_client_is_shown_at_every_level() {
    let mut all = String::new();
    for name in [
        "Notification-permission_prompt",
        "Notification-idle_prompt",
        "Notification-elicitation_dialog",
        "Stop",
        "StopFailure",
        "SubagentStop",
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "PostToolUse-Bash",
        "PostToolUseFailure-Bash",
        "PermissionDenied-Bash",
    ] {
        for detail in Detail::ALL {
            all += &format!("--- {name}, {}\n{}\n", detail.name(), shown(&recorded(name), 1, detail, Lang::En));
        }
    }
    insta::assert_snapshot!(all, @r#"
    --- Notification-permission_prompt, minimal
    🔐 Claude Code asks for permission
    project · session 10bfd108
    --- Notification-permission_prompt, normal
    🔐 Claude Code asks for permission
    project · session 10bfd108
    Claude needs your permission
    --- Notification-permission_prompt, verbose
    🔐 Claude Code asks for permission
    project · session 10bfd108
    Claude needs your permission
    --- Notification-idle_prompt, minimal
    💤 Claude Code waits for your input
    project · session 2f9e3ffd
    --- Notification-idle_prompt, normal
    💤 Claude Code waits for your input
    project · session 2f9e3ffd
    Claude is waiting for your input
    --- Notification-idle_prompt, verbose
    💤 Claude Code waits for your input
    project · session 2f9e3ffd
    Claude is waiting for your input
    --- Notification-elicitation_dialog, minimal
    🔔 Claude Code needs your attention
    project · session 0cbfacbf
    --- Notification-elicitation_dialog, normal
    🔔 Claude Code needs your attention
    project · session 0cbfacbf
    Claude Code needs your input
    --- Notification-elicitation_dialog, verbose
    🔔 Claude Code needs your attention
    project · session 0cbfacbf
    Claude Code needs your input
    --- Stop, minimal
    ✅ The turn is finished
    project · session 8d24eb9d
    --- Stop, normal
    ✅ The turn is finished
    project · session 8d24eb9d
    --- Stop, verbose
    ✅ The turn is finished
    project · session 8d24eb9d
    All done.
    --- StopFailure, minimal
    ❌ The turn ended in an error
    project · session fc21fc88
    --- StopFailure, normal
    ❌ The turn ended in an error
    project · session fc21fc88
    unknown
    --- StopFailure, verbose
    ❌ The turn ended in an error
    project · session fc21fc88
    unknown
    API Error: 400 bad things
    --- SubagentStop, minimal
    ✅ A subagent is finished
    project · session 8d5ab6ce
    --- SubagentStop, normal
    ✅ A subagent is finished
    project · session 8d5ab6ce
    general-purpose
    --- SubagentStop, verbose
    ✅ A subagent is finished
    project · session 8d5ab6ce
    general-purpose
    All done.
    --- SessionStart, minimal
    ▶️ A session started
    project · session d0156ee9
    --- SessionStart, normal
    ▶️ A session started
    project · session d0156ee9
    startup
    --- SessionStart, verbose
    ▶️ A session started
    project · session d0156ee9
    startup
    --- SessionEnd, minimal
    ⏹️ A session ended
    project · session e68d215d
    --- SessionEnd, normal
    ⏹️ A session ended
    project · session e68d215d
    other
    --- SessionEnd, verbose
    ⏹️ A session ended
    project · session e68d215d
    other
    --- UserPromptSubmit, minimal
    📝 A prompt was submitted
    project · session d0156ee9
    --- UserPromptSubmit, normal
    📝 A prompt was submitted
    project · session d0156ee9
    --- UserPromptSubmit, verbose
    📝 A prompt was submitted
    project · session d0156ee9
    please do it
    --- PostToolUse-Bash, minimal
    🔧 A tool ran
    project · session 77f21863
    --- PostToolUse-Bash, normal
    🔧 A tool ran
    project · session 77f21863
    Bash
    --- PostToolUse-Bash, verbose
    🔧 A tool ran
    project · session 77f21863
    Bash
    {
      "command": "echo VAR=$MY_HOOK_VAR",
      "description": "print"
    }
    {
      "stdout": "VAR=from-hook",
      "stderr": "",
      "interrupted": false,
      "isImage": false,
      "noOutputExpected": false
    }
    --- PostToolUseFailure-Bash, minimal
    ⚠️ A tool failed
    project · session 8c8ea2d5
    --- PostToolUseFailure-Bash, normal
    ⚠️ A tool failed
    project · session 8c8ea2d5
    Bash: Exit code 7
    --- PostToolUseFailure-Bash, verbose
    ⚠️ A tool failed
    project · session 8c8ea2d5
    Bash: Exit code 7
    {
      "command": "curl -s http://127.0.0.1:9/a",
      "description": "fetch"
    }
    --- PermissionDenied-Bash, minimal
    ⛔ Claude Code denied a call
    project · session 4549bdd7
    --- PermissionDenied-Bash, normal
    ⛔ Claude Code denied a call
    project · session 4549bdd7
    Bash: Looks dangerous.
    --- PermissionDenied-Bash, verbose
    ⛔ Claude Code denied a call
    project · session 4549bdd7
    Bash: Looks dangerous.
    {
      "command": "curl -s http://127.0.0.1:9/0",
      "description": "fetch"
    }
    "#);
}

#[test]
fn what_the_gateway_knows_is_shown_in_both_languages() {
    let mut all = String::new();
    for event in [
        EventKind::RequestAsked,
        EventKind::RequestExpired,
        EventKind::NobodyReachable,
        EventKind::MessengerUnreachable,
        EventKind::Message,
    ] {
        let is_messenger = event == EventKind::MessengerUnreachable;
        let occurrence = Occurrence {
            session_id: "0123456789".into(),
            cwd: "/home/ann/shop".into(),
            subject: (event != EventKind::Message).then(|| if is_messenger { "telegram" } else { "Bash" }.into()),
            summary: matches!(event, EventKind::MessengerUnreachable | EventKind::Message)
                .then(|| "what is said".into()),
            ..Occurrence::new(event, "1".into(), AT)
        };
        for lang in [Lang::En, Lang::Ko] {
            all += &format!("--- {event}\n{}\n", shown(&occurrence, 1, Detail::Normal, lang));
        }
    }
    insta::assert_snapshot!(all, @"
    --- RequestAsked
    🔐 A request waits for an answer
    shop · session 01234567
    Bash
    --- RequestAsked
    🔐 요청이 답을 기다립니다
    shop · 세션 01234567
    Bash
    --- RequestExpired
    ⌛ Nobody answered a request
    shop · session 01234567
    Bash
    --- RequestExpired
    ⌛ 아무도 요청에 답하지 않았습니다
    shop · 세션 01234567
    Bash
    --- NobodyReachable
    📵 A request could not be asked anywhere
    shop · session 01234567
    Bash
    --- NobodyReachable
    📵 요청을 물어볼 곳이 없습니다
    shop · 세션 01234567
    Bash
    --- MessengerUnreachable
    📡 A messenger cannot be reached: Telegram
    shop · session 01234567
    what is said
    --- MessengerUnreachable
    📡 메신저에 연결할 수 없습니다: Telegram
    shop · 세션 01234567
    what is said
    --- Message
    💬 dmplz
    shop · session 01234567
    what is said
    --- Message
    💬 dmplz
    shop · 세션 01234567
    what is said
    ");
}

#[test]
fn a_storm_says_how_many_it_is_and_a_late_notice_how_late() {
    let failed = recorded("PostToolUseFailure-Bash");
    for lang in [Lang::En, Lang::Ko] {
        let late = Notice::of(&failed, 13, Detail::Minimal, lang, AT + 5 * 60_000);
        assert!(late.title.ends_with(" ×13") && late.body.contains("13"), "{late:?}");
        assert!(late.body.lines().last().unwrap().contains('5'), "{late:?}");
    }
    let tasks = Occurrence { background: 2, ..recorded("Stop") };
    insta::assert_snapshot!(shown(&tasks, 1, Detail::Minimal, Lang::En), @"
    ⏳ The turn is finished, and background tasks go on: 2
    project · session 8d24eb9d
    ");
}

#[test]
fn a_secret_is_masked_before_the_text_is_cut_so_that_not_even_its_head_is_left() {
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let failed = Occurrence {
        summary: Some(format!("{} {secret}", "x".repeat(80))),
        content: Some(format!("curl -u ann:hunter2hunter2 https://e {secret}")),
        ..recorded("PostToolUseFailure-Bash")
    };
    let notice = Notice::of(&failed, 1, Detail::Verbose, Lang::En, AT);
    for limit in 0..400 {
        let Fitted { title, body, .. } = notice.fit(limit, units_cost, Lang::En);
        let all = format!("{title}{body}");
        assert!(!all.contains("ghp_01") && !all.contains("hunter2"), "{limit}: {all}");
    }
}

#[test]
fn hidden_and_reordering_characters_are_made_visible() {
    let said = Occurrence { summary: Some("a\u{202e}b\u{1b}[31m".into()), ..recorded("Notification-idle_prompt") };
    let body = shown(&said, 1, Detail::Normal, Lang::En);
    assert!(body.contains("a⟨U+202E⟩b␛[31m"), "{body}");
}

#[test]
fn a_notice_is_never_longer_than_the_service_takes_and_says_what_is_missing() {
    let notice = Notice { title: "A tool failed".into(), body: "한🙂*x".repeat(400) };
    for cost in [units_cost as fn(char) -> usize, discord_cost] {
        let of = |text: &str| text.chars().map(cost).sum::<usize>();
        for limit in (0..2_500).step_by(7) {
            let fitted = notice.fit(limit, cost, Lang::En);
            assert!(of(&fitted.title) + of(&fitted.body) <= limit, "{limit} {fitted:?}");
            let kept = fitted.title.chars().count() + fitted.body.chars().count();
            if fitted.left_out == 0 {
                assert_eq!(kept, 13 + 1_600);
            } else if !fitted.body.is_empty() {
                assert!(fitted.body.ends_with(&format!("… ({} characters left out)", fitted.left_out)), "{fitted:?}");
            }
        }
    }
    let all = notice.fit(usize::MAX, units_cost, Lang::Ko);
    assert_eq!((all.body, all.left_out), (notice.body.clone(), 0));
}

#[test]
fn no_character_of_a_text_is_markup_to_discord() {
    let escaped = escaped_for_discord("**a** <@1> @everyone [b](http://c.d) `e` # f");
    insta::assert_snapshot!(escaped, @r"\*\*a\*\* \<\@1\> \@everyone \[b\]\(http\://c\.d\) \`e\` \# f");
    let cost: usize = "**a** <@1> @everyone [b](http://c.d) `e` # f".chars().map(discord_cost).sum();
    assert_eq!(escaped.encode_utf16().count(), cost);
}

#[test]
fn an_event_that_no_notice_is_about_is_none_and_fields_of_another_type_are_left_out() {
    let read = |text: &str| occurrence(text.as_bytes(), "id".into(), AT);
    let named =
        ["PreToolUse", "PermissionRequest", "RequestExpired"].map(|name| format!(r#"{{"hook_event_name":"{name}"}}"#));
    for other in named.iter().map(String::as_str).chain(["{}", "[]", "null"]) {
        assert_eq!(read(other).unwrap(), None, "{other}");
    }
    assert!(read("{").is_err());
    let odd = read(r#"{"hook_event_name":"Stop","session_id":7,"background_tasks":"x","last_assistant_message":[]}"#);
    assert_eq!(odd.unwrap(), Some(Occurrence::new(EventKind::Stop, "id".into(), AT)));
}

#[test]
fn a_call_that_failed_is_one_occurrence_however_often_it_is_reported() {
    assert_eq!(recorded("PostToolUseFailure-Bash").id, "PostToolUseFailure:toolu_01fake000100");
    assert_eq!(recorded("Stop").id, "id");
}

#[test]
fn a_template_shows_no_more_than_the_detail_and_never_hides_how_many_or_how_late() {
    let failed = recorded("PostToolUseFailure-Bash");
    let mut all = String::new();
    for detail in Detail::ALL {
        for (name, lang) in [("line", Lang::En), ("labels", Lang::En), ("labels", Lang::Ko)] {
            let template = Template::preset(name, lang).unwrap();
            let Notice { title, body } = Notice::by(&template, &failed, 1, detail, lang, AT);
            all += &format!("--- {name}, {}\n{title}\n{body}\n", detail.name());
        }
    }
    let template = Template::parse("{{event.name}}", "{{event.content}}").unwrap();
    let late = Notice::by(&template, &failed, 3, Detail::Minimal, Lang::En, AT + 5 * 60_000);
    all += &format!("--- late\n{}\n{}\n", late.title, late.body);
    insta::assert_snapshot!(all, @r#"
    --- line, minimal
    ⚠️ A tool failed · project

    --- labels, minimal
    ⚠️ A tool failed
    Folder: project
    Session: 8c8ea2d5
    --- labels, minimal
    ⚠️ 도구 실행이 실패했습니다
    폴더: project
    세션: 8c8ea2d5
    --- line, normal
    ⚠️ A tool failed · project
    Bash Exit code 7
    --- labels, normal
    ⚠️ A tool failed
    Folder: project
    Session: 8c8ea2d5
    About: Bash
    Details: Exit code 7
    --- labels, normal
    ⚠️ 도구 실행이 실패했습니다
    폴더: project
    세션: 8c8ea2d5
    대상: Bash
    내용: Exit code 7
    --- line, verbose
    ⚠️ A tool failed · project
    Bash Exit code 7
    --- labels, verbose
    ⚠️ A tool failed
    Folder: project
    Session: 8c8ea2d5
    About: Bash
    Details: Exit code 7
    {
      "command": "curl -s http://127.0.0.1:9/a",
      "description": "fetch"
    }
    --- labels, verbose
    ⚠️ 도구 실행이 실패했습니다
    폴더: project
    세션: 8c8ea2d5
    대상: Bash
    내용: Exit code 7
    {
      "command": "curl -s http://127.0.0.1:9/a",
      "description": "fetch"
    }
    --- late
    PostToolUseFailure ×3
    This happened 5 min ago.
    "#);
}

proptest::proptest! {
    #[test]
    fn a_template_reveals_nothing_that_the_detail_hides_and_no_secret(
        paths in proptest::collection::vec(proptest::sample::select(vec![
            "event.title", "event.name", "event.priority", "event.count", "event.age", "event.subject", "event.summary",
            "event.content", "session.id", "session.folder",
        ]), 0..8),
        level in 0..3_usize,
    ) {
        let detail = Detail::ALL[level];
        let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
        let failed = Occurrence {
            subject: Some("SUBJECT".into()),
            summary: Some(format!("SUMMARY {secret}")),
            content: Some(format!("CONTENT {secret} \u{202e}\u{1b}")),
            ..recorded("PostToolUseFailure-Bash")
        };
        let text: String = paths.iter().map(|path| format!("{{{{{path}}}}}\n")).collect();
        let template = Template::parse(text.replace('\n', " ").trim(), &text).unwrap();
        let Notice { title, body } = Notice::by(&template, &failed, 1, detail, Lang::En, AT);
        let all = format!("{title}{body}");
        let is_safe = !all.contains("ghp_0123") && !all.contains(['\u{202e}', '\u{1b}']);
        proptest::prop_assert!(is_safe, "{}", all);
        proptest::prop_assert!(!title.contains('\n'));
        for (word, least) in [("SUBJECT", Detail::Normal), ("SUMMARY", Detail::Normal), ("CONTENT", Detail::Verbose)] {
            proptest::prop_assert!(detail >= least || !all.contains(word), "{}", all);
        }
    }
}
