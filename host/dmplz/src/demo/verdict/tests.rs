use dmplz_fakes::telegram::{Revision, User};

use super::*;

fn message(text: &str) -> Message {
    Message {
        topic: None,
        begins: None,
        chat: 7,
        id: 1,
        from: User::person(1, "bot"),
        date: 0,
        edited: None,
        reply_to: None,
        silent: false,
        deleted: false,
        revisions: vec![Revision { text: text.to_owned(), ..Revision::default() }],
    }
}

/// Returns the state after a denial without a reason.
fn skipped() -> Seen {
    let message_to_client = r#"{"behavior":"deny","message":"User rejected the request. (No reason provided)"}"#;
    let hook = format!(r#"{{"hookEventName":"PermissionRequest","decision":{message_to_client}}}"#);
    let mut line = Expected::of(&Answer::Skip, Lang::En).line().unwrap();
    line["timestamp"] = json!("2026-11-22T03:00:00.000Z");
    line["request_id"] = json!("r");
    Seen {
        stdout: format!("{{\"hookSpecificOutput\":{hook}}}\n"),
        stderr: String::new(),
        log: vec![line.to_string()],
        code: Some(0),
        messages: vec![message("❌ Denied: Bash\nNo reason given")],
        violations: Vec::new(),
    }
}

fn faults(seen: &Seen) -> Vec<String> {
    let faults = seen.faults(Some(&Answer::Skip), Lang::En);
    faults.iter().map(|fault| fault.split(':').next().unwrap().to_owned()).collect()
}

#[test]
fn a_run_as_expected_has_no_faults() {
    assert_eq!(skipped().faults(Some(&Answer::Skip), Lang::En), Vec::<String>::new());
    assert_eq!(skipped().faults(None, Lang::En), Vec::<String>::new());
}

#[test]
fn every_kind_of_fault_is_found() {
    let with = |change: &dyn Fn(&mut Seen)| {
        let mut seen = skipped();
        change(&mut seen);
        faults(&seen)
    };
    assert_eq!(with(&|seen| seen.code = Some(1)), ["exit code"]);
    assert_eq!(with(&|seen| seen.stderr.push('x')), ["stderr"]);
    assert_eq!(with(&|seen| seen.stdout.clear()), ["stdout"]);
    assert_eq!(with(&|seen| seen.stdout.push_str("{}\n")), ["stdout"]);
    assert_eq!(with(&|seen| seen.stdout = seen.stdout.replace("deny", "allow")), ["stdout"]);
    assert_eq!(with(&|seen| seen.messages = vec![message("🔐 Claude Code asks for permission: Bash")]), ["card"]);
    assert_eq!(with(&|seen| seen.log.clear()), ["log"]);
    assert_eq!(with(&|seen| seen.log.extend(skipped().log)), ["log"]);
    assert_eq!(with(&|seen| seen.violations.push("sendMessage".to_owned())), ["wire"]);
    let keyboard = |seen: &mut Seen| {
        let button = dmplz_fakes::telegram::Button { text: "✅".to_owned(), data: None, raw: Value::Null };
        seen.messages[0].revisions[0].keyboard = vec![vec![button]];
    };
    assert_eq!(with(&keyboard), ["chat"]);
}

#[test]
fn another_answer_is_never_taken_for_the_one_that_was_given() {
    let deny = Answer::Deny("no".to_owned());
    for other in [Answer::Approve, Answer::Session, deny, Answer::Timeout, Answer::Expired] {
        assert!(!skipped().faults(Some(&other), Lang::En).is_empty(), "{other:?}");
    }
}
