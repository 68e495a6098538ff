use super::*;
use crate::sample::{START, person, request};
use dmplz_core::request::Extent;

const REASON: Duration = Duration::from_secs(120);

fn by(surface: &str, id: &str) -> Answerer {
    Answerer { surface: surface.into(), id: id.into(), name: id.to_uppercase() }
}

fn answer(outcome: Outcome) -> Command {
    Command::answer(&outcome, "web")
}

fn commands() -> Vec<(&'static str, Command)> {
    let ada = || person("ada");
    let reason = || Outcome::RejectedWithReason { by: ada(), reason: "no".into(), instead: false };
    let skip = Outcome::RejectedNoReason { by: ada(), source: ReasonSource::ExplicitSkip };
    let eve = Outcome::RejectedWithReason { by: person("eve"), reason: "no".into(), instead: false };
    vec![
        ("approve", answer(Outcome::Approved { by: ada(), extent: Extent::Once })),
        ("session", answer(Outcome::Approved { by: ada(), extent: Extent::Session })),
        ("reason", answer(reason())),
        ("skip", answer(skip)),
        ("reason of another", answer(eve)),
        ("reason elsewhere", Command::answer(&reason(), "telegram")),
        ("deny", Command::Deny { by: by("web", "ada"), instead: false }),
        ("withdrawn", Command::Withdraw(Resolver::ClientGone)),
        ("time", Command::Time),
    ]
}

fn told(entry: &Entry, now: Instant, command: &Command) -> String {
    match entry.step(command, REASON, now, START) {
        Ok(Step::Deny { until_ms, .. }) => format!("denied until {}s", (until_ms - START) / 1000),
        Ok(Step::End(Resolution { outcome, reason_source, cause, .. })) => {
            let source = reason_source.map(|source| format!(" {source:?}")).unwrap_or_default();
            let cause = cause.map(|cause| format!(" {cause:?}")).unwrap_or_default();
            format!("{outcome:?}{source}{cause}")
        }
        Err(AnswerError::Ended(_)) => "ended".into(),
        Err(AnswerError::Denied(_)) => "denied".into(),
        Err(AnswerError::NotOffered { .. }) => "not offered".into(),
        Err(AnswerError::Unknown(_)) => "unknown".into(),
        Err(AnswerError::NotRecorded(..)) => "not recorded".into(),
    }
}

#[test]
fn what_becomes_of_every_wish_in_every_state() {
    let now = Instant::now();
    let entry =
        |phase| Entry { was_shown: true, ..Entry::new(Arc::new(request("ls")), phase, now + Duration::from_secs(60)) };
    let denied = Phase::Denied { by: by("web", "ada"), until_ms: START, until: now + REASON, instead: false };
    let end = silent(&by("web", "ada"));
    let ended = Ended { exact: end.clone(), shown: end, ended_ms: START, taken: None, recorded: true };
    let phases =
        [("new", Phase::New), ("open", Phase::Open), ("denied", denied), ("ended", Phase::Ended(ended.into()))];
    let mut table = String::new();
    for (name, phase) in phases {
        let entry = entry(phase);
        for (command, what) in commands() {
            table += &format!("{name}, {command}: {}\n", told(&entry, now, &what));
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
    let mut plain = entry(Phase::Open);
    plain.request = Arc::new(Request { offer: dmplz_core::request::Offer::plain(false), ..request("ls") });
    assert_eq!(told(&plain, now, &commands()[1].1), "not offered");
}
