use std::cell::RefCell;
use std::rc::Rc;

use dmplz_core::card::{Ended, GrantEnd, Subject};
use dmplz_core::messenger::{MessageRef, User};
use dmplz_core::request::{ExpiredCause, Outcome};

use super::*;
use crate::ledger::view::{CardView, Page};

/// A ledger that stores nothing.
struct Nothing;

impl Ledger for Nothing {
    type Claim = ();

    fn cursor(&self) -> String {
        String::new()
    }

    fn keep_cursor(&mut self, _: &str) {}

    fn save(&mut self, _: &Progress) -> Saved {
        Saved::ALREADY
    }

    fn recent(&self) -> Vec<Watch> {
        Vec::new()
    }

    fn orphans(&mut self) -> Vec<(Progress, ())> {
        Vec::new()
    }

    fn now_ms(&self) -> u64 {
        0
    }

    fn time_of_day(&self) -> String {
        "now".into()
    }

    fn retired(&mut self, _: Progress, (): ()) {}

    fn late(&mut self, _: &Event) -> Option<LateCard> {
        None
    }
}

fn message(id: u64) -> MessageRef {
    MessageRef { chat: "c".into(), id: id.to_string(), sequence: id }
}

fn press(on: u64, tag: Option<&str>, token: &str) -> Event {
    let user = User { id: "ann".into(), name: "ann".into(), is_bot: false };
    let (message, tag) = (message(on), tag.map(Into::into));
    Event::Chosen(Chosen { message, tag, choice: "approve".into(), user, token: token.into(), text: None })
}

fn ended(number: u64) -> Progress {
    let subject = Subject {
        request_id: format!("req-{number}"),
        tool: "Bash".into(),
        context: Vec::new(),
        parts: Vec::new(),
        grant: None,
        granted: None,
        risks: Vec::new(),
    };
    let outcome = Outcome::Expired(ExpiredCause::Nobody);
    let ended = Some(Ended::of(&outcome, false, "noon", Lang::En));
    let pages = vec![Page { message: message(number), choices: Vec::new(), menu: true }];
    let view = CardView { pages, ..CardView::default() };
    Progress { card: Some(message(number)), view, ended, ..Progress::new(&format!("TAG{number}"), subject) }
}

#[tokio::test(start_paused = true)]
async fn a_late_press_is_told_how_its_request_ended() {
    let mut ledger = GatewayLedger::new(Nothing, Lang::En, |_: Noted<'_>| Saved::ALREADY);
    ledger.save(&ended(7));
    let late = ledger.late(&press(7, None, "t1")).unwrap();
    assert_eq!(
        late.line.unwrap(),
        "This permission request has already ended: ⌛ Expired: Bash · Nobody answered. The terminal asks again. · noon \
         (request_id: req-7)"
    );
    assert!(late.first && late.lost.is_none() && late.tag == "TAG7");
    assert_eq!(ledger.late(&press(8, None, "t3")), None);
    let copy = ledger.late(&press(9, Some("TAG7"), "t4")).unwrap();
    assert_eq!(copy.lost.unwrap().card, Some(message(9)), "a second copy is retired");
}

#[tokio::test(start_paused = true)]
async fn old_cards_are_forgotten_and_only_cards_that_ended_lately_are_polled() {
    let forgotten = Rc::new(RefCell::new(Vec::new()));
    let list = Rc::clone(&forgotten);
    let mut ledger = GatewayLedger::new(Nothing, Lang::En, move |noted: Noted<'_>| {
        if let Noted::Forgotten(tag) = noted {
            list.borrow_mut().push(tag.to_owned());
        }
        Saved::ALREADY
    });
    (0..210).for_each(|number| drop(ledger.save(&ended(number))));
    assert_eq!(forgotten.borrow().len(), 10);
    let looked_at: Vec<_> = ledger.recent().into_iter().map(|watch| watch.message.sequence).collect();
    assert_eq!(looked_at, [209, 208, 207, 206, 205]);
    tokio::time::advance(LOOKED_AT).await;
    assert_eq!(ledger.recent(), []);
}

#[tokio::test(start_paused = true)]
async fn a_reaction_that_was_dealt_with_is_no_late_press() {
    let mut ledger = GatewayLedger::new(Nothing, Lang::En, |_: Noted<'_>| Saved::ALREADY);
    ledger.save(&Progress { seen: vec!["c:7:ann:approve".into()], ..ended(7) });
    assert_eq!(ledger.late(&press(7, None, "")), None);
}

/// A card whose grant can be revoked on it.
fn granted(number: u64) -> Progress {
    let ended = ended(number);
    let revocable = |ended: Ended| ended.with_grant(GrantEnd::Revocable, Lang::En);
    Progress { ended: ended.ended.clone().map(revocable), ..ended }
}

#[tokio::test(start_paused = true)]
async fn a_grant_is_taken_back_on_its_own_card_while_that_has_the_choice() {
    let mut ledger = GatewayLedger::new(Nothing, Lang::En, |_: Noted<'_>| Saved::ALREADY);
    ledger.save(&granted(7));
    ledger.save(&ended(8));
    let revocable = |ledger: &mut GatewayLedger<_, _>, on, tag| match press(on, tag, "t") {
        Event::Chosen(press) => ledger.revocable(&press).map(|progress: Progress| progress.tag),
        Event::Said(_) => None,
    };
    assert_eq!(revocable(&mut ledger, 7, None).as_deref(), Some("TAG7"));
    assert_eq!(revocable(&mut ledger, 9, Some("TAG7")).as_deref(), Some("TAG7"), "a second copy of the card");
    assert_eq!(revocable(&mut ledger, 8, None), None);
    assert_eq!(revocable(&mut ledger, 6, None), None);
    let mut taken_back = granted(7);
    taken_back.ended = taken_back.ended.map(|ended| ended.without_grant(Some("ann"), "noon", Lang::En));
    ledger.save(&taken_back);
    assert_eq!(revocable(&mut ledger, 7, None), None);
}

#[tokio::test(start_paused = true)]
async fn a_card_whose_grant_may_be_taken_back_is_remembered_longest() {
    let mut ledger = GatewayLedger::new(Nothing, Lang::En, |_: Noted<'_>| Saved::ALREADY);
    ledger.save(&granted(7));
    (100..400).for_each(|number| drop(ledger.save(&ended(number))));
    assert!(ledger.past.iter().any(|past| past.progress.tag == "TAG7") && ledger.past.len() == PAST);
    (400..700).for_each(|number| drop(ledger.save(&granted(number))));
    assert!(ledger.past.len() == PAST && !ledger.past.iter().any(|past| past.progress.tag == "TAG7"));
}
