use super::*;
use crate::claude::occurrence;

const AT: u64 = 1_800_000_000_000;

/// What the client really writes, by the name of the recording.
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
        "PostToolUseFailure-Bash",
        "PermissionDenied-Bash",
    ] {
        for detail in Detail::ALL {
            all += &format!("--- {name}, {}\n{}\n", detail.name(), shown(&recorded(name), 1, detail, Lang::En));
        }
    }
    insta::assert_snapshot!(all, @"");
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
    insta::assert_snapshot!(all, @"");
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
    insta::assert_snapshot!(shown(&tasks, 1, Detail::Minimal, Lang::En), @"");
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
fn what_is_hidden_or_reordered_is_made_visible() {
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
    insta::assert_snapshot!(escaped, @"");
    let cost: usize = "**a** <@1> @everyone [b](http://c.d) `e` # f".chars().map(discord_cost).sum();
    assert_eq!(escaped.encode_utf16().count(), cost);
}

#[test]
fn an_event_that_no_notice_is_about_is_none_and_fields_of_another_type_are_left_out() {
    let read = |text: &str| occurrence(text.as_bytes(), "id".into(), AT);
    for other in [r#"{"hook_event_name":"PreToolUse"}"#, r#"{"hook_event_name":"RequestExpired"}"#, "{}", "[]", "null"]
    {
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
