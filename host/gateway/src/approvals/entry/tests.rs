use super::*;
use crate::sample::{START, person, request};
use dmplz_core::request::{Offer, Resolver};

const REASON: Duration = Duration::from_secs(120);

fn answer(answer: Answer) -> Option<Command> {
    Some(Command::Answer { answer, by: person("ada") })
}

/// Returns the commands to try. `None` stands for the expiry of the request.
fn commands() -> Vec<(&'static str, Option<Command>)> {
    let no = || Answer::Deny { reason: Some("no".into()), instead: false };
    vec![
        ("approve", answer(Answer::APPROVE)),
        ("session", answer(Answer::SESSION)),
        ("reason", answer(no())),
        ("skip", answer(Answer::Deny { reason: None, instead: false })),
        ("reason of another", Some(Command::Answer { answer: no(), by: person("eve") })),
        ("reason elsewhere", Some(Command::Answer { answer: no(), by: person("ada").on("telegram") })),
        ("deny", Some(Command::Deny { by: person("ada"), instead: false })),
        ("withdrawn", Some(Command::Withdraw(Resolver::ClientGone))),
        ("time", None),
    ]
}

fn told(entry: &Entry, now: Instant, command: Option<&Command>) -> String {
    let command = command.cloned().unwrap_or_else(|| entry.expiry());
    match entry.step(command, REASON, now, START) {
        Ok(Step::Deny(denial)) => format!("denied until {}s", (denial.until.unix_ms - START) / 1000),
        Ok(Step::End(outcome)) => {
            let Resolution { outcome, reason_source, cause, .. } = Resolution::of(&outcome);
            let source = reason_source.map(|source| format!(" {source:?}")).unwrap_or_default();
            let cause = cause.map(|cause| format!(" {cause:?}")).unwrap_or_default();
            format!("{outcome:?}{source}{cause}")
        }
        Err(AnswerError::Ended(_)) => "ended".into(),
        Err(AnswerError::Denied(_)) => "denied".into(),
        Err(AnswerError::NotOffered { .. }) => "not offered".into(),
        Err(AnswerError::Unknown(_)) => "unknown".into(),
        Err(AnswerError::NotRecorded(..)) => "not recorded".into(),
        Err(AnswerError::Unreadable(..)) => "unreadable".into(),
        Err(AnswerError::Closing(_)) => "closing".into(),
    }
}

#[test]
fn what_becomes_of_every_command_in_every_state() {
    let now = Instant::now();
    let entry =
        |life| Entry { was_shown: true, ..Entry::new(Arc::new(request("ls")), life, now + Duration::from_secs(60)) };
    let until = Moment { at: now + REASON, unix_ms: START };
    let denial = Denial { by: person("ada"), instead: false, until };
    let exact = denial.silent();
    let shown = Resolution::of(&exact);
    let ended = Ended { exact, shown, ended_ms: START, taken: None, recorded: true };
    let entries = [
        ("new", Entry { is_new: true, ..entry(Life::Open) }),
        ("open", entry(Life::Open)),
        ("denied", entry(Life::Denied(denial))),
        ("ended", entry(Life::Ended(ended.into()))),
    ];
    let mut table = String::new();
    for (name, entry) in entries {
        for (command, what) in commands() {
            table += &format!("{name}, {command}: {}\n", told(&entry, now, what.as_ref()));
        }
    }
    insta::assert_snapshot!(table, @r"
    new, approve: unknown
    new, session: unknown
    new, reason: unknown
    new, skip: unknown
    new, reason of another: unknown
    new, reason elsewhere: unknown
    new, deny: unknown
    new, withdrawn: unknown
    new, time: unknown
    open, approve: Approved
    open, session: ApprovedSession
    open, reason: RejectedWithReason UserInput
    open, skip: RejectedNoReason ExplicitSkip
    open, reason of another: RejectedWithReason UserInput
    open, reason elsewhere: RejectedWithReason UserInput
    open, deny: denied until 60s
    open, withdrawn: ResolvedElsewhere ClientGone
    open, time: Expired Nobody
    denied, approve: denied
    denied, session: denied
    denied, reason: RejectedWithReason UserInput
    denied, skip: RejectedNoReason ExplicitSkip
    denied, reason of another: denied
    denied, reason elsewhere: denied
    denied, deny: denied
    denied, withdrawn: RejectedNoReason Timeout
    denied, time: RejectedNoReason Timeout
    ended, approve: ended
    ended, session: ended
    ended, reason: ended
    ended, skip: ended
    ended, reason of another: ended
    ended, reason elsewhere: ended
    ended, deny: ended
    ended, withdrawn: ended
    ended, time: ended
    ");
    let request = Arc::new(Request { offer: Offer::plain(false), ..request("ls") });
    let plain = Entry::new(request, Life::Open, now + Duration::from_secs(60));
    assert_eq!(told(&plain, now, answer(Answer::SESSION).as_ref()), "not offered");
}
