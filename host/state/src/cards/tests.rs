use std::collections::BTreeSet;
use std::thread;

use super::*;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

struct Fixture {
    _temp: tempfile::TempDir,
    cards: Cards,
    telegram: AccountKey,
    discord: AccountKey,
}

fn fixture() -> Fixture {
    let temp = tempfile::tempdir().unwrap();
    let cards = Cards::new(&StateDir::open(temp.path().join("state")).unwrap());
    let account = |provider| AccountKey::new(provider, "", "token").unwrap();
    Fixture { cards, telegram: account("telegram"), discord: account("discord"), _temp: temp }
}

impl Fixture {
    fn record(&self, session: &str, request: &str) -> CardRecord<String> {
        CardRecord {
            request_id: request.to_owned(),
            session_id: session.to_owned(),
            agent_id: None,
            account: self.telegram.clone(),
            tag: format!("tag{request}"),
            tool_name: "Bash".to_owned(),
            input_digest: "d1".to_owned(),
            stage: Stage::Queued,
            card: None,
            prompt: None,
            denier: None,
            created_ms: 1,
            ended_ms: None,
            told: Vec::new(),
            face: "git push".to_owned(),
        }
    }

    fn open(&self, session: &str, request: &str) -> OpenCard<String> {
        self.cards.open_card(self.record(session, request)).unwrap()
    }

    fn of_session(&self, session: &str) -> Vec<Found<String>> {
        self.cards.of_session(session).unwrap()
    }

    fn orphans(&self, account: &AccountKey) -> Vec<Found<String>> {
        self.cards.orphans(account).unwrap()
    }

    fn recent(&self) -> Vec<CardRecord<String>> {
        let (records, corrupt) = self.cards.recent(&self.telegram).unwrap();
        assert!(corrupt.is_empty());
        records
    }

