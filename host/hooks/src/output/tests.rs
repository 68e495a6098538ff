use super::*;

fn done(ending: Ending, stdout: &str, stderr: &str) -> Done {
    let [stdout, stderr] =
        [stdout, stderr].map(|text| Written { kept: text.as_bytes().to_vec(), total: text.len() as u64 });
    Done { ending, stdout, stderr, took: Duration::ZERO, left_running: false }
}

fn of(event: &str, exit_code: i32, stdout: &str, stderr: &str) -> Reading {
    read(event, OnFailure::Continue, &done(Ending::Exited { exit_code }, stdout, stderr))
}

#[test]
fn a_decision_is_read_wherever_the_event_has_it() {
    let own = |event: &str, rest: &str| format!(r#"{{"hookSpecificOutput":{{"hookEventName":"{event}",{rest}}}}}"#);
    for (event, stdout, wanted) in [
        (
            "PreToolUse",
            own("PreToolUse", r#""permissionDecision":"deny","permissionDecisionReason":"no""#),
            Some(Wanted::Deny),
        ),
        ("PreToolUse", own("PreToolUse", r#""permissionDecision":"allow""#), Some(Wanted::Allow)),
        ("PreToolUse", own("PreToolUse", r#""permissionDecision":"ask""#), Some(Wanted::Ask)),
        (
            "PermissionRequest",
            own("PermissionRequest", r#""decision":{"behavior":"deny","message":"no"}"#),
            Some(Wanted::Deny),
        ),
        ("PermissionRequest", own("PermissionRequest", r#""decision":{"behavior":"allow"}"#), Some(Wanted::Allow)),
        ("Stop", r#"{"decision":"block","reason":"tests fail"}"#.to_owned(), Some(Wanted::Deny)),
        ("PreToolUse", r#"{"decision":"approve"}"#.to_owned(), Some(Wanted::Allow)),
        ("UserPromptSubmit", r#"{"continue":false,"stopReason":"no"}"#.to_owned(), Some(Wanted::Deny)),
        ("PostToolUse", own("PostToolUse", r#""additionalContext":"x""#), None),
        ("Stop", "{}".to_owned(), None),
        ("Stop", String::new(), None),
    ] {
        let reading = of(event, 0, &stdout, "");
        assert_eq!(reading.wanted, wanted, "{stdout}");
        assert_eq!(reading.slips, [], "{stdout}");
    }
}

#[test]
fn text_is_context_and_decides_nothing() {
    let reading = of("SessionStart", 0, "branch: main\n", "");
    assert_eq!((reading.context.as_deref(), reading.wanted), (Some("branch: main"), None));
}

#[test]
fn exit_code_2_wanted_to_block() {
    let reading = of("PreToolUse", 2, "", "never push on fridays\n");
    assert_eq!((reading.wanted, reading.reason.as_deref()), (Some(Wanted::Deny), Some("never push on fridays")));
    let reading = of("PermissionRequest", 2, "", "no");
    assert_eq!((reading.wanted, reading.slips), (None, vec![Slip::ExitTwoAtPermission]));
}

#[test]
fn a_failure_is_a_denial_only_where_its_author_wrote_so() {
    for ending in [Ending::TimedOut, Ending::Killed { signal: 9 }, Ending::Exited { exit_code: 3 }] {
        for (on_failure, wanted) in [(OnFailure::Continue, None), (OnFailure::Block, Some(Wanted::Deny))] {
            let reading = read("PreToolUse", on_failure, &done(ending.clone(), "", ""));
            assert_eq!(reading.wanted, wanted, "{ending:?}");
        }
    }
}

#[test]
fn slips_of_scripts_are_found() {
    for (event, code, stdout, stderr, slip) in [
        ("Stop", 0, "checking...\n{\"decision\":\"block\"}", "", "stdout has a JSON object and other text beside it"),
        ("Stop", 0, "{\"decision\":\"block\"}\ndone", "", "stdout has a JSON object and other text beside it"),
        ("Stop", 0, "{'decision':'block'}", "", "stdout begins like a JSON object, but is none"),
        (
            "PreToolUse",
            0,
            r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","permissionDecision":"deny"}}"#,
            "",
            "hookSpecificOutput is for \"PostToolUse\", but the event is PreToolUse",
        ),
        (
            "PreToolUse",
            0,
            r#"{"hookSpecificOutput":{"permissionDecision":"deny"}}"#,
            "",
            "hookSpecificOutput is for \"\"",
        ),
        (
            "PreToolUse",
            0,
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"block"}}"#,
            "",
            "\"block\" is no decision at PreToolUse",
        ),
        ("PermissionRequest", 0, r#"{"decision":"approve"}"#, "", "a \"decision\" at the top has no effect"),
        (
            "PermissionRequest",
            0,
            r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"ask"}}}"#,
            "",
            "\"ask\" is no decision at PermissionRequest",
        ),
        ("PreToolUse", 1, "", "blocked!", "exit code 1 stops nothing"),
        ("PreToolUse", 127, "", "sh: x: not found", "exit code 127"),
    ] {
        let reading = of(event, code, stdout, stderr);
        let slips: Vec<String> = reading.slips.iter().map(ToString::to_string).collect();
        assert!(slips.len() == 1 && slips[0].starts_with(slip), "{stdout} {slips:?}");
        assert_eq!(reading.wanted, None, "{stdout}");
    }
}

#[test]
fn more_output_than_is_kept_is_never_read_as_a_decision() {
    let mut cut = done(Ending::Exited { exit_code: 0 }, r#"{"decision":"block"}"#, "");
    cut.stdout.total += 1;
    let reading = read("Stop", OnFailure::Continue, &cut);
    assert_eq!((reading.wanted, reading.slips), (None, vec![Slip::TooLong]));
}
