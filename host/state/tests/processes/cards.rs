//! Cards whose owners are killed while they write.

use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use dmplz_state::{AccountKey, CardRecord, Cards, Found, Stage, StateDir};

use crate::children::{Dice, Role, Started, say};

fn cards(dir: &Path) -> Cards {
    Cards::new(&StateDir::open(dir.join("state")).unwrap())
}

fn account() -> AccountKey {
    AccountKey::new("telegram", "http://127.0.0.1", "token").unwrap()
}

/// Opens a card, and writes it repeatedly until it is killed. Every second process also ends its own cards.
pub(crate) fn own(role: &Role) {
    let cards = cards(&role.dir);
    let record = |request_id: String| CardRecord {
        tag: format!("tag{request_id}"),
        request_id,
        session_id: "s".to_owned(),
        agent_id: None,
        account: account(),
        tool_name: "Bash".to_owned(),
        input_digest: "d".to_owned(),
        stage: Stage::Posting,
        card: None,
        prompt: None,
        denier: None,
        created_ms: 1,
        ended_ms: None,
        told: Vec::new(),
        face: String::new(),
    };
    let mut card = cards.open_card(record(role.index.to_string())).unwrap();
    say("opened");
    for length in (0..5000).cycle() {
        card.update(|record| record.face = "x".repeat(length)).unwrap();
        if role.index.is_multiple_of(2) {
            let other = cards.open_card(record(format!("{}-{length}", role.index))).unwrap();
            other.end(u64::try_from(length).unwrap()).unwrap();
        }
    }
}

#[test]
fn a_card_whose_owner_is_killed_is_found_whole_and_claimed_once() {
    let temp = tempfile::tempdir().unwrap();
    let cards = cards(temp.path());
    let mut dice = Dice(3);
    let (sender, said) = mpsc::channel();
    for index in 0..40 {
        let mut owner = Started::new("card", temp.path(), index, sender.clone());
        while said.recv_timeout(Duration::from_secs(60)).unwrap() != (index, Some("opened".to_owned())) {}
        thread::sleep(Duration::from_micros(dice.roll(5000)));
        let own = |found: &[Found<String>]| -> Vec<bool> {
            let of_owner = |found: &Found<String>| match found {
                Found::Alive(card) => (card.record().request_id == index.to_string()).then_some(true),
                Found::Orphan(card) => (card.record().request_id == index.to_string()).then_some(false),
                Found::Corrupt(corrupt) => panic!("{corrupt}: {}", corrupt.source),
            };
            found.iter().filter_map(of_owner).collect()
        };
        assert_eq!(own(&cards.of_session("s").unwrap()), [true], "alive");
        owner.kill();
        let orphans = cards.orphans(&account()).unwrap();
        assert_eq!(own(&orphans), [false], "an orphan");
        assert!(cards.orphans::<String>(&account()).unwrap().is_empty(), "claimed once");
        for orphan in orphans {
            if let Found::Orphan(card) = orphan {
                card.end(1).unwrap();
            }
        }
        assert!(cards.of_session::<String>("s").unwrap().is_empty());
    }
    let (records, corrupt) = cards.recent::<String>(&account()).unwrap();
    assert!(corrupt.is_empty());
    assert_eq!(records.len(), 50);
}