    /// Returns the file names of open cards.
    fn open_files(&self) -> BTreeSet<String> {
        let files = fs::read_dir(self.cards.open_dir()).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn place(&self) -> Place {
        Place::new(&self.cards.open_dir(), "s", "r")
    }
}

fn orphan(mut found: Vec<Found<String>>) -> OpenCard<String> {
    match found.pop() {
        Some(Found::Orphan(card)) if found.is_empty() => card,
        other => panic!("{other:?} and {found:?}"),
    }
}

fn alive(mut found: Vec<Found<String>>) -> AliveCard<String> {
    match found.pop() {
        Some(Found::Alive(card)) if found.is_empty() => card,
        other => panic!("{other:?} and {found:?}"),
    }
}

#[test]
fn a_session_without_cards_has_none_and_no_files() {
    let f = fixture();
    assert!(f.of_session("s").is_empty());
    assert!(f.orphans(&f.telegram).is_empty());
    assert!(f.recent().is_empty());
    assert!(!f.cards.mark_told(&f.telegram, "tag", "ann").unwrap());
    assert!(!f.cards.dir.exists());
}

#[test]
fn a_card_is_alive_while_its_owner_is_and_shows_its_last_change() {
    let f = fixture();
    let mut card = f.open("s", "r");
    card.update(|record| record.stage = Stage::Posting).unwrap();
    assert_eq!(alive(f.of_session("s")).record(), card.record());
    assert_eq!(card.record().stage, Stage::Posting);
    assert!(f.of_session("other").is_empty());
    assert!(f.orphans(&f.telegram).is_empty(), "what lives is nobody's to claim");
}

#[test]
fn a_card_of_a_dead_owner_is_claimed_once() {
    let f = fixture();
    let mut card = f.open("s", "r");
    card.update(|record| record.stage = Stage::Reason).unwrap();
    let record = card.record().clone();
    drop(card);
    assert!(f.orphans(&f.discord).is_empty());
    let claimed = orphan(f.orphans(&f.telegram));
    assert_eq!(claimed.record(), &record);
    assert!(f.orphans(&f.telegram).is_empty());
    assert_eq!(alive(f.of_session("s")).record(), &record);
    // The claimer may die, too.
    drop(claimed);
    orphan(f.of_session("s")).end(5).unwrap();
    assert!(f.of_session("s").is_empty());
}

#[test]
fn of_many_who_look_at_once_one_claims_an_orphan() {
    let f = fixture();
    for round in 0..20 {
        let request = round.to_string();
        drop(f.open("s", &request));
        let claims: Vec<_> = thread::scope(|scope| {
            let look = |_| scope.spawn(|| f.orphans(&f.telegram));
            let threads: Vec<_> = (0..8).map(look).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        orphan(claims).end(1).unwrap();
    }
}

#[test]
fn cards_that_come_and_go_are_never_taken_for_orphans() {
    let f = fixture();
    let owner = |thread: usize| {
        for round in 0..100 {
            let mut card = f.open("s", &format!("{thread}-{round}"));
            card.update(|record| record.stage = Stage::Waiting).unwrap();
            card.end(round).unwrap();
        }
    };
    thread::scope(|scope| {
        let owners: Vec<_> = (0..4)
            .map(|thread| {
                scope.spawn({
                    let owner = &owner;
                    move || owner(thread)
                })
            })
            .collect();
        while !owners.iter().all(|owner| owner.is_finished()) {
            let found = [f.of_session("s"), f.orphans(&f.telegram)].into_iter().flatten();
            found.for_each(|found| assert!(matches!(found, Found::Alive(_)), "{found:?}"));
        }
    });
    assert!(f.open_files().is_empty());
    assert_eq!(f.recent().len(), 50);
}

#[test]
fn an_ended_card_leaves_no_file_but_its_record() {
    let f = fixture();
    let mut card = f.open("s", "r");
    let other = f.open("s", "other");
    card.update(|record| record.face = "rejected".to_owned()).unwrap();
    alive(
        f.of_session("s")
            .into_iter()
            .filter(|found| matches!(found, Found::Alive(card) if card.record().request_id == "r"))
            .collect(),
    )
    .mark_answered_elsewhere()
    .unwrap();
    card.end(7).unwrap();
    assert_eq!(f.open_files().len(), 1, "the other card");
    other.end(8).unwrap();
    assert!(f.open_files().is_empty());
    let recent = f.recent();
    assert_eq!(recent.iter().map(|record| record.request_id.as_str()).collect::<Vec<_>>(), ["other", "r"]);
    assert_eq!((recent[1].stage, recent[1].ended_ms, recent[1].face.as_str()), (Stage::Ended, Some(7), "rejected"));
}

#[test]
fn the_owner_learns_that_the_request_was_answered_elsewhere() {
    let f = fixture();
    let card = f.open("s", "r");
    assert!(!card.answered_marker().exists());
    let seen = alive(f.of_session("s"));
    assert!(seen.mark_answered_elsewhere().unwrap());
    assert!(seen.mark_answered_elsewhere().unwrap());
    assert!(card.answered_marker().exists());
    card.end(1).unwrap();
    assert!(!seen.mark_answered_elsewhere().unwrap());
    assert!(f.open_files().is_empty());
    assert!(!f.open("s", "r").answered_marker().exists());
}

#[test]
fn one_request_has_one_card_and_a_dead_one_is_replaced() {
    let f = fixture();
    let card = f.open("s", "r");
    assert!(matches!(f.cards.open_card(f.record("s", "r")), Err(CardsError::AlreadyOpen(_))));
    drop(card);
    assert_eq!(f.open("s", "r").record().stage, Stage::Queued);
}

#[test]
fn ids_may_hold_anything() {
    let f = fixture();
    for id in ["", "..", "/etc/passwd", "a\0b", "…", &"x".repeat(10_000)] {
        let card = f.open(id, id);
        assert_eq!(alive(f.of_session(id)).record().request_id, id);
        card.end(1).unwrap();
    }
    assert_eq!(f.recent().len(), 6);
}

#[test]
fn ended_cards_are_kept_for_a_day_and_fifty_of_them() {
    let f = fixture();
    let end = |request: usize, now_ms| f.open("s", &request.to_string()).end(now_ms).unwrap();
    end(0, 1000);
    end(1, 1001);
    end(2, 1001 + DAY_MS);
    assert_eq!(f.recent().iter().map(|record| record.ended_ms.unwrap()).collect::<Vec<_>>(), [1001 + DAY_MS, 1001]);
    for request in 3..60 {
        end(request, 2000 + DAY_MS);
    }
    assert_eq!(f.recent().len(), 50);
    // A clock that is set back makes no record too old, and keeps the new record.
    end(60, 5);
    assert_eq!(f.recent().len(), 50);
    assert!(f.recent().iter().any(|record| record.ended_ms == Some(5)));
}

#[test]
fn a_card_that_ended_twice_is_remembered_once() {
    let f = fixture();
    f.open("s", "r").end(1).unwrap();
    f.open("s", "r").end(2).unwrap();
    assert_eq!(f.recent().len(), 1);
}

#[test]
fn a_late_answer_is_told_once() {
    let f = fixture();
    let card = f.open("s", "r");
    assert!(!f.cards.mark_told(&f.telegram, "tagr", "ann").unwrap(), "it is not late yet");
    card.end(1).unwrap();
    let told = || f.cards.mark_told(&f.telegram, "tagr", "ann").unwrap();
    let times = thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(told)).collect();
        threads.into_iter().map(|thread| usize::from(thread.join().unwrap())).sum::<usize>()
    });
    assert_eq!(times, 1);
    assert_eq!(f.recent()[0].told, ["ann"]);
    assert!(f.cards.mark_told(&f.telegram, "tagr", "bob").unwrap(), "each person once");
    (0..100).for_each(|person| drop(f.cards.mark_told(&f.telegram, "tagr", &person.to_string())));
    assert_eq!(f.recent()[0].told.len(), CardRecord::<()>::TOLD);
    assert!(!f.cards.mark_told(&f.discord, "tagr", "ann").unwrap());
}

#[test]
fn a_record_of_before_it_was_kept_who_was_told_is_read() {
    let f = fixture();
    let mut old = serde_json::to_value(f.record("s", "r")).unwrap();
    let fields = old.as_object_mut().unwrap();
    fields.remove("told").unwrap();
    fields.insert("told_late".to_owned(), true.into());
    assert_eq!(serde_json::from_value::<CardRecord<String>>(old).unwrap(), f.record("s", "r"));
}

#[test]
fn a_record_that_nobody_can_read_is_removed_and_reported() {
    let f = fixture();
    for garbage in ["{", "null", "\0\0", r#"{"version":2,"card":{}}"#, r#"{"version":1,"card":{"face":3}}"#] {
        let card = f.open("s", "r");
        let path = f.place().record();
        drop(card);
        fs::write(&path, garbage).unwrap();
        let found = f.orphans(&f.telegram);
        assert!(matches!(&found[..], [Found::Corrupt(corrupt)] if corrupt.path == path), "{garbage}: {found:?}");
        assert!(f.open_files().is_empty());
    }
    f.open("s", "r").end(1).unwrap();
    let ended = f.cards.ended_path();
    fs::write(&ended, "garbage").unwrap();
    assert!(!f.cards.mark_told(&f.telegram, "tagr", "ann").unwrap());
    let (records, corrupt) = f.cards.recent::<String>(&f.telegram).unwrap();
    assert_eq!((records.len(), corrupt.len()), (0, 1));
    assert!(f.recent().is_empty());
}

impl Cards {
    /// Returns the record's path of the only ended card.
    fn ended_path(&self) -> PathBuf {
        let account = fs::read_dir(self.dir.join("ended")).unwrap().next().unwrap().unwrap().path();
        fs::read_dir(account).unwrap().next().unwrap().unwrap().path()
    }
}

#[test]
fn what_a_process_left_that_was_killed_half_way_is_cleaned_up() {
    let f = fixture();
    let card = f.open("s", "r");
    let place = f.place();
    drop(card);
    fs::write(place.record(), "").unwrap();
    fs::write(f.cards.open_dir().join("0-1.answered"), "").unwrap();
    fs::write(f.cards.open_dir().join("junk"), "").unwrap();
    assert!(f.orphans(&f.telegram).is_empty());
    assert_eq!(f.open_files(), ["junk".to_owned()].into());
}

#[test]
fn of_a_record_that_was_cut_the_last_whole_state_counts() {
    let f = fixture();
    let mut card = f.open("s", "r");
    card.update(|record| record.stage = Stage::Waiting).unwrap();
    drop(card);
    let path = f.place().record();
    let whole = fs::read_to_string(&path).unwrap();
    for cut in 1..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let mut found = f.of_session("s");
        match found.pop() {
            Some(Found::Orphan(mut card)) => {
                let first = whole.find("}\n").unwrap();
                let stage = if cut < whole.len() - 1 { Stage::Queued } else { Stage::Waiting };
                assert_eq!((card.record().stage, cut > first), (stage, true), "{cut}");
                card.update(|record| record.stage = Stage::Deciding).unwrap();
                drop(card);
                assert_eq!(orphan(f.of_session("s")).record().stage, Stage::Deciding);
            }
            Some(Found::Corrupt(_)) => drop(f.open("s", "r")),
            None => assert_eq!(cut, 1, "nothing but the end of a line was written"),
            Some(Found::Alive(_)) => panic!("nobody owns it"),
        }
        assert!(found.is_empty());
    }
}

#[test]
fn a_directory_that_cannot_be_used_is_an_error() {
    let f = fixture();
    fs::write(&f.cards.dir, "a file").unwrap();
    assert!(matches!(f.cards.open_card(f.record("s", "r")), Err(CardsError::Io { .. })));
    assert!(matches!(f.cards.of_session::<String>("s"), Err(CardsError::Io { .. })));
    assert!(matches!(f.cards.orphans::<String>(&f.telegram), Err(CardsError::Io { .. })));
    assert!(matches!(f.cards.recent::<String>(&f.telegram), Err(CardsError::Io { .. })));
}
